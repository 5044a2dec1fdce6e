package problem

import (
	"errors"
	"fmt"
	"testing"
)

// A campaign begins with as many candidates as its arithmetic can serve, and with no more.
func TestServable(t *testing.T) {
	ten := 10
	counts, ranges, sd := Noise{Counts: &ten}, Noise{Range: []float64{0, 1}}, Noise{SD: new(float64)}
	*sd.SD = 1
	for _, x := range []struct {
		what   string
		most   int
		find   string
		noise  Noise
		linear bool
		method Method
	}{
		{"counts", 1000, FindBest, counts, false, Method{}},
		{"a Pareto set of counts", 1000, FindPareto, counts, false, Method{Radius: RadiusFitted}},
		{"ranges", 3000, FindBest, ranges, false, Method{}},
		{"features", 5000, FindPareto, sd, true, Method{}},
		{"another radius", 100000, FindBest, counts, false, Method{Radius: RadiusMixture}},
		{"a fixed budget", 100000, FindBest, counts, false, Method{Name: "EGE-SH"}},
		{"counts with features", 100000, FindBest, counts, true, Method{}},
		{"Gaussian noise", 100000, FindPareto, sd, false, Method{}},
	} {
		for _, over := range []int{0, 1} {
			if x.most == MostCandidates && over > 0 {
				continue // Validate rejects it
			}
			p := &Problem{Question: Question{Find: x.find, Delta: .05}, Method: x.method,
				Objectives: []Objective{{Name: "y", Goal: Maximise, Noise: x.noise}}}
			for i := range x.most + over {
				p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint(i))
			}
			if x.linear {
				p.Candidates.Features = make([][]float64, p.K())
			}
			err := p.Servable()
			var e Errors
			if over == 0 && err != nil || over == 1 && (!errors.As(err, &e) || e[0].Field != "candidates") {
				t.Errorf("%s: %d candidates: %v", x.what, p.K(), err)
			}
		}
	}
}
