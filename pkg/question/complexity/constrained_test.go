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
	"github.com/purexp/purexp/pkg/question/internal/questiontest"
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

// By hand.
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
		// Testing one mean at distance eta: 2/eta^2.
		{"one arm inside", least(1, 0), questiontest.Rows([]float64{.5}), nil, 8, 8, []explore.Class{o}},
		{"one arm outside", least(2, 0), questiontest.Rows([]float64{-.5, 3}), nil, 8, 8,
			[]explore.Class{i}},
		// With covariance Sigma the distance to a'x <= b is slack/sqrt(a'Sigma a).
		{"noisier", least(2, 0), questiontest.Rows([]float64{.5, 1}),
			mat.NewSymDense(2, []float64{9, 1, 1, 1}), 72, 72, []explore.Class{o}},
		{"nobody feasible", least(2, 0), questiontest.Rows([]float64{-.5, 1}, []float64{-1, 2},
			[]float64{-2, 3}), nil, 8 + 2 + .5, 8 + 2 + .5, []explore.Class{i, i, i}},
		// The corner (0, 0) is nearest, at distance sqrt(2).
		{"corner", questiontest.Quadrant(), questiontest.Rows([]float64{-1, -1}), nil, 1, 1,
			[]explore.Class{i}},
		// Far from the boundary, the unconstrained 8/gap^2.
		{"far", least(1, -10), questiontest.Rows([]float64{2}, []float64{1}), nil, 8, 8,
			[]explore.Class{o, s}},
		// Arm 0 leaves at cost w_0/2; arm 1 may be called dominated, for which it
		// has to be even, at 2 w_0 w_1: both are 3/8 at w = (3/4, 1/4). To call it
		// infeasible would take 4. For the set alone it is as if dominated, since
		// the weighted mean of the two, 1/2, is feasible.
		{"a choice", least(1, 0), questiontest.Rows([]float64{1}, []float64{-1}), nil, 8. / 3, 8. / 3,
			[]explore.Class{o, s}},
		// Arm 1 is infeasible by 2 and behind by 1/10 only: 2/.5^2 for arm 0 and 2/2^2
		// for arm 1. For the set alone it has to become feasible at cost 2 w_1 and be
		// even besides, at .005 w_0 w_1, which costs as much as w_0/8 if 2.13 w_1 -
		// .005 w_1^2 = .125.
		{"other choice", least(2, 0), questiontest.Rows([]float64{.5, 1}, []float64{-2, .9}), nil,
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
			if got.Lower > want*(1+1e-7) || got.Upper < want*(1-1e-7) ||
				!(got.Upper <= got.Lower*(1+1e-7)) || !got.Exact {
				t.Errorf("%s, set only %v: T* in [%v, %v]; want %v", c.name, setOnly, got.Lower,
					got.Upper, want)
			}
			if !(math.Abs(floats.Sum(got.Weights)-1) <= 1e-12) || setOnly != (got.Reasons == nil) ||
				!setOnly && !slices.Equal(got.Reasons, c.as) {
				t.Errorf("%s: %+v; want %v", c.name, got, c.as)
			}
		}
	}
}

// The bracket holds against the oracle's best response: F is 1/Upper at the
// weights, and at most 1/Lower elsewhere.
func TestConstrainedTStarAgainstOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 6))
	for trial := range 60 {
		d := 1 + trial%3
		s := questiontest.RandomSetting(rnd, d, 4)
		k, _ := s.Mu.Dims()
		c, err := complexity.NewTStar(s.Q, s.Mu, s.Cov, 1e-6)
		if err != nil || !(c.Upper <= c.Lower*(1+1e-6)) || !c.Exact {
			t.Errorf("trial %d: %+v, %v", trial, c, err)
			continue
		}
		// Nothing is cheaper than 1/Upper at the weights: by weak duality.
		f := (1 - 1e-7) / c.Upper
		ok := s.Crossing(c.Weights) >= f
		for i := range k {
			ok = ok && (slices.Contains(s.Front, i) || s.Entering(i, c.Weights, true, f))
		}
		if !ok {
			t.Errorf("trial %d: F < 1/%v at the weights", trial, c.Upper)
		}
		r := s.Response(t)
		for range 50 { // near and far
			w := questiontest.RandomWeights(rnd, k)
			for i := range w {
				w[i] = .9*c.Weights[i] + .1*w[i]
			}
			if f := r.Cost(nil, w); f > (1+1e-6)/c.Lower {
				t.Errorf("trial %d: F = 1/%v at other weights; T* >= %v", trial, 1/f, c.Lower)
			}
		}
		if v := questiontest.Price(s.Mu, c.Hardest.Means, s.Cov,
			c.Weights); !(math.Abs(v*c.Upper-1) <= 1e-6) {
			t.Errorf("trial %d: the hardest alternative costs 1/%v; T* <= %v", trial, 1/v, c.Upper)
		}
	}
}

// With reasons, T* is the least over all right answers, found by solving for each
// of them; and not less than for the set alone.
func TestExplainedTStarAgainstEnumeration(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 6))
	most, mixed, binding := 0, 0, 0
	for trial := range 500 {
		s := questiontest.RandomSetting(rnd, 1+trial%3, 7)
		_, d := s.Mu.Dims()
		if trial%2 == 0 { // more arms, poor ones
			more := questiontest.RandomMeans(rnd, 4, d)
			more.Scale(.6, more)
			var all mat.Dense
			all.Stack(s.Mu, more)
			s.Mu = &all
			s.Front = questiontest.Optimal(s.Q, s.Mu)
		}
		set, err := complexity.NewTStar(s.Q, s.Mu, s.Cov, 1e-6)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		s.Q.SetOnly = false
		got, err := complexity.NewTStar(s.Q, s.Mu, s.Cov, 1e-6)
		if err != nil || !got.Exact {
			t.Fatalf("trial %d: %+v, %v", trial, got, err)
		}
		answer, free := s.Labelled(rnd)
		as := questiontest.Classes(answer)
		least, how := math.Inf(1), []explore.Class(nil)
		for n := range 1 << len(free) {
			for b, i := range free {
				as[i] = explore.Dominated
				if n>>b&1 == 1 {
					as[i] = explore.Infeasible
				}
			}
			v, err := complexity.TStarOf(s.Q, s.Mu, s.Cov, as, 1e-6)
			if err != nil {
				t.Fatalf("trial %d: %v", trial, err)
			}
			if v.Lower < least {
				least, how = v.Lower, slices.Clone(as)
			}
		}
		if got.Lower > least*(1+1e-6) || got.Upper < least*(1-1e-9) {
			t.Errorf("trial %d: T* in [%v, %v] with %v; by enumeration %v with %v", trial,
				got.Lower, got.Upper, got.Reasons, least, how)
		}
		if set.Lower > got.Upper*(1+1e-9) {
			t.Errorf("trial %d: T* = %v for the set, %v with reasons", trial, set.Lower, got.Upper)
		}
		for i := range as {
			answer.Reasons[i].Class = got.Reasons[i]
		}
		if !s.Q.Correct(s.Mu, answer) {
			t.Errorf("trial %d: %v is wrong", trial, got.Reasons)
		}
		most = max(most, len(free))
		if len(free) > 1 && slices.Contains(got.Reasons, explore.Dominated) &&
			slices.Contains(got.Reasons, explore.Infeasible) {
			mixed++
		}
		if set.Upper < got.Lower*(1-1e-4) {
			binding++
		}
	}
	t.Logf("at most %d arms with a choice, %d mixed, reasons cost more in %d", most, mixed, binding)
	if most < 5 || mixed < 20 || binding < 10 {
		t.Errorf("at most %d arms with a choice, %d mixed, reasons cost more in %d: the test is "+
			"too easy", most, mixed, binding)
	}
}

// An arm on the boundary ties, on whichever side of it rounding puts it: .1 + .2 is
// more than .3, and .1 + .7 less than .8.
func TestBoundaryByRounding(t *testing.T) {
	ties := func(sum float64, means ...float64) {
		t.Helper()
		region, err := polyhedron.HalfSpace([]float64{1, 1}, sum, "")
		if err != nil {
			t.Fatal(err)
		}
		mu := mat.NewDense(len(means)/2, 2, means)
		for _, q := range []question.FeasiblePareto{{Region: region, SetOnly: true},
			{Region: region}} {
			if s, err := complexity.NewTStar(q, mu, nil, 0); !errors.Is(err,
				complexity.ErrParetoTie) {
				t.Errorf("x + y <= %v, means %v, set only %v: %+v, %v; want a tie", sum, means,
					q.SetOnly, s, err)
			}
		}
		if s, err := complexity.NewTStar(question.Feasible{Region: region}, mu, nil,
			0); !errors.Is(err, complexity.ErrParetoTie) ||
			strings.Contains(err.Error(), "Pareto") {
			t.Errorf("x + y <= %v, means %v, the feasible set: %+v, %v; want a tie", sum, means, s,
				err)
		}
	}
	ties(.3, .1, .2, -1, -1)
	ties(.3, .1, .2)
	ties(.8, .1, .7, -1, -1)
	// All pairs of numbers with two digits that rounding puts outside.
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
