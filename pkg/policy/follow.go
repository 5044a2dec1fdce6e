package policy

import (
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// What each policy for arms without structure copies, and what it expects of an arm: see opening.
// Memory that is written anew before it is read in every Tell and Ask is shared.

func (p *ECAPE) follow(from follower) {
	f, own := from.(*ECAPE), *p
	*p = *f
	p.state, p.loose = own.state, mirrored(own.loose, f.loose)
	p.state.Follow(&f.state)
}

func (p *ECAPE) expected(dst []float64, arm int) { copy(dst, row(p.loose, &p.state, arm)) }

func (p *Uniform) follow(from follower) {
	f, own := from.(*Uniform), *p
	*p = *f
	p.state, p.loose = own.state, mirrored(own.loose, f.loose)
	p.state.Follow(&f.state)
}

func (p *Uniform) expected(dst []float64, arm int) { copy(dst, row(p.loose, &p.state, arm)) }

func (p *MDAPT) follow(from follower) {
	f, state := from.(*MDAPT), p.state
	*p = *f
	p.state = state
	p.state.Follow(&f.state)
}

func (p *MDAPT) expected(dst []float64, arm int) { copy(dst, p.state.Row(arm)) }

func (p *TwoStage) follow(from follower) {
	f, own := from.(*TwoStage), *p
	*p = *f
	p.state, p.search = own.state, own.search
	p.loose = mirrored(own.loose, f.loose)
	p.state.Follow(&f.state)
	p.search.Follow(&f.search, &p.state.Estimates)
	p.feasible = memory.Copied(own.feasible, f.feasible)
}

func (p *TwoStage) expected(dst []float64, arm int) { copy(dst, row(p.loose, &p.state, arm)) }

func (p *ConstrainedRacing) follow(from follower) {
	f, own := from.(*ConstrainedRacing), *p
	*p = *f
	p.state, p.loose = own.state, mirrored(own.loose, f.loose)
	p.state.Follow(&f.state)
	p.active, p.next = memory.Copied(own.active, f.active), memory.Copied(own.next, f.next)
	p.class, p.final = memory.Copied(own.class, f.class), memory.Copied(own.final, f.final)
}

func (p *ConstrainedRacing) expected(dst []float64, arm int) {
	copy(dst, row(p.loose, &p.state, arm))
}

func (p *APE) follow(from follower) {
	f, own := from.(*APE), *p
	*p = *f
	p.estimates, p.search, p.loose = own.estimates, own.search, mirrored(own.loose, f.loose)
	p.estimates.Follow(&f.estimates)
	p.search.Follow(&f.search, &p.estimates)
}

func (p *APE) expected(dst []float64, arm int) {
	if p.loose != nil {
		copy(dst, p.loose.Row(arm))
		return
	}
	copy(dst, p.estimates.Row(arm))
}

func (p *ECAPE) squares(dst []float64, arm int) bool    { return squares(dst, p.loose, arm) }
func (p *Uniform) squares(dst []float64, arm int) bool  { return squares(dst, p.loose, arm) }
func (p *TwoStage) squares(dst []float64, arm int) bool { return squares(dst, p.loose, arm) }
func (p *APE) squares(dst []float64, arm int) bool      { return squares(dst, p.loose, arm) }

func (p *ConstrainedRacing) squares(dst []float64, arm int) bool {
	return squares(dst, p.loose, arm)
}

// squares is what a squarer does.
func squares(dst []float64, loose *goodenough.State, arm int) bool {
	return loose != nil && loose.Expected(dst, arm)
}

// row returns the estimate of an arm by what is in use: loose, or state if that is nil.
func row(loose *goodenough.State, state *constrained.State, arm int) []float64 {
	if loose != nil {
		return loose.Row(arm)
	}
	return state.Row(arm)
}

func (p *TFLUCB) follow(from follower) {
	f, own := from.(*TFLUCB), *p
	*p = *f
	p.weighted = own.weighted
	p.weighted.Follow(&f.weighted)
	p.term, p.top = memory.Copied(own.term, f.term), memory.Copied(own.top, f.top)
	p.inTop = memory.Copied(own.inTop, f.inTop)
}

func (p *TFLUCB) expected(dst []float64, arm int) { copy(dst, p.weighted.Row(arm)) }

func (p *ConstrainedTopTwo) follow(from follower) {
	f, own := from.(*ConstrainedTopTwo), *p
	*p = *f
	p.weighted, p.gate, p.rnd = own.weighted, own.gate, f.stream
	p.weighted.Follow(&f.weighted)
	p.gate.follow(&f.gate)
	p.cost, p.exact = memory.Copied(own.cost, f.cost), memory.Copied(own.exact, f.exact)
}

func (p *ConstrainedTopTwo) expected(dst []float64, arm int) { copy(dst, p.weighted.Row(arm)) }

func (g *gate) follow(from *gate) {
	floor := memory.Copied(g.floor, from.floor)
	*g = *from
	g.floor = floor
}

func (p *setRatio) follow(from *setRatio) {
	own := *p
	*p = *from
	p.means, p.gate, p.response = own.means, own.gate, own.response
	p.means.Follow(&from.means)
	p.gate.follow(&from.gate)
	p.n, p.grad = memory.Copied(own.n, from.n), memory.Copied(own.grad, from.grad)
	p.front = memory.Copied(own.front, from.front)
	if p.response == nil {
		// It worked for the policy that is followed.
		p.response, _ = alternative.New(p.means.K, p.means.D, nil)
		if p.region.Rows() > 0 {
			_ = p.response.Constrain(p.region)
		}
	}
}

func (p *setRatio) expected(dst []float64, arm int) { copy(dst, p.means.Row(arm)) }

func (p *GameCPSI) follow(from follower) {
	f, own := from.(*GameCPSI), *p
	*p = *f
	p.setRatio, p.learner, p.rnd = own.setRatio, own.learner, f.stream
	p.setRatio.follow(&f.setRatio)
	if p.learner == nil {
		p.learner = new(game.AdaHedge)
	}
	p.learner.Follow(f.learner)
	p.gain, p.played = memory.Copied(own.gain, f.gain), memory.Copied(own.played, f.played)
}

func (p *ParetoTrackAndStop) follow(from follower) {
	f, own := from.(*ParetoTrackAndStop), *p
	*p = *f
	p.setRatio = own.setRatio
	p.setRatio.follow(&f.setRatio)
	p.log, p.weight = memory.Copied(own.log, f.log), memory.Copied(own.weight, f.weight)
	p.aim = memory.Copied(own.aim, f.aim)
}

func (p *PAL) follow(from follower) {
	f, own := from.(*PAL), *p
	*p = *f
	p.posterior, p.race, p.out = own.posterior, own.race, own.out
	p.posterior.Follow(&f.posterior)
	p.race.Follow(&f.race)
	p.active, p.next = memory.Copied(own.active, f.active), memory.Copied(own.next, f.next)
	if p.Form == PALRacing {
		p.active = p.race.Active
	}
	if p.out == nil {
		p.out = p.leave
	}
	p.front, p.hint = memory.Copied(own.front, f.front), memory.Copied(own.hint, f.hint)
	p.lo, p.hi = memory.Copied(own.lo, f.lo), memory.Copied(own.hi, f.hi)
	p.beta, p.taken = memory.Copied(own.beta, f.beta), memory.Copied(own.taken, f.taken)
	p.final = memory.Copied(own.final, f.final)
}

func (p *PAL) expected(dst []float64, arm int) {
	copy(dst, p.posterior.Row(p.posterior.Model.Class[arm]))
}

func (p *Sparing) follow(from follower) {
	f, own := from.(*Sparing), *p
	*p = *f
	p.posterior = own.posterior
	p.posterior.Follow(&f.posterior)
	p.active, p.width = memory.Copied(own.active, f.active), memory.Copied(own.width, f.width)
	p.weight, p.extra = memory.Copied(own.weight, f.weight), memory.Copied(own.extra, f.extra)
	p.final = memory.Copied(own.final, f.final)
	p.planned = sparingKeep // designs are made of measurements
}

func (p *Sparing) expected(dst []float64, arm int) {
	copy(dst, p.posterior.Row(p.posterior.Model.Class[arm]))
}

func (g *goodArms) follow(from *goodArms) {
	own := *g
	*g = *from
	g.Means = own.Means
	g.Means.Follow(&from.Means)
	g.low, g.high = memory.Copied(own.low, from.low), memory.Copied(own.high, from.high)
	g.reasons = memory.Copied(own.reasons, from.reasons)
}

func (p *ST2) follow(from follower) {
	f, own := from.(*ST2), p.arms
	*p = *f
	p.arms = own
	p.arms.follow(&f.arms)
}

func (p *ST2) expected(dst []float64, arm int) { copy(dst, p.arms.Row(arm)) }

func (p *EAST) follow(from follower) {
	f, own := from.(*EAST), p.filter
	*p = *f
	p.filter = own
	p.filter.goodArms.follow(&f.filter.goodArms)
	p.filter.active = memory.Copied(own.active, f.filter.active)
}

func (p *EAST) expected(dst []float64, arm int) { copy(dst, p.filter.Row(arm)) }

func (p *AllEpsilonTrackAndStop) follow(from follower) {
	f, own := from.(*AllEpsilonTrackAndStop), *p
	*p = *f
	p.means, p.gate, p.response = own.means, own.gate, own.response
	p.means.Follow(&f.means)
	p.gate.follow(&f.gate)
	if p.response == nil {
		p.response = alternative.NewAllEpsilonArms(f.prob.Question.(question.AllEpsilonBest),
			f.means.K)
	}
	p.played, p.counts = memory.Copied(own.played, f.played), memory.Copied(own.counts, f.counts)
	p.pulls = memory.Copied(own.pulls, f.pulls)
	p.due = inf // weights are those of measurements
}

func (p *AllEpsilonTrackAndStop) expected(dst []float64, arm int) { copy(dst, p.means.Row(arm)) }
