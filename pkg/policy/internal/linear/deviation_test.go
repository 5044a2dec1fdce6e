package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The fit is a minimum: what residuals exceed the bound by is orthogonal to the features, weighted
// by counts (the gradient of a convex function).
func TestDeviating(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	clipped := 0
	for range 50 {
		const k, m, bound = 9, 3, .2
		x, n, mean := make([][]float64, k), make([]int, k), make([]float64, k)
		for i := range x {
			x[i] = []float64{rnd.NormFloat64(), rnd.NormFloat64(), 1}
			n[i], mean[i] = 1+rnd.IntN(20), rnd.NormFloat64()
		}
		predict, delta := Deviating(x, n, mean, bound)
		g := make([]float64, m)
		for i, row := range x {
			r := mean[i] - predict(row)
			if want := min(max(r, -bound), bound); math.Abs(delta[i]-want) > 1e-6 {
				t.Fatalf("deviation %v; want %v", delta[i], want)
			}
			if math.Abs(r) > bound {
				clipped++
			}
			floats.AddScaled(g, float64(n[i])*(r-delta[i]), row)
		}
		if floats.Norm(g, 2) > 1e-5 {
			t.Errorf("gradient %v", g)
		}
	}
	if clipped < 100 {
		t.Errorf("only %d residuals are larger than the bound", clipped)
	}
}

// By hand: x = 1, 2 with means 1 and 1.5, one reward each, and deviations of at most 1/4. Least
// squares has theta = 4/5 and residuals .2 and -.1: within the bound, so that means are fitted
// exactly. With 1/10, .2 is too large, and theta = .9 makes the sum of squares 0: residuals .1
// and -.3 do not; the minimum of (max(0, |1 - t| - .1))^2 + (max(0, |1.5 - 2t| - .1))^2 is 0 for
// no t, as 1 - t <= .1 and 2t - 1.5 <= .1 exclude each other: with 1 - t - .1 = 2 (2t - 1.6), t =
// .82.
func TestDeviatingByHand(t *testing.T) {
	x, n, mean := [][]float64{{1}, {2}}, []int{1, 1}, []float64{1, 1.5}
	predict, delta := Deviating(x, n, mean, .25)
	if math.Abs(predict(x[0])-.8) > 1e-9 || math.Abs(delta[0]-.2) > 1e-9 ||
		math.Abs(delta[1]+.1) > 1e-9 {
		t.Errorf("theta %v, deviations %v", predict(x[0]), delta)
	}
	predict, delta = Deviating(x, n, mean, .1)
	if math.Abs(predict(x[0])-.82) > 1e-7 || delta[0] != .1 || delta[1] != -.1 {
		t.Errorf("theta %v, deviations %v; want .82", predict(x[0]), delta)
	}
}
