package explore_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// Noise by objective, known values, costs and squares that do not fit are refused with what is
// wrong, and those at the ends of what is allowed are not.
func TestRareFieldsAreChecked(t *testing.T) {
	nan := math.NaN()
	known := func(r, c int, v float64) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Set(r-1, c-1, v)
		return m
	}
	for _, c := range []struct {
		says string // "" if it is right
		set  func(p *explore.Problem)
	}{
		{"", func(p *explore.Problem) { p.Sigmas = []float64{.5, 1} }},
		{"Sigmas: 1 scales; want 2", func(p *explore.Problem) { p.Sigmas = []float64{1} }},
		{"Sigmas: 0 for efficacy", func(p *explore.Problem) { p.Sigmas = []float64{0, 1} }},
		{"Sigmas: NaN for safety", func(p *explore.Problem) { p.Sigmas = []float64{1, nan} }},
		{"the largest is 0.5; want Sigma = 1", func(p *explore.Problem) { p.Sigmas = []float64{.5, .2} }},
		{"the largest is 2; want Sigma = 1", func(p *explore.Problem) { p.Sigmas = []float64{1, 2} }},
		{"", func(p *explore.Problem) { p.Known = known(3, 2, nan) }},
		{"", func(p *explore.Problem) { p.Known = known(3, 2, -explore.Largest) }},
		{"Known: safety of 75 mg is 2e+100", func(p *explore.Problem) { p.Known = known(3, 2, 2e100) }},
		{"Known: safety of 75 mg is -2e+100", func(p *explore.Problem) { p.Known = known(3, 2, -2e100) }},
		{"Known: 2 x 2; want 3 x 2", func(p *explore.Problem) { p.Known = known(2, 2, 1) }},
		{"Known: 3 x 1; want 3 x 2", func(p *explore.Problem) { p.Known = known(3, 1, 1) }},
		{"without Z, Link and Changing", func(p *explore.Problem) {
			p.X, p.Known, p.Changing = mat.NewDense(3, 1, nil), known(3, 2, 1), true
		}},
		{"without Z, Link and Changing", func(p *explore.Problem) {
			p.X, p.Z, p.Known = mat.NewDense(3, 1, nil), mat.NewDense(3, 1, nil), known(3, 2, 1)
		}},
		{"", func(p *explore.Problem) { p.Costs = []float64{1e-6, 1, 1e12} }},
		{"Costs: 2; want 3", func(p *explore.Problem) { p.Costs = []float64{1, 1} }},
		{"placebo costs 9e-07", func(p *explore.Problem) { p.Costs = []float64{9e-7, 1, 1} }},
		{"25 mg costs 1.1e+12", func(p *explore.Problem) { p.Costs = []float64{1, 1.1e12, 1} }},
		{"75 mg costs NaN", func(p *explore.Problem) { p.Costs = []float64{1, 1, nan} }},
		{"placebo costs -1", func(p *explore.Problem) { p.Costs = []float64{-1, 1, 1} }},
	} {
		p := problem()
		c.set(p)
		switch err := p.Validate(); {
		case c.says == "" && err != nil:
			t.Error(err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("error %v; want %q", err, c.says)
		}
	}
	for _, c := range []struct {
		squares []float64
		says    string
	}{
		{[]float64{.5, 2}, ""}, // of (1/2, 1/2) and (1, 1)
		{[]float64{.5 - 1e-8, 2}, ""},
		{[]float64{.4999, 2}, "they sum to at least 0.5"},
		{[]float64{.4, 2}, "efficacy: the squares of 2 rewards with the sum 1 sum to 0.4; they sum to at least 0.5"},
		{[]float64{.5, 1.9}, "safety: the squares"},
		{[]float64{nan, 2}, "efficacy: the squares"},
		{[]float64{math.Inf(1), 2}, "efficacy: the squares"},
		{[]float64{1}, "sums of squares of length 1; want 2"},
	} {
		s, err := explore.NewSession(newScript(), problem(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ask(); err != nil {
			t.Fatal(err)
		}
		b := batch(0, 2, 1, 2)
		b.Squares = c.squares
		err = s.Tell([]explore.Batch{b, batch(2, 1, 3, 4)})
		switch {
		case c.says == "" && err != nil:
			t.Error(err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("squares %v: error %v; want %q", c.squares, err, c.says)
		}
		if c.says != "" && !errors.Is(err, explore.ErrValue) && !errors.Is(err, explore.ErrMismatch) {
			t.Errorf("squares %v: %v is neither ErrValue nor ErrMismatch", c.squares, err)
		}
	}
}

// Means are at most LargestRatio times the noise, whatever its scale.
func TestLargestMean(t *testing.T) {
	for _, sigma := range []float64{.01, 1, 100} {
		for ratio, fits := range map[float64]bool{.99: true, -.99: true, 1.01: false, -1.01: false} {
			p := problem()
			p.Sigma = sigma
			s, err := explore.NewSession(newScript(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Ask(); err != nil {
				t.Fatal(err)
			}
			mean := ratio * explore.LargestRatio * sigma
			err = s.Tell([]explore.Batch{batch(0, 2, 2*mean, 2), batch(2, 1, 3*sigma, 4*sigma)})
			open, second := byTickets(&counter{want: 9}, p, nil)
			if second == nil {
				_, second = open.Report([]explore.Report{{Batch: batch(0, 2, 2*mean, 2)}})
			}
			for _, err := range []error{err, second} {
				if fits && err != nil || !fits && !errors.Is(err, explore.ErrOffset) {
					t.Errorf("a mean of %v with noise of %v: %v", mean, sigma, err)
				}
				if !fits && !strings.Contains(err.Error(), fmt.Sprintf("efficacy: the mean %v is 1.01e+06 times the noise (Sigma = %v)", mean, sigma)) {
					t.Errorf("a mean of %v with noise of %v: %v", mean, sigma, err)
				}
			}
		}
	}
}

// No reward is beyond Largest, whatever the noise; those of a link, whose noise has no scale, may be as large. The limit is for
// a reward, and not for the sum of several.
func TestLargestReward(t *testing.T) {
	counts := &explore.Problem{X: mat.NewDense(3, 1, []float64{1, 2, 3}), Link: explore.Log, Sigma: .5, Question: onPredictors{}}
	noisy, quiet := problem(), problem()
	noisy.Objectives, quiet.Objectives, noisy.ObjectiveNames, quiet.ObjectiveNames = 1, 1, nil, nil
	noisy.Sigma = 1e99
	for _, c := range []struct {
		p    *explore.Problem
		n    int
		sum  float64
		want error
	}{
		{noisy, 1, .99e100, nil}, {noisy, 1, -1.01e100, explore.ErrValue}, {noisy, 3, 2.9e100, nil}, {noisy, 3, 3.1e100, explore.ErrValue},
		{counts, 1, 1e7, nil}, {counts, 2, 1.9e100, nil}, {counts, 2, 2.1e100, explore.ErrValue},
		{quiet, 2, 1.9e100, explore.ErrOffset}, {quiet, 2, 2.1e100, explore.ErrValue}, {quiet, 2, math.NaN(), explore.ErrValue},
	} {
		s, err := byTickets(&counter{want: 9}, c.p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Report([]explore.Report{{Batch: batch(1, c.n, c.sum)}}); !errors.Is(err, c.want) {
			t.Errorf("noise of %v, %v: %d rewards sum to %v: %v; want %v", c.p.Sigma, c.p.Link, c.n, c.sum, err, c.want)
		}
	}
}

// Squares and scales are those of their objective.
func TestByObjective(t *testing.T) {
	b := batch(0, 1, 2, 5)
	p := explore.Problem{Objectives: 2, Sigma: 3}
	if b.Square(0) != 4 || b.Square(1) != 25 || p.SigmaOf(0) != 3 || p.SigmaOf(1) != 3 {
		t.Errorf("of %v the squares %v and %v, the scales %v and %v", b.Sum, b.Square(0), b.Square(1), p.SigmaOf(0), p.SigmaOf(1))
	}
	b.Squares, p.Sigmas = []float64{6, 7}, []float64{1, 3}
	if b.Square(0) != 6 || b.Square(1) != 7 || p.SigmaOf(0) != 1 || p.SigmaOf(1) != 3 {
		t.Errorf("squares %v and %v, scales %v and %v", b.Square(0), b.Square(1), p.SigmaOf(0), p.SigmaOf(1))
	}
}

// The error on a name that there is not has the names that there are, the first dozen of many.
func TestArmIndex(t *testing.T) {
	p := problem()
	if i, err := p.ArmIndex("75 mg"); i != 2 || err != nil {
		t.Errorf("arm %d, %v", i, err)
	}
	if _, err := p.ArmIndex("50 mg"); err == nil ||
		!strings.Contains(err.Error(), `unknown arm "50 mg"; the arms are [placebo 25 mg 75 mg]`) {
		t.Errorf("error %v", err)
	}
	p.Arms, p.ArmNames = 13, nil
	if _, err := p.ArmIndex("x"); err == nil || !strings.Contains(err.Error(), "arm 11 ... (13 in all)]") {
		t.Errorf("error %v", err)
	}
}

// By hand: costs 4 and 1 turn features into x/2 and x, shares of the cost of 1/2 each into 1/5 and 4/5
// of the pulls, and three pulls and one into 13.
func TestCostsByHand(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{6, 2})
	p := &explore.Problem{X: x, Sigma: 1, Question: anything{}, Costs: []float64{4, 1},
		ArmNames: []string{"a", "b"}}
	per, err := p.PerCost()
	if err != nil || per.Costs != nil || per.X.At(0, 0) != 3 || per.X.At(1, 0) != 2 ||
		per.Z.At(0, 0) != 6 || per.Item(0) != "a" || x.At(0, 0) != 6 {
		t.Errorf("%+v, %v", per, err)
	}
	p.Z, p.ItemNames = mat.NewDense(1, 1, []float64{5}), []string{"c"} // items of their own stay as they are
	if per, err := p.PerCost(); err != nil || per.Z.At(0, 0) != 5 || per.Item(0) != "c" || per.X.At(0, 0) != 3 {
		t.Errorf("%+v, %v", per, err)
	}
	w := []float64{.5, .5}
	if p.Pulled(w); math.Abs(w[0]-.2) > 1e-12 || math.Abs(w[1]-.8) > 1e-12 {
		t.Errorf("shares %v", w)
	}
	if got := p.Spent([]int{3, 1}); got != 13 {
		t.Errorf("spent %v", got)
	}
	if p.Costs = nil; p.Cost(0) != 1 || p.Spent([]int{3, 1}) != 4 {
		t.Error("without costs each costs 1")
	}
	if same, err := p.PerCost(); same != p || err != nil {
		t.Error("without costs it is the problem itself")
	}
}
