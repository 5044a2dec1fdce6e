package betting

import (
	"math"
	"reflect"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/snapshot"
)

// Imagine implements explore.Overlapping. Imagine adds the batches in unsolicited to the estimates,
// passes expected rewards of the open phases to the engine, calls then(), and restores the state.
func (e *Engine) Imagine(out []explore.Phase, unsolicited []explore.Batch, then func(enough int)) error {
	before := snapshot.Snapshot{Except: []reflect.Type{reflect.TypeOf(e.prob)}}
	before.Take(e)
	defer before.Restore()
	for _, b := range unsolicited {
		e.pooled.add(b.Arm, b.N, b.Sum)
	}
	if len(unsolicited) > 0 && e.pulls > 0 {
		e.pooled.solve()
		e.pooled.means()
		e.Over = e.rules.Settle(e)
	}
	enough := 0
	for i, phase := range out {
		if !e.Over { // unsolicited results may already have ended the imagined run
			if err := e.Tell(e.imagined(phase)); err != nil {
				return err
			}
		}
		if e.Over {
			enough = i + 1
			break
		}
	}
	then(enough)
	return nil
}

// imagined returns the batches of a phase, in which expected rewards replace missing results.
func (e *Engine) imagined(phase explore.Phase) []explore.Batch {
	obs := make([]explore.Batch, len(phase.Pulls))
	all, told := make([]float64, e.D), 0.
	for i := range phase.Told {
		told += float64(phase.Told[i].N)
		for c, v := range phase.Told[i].Sum {
			all[c] += v
		}
	}
	for i, pull := range phase.Pulls {
		came := &phase.Told[i]
		obs[i] = explore.Batch{Pull: pull, Sum: make([]float64, e.D)}
		n, left := float64(came.N), float64(pull.N-came.N)
		for c := range e.D {
			mean := e.expected(pull.Arm, c)
			switch {
			case !math.IsNaN(mean):
			case n > 0:
				mean = came.Sum[c] / n
			default:
				mean = all[c] / max(told, 1)
			}
			obs[i].Sum[c] = came.Sum[c] + left*mean
		}
	}
	return obs
}

// expected returns the estimated mean reward of an arm in an objective, or NaN if there is no
// estimate.
func (e *Engine) expected(arm, c int) float64 {
	switch {
	case e.pulls == 0:
		return math.NaN()
	case e.Exact[c] != nil:
		return 0 // the means are known, so rewards in this objective are not used
	case e.free && e.pooled.n[arm] == 0:
		return math.NaN()
	case e.free:
		return e.pooled.sum[arm*e.D+c] / e.pooled.n[arm]
	}
	mean := e.pooled.fit.Mean(e.Model.Arm(arm), c)
	if e.Bounds != nil && !math.IsNaN(e.Bounds[c].Low) { // a linear model may extrapolate beyond the bounds
		mean = min(max(mean, e.Bounds[c].Low), e.Bounds[c].Low+e.Bounds[c].Length)
	}
	return mean
}
