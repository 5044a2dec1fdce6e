package theorems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// LinFACT returns Theorems 3.2 and 4.1 about LinFACT in numbers, on an instance of each of some
// settings of an experiment, beside so many runs of LinFACT-G with the constants of the theory. It
// panics if runs is not positive.
func LinFACT(runs int, e study.Experiment, settings ...int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 3.2 and 4.1 in numbers",
		Columns: tidy.Columns("setting", "alpha", "beta", "rounds, at most", "rounds, measured",
			"every method needs [pulls]", "median, measured [pulls]",
			"Theorem 4.1: at most [pulls]", "wrong [%]"),
		Notes: []string{fmt.Sprintf("The first draw of each setting, delta = %v, %d runs of "+
			"LinFACT-G (constants of the theory). Every method needs: the certified lower bound, "+
			"not the expression of Theorem 3.2. Theorem 4.1 with its constants: (21) over all "+
			"rounds as if no arm left. Rounds, measured: the most.", e.Delta, runs)},
	}
	some := func(study.Experiment) []int { return settings }
	return fill(t, runs, some, []study.Experiment{e}, func(p place) ([]any, error) {
		prob, mu := p.inst.Problem, p.inst.Truth()
		m := complexity.NewMargins(prob.Question.(question.AllEpsilonBest), mu)
		g, err := complexity.NewGammaStar(prob, mat.Col(nil, 0, mu), 1e-3)
		if err != nil {
			return nil, err
		}
		took, err := study.Try(p.inst, &policy.LinFACT{Delta: p.Delta,
			Union: policy.PhaseUnionAll}, runs, nil)
		if err != nil {
			return nil, err
		}
		return []any{p.size, round3(m.Alpha), round3(m.Beta), m.Rounds(), took.Rounds,
			math.Ceil(g.LowerBound(p.Delta)), tidy.Median(took.Pulls, study.Confidence).Center,
			math.Ceil(m.MostPulls(prob, p.Delta)), took.WrongPercent()}, nil
	})
}

// round3 rounds to three digits after the point.
func round3(x float64) float64 { return math.Round(1e3*x) / 1e3 }
