package design

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// The points are e1 and e2, and the only direction is e1. From (1/2, 1/2), all steps, of sizes 2/3, 1/2, 2/5 and so
// on, move weight to e1. The remaining weight of e2 after t steps is 1/2 * 1/3 * 1/2 * 3/5 * ... = 1/((t+1)(t+2)).
func TestFrankWolfeSteps(t *testing.T) {
	x, y := []float64{1, 0, 0, 1}, []float64{1, 0}
	worst := func(met *lsq.Metric) ([]float64, float64) { return y, met.Squared(y) }
	for steps := 1; steps <= 5; steps++ {
		var seen []float64
		w, n := frankWolfe(2, 2, x, worst, &Options{MaxIterations: steps, Watch: func(b Bracket) bool {
			seen = append(seen, b.Value)
			return true
		}})
		want := 1 / float64((steps+1)*(steps+2))
		if n != steps || !(math.Abs(w[1]-want) <= 1e-15) || !(math.Abs(w[0]+want-1) <= 1e-15) {
			t.Errorf("weights %v after %d steps, want %v left in %d", w, n, want, steps)
		}
		for s, v := range seen { // after step s+1
			if left := 1 / float64((s+2)*(s+3)); !(math.Abs(v-1/(1-left)) <= 1e-12) {
				t.Errorf("value %v after %d steps, want %v", v, s+1, 1/(1-left))
			}
		}
	}
	// Step t has the length 2/(t+2) * 1/(t(t+1)) * sqrt(2), that is, 0.0135 for t = 5 and 0.0084 for
	// t = 6. From t = 6 on, the step is less than 1 % of the norm of the weights, which is about 1.
	if _, n := frankWolfe(2, 2, x, worst, &Options{}); n != 6 {
		t.Errorf("%d steps, want 6", n)
	}
}

// The points are e1, e2 and (e1 + e2)/2, with uniform weights. The information matrix is 5/12 on the diagonal and 1/12
// off the diagonal. Its inverse has the entries 5/2 and -1/2, so the gradients are 5/2, 5/2 and 1. The first step size
// is eta = sqrt(2 log 3)/(5/2), and the step multiplies the third weight by exp(-3/2 eta) relative to the other
// weights.
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

// Mirror descent reaches the optimal value m, which the theorem of Kiefer and Wolfowitz states, and reports the gap of
// the design that it returns.
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
