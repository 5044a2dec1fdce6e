package design

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/lsq"
)

// Worked by hand: points e1 and e2, one direction e1. From (1/2, 1/2) all
// steps, 2/3, 1/2, 2/5, ..., go to e1, and the part left at e2 is
// 1/2 (1/3)(1/2)(3/5) ... = 1/((t+1)(t+2)) after t.
func TestFrankWolfeSteps(t *testing.T) {
	x, y := []float64{1, 0, 0, 1}, []float64{1, 0}
	worst := func(met *lsq.Metric) ([]float64, float64) { return y, met.Squared(y) }
	for steps := 1; steps <= 5; steps++ {
		var seen []float64
		w, n := frankWolfe(2, 2, x, worst,
			&Options{MaxIterations: steps, Watch: func(b Bracket) bool {
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
	// Step t moves 2/(t+2) 1/(t(t+1)) sqrt(2), which is less than 1 % of the norm,
	// about 1, from t = 6 on: 2/8/42 sqrt(2) = 0.0084, 2/7/30 sqrt(2) = 0.0135.
	if _, n := frankWolfe(2, 2, x, worst, &Options{}); n != 6 {
		t.Errorf("%d steps, want 6", n)
	}
	// From (1, 1)/2 scaled, and weights below 1e-5 are dropped.
	w, n := frankWolfe(2, 2, x, worst, &Options{Start: []float64{1e6, 1}, MaxIterations: 9})
	if n != 1 || w[0] != 1 || w[1] != 0 {
		t.Errorf("weights %v after %d steps, want [1 0] after 1", w, n)
	}
}
