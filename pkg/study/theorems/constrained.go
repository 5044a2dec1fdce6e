package theorems

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// ECAPE returns the bounds of Theorems 4.5, E.1 and 4.4 about e-cAPE on the instances of
// experiments, beside the mean number of pulls with the constants of Theorem 4.4, over so many
// runs. It panics if runs is not positive.
func ECAPE(runs int, es ...study.Experiment) (*tidy.Table, error) {
	const alpha, k1 = complexity.Alpha, complexity.K1
	t := &tidy.Table{
		Title: "What Theorems 4.4, 4.5 and E.1 amount to",
		Columns: tidy.Columns("instance", "delta", "C* [pulls]",
			"4.5: C* log(1/delta)/8 [pulls]", "E.1: below [pulls]", "T* kl [pulls]",
			"needed [pulls]", "4.4: above [pulls]", "above / needed"),
		Notes: []string{fmt.Sprintf(
			"Needed: means over %d runs of e-cAPE with the radii of Theorem 4.4, alpha = %v, "+
				"k1 = %v. Theorem 4.5 is about delta to 0, and both lower bounds about a class "+
				"of Gaussian instances. T* kl is the "+
				"lower bound for the set alone (Proposition 3.4).", runs, alpha, k1)},
	}
	return fill(t, runs, all, es, func(p place) ([]any, error) {
		e := &policy.ECAPE{Delta: p.Delta, Radius: radius.Theory{Alpha: alpha, K1: k1}}
		took, err := study.Try(p.inst, e, runs, nil)
		if err != nil {
			return nil, err
		}
		set, err := hardness.SetTime(p.inst)
		if err != nil {
			return nil, err
		}
		c := hardness.CStar(p.inst)
		above := c.UpperBound(p.inst.Problem.Question.(question.FeasiblePareto), p.inst.Truth(),
			p.inst.Problem.SigmaU(), p.Delta)
		mean := stat.Mean(took.Pulls, nil)
		return []any{p.inst.Name, p.Delta, c.Value, c.Value / 8 * math.Log(1/p.Delta),
			c.LowerBound(p.Delta), set.LowerBound(p.Delta), mean, above,
			fmt.Sprintf("%.0f", above/mean)}, nil
	})
}
