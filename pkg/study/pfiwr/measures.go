package pfiwr

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The following constants are names of measures. Exact is 1 if a run returned exactly the Pareto
// set, and 0 otherwise. Added is the number of returned arms that are not in the Pareto set.
// AboveBeta is the number of pulls after the random phase with a regret above 2 beta (Theorem 4.4).
const (
	Exact     = "front found exactly"
	Added     = "suboptimal arms returned"
	AboveBeta = "pulls above 2 beta"
)

var (
	exact = mc.Number(Exact, func(in *bandit.Instance, res *explore.Result) float64 {
		if res.Status == explore.Stopped && slices.Equal(res.Answer.Items, pareto.Set(in.Truth())) {
			return 1
		}
		return 0
	})
	added = mc.Number(Added, func(in *bandit.Instance, res *explore.Result) (n float64) {
		front := pareto.Set(in.Truth())
		for _, i := range res.Answer.Items {
			if !slices.Contains(front, i) {
				n++
			}
		}
		return n
	})
	aboveBeta = mc.Measure{Names: []string{AboveBeta}, New: func(in *bandit.Instance) mc.Meter {
		return &betaMeter{regret: pareto.Regrets(in.Means())}
	}}
)

// betaMeter counts the pulls of PFIwR whose regret is more than twice the width in the previous
// round.
type betaMeter struct {
	regret []float64
	width  func(t int) float64 // width of a mean after t pulls; nil for other policies and widths; see paperWidth
	random int
	above  int
}

// Record implements explore.Recorder.
func (m *betaMeter) Record(e explore.Event) error {
	if e.Pulls == 1 {
		m.width, m.random = paperWidth(e.Policy, len(m.regret), len(e.Obs[0].Sum))
	}
	if m.width != nil && e.Pulls > m.random && m.regret[e.Obs[0].Arm] > 2*m.width(e.Pulls-1) {
		m.above++
	}
	return nil
}

// Values implements mc.Meter.
func (m *betaMeter) Values(dst []float64, _ *explore.Result) []float64 {
	if m.width == nil {
		return append(dst, math.NaN())
	}
	return append(dst, float64(m.above))
}

// paperWidth returns the calibrated half-widths of a PFIwR for k arms without features and d
// objectives, and the length of its random phase. For other policies and other widths, paperWidth
// returns a nil width.
func paperWidth(p explore.Policy, k, d int) (width func(t int) float64, random int) {
	own, ok := p.(*policy.PFIwR)
	if !ok || own.Width != policy.PFIwRPaper {
		return nil, 0
	}
	c := policy.PFIwRConstants{
		Arms: k, Features: k, Objectives: d, Delta: own.Delta, P: half, Norm: own.Norm,
	}
	random = calibratedPhase(k)
	if own.Random > 0 {
		random = own.Random
	}
	return func(t int) float64 { return policy.PFIwRPaperScale * c.Beta(t) }, random
}

// calibratedPhase returns the length of the random phase with the calibrated width.
func calibratedPhase(k int) int { return 10 * k }

// means returns the ratio of the means of a measure in rows a and b. Runs with the same rewards are
// paired.
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

// share returns the fraction of runs whose value v of a measure satisfies is(v).
func share(what string, rows []mc.Row, measure string, is func(float64) bool) study.Estimate {
	k, x := 0, study.Measured(rows, measure)
	for _, v := range x {
		if is(v) {
			k++
		}
	}
	return study.Share(what, k, len(x))
}

// right returns the condition that the error rate in rows is at most delta.
func right(rows []mc.Row) study.Condition {
	return study.Between(
		"right", 0, delta, fmt.Sprintf("wrong with probability at most delta = %v", delta),
	).
		Of(study.Wrong("the error rate of the method", rows))
}
