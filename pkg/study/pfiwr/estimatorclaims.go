package pfiwr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// readings returns the sizes of Estimator, with diverse (0) or correlated (1) contexts, that agree
// with the paper's description. The returned sizes have theta = 1/sqrt(d), as the paper states.
func readings(correlated int) (sizes []int) {
	for size := asDrawn + correlated; size < len(estimatorNames); size += 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// onReadings returns a check that judges a claim with one condition for each reading; see
// study.AnyReading. The confidence intervals of all conditions hold simultaneously.
func onReadings(correlated int, word study.Phrase, of func(*study.Results, int) study.Estimate,
) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range readings(correlated) {
			cs = append(cs, word.Of(of(r, size)))
		}
		v := study.Any(cs...)
		if v.Phrases != nil {
			v.Why = study.OneSuffices + v.Why
		}
		return v
	}
}

// someRatio returns a check of a ratio that the paper states: the error
// of the closed-form estimator divided by the error of ridge regression.
func someRatio(correlated int, stated float64) study.Check {
	return onReadings(correlated, aboutRatio(stated), ratioOfErrors)
}

// aboutRatio returns the phrase that a number is about the ratio in the paper. The phrase's factor
// is 1.1, which distinguishes 0.73 from 0.99; a factor of 1.25 would not.
func aboutRatio(stated float64) study.Phrase {
	return study.Between(fmt.Sprint(stated), stated/1.1, stated*1.1,
		fmt.Sprintf("within a factor of 1.1 of %v", stated))
}

// bothRatios judges, for each reading, whether measurements reproduce both ratios in the paper.
func bothRatios(r *study.Results) study.Verdict {
	var vs []study.Verdict
	for _, size := range readings(0) {
		vs = append(vs, study.All(aboutRatio(.73).Of(ratioOfErrors(r, size)),
			aboutRatio(.99).Of(ratioOfErrors(r, size+1))))
	}
	return study.AnyReading(vs...)
}

// ratioOfErrors estimates the mean error of the closed-form
// estimator divided by that of ridge regression, after all rounds.
func ratioOfErrors(r *study.Results, size int) study.Estimate {
	return means("ratio, "+estimatorNames[size]+":", r.Cell(size, RidgeLambda, ""), r.Cell(size, RidgeOne, ""),
		errorAt(last(estimatorRounds)))
}

// moreWhenDiverse compares the ratios of errors for diverse and for correlated contexts, on one
// reading.
func moreWhenDiverse(r *study.Results, size int) study.Estimate {
	what := "ratio at rho=0 / that at rho=0.9, " + strings.TrimPrefix(estimatorNames[size], "rho=0, ") + ":"
	var x [][]float64
	for _, c := range [][]mc.Row{
		r.Cell(size, RidgeLambda, ""), r.Cell(size, RidgeOne, ""),
		r.Cell(size+1, RidgeLambda, ""), r.Cell(size+1, RidgeOne, ""),
	} {
		x = append(x, study.Measured(c, errorAt(last(estimatorRounds))))
	}
	if slices.ContainsFunc(x, func(s []float64) bool { return len(s) == 0 }) {
		return study.Estimate{Lacks: what}
	}
	return study.Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
		s := tidy.LogContrast([]float64{1, -1, -1, 1}, x, false, c)
		s.Center, s.Lo, s.Hi = math.Exp(s.Center), math.Exp(s.Lo), math.Exp(s.Hi)
		return s
	}}
}

// collapses compares the printed estimator with its closed form, run by run.
func collapses(r *study.Results) study.Verdict {
	const what = "largest relative difference of errors"
	worst, runs := 0., 0
	for _, size := range r.Experiment.Sizes {
		closed := map[int][]float64{}
		for _, row := range r.Cell(size, RidgeLambda, "") {
			closed[row.Rep] = study.Measured([]mc.Row{row}, errorAt(last(estimatorRounds)))
		}
		for _, row := range r.Cell(size, Printed, "") {
			x, y := study.Measured([]mc.Row{row}, errorAt(last(estimatorRounds))), closed[row.Rep]
			if len(x) == 1 && len(y) == 1 {
				worst, runs = max(worst, math.Abs(x[0]/y[0]-1)), runs+1
			}
		}
	}
	if runs == 0 {
		return study.Missing(Printed)
	}
	word := study.Between("is", 0, 1e-9, "the same up to a relative difference of 1e-9")
	v := study.All(word.Of(study.Exact(what, worst)))
	v.Measured += fmt.Sprintf(" in %d runs", runs)
	return v
}

func freshHelps(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range slices.Concat(readings(0), readings(1)) {
		// The check compares only draws on which both methods ran.
		cs = append(cs, study.Fewer.Of(means("ratio, "+estimatorNames[size]+":",
			r.Cell(size, Fresh, ""), r.Cell(size, Printed, ""), errorAt(last(estimatorRounds)))))
	}
	return study.All(cs...)
}

// converges returns a check that compares the largest error of a mean after all rounds with that
// after a hundredth of the rounds. If errors decrease as 1/sqrt(t), the ratio is a tenth.
func converges(size int) func(*study.Results) study.Verdict {
	word := study.Between("converge", 0, .5, "after 100 times as many rounds, the largest error is at most half as "+
		"large")
	return func(r *study.Results) study.Verdict {
		rows := r.Cell(size, RidgeLambda, "")
		end := last(oneArmRounds)
		x, y := study.Measured(rows, worstAt(end)), study.Measured(rows, worstAt(end/100))
		const what = "error after 40 000 rounds / 400"
		if len(x) == 0 || len(y) == 0 {
			return study.Missing(RidgeLambda)
		}
		ratio := func(c float64) tidy.Summary { return tidy.RatioOfMeans(x, y, true, c) }
		return study.All(word.Of(study.Estimate{What: what, Resampled: true, At: ratio}))
	}
}
