package theorems

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// GEGEFixedBudget evaluates Theorems 1 and 2 of the GEGE paper on the first and the last instance
// of each fixed-budget experiment. The returned table also shows the error rate in the given number
// of runs. GEGEFixedBudget panics if runs is not positive.
func GEGEFixedBudget(runs int, es ...study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 1 and 2 in numbers: the error probability with a fixed budget",
		Columns: tidy.Columns("instance", "K", "h", "sigma² H2lin [pulls]", "budget T [pulls]",
			"Theorem 1: at most [%]", "measured [%]",
			"Theorem 2: on some instance, at least [%]", "T for 1 % error by Theorem 1 [pulls]"),
		Notes: []string{"Theorem 1: exp(-T/(1200 sigma² H2lin ceil(log2 h)) + log(2 d (K + h + ceil(log2 h)))); " +
			"\"none\" if the bound exceeds 1. Theorem 2: for every method, at least exp(-2T/(sigma² H2lin))/4 on " +
			"some instance with the same H2lin, but not necessarily on this instance.",
			fmt.Sprintf("Measured: share of wrong answers in %d runs of GEGE.", runs)},
	}
	return fill(t, runs, ends, es, func(p setting) ([]any, error) {
		c, err := complexity.NewLinear(p.inst.Problem, p.inst.Truth())
		if err != nil {
			return nil, err
		}
		budget := p.Budget(p.size)
		took, err := p.try(&policy.GEGEFixedBudget{Budget: budget}, runs)
		if err != nil {
			return nil, err
		}
		n := float64(budget)
		return []any{family(p), c.Items, c.Rank, int(math.Round(c.Sigma * c.Sigma * c.H2Lin)),
			budget, percent(c.ErrorBound(n)), took.WrongPercent(), percent(c.LeastError(n)),
			int(math.Ceil(c.EnoughBudget(.01)))}, nil
	})
}

// GEGEFixedConfidence evaluates Theorems 3 and 4 of the GEGE paper on the first and the last
// instance of each fixed-confidence experiment. The table also shows the pulls in the given number
// of runs. GEGEFixedConfidence panics if runs is not positive.
func GEGEFixedConfidence(runs int, es ...study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 3 and 4 in numbers: pulls with fixed confidence",
		Columns: tidy.Columns("instance", "K", "h", "delta", "Theorem 4: order of [pulls]",
			"median pulls, measured [pulls]", "rounds of Lemma 3 [pulls]",
			"Theorem 3: at most [pulls]", "rounds, measured", "rounds, at most", "wrong [%]"),
		Notes: []string{"Theorem 4: sigma² H1lin log(1/delta), up to an unstated constant. Rounds of Lemma 3: the " +
			"total length of all rounds if each arm remains active as long as the lemma allows. Theorem 3: with the " +
			"constants of the proof (E.3), 4779 sigma² times the sum over gaps 2 to h; rounding up the lengths of " +
			"rounds, which (36) neglects, can increase the bound up to fourfold.",
			fmt.Sprintf("Measured: %d runs of GEGE, constants of the theorem.", runs)},
	}
	return fill(t, runs, ends, es, func(p setting) ([]any, error) {
		c, err := complexity.NewLinear(p.inst.Problem, p.inst.Truth())
		if err != nil {
			return nil, err
		}
		took, err := p.try(&policy.GEGEFixedConfidence{Delta: p.Delta}, runs)
		if err != nil {
			return nil, err
		}
		lemma, rounds := c.Schedule(p.Delta)
		return []any{family(p), c.Items, c.Rank, p.Delta, int(math.Round(c.Order(p.Delta))),
			int(tidy.Median(took.Pulls, study.Confidence).Center), int(lemma),
			int(math.Ceil(c.MostPulls(p.Delta))), took.Rounds, rounds, took.WrongPercent()}, nil
	})
}

// family returns the name of the instances of an experiment, such as "noc" for "noc-budget".
func family(p setting) string {
	name, _, _ := strings.Cut(p.ShortName(), "-")
	return name
}

// percent formats a bound on a probability in per cent, or returns "none" for a bound above 1.
func percent(p float64) any {
	if p > 1 {
		return "none"
	}
	return 100 * p
}
