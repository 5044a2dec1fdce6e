package pfiwr

import (
	"math"

	"github.com/purexp/purexp/pkg/study"
)

// separatelyAlike compares the pulls of PFIwR where objectives are drawn separately and together.
func separatelyAlike(r *study.Results) study.Verdict {
	return study.All(study.About.Of(study.MeanRatio("pulls, drawn separately / together:",
		r.Cell(1, PFIwR, Calibrated), r.Cell(0, PFIwR, Calibrated))))
}

// flagsErr is that a linear model of the flags, which is wrong by up to 1.25, is wrong about the
// front.
func flagsErr(r *study.Results) study.Verdict {
	word := study.Between("more often than delta", delta, math.Inf(1), "wrong with a probability "+
		"above delta = 0.1")
	return study.All(word.Of(study.Wrong("error rate with flags", r.Cell(2, PFIwR, Calibrated))))
}

// robustHelps compares the mean pulls of PFIwR, as a method of the experiment is, with those of the
// doubly robust form, at sizes where the linear model is right. Who errs more often than delta does
// not need fewer.
func robustHelps(method, constants string, sizes ...int) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		var cs, rights []study.Condition
		for _, size := range sizes {
			own := r.Cell(size, Robust, Calibrated)
			cs = append(cs, study.Fewer.Of(study.MeanRatio(
				"pulls of doubly robust / closed form, "+r.Experiment.SizeLabel(size)+":",
				own, r.Cell(size, method, constants))))
			rights = append(rights, right(own))
		}
		return study.All(cs...).Provided(rights...)
	}
}
