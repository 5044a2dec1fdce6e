package complexity

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Cases that can be solved by hand, and those that other questions have, too.
func TestBestFeasibleByHand(t *testing.T) {
	bound := func(q question.BestFeasible, known *mat.Dense, d int, means ...float64) float64 {
		t.Helper()
		b, err := NewBestFeasible(q, mat.NewDense(len(means)/d, d, means), ones(d), known, 1e-7)
		if err != nil {
			t.Fatal(err)
		}
		return b.Lower
	}
	inside := func(lower ...float64) *polyhedron.Polyhedron {
		p, err := polyhedron.AtLeast(lower, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	time := func(q explore.Question, d int, means ...float64) float64 {
		t.Helper()
		s, err := NewTStar(q, mat.NewDense(len(means)/d, d, means), nil, 1e-7)
		if err != nil {
			t.Fatal(err)
		}
		return s.Lower
	}
	nan := math.NaN()
	prices := mat.NewDense(2, 2, []float64{nan, -3, nan, -2})
	whole := question.BestFeasible{Region: polyhedron.Whole(1)}
	for name, x := range map[string][2]float64{
		"two arms":  {bound(whole, nil, 1, 0, .5), 32},
		"by weight": {bound(question.BestFeasible{Region: polyhedron.Whole(2), Weights: []float64{3, -4}}, nil, 2, 0, 0, 1, .5), 8 * 25},
		"best arm":  {bound(whole, nil, 1, 1, .7, .2, .65), time(question.Pareto{}, 1, 1, .7, .2, .65)},
		"all that are inside": {bound(question.BestFeasible{Region: inside(0, 0), Count: 9}, nil, 2, 1, .5, -.3, 2, -.3, -.4, 2, 3),
			time(question.Feasible{Region: inside(0, 0)}, 2, 1, .5, -.3, 2, -.3, -.4, 2, 3)},
		"nobody inside": {bound(question.BestFeasible{Region: inside(0)}, nil, 1, -.5, -1), 2/.25 + 2},
		// Arm 1 is cheaper, and outside by .5; arm 0 is inside by 1. What is known does not move.
		"by price": {bound(question.BestFeasible{Region: inside(0, -9), Weights: []float64{0, 1}}, prices, 2, 1, 0, -.5, 0), 2 + 2/.25},
		// Arm 1 is dearer, so that it is not the answer, whether it is inside or not.
		"dearer": {bound(question.BestFeasible{Region: inside(0, -9), Weights: []float64{0, -1}}, prices, 2, 1, 0, -.5, 0), 2},
		// The sum of arm 1 is 1 behind, of which the price is -1.
		"a sum with prices": {bound(question.BestFeasible{Region: polyhedron.Whole(2)}, prices, 2, 2, 0, 0, 0), 8},
	} {
		if !(math.Abs(x[0]-x[1]) <= 1e-4*x[1]) {
			t.Errorf("%s: T = %v; want %v", name, x[0], x[1])
		}
	}
	for name, means := range map[string][]float64{"tied": {1, 1}, "on the boundary": {0, -1}} {
		_, err := NewBestFeasible(question.BestFeasible{Region: inside(0)}, mat.NewDense(2, 1, means), ones(1), nil, 0)
		if !errors.Is(err, ErrParetoTie) {
			t.Errorf("%s: %v", name, err)
		}
	}
	two := question.BestFeasible{Region: polyhedron.Whole(2)}
	mu, good := mat.NewDense(3, 2, []float64{1, 0, 0, 1, .3, .2}), ones(2)
	for name, c := range map[string]struct {
		q        question.BestFeasible
		variance []float64
		known    *mat.Dense
		says     string
	}{
		"":               {two, good, mat.DenseCopyOf(prices.Grow(1, 0)), ""},
		"another region": {whole, good, nil, "1"},
		"no variance":    {two, nil, nil, "a positive variance for each objective"},
		"one variance":   {two, ones(1), nil, "variance"}, "three variances": {two, ones(3), nil, "variance"},
		"a variance of 0":    {two, []float64{1, 0}, nil, "variance"},
		"a variance below 0": {two, []float64{-1, 1}, nil, "variance"}, "a variance that is none": {two, []float64{nan, 1}, nil, "variance"},
		"too few are known":         {two, good, mat.NewDense(2, 2, nil), "known is 2 x 2; want 3 x 2"},
		"too many are known":        {two, good, mat.NewDense(3, 3, nil), "known is 3 x 3; want 3 x 2"},
		"known the wrong way round": {two, good, mat.NewDense(2, 3, nil), "known is 2 x 3; want 3 x 2"},
	} {
		_, err := NewBestFeasible(c.q, mu, c.variance, c.known, 0)
		if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) || c.says == "" && err != nil && !errors.Is(err, ErrParetoTie) {
			t.Errorf("%s: %v; want %q", name, err, c.says)
		}
	}
}

// The cheapest means with another answer, by brute force: none of those that are drawn around it costs less, and a grid finds
// some that cost hardly more. Cost is linear in the derivative.
func TestBestFeasibleBrute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 2))
	region, err := polyhedron.New(mat.NewDense(3, 2, []float64{-1, 0, 0, -1, 1, 1}), []float64{0, 0, 2.2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const k = 4
	for run := range 40 {
		q := question.BestFeasible{Region: region, Weights: []float64{1 + rnd.Float64(), rnd.Float64() - .3}, Count: 1 + run%3}
		mu, variance := mat.NewDense(k, 2, nil), []float64{.5 + rnd.Float64(), .5 + rnd.Float64()}
		for i := range k * 2 {
			mu.Set(i/2, i%2, 2*rnd.Float64()-.5)
		}
		s := newRanks(q, mu, variance, nil)
		w, grad := make([]float64, k), make([]float64, k)
		for i := range w {
			w[i] = .1 + rnd.Float64()
		}
		got := s.cheapest(w, grad)
		sum := 0.
		for i, g := range grad {
			sum += w[i] * g
		}
		if !(math.Abs(sum-got) <= 1e-9*got) {
			t.Fatalf("%v; the derivative has %v", got, sum)
		}
		// One or two arms move: the grid is where the first one goes, and the second one comes to meet its sum.
		least, right := math.Inf(1), q.Right(mu)
		value := func(x []float64) float64 { return q.Value(x) }
		size := math.Hypot(q.Weights[0]*math.Sqrt(variance[0]), q.Weights[1]*math.Sqrt(variance[1]))
		const steps = 240
		for m := range k {
			for a := range (steps + 1) * (steps + 1) {
				y := []float64{float64(a%(steps+1))/steps*3 - .7, float64(a/(steps+1))/steps*3 - .7}
				cost := 0.
				for c := range y {
					v := y[c] - mu.At(m, c)
					cost += w[m] * v * v / (2 * variance[c])
				}
				in := slices.Contains(right, m)
				if in == region.Contains(y) {
					continue // it changes nothing by itself
				}
				switch {
				case in || len(right) < q.Items():
					least = min(least, cost)
				default:
					for _, i := range right {
						down := max(value(mu.RawRowView(i))-value(y), 0) / size
						least = min(least, cost+w[i]*down*down/2)
					}
				}
			}
		}
		if got > least*(1+1e-9) || got < least*.9-.002 {
			t.Errorf("run %d: %v; the grid has %v", run, got, least)
		}
	}
}
