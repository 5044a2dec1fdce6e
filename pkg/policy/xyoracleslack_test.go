package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
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

// Three orthogonal arms with gaps 1 and 10. By symmetry in the arms other than the
// first the design for the variances v_j = 1/w_1 + 1/w_j over squared gaps has closed
// forms, checked by a grid; with slack it is that for another second gap.
func TestSlackened(t *testing.T) {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	y := mat.NewDense(2, 3, []float64{1, -1, 0, .1, 0, -.1})
	o := &design.Options{Tol: 1e-5}
	plain, err := slackened(x, y, .05, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := slackened(x, y, .05, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	a := math.Log(20)
	value := func(s solved) float64 { return expectedMaximum(variances(x, y, s.design.Weights), a) }
	least, at := math.Inf(1), 0.
	for _, slack := range slacks {
		s, err := slackened(x, y, .05, slack, o)
		if err != nil {
			t.Fatal(err)
		}
		u := variances(x, y, s.design.Weights)
		// The first difference costs nearly all: it is not slackened.
		if ratio := u[0] / u[1]; ratio < .8*slack || ratio > 1.001*slack {
			t.Errorf("slack %v: variances %v", slack, u)
		}
		if v := value(s); v < least {
			least, at = v, slack
		}
	}
	if at == 1 || math.Abs(value(chosen)-least) > 1e-9 || value(chosen) > .95*value(plain) {
		t.Errorf("expected %v; at best %v with slack %v, %v without", value(chosen), least, at,
			value(plain))
	}
	if u := variances(x, y, []float64{.5, .25, .25}); !floats.EqualApprox(u, []float64{6, .06},
		1e-12) {
		t.Errorf("variances %v; want 2 + 4 and a hundredth of it", u)
	}
	if !slices.IsSorted(slacks) {
		t.Error("slacks are not ascending")
	}
}
