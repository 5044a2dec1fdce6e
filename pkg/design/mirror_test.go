package design

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Worked by hand: points e1, e2 and (e1 + e2)/2, uniform weights. M is 5/12 on the diagonal and
// 1/12 off it, its inverse 5/2 and -1/2, so that the gradients are 5/2, 5/2 and 1. The first step
// is sqrt(2 log 3)/(5/2), and leaves exp(-3/2 of it) of the third weight against the others.
func TestMirrorStep(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, .5, .5})
	var values []float64
	d, err := G(x, &Options{Method: MirrorDescent, MaxIterations: 1, Tol: 1e-9,
		Watch: func(b Bracket) bool { values = append(values, b.Value); return true }})
	if !errors.Is(err, ErrGap) || d.Iterations != 1 {
		t.Fatalf("%v, %v", d, err)
	}
	left := math.Exp(-1.5 * math.Sqrt(2*math.Log(3)) / 2.5)
	want := []float64{1 / (2 + left), 1 / (2 + left), left / (2 + left)}
	if !floats.EqualApprox(d.Weights, want, 1e-12) {
		t.Errorf("weights %v, want %v", d.Weights, want)
	}
	if len(values) != 2 || !(math.Abs(values[0]-2.5) <= 1e-12) || !(math.Abs(values[1]-d.Value) <= 1e-12) {
		t.Errorf("values %v, want 2.5 and %v", values, d.Value)
	}
}

// It reaches the optimum that Kiefer and Wolfowitz give, and says what its design is worth.
func TestMirrorDescent(t *testing.T) {
	for m := 1; m <= 6; m++ {
		x := normalPoints(uint64(m), 60, m)
		d, err := G(x, &Options{Method: MirrorDescent})
		if err != nil {
			t.Errorf("%d dimensions: %v", m, err)
			continue
		}
		if !(math.Abs(floats.Sum(d.Weights)-1) <= 1e-12) || floats.Min(d.Weights) < 0 {
			t.Errorf("%d dimensions: no design: %v", m, d.Weights)
		}
		most := floats.Max(plainVariances(t, x, d.Weights))
		if !(math.Abs(most-d.Value) <= 1e-9*most) || d.Lower != float64(m) || d.Gap() > DefaultTol {
			t.Errorf("%d dimensions: bracket [%v, %v], want [%d, %v]", m, d.Lower, d.Value, m, most)
		}
	}
}
