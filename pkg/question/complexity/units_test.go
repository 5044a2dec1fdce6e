package complexity_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// permuted returns the matrix whose row as[i] is row i of x, or nil if x is nil.
func permuted(x *mat.Dense, as []int) *mat.Dense {
	if x == nil {
		return nil
	}
	y := mat.DenseCopyOf(x)
	for i, at := range as {
		y.SetRow(at, x.RawRowView(i))
	}
	return y
}

// Numbers of pulls do not depend on the unit of rewards, in which means, tolerances, limits, noise and gaps are
// given. Numbers of pulls do not depend on the order of the arms either. Proportions follow the order of the arms.
func TestUnitsAndOrder(t *testing.T) {
	one := rows([]float64{1}, []float64{.4}, []float64{.8}, []float64{-.3})
	two := rows([]float64{1, .2}, []float64{.3, 1}, []float64{.4, .1}, []float64{-.5, .9})
	x := mat.NewDense(4, 2, []float64{1, 0, 0, 1, .8, .5, -.3, -.2})
	line := rows([]float64{1}, []float64{.2}, []float64{.9}, []float64{-.34}) // arms times (1, 0.2)
	plane := mat.NewDense(4, 2, nil)
	plane.Mul(x, mat.NewDense(2, 2, []float64{1, .3, .2, 1}))
	for name, c := range map[string]struct {
		q     explore.Question
		mu, x *mat.Dense
		costs []float64
	}{
		"best": {question.Best{}, one, nil, nil}, "best on a line": {question.Best{}, line, x, nil},
		"good":             {question.AllEpsilonBest{Epsilon: .3}, one, nil, nil},
		"good on a line":   {question.AllEpsilonBest{Epsilon: .3}, line, x, nil},
		"Pareto":           {question.Pareto{}, two, nil, nil},
		"Pareto with cost": {question.Pareto{}, two, nil, []float64{1, 2, 4, 1}},
		"feasible":         {question.Feasible{Region: atLeast(0, .05)}, two, nil, nil},
		"feasible Pareto":  {question.FeasiblePareto{Region: atLeast(0, .15)}, two, nil, nil},
		"Pareto set":       {question.FeasiblePareto{Region: atLeast(0, .15), SetOnly: true}, two, nil, nil},
		"Pareto linear":    {question.Pareto{Epsilon: .1}, plane, x, nil},
	} {
		// everything returns all results of the package for the problem with rewards in the given unit and arm i
		// renumbered as as[i]. The results are numbers of pulls, numbers in the unit, and numbers by arm.
		everything := func(unit float64, as []int) (pulls, inUnit []float64, byArm [][]float64) {
			q := c.q
			_, d := c.mu.Dims()
			if r, ok := q.(explore.Rescaler); ok {
				q = r.Rescale(unit, make([]float64, d))
			}
			mu := permuted(c.mu, as)
			mu.Scale(unit, mu)
			p := &explore.Problem{Arms: 4, Objectives: d, X: permuted(c.x, as), Sigma: .5 * unit, NormSigma: .7 * unit,
				Question: q}
			if p.X != nil {
				p.Arms = 0
			}
			if c.costs != nil {
				p.Costs = make([]float64, 4)
				for i, at := range as {
					p.Costs[at] = c.costs[i]
				}
			}
			add := func(ns ...float64) { pulls = append(pulls, ns...) }
			arms := func(of []float64) {
				own := make([]float64, 4)
				for i, at := range as {
					own[i] = of[at]
				}
				byArm = append(byArm, own)
			}
			if _, linear := q.(question.Pareto); c.x == nil || !linear {
				b, err := complexity.LowerBound(p, mu, slices.Repeat([]float64{.25 * unit * unit}, d))
				if err != nil {
					t.Fatal(name, err)
				}
				add(b.Time, b.Pulls(.05))
				arms(b.Weights)
			}
			switch q := q.(type) {
			case question.Best:
				s, err := complexity.NewPsiStar(p, mat.Col(nil, 0, mu), &design.Options{Tol: 1e-3})
				if err != nil {
					t.Fatal(err)
				}
				add(s.LowerBound(.05))
			case question.AllEpsilonBest:
				g, err := complexity.NewGammaStar(p, mat.Col(nil, 0, mu), 1e-3)
				if err != nil {
					t.Fatal(err)
				}
				m := complexity.NewMargins(q, mu)
				inUnit = append(inUnit, m.Alpha, m.Beta)
				add(g.LowerBound(.05))
				if c.x != nil && unit == 1 { // MostPulls depends on the unit, because the accuracy of round r is 2^-r in every unit
					add(m.MostPulls(p, .05))
				}
			case question.FeasiblePareto:
				s := complexity.NewCStar(q, mu, .5*unit, .7*unit)
				add(s.Value, s.HPSI, s.HF, s.LowerBound(.05), s.UpperBound(q, mu, .7*unit, .05))
				for _, of := range [][]int{s.O, s.S, s.I} {
					in := make([]float64, 4)
					for _, i := range of {
						in[i] = 1
					}
					arms(in)
				}
			case question.Pareto:
				g := complexity.NewGaps(q, mu, 2)
				arms(g.Gaps)
				floats.Scale(1/unit, byArm[len(byArm)-1])
				for _, h := range []float64{g.H1, g.H2, g.H1Lin, g.H2Lin} {
					inUnit = append(inUnit, 1/math.Sqrt(h))
				}
				if c.x != nil {
					l, err := complexity.NewLinear(p, mu)
					if err != nil {
						t.Fatal(err)
					}
					inUnit = append(inUnit, l.Sorted...)
					add(l.ErrorBound(1000), l.LeastError(1000), l.EnoughBudget(.05))
				}
			}
			return pulls, inUnit, byArm
		}
		own := []int{0, 1, 2, 3}
		pulls, inUnit, byArm := everything(1, own)
		for _, w := range []struct {
			unit float64
			as   []int
		}{{64, own}, {1. / 64, own}, {1, []int{2, 0, 3, 1}}} {
			near := func(what string, got, want []float64, factor float64) {
				t.Helper()
				for i := range got {
					if v := factor * want[i]; got[i] != v && !(math.Abs(got[i]-v) <= .02*math.Abs(v)+.005*factor) ||
						slices.Equal(w.as, own) && got[i] != v && !(math.Abs(got[i]-v) <= 1e-9*math.Abs(v)) {
						t.Errorf("%s in units of %v, order %v: %s %v; want %v", name, w.unit, w.as, what, got, want)
						return
					}
				}
			}
			p, u, a := everything(w.unit, w.as)
			near("pulls", p, pulls, 1)
			near("gaps", u, inUnit, w.unit)
			for i := range a {
				near(fmt.Sprintf("arms %d", i), a[i], byArm[i], 1)
			}
		}
	}
}
