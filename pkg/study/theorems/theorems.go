// Package theorems evaluates the theorems of papers on the instances of experiments, and compares the
// bounds with measured runs.
//
//	table, err := theorems.ECAPE(10, ecape.Concept) // 10 runs on each instance
package theorems

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// setting is an instance of an experiment on which theorems are evaluated.
type setting struct {
	study.Experiment
	size int
	inst *bandit.Instance
}

// sizes is a function that selects some of an experiment's sizes.
type sizes func(study.Experiment) []int

func all(e study.Experiment) []int { return e.Sizes }

// ends selects the first and the last size of an experiment.
func ends(e study.Experiment) []int {
	return slices.Compact([]int{e.Sizes[0], e.Sizes[len(e.Sizes)-1]})
}

// fill adds a row to t for each selected instance of experiments. If runs, the number of runs for
// each row, is not positive, fill panics.
func fill(
	t *tidy.Table, runs int, of sizes, es []study.Experiment, row func(setting) ([]any, error),
) (*tidy.Table, error) {
	if runs < 1 {
		panic("theorems: the number of runs is not positive; use at least 1")
	}
	for _, e := range es {
		for _, size := range of(e) {
			inst, err := e.At(size, 0)
			if err != nil {
				return t, err
			}
			r, err := row(setting{e, size, inst})
			if err != nil {
				return t, fmt.Errorf("theorems: %s: %w", inst.Name, err)
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t, nil
}

// try runs a policy on the instance. The runs use other random seeds than the runs of studies.
func (p setting) try(policy explore.Policy, runs int) (study.Tries, error) {
	return study.Try(p.inst, policy, runs, func(run int) seed.Seed {
		return seed.New(1).Child("theorems", p.inst.Name, run)
	})
}

// ECAPE evaluates Theorems 4.5, E.1 and 4.4 of the e-cAPE paper on the instances of experiments.
// The table also shows the mean number of pulls of e-cAPE with the constants of Theorem 4.4, over
// the given number of runs. ECAPE panics if runs is not positive.
func ECAPE(runs int, es ...study.Experiment) (*tidy.Table, error) {
	const alpha, k1 = complexity.Alpha, complexity.K1
	t := &tidy.Table{
		Title: "Theorems 4.4, 4.5 and E.1 in numbers",
		Columns: tidy.Columns("instance", "delta", "C* [pulls]",
			"4.5: C* log(1/delta)/8 [pulls]", "E.1: below [pulls]", "T* kl [pulls]",
			"needed [pulls]", "4.4: above [pulls]", "above / needed"),
		Notes: []string{fmt.Sprintf(
			"Needed: means over %d runs of e-cAPE with the radii of Theorem 4.4, alpha = %v, k1 = %v. Theorem 4.5 "+
				"holds as delta goes to 0, and both lower bounds hold for a class of Gaussian instances. T* kl is "+
				"the lower bound for the set alone (Proposition 3.4).", runs, alpha, k1)},
	}
	return fill(t, runs, all, es, func(p setting) ([]any, error) {
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
		return []any{p.inst.Name, p.Delta, c.Value, c.Value / 8 * math.Log(1/p.Delta), c.LowerBound(p.Delta),
			set.LowerBound(p.Delta), mean, above, fmt.Sprintf("%.0f", above/mean)}, nil
	})
}

// LinFACT evaluates Theorems 3.2 and 4.1 of the LinFACT paper on an instance of each of the given
// settings. The table also shows results of LinFACT-G with the constants of the theory. LinFACT
// panics if runs is not positive.
func LinFACT(runs int, e study.Experiment, settings ...int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 3.2 and 4.1 in numbers",
		Columns: tidy.Columns("setting", "alpha", "beta", "rounds, at most", "rounds, measured",
			"every method needs [pulls]", "median, measured [pulls]",
			"Theorem 4.1: at most [pulls]", "wrong [%]"),
		Notes: []string{fmt.Sprintf("The first draw of each setting, delta = %v, %d runs of LinFACT-G (constants of "+
			"the theory). Every method needs: the certified lower bound, not the expression of Theorem 3.2. Theorem "+
			"4.1, with its constants: the sum of (21) over all rounds without elimination. Rounds, measured: the "+
			"maximum over the runs.", e.Delta, runs)},
	}
	some := func(study.Experiment) []int { return settings }
	return fill(t, runs, some, []study.Experiment{e}, func(p setting) ([]any, error) {
		prob, mu := p.inst.Problem, p.inst.Truth()
		m := complexity.NewMargins(prob.Question.(question.AllEpsilonBest), mu)
		g, err := complexity.NewGammaStar(prob, mat.Col(nil, 0, mu), 1e-3)
		if err != nil {
			return nil, err
		}
		took, err := study.Try(p.inst, &policy.LinFACT{Delta: p.Delta, Union: policy.PhaseUnionAll}, runs, nil)
		if err != nil {
			return nil, err
		}
		return []any{p.size, round3(m.Alpha), round3(m.Beta), m.Rounds(), took.Rounds,
			math.Ceil(g.LowerBound(p.Delta)), tidy.Median(took.Pulls, study.Confidence).Center,
			math.Ceil(m.MostPulls(prob, p.Delta)), took.WrongPercent()}, nil
	})
}

func round3(x float64) float64 { return math.Round(1e3*x) / 1e3 }
