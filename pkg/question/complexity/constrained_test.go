package complexity_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// least returns {x : x[0] >= v} in d dimensions.
func least(d int, v float64) *polyhedron.Polyhedron {
	lower := make([]float64, d)
	for c := range lower {
		lower[c] = math.Inf(-1)
	}
	lower[0] = v
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return r
}

// T* equals the values computed by hand.
func TestConstrainedTStar(t *testing.T) {
	const o, s, i = explore.Optimal, explore.Dominated, explore.Infeasible
	for _, c := range []struct {
		name     string
		region   *polyhedron.Polyhedron
		mu       *mat.Dense
		cov      mat.Symmetric
		set, all float64 // T* of the set, and with reasons
		as       []explore.Class
	}{
		// For one arm whose mean is at distance eta from the boundary, T* is 2/eta^2.
		{"one arm inside", least(1, 0), rows([]float64{.5}), nil, 8, 8, []explore.Class{o}},
		{"one arm outside", least(2, 0), rows([]float64{-.5, 3}), nil, 8, 8, []explore.Class{i}},
		// With covariance Sigma, the distance of x to the boundary of a'x <= b is |b - a'x|/sqrt(a'Sigma a).
		{"noisier", least(2, 0), rows([]float64{.5, 1}),
			mat.NewSymDense(2, []float64{9, 1, 1, 1}), 72, 72, []explore.Class{o}},
		{"nobody feasible", least(2, 0), rows([]float64{-.5, 1}, []float64{-1, 2},
			[]float64{-2, 3}), nil, 8 + 2 + .5, 8 + 2 + .5, []explore.Class{i, i, i}},
		// The nearest feasible point is the corner (0, 0), at distance sqrt(2).
		{"corner", atLeast(0, 0), rows([]float64{-1, -1}), nil, 1, 1, []explore.Class{i}},
		// Far from the boundary, T* is the unconstrained 8/gap^2.
		{"far", least(1, -10), rows([]float64{2}, []float64{1}), nil, 8, 8, []explore.Class{o, s}},
		// To make arm 0 infeasible costs w_0/2. If arm 1 is rejected as dominated, the cheapest alternative makes arm
		// 1 equal to arm 0, at cost 2 w_0 w_1. Both costs are 3/8 at w = (3/4, 1/4). If arm 1 were rejected as
		// infeasible, T* would be 4. For the set alone, T* is the same as for a dominated arm 1, because the weighted
		// mean of the two arms, 1/2, is feasible.
		{"a choice", least(1, 0), rows([]float64{1}, []float64{-1}), nil, 8. / 3, 8. / 3,
			[]explore.Class{o, s}},
		// Arm 1 is infeasible by 2 and behind arm 0 by only 1/10, so T* with reasons is 2/0.5^2 (arm 0) plus 2/2^2
		// (arm 1). For the set alone, arm 1 must become feasible, at cost 2 w_1, and also equal to arm 0 in the second
		// objective, at cost 0.005 w_0 w_1. The sum of both costs equals the cost w_0/8 of making arm 0 infeasible if
		// 2.13 w_1 - 0.005 w_1^2 = 0.125.
		{"other choice", least(2, 0), rows([]float64{.5, 1}, []float64{-2, .9}), nil,
			8 / (1 - (2.13-math.Sqrt(2.13*2.13-.0025))/.01), 8.5, []explore.Class{o, i}},
	} {
		for _, setOnly := range []bool{true, false} {
			q := question.FeasiblePareto{Region: c.region, SetOnly: setOnly}
			got, err := complexity.NewTStar(q, c.mu, c.cov, 1e-8)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			want := c.all
			if setOnly {
				want = c.set
			}
			if got.Lower > want*(1+1e-7) || got.Upper < want*(1-1e-7) || !(got.Upper <= got.Lower*(1+1e-7)) || !got.Exact {
				t.Errorf("%s, set only %v: T* in [%v, %v]; want %v", c.name, setOnly, got.Lower, got.Upper, want)
			}
			if !(math.Abs(floats.Sum(got.Weights)-1) <= 1e-12) || setOnly != (got.Reasons == nil) ||
				!setOnly && !slices.Equal(got.Reasons, c.as) {
				t.Errorf("%s: %+v; want %v", c.name, got, c.as)
			}
		}
	}
}

// With reasons, T* is the minimum of the times of all right answers, each of which the test computes. T* with reasons
// is at least T* for the set alone.
func TestExplainedTStarAgainstEnumeration(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 6))
	most, mixed, binding := 0, 0, 0
	for trial := range 500 {
		q, mu := randomQuestion(rnd, 9)
		set, err := complexity.NewTStar(question.FeasiblePareto{Region: q.Region, SetOnly: true}, mu, nil, 1e-6)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		got, err := complexity.NewTStar(q, mu, nil, 1e-6)
		if err != nil || !got.Exact {
			t.Fatalf("trial %d: %+v, %v", trial, got, err)
		}
		truth, free := q.Truth(mu), []int(nil)
		as := slices.Clone(got.Reasons)
		for i := range as {
			if !truth.Feasible[i] && truth.SubOpt[i] {
				free = append(free, i)
			} else if want := truth.Classes()[i]; as[i] != want {
				t.Errorf("trial %d: arm %d is %v; want %v", trial, i, as[i], want)
			}
		}
		least, how := math.Inf(1), []explore.Class(nil)
		for n := range 1 << len(free) {
			for b, i := range free {
				as[i] = []explore.Class{explore.Dominated, explore.Infeasible}[n>>b&1]
			}
			v, err := complexity.TStarOf(q, mu, nil, as, 1e-6)
			if err != nil {
				t.Fatalf("trial %d: %v", trial, err)
			}
			if v.Lower < least {
				least, how = v.Lower, slices.Clone(as)
			}
		}
		if got.Lower > least*(1+1e-6) || got.Upper < least*(1-1e-9) || set.Lower > got.Upper*(1+1e-9) {
			t.Errorf("trial %d: T* in [%v, %v] with %v; by enumeration %v with %v; %v for the set", trial,
				got.Lower, got.Upper, got.Reasons, least, how, set.Lower)
		}
		most = max(most, len(free))
		if len(free) > 1 && slices.Contains(got.Reasons, explore.Dominated) && slices.Contains(got.Reasons, explore.Infeasible) {
			mixed++
		}
		if set.Upper < got.Lower*(1-1e-4) {
			binding++
		}
	}
	if most < 5 || mixed < 20 || binding < 10 {
		t.Errorf("at most %d arms with a choice, %d mixed, reasons cost more in %d: the test is "+
			"too easy", most, mixed, binding)
	}
}

// An arm on the boundary counts as tied, even if rounding places it inside or outside: in floating point, 0.1 + 0.2 is
// above 0.3, and 0.1 + 0.7 is below 0.8.
func TestBoundaryByRounding(t *testing.T) {
	ties := func(sum float64, means ...float64) {
		t.Helper()
		region, err := polyhedron.HalfSpace([]float64{1, 1}, sum, "")
		if err != nil {
			t.Fatal(err)
		}
		mu := mat.NewDense(len(means)/2, 2, means)
		for _, q := range []question.FeasiblePareto{{Region: region, SetOnly: true}, {Region: region}} {
			if s, err := complexity.NewTStar(q, mu, nil, 0); !errors.Is(err, complexity.ErrParetoTie) {
				t.Errorf("x + y <= %v, means %v, set only %v: %+v, %v; want a tie", sum, means, q.SetOnly, s, err)
			}
		}
		if s, err := complexity.NewTStar(question.Feasible{Region: region}, mu, nil,
			0); !errors.Is(err, complexity.ErrParetoTie) || strings.Contains(err.Error(), "Pareto") {
			t.Errorf("x + y <= %v, means %v, the feasible set: %+v, %v; want a tie", sum, means, s, err)
		}
	}
	ties(.3, .1, .2, -1, -1)
	ties(.3, .1, .2)
	ties(.8, .1, .7, -1, -1)
	// All arms with two-digit decimal means on the boundary that rounding places outside the region count as tied.
	outside := 0
	for i := range 100 {
		for j := range 100 {
			x, y, z := float64(i)/100, float64(j)/100, float64(i+j)/100
			if x+y > z {
				outside++
				ties(z, x, y, -1, -1)
			}
		}
	}
	if outside < 500 {
		t.Errorf("%d pairs; the case does not test much", outside)
	}
}
