package complexity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Two arms at distance g in one objective have T* = 8/g^2 by symmetry. The values for five and six arms, and
// COV-BOOST's bracket of 2043.22757 to 2043.22766, were computed by an independent program, to the given digits.
func TestTStar(t *testing.T) {
	inst, pooled := covBoost(t)
	for _, c := range []struct {
		name      string
		mu        *mat.Dense
		cov       mat.Symmetric
		want, tol float64
		weights   []float64
	}{
		{"two arms", rows([]float64{.5}, []float64{0}), nil, 32, 1e-4, []float64{.5, .5}},
		{"noisier", rows([]float64{.5}, []float64{0}), mat.NewSymDense(1, []float64{9}),
			9 * 32, 1e-3, []float64{.5, .5}},
		{"crossed", rows([]float64{1, 0}, []float64{0, 1}), nil, 8, 1e-4, []float64{.5, .5}},
		{"ordered", rows([]float64{1, 1}, []float64{0, 0}), nil, 8, 1e-4, []float64{.5, .5}},
		// An arm is ahead by 1 in one objective, and behind by 1 in the other objective. To fall below the other arm,
		// the arm must lose 1 in the first objective. For any correlation, this loss costs 1, because the second
		// objective may change as well.
		{"crossed, correlated", rows([]float64{1, 0}, []float64{0, 1}),
			mat.NewSymDense(2, []float64{1, .5, .5, 1}), 8, 1e-4, []float64{.5, .5}},
		// For arm 0, which is ahead by 1 in both objectives, to fall below arm 1 costs 1'R^-1 1 = 2/(1 + r), where R
		// is the correlation matrix with correlation r. However, arm 1 enters the Pareto set more cheaply, by becoming
		// equal in one objective, at cost 1.
		{"ordered, correlated", rows([]float64{1, 1}, []float64{0, 0}),
			mat.NewSymDense(2, []float64{1, .5, .5, 1}), 8, 1e-4, []float64{.5, .5}},
		{"five arms", rows([]float64{1, 0}, []float64{.6, .6}, []float64{0, 1},
			[]float64{.4, .4}, []float64{.1, .2}), nil, 242.810502, 1e-4,
			[]float64{.05871, .41822, .05871, .40566, .05871}},
		{"six arms", rows([]float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1},
			[]float64{.3, .3, .3}, []float64{.2, .2, .25}, []float64{-.2, .8, -.1}), nil, 4022.3776,
			1e-3,
			[]float64{.0028, .0994, .0028, .3978, .3978, .0994}},
		{"COV-BOOST", inst.Truth(), pooled, 2043.2276, 1e-3, nil},
	} {
		s, err := complexity.NewTStar(question.Pareto{}, c.mu, c.cov, 1e-7)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Upper < c.want-c.tol || s.Lower > c.want+c.tol || !(s.Upper/s.Lower-1 <= 1e-7) {
			t.Errorf("%s: T* in [%v, %v]; want %v", c.name, s.Lower, s.Upper, c.want)
		}
		for i, v := range c.weights {
			if !(math.Abs(s.Weights[i]-v) <= 2e-4) {
				t.Errorf("%s: weights %.5f; want %v", c.name, s.Weights, c.weights)
				break
			}
		}
		if !(math.Abs(floats.Sum(s.Weights)-1) <= 1e-12) || floats.Min(s.Weights) < 0 {
			t.Errorf("%s: weights %v are not proportions", c.name, s.Weights)
		}
	}
}

// In the linear programs of these instances, weights differ by many orders of magnitude. On such programs, a simplex
// method that mistakes rounding errors for gains does not terminate.
func TestTStarHard(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	for trial := range 12 {
		k, d := 100, 4
		if trial >= 4 {
			k, d = 12, 3
		}
		mu := randomMeans(rnd, k, d)
		if trial >= 4 { // nearly equal arms
			for c := range d {
				mu.Set(1, c, mu.At(0, c)+math.Pow(10, -float64(trial)/2)*rnd.NormFloat64())
			}
		}
		s, err := complexity.NewTStar(question.Pareto{}, mu, nil, 0)
		if err != nil || s.Iterations > 600 {
			t.Errorf("trial %d: %+v, %v", trial, s, err)
		}
	}
}

// For delta = 0.1, the lower bound is T* kl(0.1, 0.9) with kl(0.1, 0.9) = 0.8 log 9.
func TestTStarLowerBound(t *testing.T) {
	s := &complexity.TStar{Lower: 10}
	for _, c := range [][2]float64{{.1, 8 * math.Log(9)}, {.5, 0}, {.7, 0}, {0, math.Inf(1)}} {
		if got := s.LowerBound(c[0]); got != c[1] && !(math.Abs(got-c[1]) <= 1e-12) {
			t.Errorf("delta = %v: %v; want %v", c[0], got, c[1])
		}
	}
}

func ExampleNewTStar() {
	mu := mat.NewDense(5, 2, []float64{1, 0, .6, .6, 0, 1, .4, .4, .1, .2})
	s, err := complexity.NewTStar(question.Pareto{}, mu, nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("T* = %.2f, weights %.3f\n", s.Upper, s.Weights)
	fmt.Printf("at least %.0f pulls on average at delta = 0.05\n", s.LowerBound(.05))
	// Output:
	// T* = 242.81, weights [0.059 0.418 0.059 0.406 0.059]
	// at least 643 pulls on average at delta = 0.05
}

// covBoost returns the COV-BOOST trial and its pooled covariance.
func covBoost(t *testing.T) (*bandit.Instance, *mat.SymDense) {
	t.Helper()
	inst, err := dataset.CovBoost{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	frame, err := dataset.CovBoostVariances()
	if err != nil {
		t.Fatal(err)
	}
	pooled := mat.NewSymDense(3, nil)
	for c, v := range frame.Col("variance").Float() {
		pooled.SetSym(c, c, v)
	}
	return inst, pooled
}
