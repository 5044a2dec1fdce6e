package pfiwr

import (
	"fmt"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// means is the ratio of the means of numbers of runs, paired where they saw the same rewards.
func means(what string, a, b []mc.Row, measure string) study.Estimate {
	x, y := study.Measured(a, measure), study.Measured(b, measure)
	if len(x) == 0 || len(y) == 0 {
		return study.Estimate{Lacks: what}
	}
	paired := len(x) == len(y)
	for i := range x {
		paired = paired && a[i].Rep == b[i].Rep
	}
	return study.Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
		return tidy.RatioOfMeans(x, y, paired, c)
	}}
}

// share is that of runs whose number of a measure is as wanted.
func share(what string, rows []mc.Row, measure string, is func(float64) bool) study.Estimate {
	k, x := 0, study.Measured(rows, measure)
	for _, v := range x {
		if is(v) {
			k++
		}
	}
	return study.Share(what, k, len(x))
}

// right is that the error rate is at most delta.
func right(rows []mc.Row) study.Condition {
	return study.Between(
		"right", 0, delta, fmt.Sprintf("wrong with probability at most delta = %v", delta),
	).
		Of(study.Wrong("its error rate", rows))
}
