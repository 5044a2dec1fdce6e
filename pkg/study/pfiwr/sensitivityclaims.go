package pfiwr

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study"
)

func slower(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, study.More.Of(study.Ratio(
			"pulls of p = 0.1 / p = 0.5, "+r.Experiment.SizeLabel(size)+":",
			r.Cell(size, PNames(.1), ""), r.Cell(size, PNames(.5), ""),
		)))
	}
	return study.All(cs...)
}

func errsMore(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, study.MoreOften.Of(study.WrongSum(
			"error rate of p = 0.9 less that of p = 0.5, "+r.Experiment.SizeLabel(size)+":",
			study.Weighted{Weight: 1, Rows: r.Cell(size, PNames(.9), "")},
			study.Weighted{Weight: -1, Rows: r.Cell(size, PNames(.5), "")})))
	}
	return study.All(cs...)
}

// rightAt judges whether error rates are at most delta.
func rightAt(p float64) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		return study.AtMost(delta, tallies(r, PNames(p), ""), "errors with probability at most "+
			"delta: ")
	}
}

// bestP computes where the factor of the bound is smallest.
func bestP(*study.Results) study.Verdict { return factorAt(.639) }

// factorAt compares p with the minimiser, at which 2 (1 - p)^2 = p^3.
func factorAt(p float64) study.Verdict {
	lo, hi := 0., 1.
	for hi-lo > 1e-9 {
		if mid := (lo + hi) / 2; 2*(1-mid)*(1-mid) > mid*mid*mid {
			lo = mid
		} else {
			hi = mid
		}
	}
	word := study.Between(fmt.Sprint(p), p-.0005, p+.0005, "to three digits")
	return study.All(word.Of(study.Exact("minimiser", hi)))
}
