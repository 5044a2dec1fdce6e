package pfiwr

import (
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// Sparing needs the fewest pulls only if it needs fewer than each method with a guarantee: one
// that needs fewer is enough against it.
func TestEveryRivalCounts(t *testing.T) {
	for _, rival := range [][2]string{{APE, Theory}, {PFIMulti, Theory}, {PAL, Theory},
		{GEGE, Theory}, {Uniform, Theory}, {PFIwR, SelfNormalised}} {
		rows := studytest.Rows(Frontier, func(m study.Method, _ int) studytest.Made {
			made := studytest.Made{Pulls: 1000, Spread: .1, Reps: 40}
			switch {
			case m.Name == Sparing && m.Constants == Priced(10):
				made.Pulls = 500
			case m.Name == rival[0] && m.Constants == rival[1]:
				made.Pulls = 100
			}
			return made
		})
		if v := sparingPulls(Frontier.Results(rows)); v.Outcome != study.Differs {
			t.Errorf("%s needs fewer: %+v; want that it differs", rival[0], v)
		}
	}
}

// Means of numbers of the same replicates are compared in pairs, which tells more if they rise and
// fall together; numbers of other replicates are not.
func TestMeansInPairs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var a, b, shifted []mc.Row
	for i := range 60 {
		x := 1 + 10*rnd.Float64()
		row := func(rep int, v float64) mc.Row {
			return mc.Row{Rep: rep, Measures: []mc.Value{{Name: "regret", Value: v}}}
		}
		a, b = append(a, row(i+1, x*(1+.01*rnd.Float64()))), append(b, row(i+1, x))
		shifted = append(shifted, row(i+2, x))
	}
	width := func(b []mc.Row) float64 {
		s := means("a / b", a, b, "regret").At(.95)
		return s.Hi - s.Lo
	}
	if w, apart := width(b), width(shifted); !(w < .02) || !(apart > .1) {
		t.Errorf("interval of width %v in pairs, %v of other replicates", w, apart)
	}
}
