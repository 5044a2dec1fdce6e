package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// The following constants are the names of the bounds.
const (
	LowerBound   = "lower bound"
	PaperBound   = "lower bound as printed"
	Unstructured = "lower bound without features"
)

// gammaTol is the relative width to which bounds are computed.
const gammaTol = 1e-3

// gammaStar computes a lower bound on the complexity, given a problem and the means of its arms.
type gammaStar func(p *explore.Problem, means []float64, tol float64) (*complexity.GammaStar, error)

// oracle returns the lower bound as a function of delta, and the optimal proportions of pulls.
func (of gammaStar) oracle(inst *bandit.Instance) (func(float64) float64, []float64, error) {
	g, err := of(inst.Problem, mat.Col(nil, 0, inst.Truth()), gammaTol)
	if err != nil {
		return nil, nil, err
	}
	return g.LowerBound, g.Weights, nil
}

// certified is a lower bound for all methods. asPrinted is the expression in Theorem 3.2, which is
// not always a lower bound.
var certified, asPrinted gammaStar = complexity.NewGammaStar, complexity.NewPaperGammaStar

var bounds = []study.Bound{
	hardness.Bound(LowerBound, certified.oracle), hardness.Bound(PaperBound, asPrinted.oracle),
}

// onShared returns the bounds for an experiment in which all sizes share an instance. Because only
// delta depends on the size, the optimal proportions are computed once.
func onShared() []study.Bound {
	return []study.Bound{
		hardness.Bound(LowerBound, hardness.Once(certified.oracle)),
		hardness.Bound(PaperBound, hardness.Once(asPrinted.oracle)),
	}
}

// unstructured is the lower bound for methods that do not use the features.
var unstructured = hardness.Bound(Unstructured, gammaStar(func(
	p *explore.Problem, means []float64, tol float64,
) (*complexity.GammaStar, error) {
	return complexity.NewGammaStar(withoutFeatures(p), means, tol)
}).oracle)

// right returns the epsilon-best arms of a task's instance.
func right(t study.Task) []int {
	return t.Instance.Problem.Question.(question.AllEpsilonBest).Right(t.Instance.Truth())
}

// Hardness returns a table that compares the expression of Theorem 3.2 with the lower bound. The
// table has a row for each setting in Table 1 and each number of epsilon-best arms from 1 to most.
func Hardness(most int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title:   "The lower bound and the expression of Theorem 3.2",
		Columns: tidy.Columns("setting", "epsilon-best arms", "T*", "(Gamma*)^-1 as printed", "excess [%]"),
		Notes: []string{"T*: number of pulls per unit of log(1/(2.4 delta)) that every method needs, for rewards " +
			"with standard deviation 1, certified to 0.01 %. The threshold of adaptive settings is 1."},
	}
	for setting := 1; setting <= Settings; setting++ {
		for good := 1; good <= most; good++ {
			exact, printed, err := timesOf(setting, good)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, []any{setting, good, round3(exact), round3(printed),
				fmt.Sprintf("%.1f", max(0, 100*(printed/exact-1)))})
		}
	}
	return t, nil
}

// timesOf returns T* and the value of the printed expression for a setting with the given number of
// epsilon-best arms.
func timesOf(setting, good int) (exact, printed float64, err error) {
	var in *Instance
	if d := dimensions[setting]; static(setting) {
		in, err = staticInstance(setting, d, good, 0)
	} else {
		in, err = adaptiveInstance(setting, d, good, tolerances[setting], expectedThreshold, 0)
	}
	if err != nil {
		return 0, 0, err
	}
	mu := mat.Col(nil, 0, in.Truth())
	const tol = gammaTol / 10
	a, err := complexity.NewGammaStar(in.Problem, mu, tol)
	if err != nil {
		return 0, 0, err
	}
	b, err := complexity.NewPaperGammaStar(in.Problem, mu, tol)
	if err != nil {
		return 0, 0, err
	}
	return a.Upper, b.Upper, nil
}

func round3(x float64) float64 { return math.Round(1e3*x) / 1e3 }
