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
func fewer(size int, own, theirs study.Choice) study.Check {
	return func(r *study.Results) study.Verdict {
		a, b := r.Cell(size, own.Method, own.Constants), r.Cell(size, theirs.Method, theirs.Constants)
		return study.Fewer.Judge(study.MeanRatio(fmt.Sprintf("pulls of %v / %v", own, theirs), a, b)).Provided(right(a))
	}
}

// onLLVMConstants are those of the theorems on SW-LLVM.
func onLLVMConstants() policy.PFIwRConstants {
	return policy.PFIwRConstants{Arms: 16, Features: 16, Objectives: 2, Delta: delta, P: half, Norm: 1}
}

// phaseEnds compares the random phase of Algorithm 1 on SW-LLVM with the longest mean of Table 1.
func phaseEnds(*study.Results) study.Verdict {
	return study.Between("within", 0, 12846, "at most 12846 pulls").Judge(study.Exact("pulls of the random phase of "+
		"Algorithm 1, 16 arms and 2 objectives,", math.Floor(onLLVMConstants().Start())))
}

// sublinear computes how the bound grows.
func sublinear(*study.Results) study.Verdict {
	return study.Between("sublinear", 0, .9, "with an exponent of at most 0.9 from 10^6 to 10^7 pulls").
		Judge(study.Exact("exponent of the bound", exponent(onLLVMConstants(), 1e6, 1e7)))
}

// lowerRegret compares the regret of whole runs at epsilon = 0.01.
func lowerRegret(own, theirs string) study.Check {
	return study.Fewer.For(func(r *study.Results) study.Estimate {
		return means(fmt.Sprintf("regret of PFIwR (%s) / PFIMulti (%s)", own, theirs),
			r.Cell(1, PFIwR, own), r.Cell(1, PFIMulti, theirs), "regret")
	})
}

func below2Beta(r *study.Results) study.Verdict {
	word := study.Between("with probability 1 - delta", 0, delta, "in at most a share delta = 0.1 "+
		"of the runs is there one")
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, word.Of(share(fmt.Sprintf("runs with a pull above 2 beta at epsilon = %v", Epsilons[size]),
			r.Cell(size, PFIwR, Calibrated), AboveBeta, func(v float64) bool { return v > 0 })))
	}
	return study.All(cs...)
}
