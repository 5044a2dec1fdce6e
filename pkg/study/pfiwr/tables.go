package pfiwr

import (
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
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

// boundTable has the bounds of Theorems 3.1, 4.3 and 4.4 beside the calibrated PFIwR.
func boundTable(r *study.Results) ([]*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Bounds of the paper, and PFIwR with the calibrated width",
		Columns: tidy.Columns("instance", "Delta_eps", "Theorem 3.1 [pulls]", "measured [pulls]",
			"(12) narrow enough [pulls]", "Theorem 4.3 [pulls]", "regret", "bound on it",
			"bound with (12)"),
		Notes: []string{
			"Theorem 3.1 says that there is some instance of this accuracy that takes so many " +
				"pulls, not that this one does.",
			"Narrow enough: the width (12) itself is a fifth of Delta_eps, (28), and the random " +
				"phase of Algorithm 1 is over. Theorem 4.3: its explicit form in appendix A.5. S " +
				"= 1, p = 1/2.",
			"Bounds on the regret (Theorem 4.4): the largest regret in the random phase, then 2 " +
				"beta, no more than the largest; with the calibrated width for as many pulls as " +
				"were measured, and with (12) until it is narrow enough.",
		},
	}
	for _, size := range r.Experiment.Sizes {
		rows := r.Cell(size, PFIwR, Calibrated)
		if len(rows) == 0 {
			continue
		}
		inst, err := r.Experiment.At(size, 0)
		if err != nil {
			return nil, err
		}
		c, accuracy, most := Constants(inst, delta), Accuracy(inst), largestRegret(inst)
		pulls := tidy.Mean(study.Pulls(rows), study.Confidence)
		narrow := NarrowAt(c, accuracy)
		t.Rows = append(t.Rows, []any{
			inst.Name, accuracy, int(LowerBound(c, accuracy)), pulls, int(narrow),
			int(SampleBound(c, accuracy)),
			tidy.Mean(study.Measured(rows, "regret"), study.Confidence),
			int(RegretBound(c, policy.PFIwRPaperScale, most, calibratedPhase(c.Arms),
				int(pulls.Center))),
			int(RegretBound(c, 1, most, int(c.Start()), int(narrow))),
		})
	}
	return []*tidy.Table{t}, nil
}

// largestRegret is that of a pull.
func largestRegret(inst *bandit.Instance) float64 {
	return slices.Max(pareto.Regrets(inst.Truth()))
}
