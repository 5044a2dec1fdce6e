package pareto

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
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

func TestPanics(t *testing.T) {
	one, two := []float64{1}, []float64{1, 2}
	mu := mat.NewDense(2, 1, nil)
	nan, inf := []float64{1, math.NaN()}, []float64{math.Inf(-1), 1}
	for name, c := range map[string]struct {
		want any
		f    func()
	}{
		"Excess":               {panicShape, func() { Excess(one, two) }},
		"Excess nothing":       {panicDim, func() { Excess(nil, nil) }},
		"Deficit":              {panicShape, func() { Deficit(two, one) }},
		"Dominates":            {panicShape, func() { Dominates(one, two) }},
		"Set NaN":              {panicFinite, func() { Set(mat.NewDense(2, 1, nan)) }},
		"Set Inf":              {panicFinite, func() { Set(mat.NewDense(2, 1, inf)) }},
		"SetOf index":          {panicIndex, func() { SetOf(mu, []int{2}) }},
		"SetOf negative":       {panicIndex, func() { SetOf(mu, []int{-1}) }},
		"SetOf NaN":            {panicFinite, func() { SetOf(mat.NewDense(2, 1, nan), []int{1}) }},
		"AppendSet dim":        {panicDim, func() { AppendSet(nil, two, 0) }},
		"AppendSet shape":      {panicShape, func() { AppendSet(nil, []float64{1, 2, 3}, 2) }},
		"AppendSetOf index":    {panicIndex, func() { AppendSetOf(nil, two, 2, []int{1}) }},
		"Gaps NaN":             {panicFinite, func() { Gaps(mat.NewDense(2, 1, nan)) }},
		"GapsOf index":         {panicIndex, func() { GapsOf(mu, []int{0, 2}) }},
		"GapsOfTo margin":      {panicShape, func() { GapsOfTo(one, two, two, 2, []int{0}) }},
		"GapsOfTo shape":       {panicShape, func() { GapsOfTo(two, nil, two, 1, []int{1}) }},
		"GapsOfTo empty shape": {panicShape, func() { GapsOfTo(two, nil, two, 1, nil) }},
	} {
		if got := panicValue(c.f); got != c.want {
			t.Errorf("%s: panic value %v; want %v", name, got, c.want)
		}
		if !strings.HasPrefix(fmt.Sprint(c.want), "pareto: ") {
			t.Errorf("%q has no prefix", c.want)
		}
	}
	// A number that is not asked about does not matter.
	if got := SetOf(mat.NewDense(2, 1, nan), []int{0}); len(got) != 1 || got[0] != 0 {
		t.Errorf("SetOf without the NaN: %v", got)
	}
}

func TestCheck(t *testing.T) {
	if err := Check(mat.NewDense(1, 2, []float64{math.MaxFloat64, -math.MaxFloat64})); err != nil {
		t.Error(err)
	}
	if err := Check(new(mat.Dense)); err != nil {
		t.Error(err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		err := Check(mat.NewDense(2, 2, []float64{0, 0, 0, v}))
		if !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "row 1, column 1") {
			t.Errorf("%v: %v", v, err)
		}
	}
}
