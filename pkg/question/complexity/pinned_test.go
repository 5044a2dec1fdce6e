package complexity_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Complexities of random instances with costs, correlated noise,
// copies of arms and items beside the arms take as many iterations as ever, and end at the same
// bounds, weights, reasons and hardest alternatives.
func TestComplexitiesStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 2))
	var lines []string
	for n := range 10 {
		k, d := 2+n%4, 1+n%3
		say := func(what string, err error, x ...any) {
			s := fmt.Sprintf("%d %s:", n, what)
			for _, v := range x {
				switch v := v.(type) {
				case float64:
					s += " " + golden.Numbers(v)
				case []float64:
					s += " [" + golden.Numbers(v...) + "]"
				default:
					s += fmt.Sprint(" ", v)
				}
			}
			if err != nil {
				s += fmt.Sprint(" ", err)
			}
			lines = append(lines, s)
		}
		mu := drawn(rnd, k, d)
		cov := mat.NewSymDense(d, nil)
		variance, costs := make([]float64, d), make([]float64, k)
		for c := range d {
			variance[c] = .5 + float64(c)
			cov.SetSym(c, c, variance[c])
			for b := range c {
				cov.SetSym(b, c, .3)
			}
		}
		for i := range costs {
			costs[i] = []float64{1, .2, 7}[i%3]
		}
		lower := make([]float64, d)
		for c := range lower {
			lower[c] = -.4 - float64(c)/4
		}
		region, err := polyhedron.AtLeast(lower, nil)
		if err != nil {
			t.Fatal(err)
		}
		front := question.FeasiblePareto{Region: region}
		setOnly := front
		setOnly.SetOnly = true
		questions := []explore.Question{question.Pareto{}, question.Feasible{Region: region}, front,
			setOnly, question.BestFeasible{Region: region}}
		if d == 1 {
			questions = append(questions, question.Best{}, question.AllEpsilonBest{Epsilon: .3})
		}
		for i, q := range questions {
			for _, tol := range []float64{0, .1} {
				for _, costs := range [][]float64{nil, costs} {
					s, err := complexity.NewCostTStar(q, mu, cov, costs, tol)
					what := fmt.Sprintf("T* of question %d, tol %v, costs %v", i, tol, costs != nil)
					if s == nil {
						say(what, err)
						continue
					}
					h := s.Hardest
					say(what, err, s.Lower, s.Upper, s.Exact, s.Weights, s.Reasons, s.Iterations, h.Arm,
						h.By, h.Constraint, h.Feasible, h.Reason, s.LowerBound(.05))
				}
			}
		}
		c := complexity.NewCStar(front, mu, 1, 2)
		say("C*", nil, c.Value, c.O, c.S, c.I, c.HPSI, c.HF, c.LowerBound(.1),
			c.UpperBound(front, mu, 2, .1))
		g := complexity.NewGaps(question.Pareto{Epsilon: .1 * float64(n%2)}, mu, 2)
		say("gaps", nil, g.Gaps, g.H1, g.H2, g.H1Lin, g.H2Lin)

		// One objective of arms with features, and of items beside them.
		x, z := drawn(rnd, k+1, 2), drawn(rnd, k+2, 2)
		theta := mat.NewDense(2, 1, []float64{1, -.4})
		var one, items mat.Dense
		one.Mul(x, theta)
		items.Mul(z, theta)
		p := &explore.Problem{X: x, Sigma: .7, Question: question.AllEpsilonBest{Epsilon: .3}}
		for _, tol := range []float64{0, .2} {
			for name, f := range map[string]func(*explore.Problem, []float64, float64) (
				*complexity.GammaStar, error){"Gamma*": complexity.NewGammaStar,
				"the paper's Gamma*": complexity.NewPaperGammaStar} {
				s, err := f(p, mat.Col(nil, 0, &one), tol)
				if s == nil {
					say(name, err)
					continue
				}
				say(fmt.Sprintf("%s, tol %v", name, tol), err, s.Lower, s.Upper, s.Weights,
					s.Hardest.Item, s.Hardest.By, s.Iterations, s.LowerBound(.05))
			}
		}
		m := complexity.NewMargins(question.AllEpsilonBest{Epsilon: .3}, &one)
		say("margins", nil, m.Alpha, m.Beta, m.Rounds(), m.MostPulls(p, .1))
		best := &explore.Problem{X: x, Z: z, Sigma: .7, Question: question.Best{}}
		if n%2 == 1 {
			best.Costs = make([]float64, k+1)
			for i := range best.Costs {
				best.Costs[i] = 1 + float64(i*i)
			}
		}
		for _, o := range []*design.Options{nil, {Tol: .3}} {
			s, err := complexity.NewPsiStar(best, mat.Col(nil, 0, &items), o)
			if s == nil {
				say("psi*", err)
				continue
			}
			say(fmt.Sprint("psi*, coarse ", o != nil), err, s.Value, s.Lower, s.Weights, s.Iterations,
				s.LowerBound(.05), s.PaperLowerBound(.05))
		}
		// Two objectives of arms with features.
		var two mat.Dense
		two.Mul(x, mat.NewDense(2, 2, []float64{1, -.4, .3, .8}))
		l, err := complexity.NewLinear(&explore.Problem{X: x, Objectives: 2, Sigma: .7,
			Question: question.Pareto{Epsilon: .1 * float64(n%2)}}, &two)
		if err != nil {
			say("linear", err)
			continue
		}
		pulls, rounds := l.Schedule(.1)
		say("linear", nil, l.Sorted, l.Items, l.Objectives, l.Rank, l.Sigma, l.EnoughBudget(.1),
			l.ErrorBound(5000), l.LeastError(50), l.MostPulls(.1), l.Order(.1), l.Rounds(), pulls, rounds)
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}

// drawn returns random means. Some have a copy.
func drawn(rnd *rand.Rand, k, d int) *mat.Dense {
	x := mat.NewDense(k, d, nil)
	for i := range k {
		for j := range d {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	if k > 3 && rnd.IntN(4) == 0 {
		x.SetRow(k-1, x.RawRowView(0))
	}
	return x
}
