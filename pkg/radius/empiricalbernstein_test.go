package radius_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// The half-widths by hand: range 2, 3 arms, 2 objectives, delta 0.1, 1000 rewards.
func TestEmpiricalBernstein(t *testing.T) {
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: 1,
		Delta: .1})
	a, ok := b.(radius.Fitted)
	if !ok {
		t.Fatal("not adaptive")
	}
	// log(24/.1 1000 1001) = 19.297, log(36/.1 1000 1001) = 19.702.
	hoeffding := 2 * math.Sqrt(math.Log(240*1000*1001)/2000)
	x := math.Log(360*1000*1001) / 1000
	for _, c := range []struct{ got, want float64 }{
		{a.Mean(1000), hoeffding}, {a.Mean(1000), .1964543},
		{a.Around(0, radius.Seen{N: 1000, Spread: .01}), math.Sqrt(.02*x) + 6*x}, {a.Around(0, radius.Seen{N: 1000, Spread: .01}), .1380664},
		{a.Around(0, radius.Seen{N: 1000, Spread: 1}), hoeffding},          // as wide as the range allows
		{a.Around(1, radius.Seen{N: 1000, Spread: math.NaN()}), hoeffding}, // nobody kept squares
		{a.Apart(1, radius.Seen{N: 1000, Spread: math.NaN()}, radius.Seen{N: 1000, Spread: .01}), hoeffding + math.Sqrt(.02*x) + 6*x},
		{a.Around(0, radius.Seen{N: 1000}), 6 * x}, // all rewards are the same
		{a.Pair(a.Term(1000), a.Term(1000)), 2 * hoeffding},
		{a.Norm(1000), math.Sqrt2 * hoeffding},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-6*c.want) {
			t.Errorf("half-width %v; want %v", c.got, c.want)
		}
	}
	if pair, norm := b.Factors(7); pair != 1 || norm != 1 {
		t.Errorf("factors %v, %v", pair, norm)
	}
}

// The bounds hold for rewards in the range, at all counts at once: those of rare successes, whose
// variance is easily underestimated, and of even ones.
func TestEmpiricalBernsteinCovers(t *testing.T) {
	const runs, most, delta = 400, 3000, .2
	rnd := rand.New(rand.NewPCG(5, 6))
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: .5,
		Delta: delta}).(radius.Fitted)
	for _, p := range []float64{.003, .05, .5} {
		missed := 0
		for range runs {
			var sum float64
			for n := 1; n <= most; n++ {
				if rnd.Float64() < p {
					sum++
				}
				mean := sum / float64(n)
				if math.Abs(mean-p) > b.Around(0, radius.Seen{N: n, Mean: mean, Spread: mean - mean*mean}) {
					missed++
					break
				}
			}
		}
		if missed > int(delta*runs) {
			t.Errorf("p %v: missed in %d of %d runs at delta %v", p, missed, runs, delta)
		}
	}
}
