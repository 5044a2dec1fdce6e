package policy

import (
	"math"
	"reflect"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/snapshot"
)

// phased is a betting method whose phases overlap.
type phased interface {
	explore.Overlapping
	// expected is the estimate of a reward of an arm in an objective; NaN if nothing is known of it.
	expected(arm, c int) float64
}

// planAhead plans the next phase of p: p is told that what is out has the means that are estimated, with what
// has come of it, is asked for its next phase, and is then as it was. If it would be over, nothing is worth
// measuring before some of that is told.
func planAhead(p phased, prob *explore.Problem, dst []explore.Pull, out []explore.Phase) ([]explore.Pull, error) {
	before := snapshot.Snapshot{Except: []reflect.Type{reflect.TypeOf(prob)}}
	before.Take(p)
	defer before.Restore()
	for _, phase := range out {
		if err := p.Tell(imagined(p, prob.D(), phase)); err != nil {
			return dst, err
		}
		if p.Over() {
			return dst, nil
		}
	}
	pulls, err := p.Ask(nil)
	if err != nil {
		return dst, nil // what is out may decide it
	}
	return append(dst, pulls...), nil
}

// imagined is a phase with what has come of it, and what is expected of the rest.
func imagined(p phased, d int, phase explore.Phase) []explore.Batch {
	obs := make([]explore.Batch, len(phase.Pulls))
	all, told := make([]float64, d), 0.
	for i := range phase.Told {
		told += float64(phase.Told[i].N)
		for c, v := range phase.Told[i].Sum {
			all[c] += v
		}
	}
	for i, pull := range phase.Pulls {
		came := &phase.Told[i]
		obs[i] = explore.Batch{Pull: pull, Sum: make([]float64, d)}
		n, left := float64(came.N), float64(pull.N-came.N)
		for c := range d {
			mean := p.expected(pull.Arm, c)
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

// Ahead implements explore.Overlapping.
func (p *BettingElimination) Ahead(dst []explore.Pull, out []explore.Phase) ([]explore.Pull, error) {
	return planAhead(p, p.prob, dst, out)
}

// Over implements explore.Overlapping.
func (p *BettingElimination) Over() bool { return p.items.Over }

func (p *BettingElimination) expected(arm, _ int) float64 {
	if p.phase == 0 {
		return math.NaN()
	}
	mean := p.pooled.Mean(p.model.Arm(arm), 0)
	if p.limits.known() { // features may extrapolate beyond what there can be
		mean = min(max(mean, p.limits[0]), p.limits[1])
	}
	return mean
}

// Ahead implements explore.Overlapping.
func (p *BettingAllEpsilon) Ahead(dst []explore.Pull, out []explore.Phase) ([]explore.Pull, error) {
	return planAhead(p, p.engine.Problem(), dst, out)
}

// Over implements explore.Overlapping.
func (p *BettingAllEpsilon) Over() bool { return p.engine.Over }

func (p *BettingAllEpsilon) expected(arm, c int) float64 { return p.engine.Expected(arm, c) }

// Ahead implements explore.Overlapping.
func (p *BettingFeasible) Ahead(dst []explore.Pull, out []explore.Phase) ([]explore.Pull, error) {
	return planAhead(p, p.engine.Problem(), dst, out)
}

// Over implements explore.Overlapping.
func (p *BettingFeasible) Over() bool { return p.engine.Over }

func (p *BettingFeasible) expected(arm, c int) float64 { return p.engine.Expected(arm, c) }

// Ahead implements explore.Overlapping.
func (p *BettingPareto) Ahead(dst []explore.Pull, out []explore.Phase) ([]explore.Pull, error) {
	return planAhead(p, p.engine.Problem(), dst, out)
}

// Over implements explore.Overlapping.
func (p *BettingPareto) Over() bool { return p.engine.Over }

func (p *BettingPareto) expected(arm, c int) float64 { return p.engine.Expected(arm, c) }
