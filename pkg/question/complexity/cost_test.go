package complexity_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// To compare two arms with costs c_i, it is cheapest to pull them in proportion to 1/sqrt(c_i). All bounds give the
// cost 2 sigma^2 (sqrt(c_1) + sqrt(c_2))^2 / gap^2.
func TestCostOfTwoArms(t *testing.T) {
	const gap, cheap, dear = .5, 1., 9.
	want := 2 * 16 / (gap * gap)
	means := []float64{gap, 0}
	problem := &explore.Problem{Arms: 2, Sigma: 1, Costs: []float64{cheap, dear}, Question: question.Best{}}
	check := func(name string, lower, upper float64, w []float64) {
		t.Helper()
		if !(lower <= want*(1+1e-9) && upper >= want*(1-1e-9) && upper <= lower*1.01) {
			t.Errorf("%s: %v to %v, want %v", name, lower, upper, want)
		}
		if !(math.Abs(w[0]-.75) <= .02) {
			t.Errorf("%s: pulls %.3f, want three in four of the cheap arm", name, w)
		}
	}
	s, err := complexity.NewCostTStar(question.Pareto{}, mat.NewDense(2, 1, means), nil, problem.Costs, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	check("T*", s.Lower, s.Upper, s.Weights)
	psi, err := complexity.NewPsiStar(problem, means, &design.Options{Tol: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	check("psi*", 2*psi.Lower, 2*psi.Value, psi.Weights)
	// The mean of the second item is 0.5 below that of the best item, so the second item is not within Epsilon = 0.25.
	problem.Question = question.AllEpsilonBest{Epsilon: gap / 2}
	g, err := complexity.NewGammaStar(problem, means, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	check("Gamma*", g.Lower/4, g.Upper/4, g.Weights)
}

// For questions with constraints, T* with costs agrees with a grid search over shares of the cost.
func TestCostTStarOnGrid(t *testing.T) {
	region, err := polyhedron.HalfSpace([]float64{1, 1}, 1.5, "sum")
	if err != nil {
		t.Fatal(err)
	}
	mu := rows([]float64{1, .1}, []float64{.2, .6}, []float64{1, .9}, []float64{.1, .3})
	costs := []float64{1, 4, .5, 2}
	for _, q := range []explore.Question{question.FeasiblePareto{Region: region, SetOnly: true},
		question.FeasiblePareto{Region: region}, question.Feasible{Region: region}} {
		s, err := complexity.NewCostTStar(q, mu, nil, costs, 1e-5)
		if err != nil {
			t.Fatalf("%#v: %v", q, err)
		}
		r, err := alternative.New(4, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Constrain(region); err != nil {
			t.Fatal(err)
		}
		r.SetMeans(mu.RawMatrix().Data)
		if s.Reasons != nil {
			r.Reject(s.Reasons)
		}
		value := func(v []float64) float64 {
			w := make([]float64, 4)
			for i := range w {
				w[i] = v[i] / costs[i]
			}
			if _, all := q.(question.Feasible); !all {
				return r.Cost(nil, w)
			}
			least := math.Inf(1)
			for i := range w {
				x := make([]float64, 2)
				square := r.Boundary(x, i)
				least = min(least, w[i]*square/2)
			}
			return least
		}
		most := 0.
		const n = 24
		for a := 1; a < n; a++ {
			for b := 1; a+b < n; b++ {
				for c := 1; a+b+c < n; c++ {
					v := []float64{float64(a) / n, float64(b) / n, float64(c) / n, float64(n-a-b-c) / n}
					most = max(most, value(v))
				}
			}
		}
		if best := 1 / most; s.Lower > best*(1+1e-9) || s.Upper < .8*best {
			t.Errorf("%#v: T* is %v to %v, on a grid %v", q, s.Lower, s.Upper, best)
		}
		paid := make([]float64, 4) // the weights as shares of the cost
		sum := 0.
		for i, w := range s.Weights {
			paid[i] = w * costs[i]
			sum += paid[i]
		}
		for i := range paid {
			paid[i] /= sum
		}
		if v := value(paid); !scalar.EqualWithinRel(1/v, s.Upper, 1e-6) {
			t.Errorf("%#v: the weights need %v, Upper is %v", q, 1/v, s.Upper)
		}
	}
	for _, wrong := range [][]float64{{}, costs[:3], append(costs[:4:4], 1)} {
		if _, err := complexity.NewCostTStar(question.Pareto{}, mu, nil, wrong, 0); err == nil ||
			err.Error() != fmt.Sprintf("complexity: %d costs; expected 4, one for each arm", len(wrong)) {
			t.Errorf("%d costs of four arms: %v", len(wrong), err)
		}
	}
}
