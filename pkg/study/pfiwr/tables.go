package pfiwr

import (
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// ratios is the table of Fig. 1: errors after 2000 rounds, and the ratio of the estimator to ridge
// regression, over the first ten instances as in the paper and over all.
func ratios(r *study.Results) ([]*tidy.Table, error) {
	t := &tidy.Table{
		Title:   "Errors of theta after 2000 rounds (Fig. 1)",
		Columns: tidy.Columns("contexts"),
		Notes: []string{"Means over the instances with their 95 % intervals (bootstrap). The " +
			"paper states ratios of 0.73 with rho = 0 and of 0.99 with rho = 0.9, over ten runs.",
			"Features are scaled so that none is longer than 1, but for the rows \"as drawn\"; " +
				"errors are those of theta for features as drawn. In the rows \"theta kept\" theta " +
				"is 1/sqrt(d), as the paper states, for features that are scaled; where it grows as " +
				"they shrink, it is another one, and claims are not judged by these rows."},
	}
	names := r.Experiment.MethodNames()
	for _, name := range names {
		t.Columns = append(t.Columns, tidy.Column{Name: name})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "ratio of ten"},
		tidy.Column{Name: "ratio of all"})
	at := errorAt(last(estimatorRounds))
	for _, size := range r.Experiment.Sizes {
		own := study.Measured(r.Cell(size, RidgeLambda, ""), at)
		one := study.Measured(r.Cell(size, RidgeOne, ""), at)
		if len(own) == 0 || len(own) != len(one) {
			continue
		}
		row := []any{r.Experiment.SizeLabel(size)}
		for _, name := range names {
			x := study.Measured(r.Cell(size, name, ""), at)
			if len(x) == 0 {
				row = append(row, nil)
				continue
			}
			row = append(row, tidy.Mean(x, study.Confidence))
		}
		ten := min(10, len(own))
		t.Rows = append(t.Rows, append(row,
			tidy.RatioOfMeans(own[:ten], one[:ten], true, study.Confidence),
			tidy.RatioOfMeans(own, one, true, study.Confidence)))
	}
	return []*tidy.Table{t}, nil
}

// largestRegret is that of a pull.
func largestRegret(inst *bandit.Instance) float64 {
	return slices.Max(pareto.Regrets(inst.Truth()))
}
