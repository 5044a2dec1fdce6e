package pfiwr

import (
	"github.com/purexp/purexp/pkg/study"
)

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
