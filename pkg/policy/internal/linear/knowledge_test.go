package linear

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values computed by numerical integration.
func TestGradient(t *testing.T) {
	var g Gradient
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{0, 0}, []float64{0, 1}, 0.398942280401},
		{[]float64{1, 0, -1}, []float64{.5, -1, 2}, 0.290272143299},
		{[]float64{1, .9, .8, .2}, []float64{.1, .1, .5, -.7}, 0.145770999431},
	} {
		if got := math.Exp(g.Log(c.a, c.b, 1)); math.Abs(got-c.want) > 1e-11 {
			t.Errorf("%v, %v: %v; want %v", c.a, c.b, got, c.want)
		}
	}
	if got := g.Log([]float64{1, 2}, []float64{3, 3}, 1); !math.IsInf(got, -1) {
		t.Errorf("equal slopes: %v", got)
	}
}

// Against the integral over a fine grid, for lines of which many or few are the largest somewhere.
func TestGradientBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var g Gradient
	for range 40 {
		n := 1 + rnd.IntN(12)
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			b[i] = rnd.NormFloat64()
			if a[i] = rnd.NormFloat64(); rnd.IntN(2) == 0 {
				a[i] = -b[i] * b[i] / 2 // tangents of a parabola: all count
			}
			if i > 0 && rnd.IntN(4) == 0 {
				b[i] = b[i-1]
			}
		}
		const scale, step = .7, 1e-3
		most, sum := math.Inf(-1), 0.
		for _, v := range a {
			most = max(most, v)
		}
		for z := -9.; z <= 9; z += step {
			top := math.Inf(-1)
			for i := range a {
				top = max(top, a[i]+scale*b[i]*z)
			}
			sum += (top - most) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * step
		}
		if got := math.Exp(g.Log(a, b, scale)); math.Abs(got-sum) > 1e-6 {
			t.Errorf("%v, %v: %v; want %v", a, b, got, sum)
		}
	}
}

// Far gains underflow, but not their logarithms: one of 40 standard deviations is about
// phi(40)/1600. The two forms of the loss agree where they meet.
func TestGradientFar(t *testing.T) {
	var g Gradient
	got := g.Log([]float64{40, 0}, []float64{0, 1}, 1)
	if want := -800 - math.Log(2*math.Pi)/2 - math.Log(1600); math.Abs(got-want) > .002 {
		t.Errorf("%v; want %v", got, want)
	}
	if a, b := logLoss(-25), logLoss(-25.000000001); math.Abs(a-b) > 1e-7 {
		t.Errorf("%v and %v", a, b)
	}
}
