package policy

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The inverse Gaussian law of mean 1 and shape 1 has Phi(0) + e^2 Phi(-2) =
// 0.5 + 7.389056 0.02275013 = 0.668102 below 1. The level a is reached after 2 a on
// average, whatever other tests were done before; of two that are equally slow the
// later one is compared with 400 000 draws (Michael, Schucany and Haas, 1976).
func TestExpectedMaximum(t *testing.T) {
	if p := inverseGaussian(1, 1, 1); math.Abs(p-.668102) > 1e-6 {
		t.Errorf("%v below the mean; want .668102", p)
	}
	a := math.Log(20)
	rnd := rand.New(rand.NewPCG(1, 2))
	draw := func() float64 {
		mean, shape, z := 2*a, a*a, rnd.NormFloat64()
		y := mean * z * z
		x := mean + mean/(2*shape)*(y-math.Sqrt(4*shape*y+y*y))
		if rnd.Float64() > mean/(mean+x) {
			x = mean * mean / x
		}
		return x
	}
	two := 0.
	const n = 400_000
	for range n {
		two += max(draw(), draw()) / n
	}
	for _, c := range []struct {
		u    []float64
		want float64
	}{{[]float64{1}, 2 * a}, {[]float64{50, 1e-3}, 100 * a}, {[]float64{3, 3}, 3 * two}} {
		if got := expectedMaximum(c.u, a); math.Abs(got-c.want) > .01*c.want {
			t.Errorf("%v: %v; want %v", c.u, got, c.want)
		}
	}
}
