package pfiwr

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// stated compares mean pulls with a number of Table 1, give or take the standard deviation that
// it has. A run with a wrong answer, which lost an optimal arm and goes on for long, is left out,
// as the paper says that there was none.
func stated(size int, method string, pulls, sd float64) func(*study.Results) study.Verdict {
	word := study.Between(fmt.Sprintf("%v +- %v", pulls, sd), pulls-sd, pulls+sd,
		"the mean is within the standard deviation that the table states")
	return func(r *study.Results) study.Verdict {
		rows := r.Cell(size, method, Calibrated)
		if len(rows) == 0 {
			return study.Missing(method)
		}
		right := slices.DeleteFunc(slices.Clone(rows), func(r mc.Row) bool { return !r.Correct })
		mean := func(c float64) tidy.Summary { return tidy.Mean(study.Pulls(right), c) }
		v := study.All(word.Of(study.Estimate{
			What: "mean pulls of " + method, Resampled: true, At: mean,
		}))
		if n := len(rows) - len(right); n > 0 {
			v.Measured += fmt.Sprintf(", of right runs; %d wrong", n)
		}
		return v
	}
}

// fewer compares mean pulls, and errors: who answers wrongly more often than delta does not need
// fewer.
func fewer(size int, own, theirs string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		a, b := r.Cell(size, PFIwR, own), r.Cell(size, PFIMulti, theirs)
		return study.All(study.Fewer.Of(study.MeanRatio(
			fmt.Sprintf("pulls of PFIwR (%s) / PFIMulti (%s)", own, theirs), a, b,
		))).
			Provided(right(a))
	}
}

// phaseEnds compares the random phase of Algorithm 1 on SW-LLVM with the longest mean of Table 1.
func phaseEnds(*study.Results) study.Verdict {
	c := policy.PFIwRConstants{
		Arms: 16, Features: 16, Objectives: 2, Delta: delta, P: half, Norm: 1,
	}
	return endsWithin(c.Start(), 12846)
}

func endsWithin(phase, pulls float64) study.Verdict {
	return study.Between("within", 0, pulls, fmt.Sprintf("at most %v pulls", pulls)).
		Judge(study.Exact("pulls of the random phase of Algorithm 1, 16 arms and 2 "+
			"objectives,", math.Floor(phase)))
}

// narrowHelps compares PFIMulti with a narrower width with calibrated PFIwR.
func narrowHelps(r *study.Results) study.Verdict {
	own := r.Cell(1, PFIMulti, Narrowed)
	return study.All(study.Fewer.Of(study.MeanRatio("pulls of PFIMulti (0.4 times) / PFIwR "+
		"(calibrated)", own, r.Cell(1, PFIwR, Calibrated)))).Provided(right(own))
}

func everyTrial(r *study.Results) study.Verdict {
	return study.All(study.Negligible.Of(share("runs of PFIwR without the exact front",
		r.Cell(1, PFIwR, Calibrated), Exact,
		func(v float64) bool { return v == 0 })))
}

func mostlyAdds(r *study.Results) study.Verdict {
	return study.All(study.Mostly.Of(share("runs of PFIMulti with a suboptimal arm",
		r.Cell(1, PFIMulti, Calibrated), Added,
		func(v float64) bool { return v > 0 })))
}

// lowerRegret compares the regret of whole runs at epsilon = 0.01.
func lowerRegret(own, theirs string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		return study.All(study.Fewer.Of(means(fmt.Sprintf(
			"regret of PFIwR (%s) / PFIMulti (%s)", own, theirs,
		),
			r.Cell(1, PFIwR, own), r.Cell(1, PFIMulti, theirs), "regret")))
	}
}

func below2Beta(r *study.Results) study.Verdict {
	word := study.Between("with probability 1 - delta", 0, delta, "in at most a share delta = 0.1 "+
		"of the runs is there one")
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, word.Of(share(fmt.Sprintf(
			"runs with a pull above 2 beta at epsilon = %v", Epsilons[size],
		),
			r.Cell(size, PFIwR, Calibrated), AboveBeta, func(v float64) bool { return v > 0 })))
	}
	return study.All(cs...)
}

// sublinear computes how the bound grows.
func sublinear(*study.Results) study.Verdict {
	c := policy.PFIwRConstants{
		Arms: 16, Features: 16, Objectives: 2, Delta: delta, P: half, Norm: 1,
	}
	return grows(exponent(c, 1e6, 1e7))
}

func grows(exponent float64) study.Verdict {
	word := study.Between("sublinear", 0, .9, "with an exponent of at most 0.9 from 10^6 to 10^7 "+
		"pulls")
	return study.All(word.Of(study.Exact("exponent of the bound", exponent)))
}

func phaseDecides(r *study.Results) study.Verdict {
	return study.All(study.MoreOften.Of(study.WrongSum("error rate with 16 random rounds less "+
		"that with 160",
		study.Weighted{Weight: 1, Rows: r.Cell(16, PFIwR, Calibrated)}, study.Weighted{
			Weight: -1, Rows: r.Cell(160, PFIwR, Calibrated),
		})))
}
