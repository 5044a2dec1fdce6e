package pareto

import (
	"math"
	"testing"
)

func TestRelations(t *testing.T) {
	for _, c := range []struct {
		a, b                 []float64
		weak, pareto, strict bool
		excess               float64 // by hand
	}{
		{[]float64{1, 1}, []float64{1, 1}, true, false, false, 0},
		{[]float64{1, 2}, []float64{1, 1}, true, true, false, 1},
		{[]float64{3, 2}, []float64{1, 1}, true, true, true, 2},
		{[]float64{1, 0}, []float64{0, 1}, false, false, false, 1},
		{[]float64{0, 0}, []float64{.5, .25}, false, false, false, -.25},
		{[]float64{0, 0}, []float64{0, 1}, false, false, false, 0},
		{[]float64{0}, []float64{math.Copysign(0, -1)}, true, false, false, 0},
		{[]float64{1, 5}, []float64{math.NaN(), 1}, false, false, false, math.NaN()},
		{[]float64{5, math.NaN()}, []float64{1, 1}, false, false, false, math.NaN()},
	} {
		if got := covers(c.a, c.b); got != c.weak {
			t.Errorf("covers(%v, %v) = %v", c.a, c.b, got)
		}
		if got := Dominates(c.a, c.b); got != c.pareto {
			t.Errorf("Dominates(%v, %v) = %v", c.a, c.b, got)
		}
		if got := Deficit(c.b, c.a) > 0; got != c.strict {
			t.Errorf("Deficit(%v, %v) > 0 is %v", c.b, c.a, got)
		}
		same := func(x, y float64) bool { return x == y || x != x && y != y }
		if got := Excess(c.a, c.b); !same(got, c.excess) {
			t.Errorf("Excess(%v, %v) = %v; want %v", c.a, c.b, got, c.excess)
		}
		if got := Deficit(c.a, c.b); !same(got, -c.excess) {
			t.Errorf("Deficit(%v, %v) = %v; want %v", c.a, c.b, got, -c.excess)
		}
	}
}

// The sign of M is the weak relation.
func TestAmountsAndRelations(t *testing.T) {
	rnd := newRand(1)
	for _, law := range clouds {
		for range 500 {
			mu := cloud(rnd, law.draw, 2, 1+rnd.IntN(4))
			a, b := mu.RawRowView(0), mu.RawRowView(1)
			if (Excess(a, b) <= 0) != covers(b, a) {
				t.Fatalf("%s: a = %v, b = %v: m = %v, M = %v", law.name, a, b, Deficit(a, b),
					Excess(a, b))
			}
			if Dominates(a, b) != (covers(a, b) && !covers(b, a)) {
				t.Fatalf("%s: Dominates(%v, %v)", law.name, a, b)
			}
		}
	}
}
