package pfiwr

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study"
)

// eachReading judges a claim where contexts change and where they do not: see study.AnyReading.
func eachReading(judge func(r *study.Results, size int) study.Verdict) study.Check {
	return func(r *study.Results) study.Verdict {
		var vs []study.Verdict
		for _, size := range r.Experiment.Sizes {
			vs = append(vs, judge(r, size))
		}
		return study.AnyReading(vs...)
	}
}

// slower compares the mean pulls of p = 0.1, which Fig. 2 is of, with those of p = 0.5.
func slower(r *study.Results, size int) study.Verdict {
	return study.More.Judge(study.MeanRatio(
		"pulls of p = 0.1 / p = 0.5, "+r.Experiment.SizeLabel(size)+":",
		r.Cell(size, PNames(.1), ""), r.Cell(size, PNames(.5), ""),
	))
}

// errsMore compares the error rates of p = 0.9 and p = 0.5, which it states.
func errsMore(r *study.Results, size int) study.Verdict {
	high, middle := r.Cell(size, PNames(.9), ""), r.Cell(size, PNames(.5), "")
	v := study.MoreOften.Judge(study.WrongSum(
		"error rate of p = 0.9 less that of p = 0.5, "+r.Experiment.SizeLabel(size)+":",
		study.Weighted{Weight: 1, Rows: high}, study.Weighted{Weight: -1, Rows: middle}))
	if len(high) > 0 && len(middle) > 0 {
		v.Measured += fmt.Sprintf(" (%.0f %% and %.0f %%)", 100*study.ErrorRate(high).Center,
			100*study.ErrorRate(middle).Center)
	}
	return v
}

// rightAt judges whether error rates are at most delta.
func rightAt(p float64) func(*study.Results, int) study.Verdict {
	return func(r *study.Results, size int) study.Verdict {
		rows := r.Cell(size, PNames(p), "")
		if len(rows) == 0 {
			return study.Missing(PNames(p))
		}
		return study.AtMost(delta, []study.Tally{study.TallyOf(r.Experiment.SizeLabel(size), rows)},
			"errors with probability at most delta: ")
	}
}

// bestP compares 0.639 with where the factor of the bound is smallest: 2 (1 - p)^2 = p^3.
func bestP(*study.Results) study.Verdict {
	lo, hi := 0., 1.
	for hi-lo > 1e-9 {
		if mid := (lo + hi) / 2; 2*(1-mid)*(1-mid) > mid*mid*mid {
			lo = mid
		} else {
			hi = mid
		}
	}
	return study.Between("0.639", .639-.0005, .639+.0005, "to three digits").Judge(study.Exact("minimiser", hi))
}
