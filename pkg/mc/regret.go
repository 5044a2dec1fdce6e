package mc

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// Regret is the measure of Pareto regret of any policy (see [bandit.Regret]): "regret" of the whole
// run, and for each number of pulls t in at, positive and ascending, "regret@t" of the pulls up to
// the t-th and "instant@t" of the t-th alone. A run that ended before t has its total as the first,
// and nothing as the second.
func Regret(at ...int) Measure {
	names := []string{"regret"}
	for _, t := range at {
		names = append(names, fmt.Sprintf("regret@%d", t))
	}
	for _, t := range at {
		names = append(names, fmt.Sprintf("instant@%d", t))
	}
	return Measure{Names: names, New: func(in *bandit.Instance) Meter {
		return regret{bandit.NewRegret(in, at...)}
	}}
}

type regret struct{ *bandit.Regret }

// Values implements Meter.
func (r regret) Values(dst []float64, res *explore.Result) []float64 {
	total := r.Total()
	if r.Pulls() != res.Pulls {
		total = math.NaN() // rounds were missed
	}
	return r.AppendInstant(r.AppendSums(append(dst, total)))
}
