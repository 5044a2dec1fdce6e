package linfact

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
)

// What is known of an arm is what was known when it was decided: later rounds are about others.
func TestKnowledgeOfDecidedArms(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	know := &knowledge{x: x, arms: fig.ThresholdArms{Estimates: make([]float64, 2), Lo: make([]float64, 2), Hi: make([]float64, 2), Verdicts: make([]fig.Verdict, 2)}}
	for round, c := range []struct {
		sums    [2]float64
		classes [2]explore.Class
	}{{[2]float64{4, 2}, [2]explore.Class{explore.Optimal, explore.Undecided}}, {[2]float64{20, 1}, [2]explore.Class{explore.Optimal, explore.Dominated}}} {
		err := know.Record(explore.Event{Round: round + 1, Policy: sure{c.classes}, Obs: []explore.Batch{
			{Pull: explore.Pull{Arm: 0, N: 2}, Sum: c.sums[:1]}, {Pull: explore.Pull{Arm: 1, N: 2}, Sum: c.sums[1:]}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	a := know.arms
	if math.Abs(a.Estimates[0]-2) > 1e-12 || math.Abs(a.Lo[0]-1.5) > 1e-12 || a.Verdicts[0] != fig.Kept ||
		math.Abs(a.Estimates[1]-.5) > 1e-12 || math.Abs(a.Hi[1]-.75) > 1e-12 || a.Verdicts[1] != fig.Rejected {
		t.Errorf("%+v", a)
	}
}

// sure is a policy that has only an answer.
type sure struct{ classes [2]explore.Class }

func (sure) Init(*explore.Problem, rand.Source) error       { return nil }
func (sure) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }
func (sure) Tell([]explore.Batch) error                     { return nil }
func (d sure) Answer() explore.Answer {
	return explore.Answer{Reasons: []explore.Reason{{Class: d.classes[0]}, {Class: d.classes[1]}}}
}
