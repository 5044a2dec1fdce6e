package policy

import (
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// What each policy for a linear model copies, and what it expects of an arm: see opening.
// Memory that is written anew before it is read in every Tell and Ask is shared, and so are
// designs, which are made of measurements only.

func (p *LinGapE) follow(from follower) {
	f, own := from.(*LinGapE), p.sequential
	*p = *f
	p.sequential = own
	p.sequential.Follow(&f.sequential)
}

func (p *LinGapE) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *LinGame) follow(from follower) {
	f, own := from.(*LinGame), *p
	*p = *f
	p.sequential, p.learners = own.sequential, own.learners
	p.sequential.Follow(&f.sequential)
	if p.learners == nil {
		p.learners = make([]*game.AdaHedge, len(f.learners))
	}
	for i, l := range f.learners {
		switch {
		case l == nil:
			p.learners[i] = nil
			continue
		case p.learners[i] == nil:
			p.learners[i] = new(game.AdaHedge)
		}
		p.learners[i].Follow(l)
	}
	p.played = memory.Copied(own.played, f.played)
}

func (p *LinGame) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *LazyTrackAndStop) follow(from follower) {
	f, own := from.(*LazyTrackAndStop), *p
	*p = *f
	p.sequential, p.rule = own.sequential, own.rule
	p.sequential.Follow(&f.sequential)
	p.rule.Follow(&f.rule, &p.sequential)
}

func (p *LazyTrackAndStop) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *FWS) follow(from follower) {
	f, own := from.(*FWS), *p
	*p = *f
	p.sequential, p.aim = own.sequential, own.aim
	p.sequential.Follow(&f.sequential)
	if p.aim == nil {
		p.aim = new(lsq.Tracker)
	}
	p.aim.Copy(f.aim)
	p.tx = memory.Copied(own.tx, f.tx)
}

func (p *FWS) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *AllEpsilonGame) follow(from follower) {
	f, own := from.(*AllEpsilonGame), *p
	*p = *f
	p.sequential, p.exploration, p.response = own.sequential, own.exploration, own.response
	p.sequential.Follow(&f.sequential)
	p.exploration.Follow(&f.exploration)
	if p.response == nil {
		// It worked for the policy that is followed.
		p.response, _ = alternative.NewAllEpsilon(p.question, p.sequential.X, p.sequential.Z)
	}
	p.played = memory.Copied(own.played, f.played)
	p.pulls = memory.Copied(own.pulls, f.pulls)
	p.due = inf
}

func (p *AllEpsilonGame) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *LazyThreshold) follow(from follower) {
	f, own := from.(*LazyThreshold), *p
	*p = *f
	p.sequential, p.rule = own.sequential, own.rule
	p.sequential.Follow(&f.sequential)
	p.rule.Follow(&f.rule, &p.sequential)
}

func (p *LazyThreshold) expected(dst []float64, arm int) { dst[0] = p.sequential.Expected(arm) }

func (p *topM) follow(from *topM) {
	own := *p
	*p = *from
	if p.belief = own.belief; p.belief == nil {
		p.belief = new(linear.Belief)
	}
	p.belief.Follow(from.belief)
	p.half, p.index = memory.Copied(own.half, from.half), memory.Copied(own.index, from.index)
	p.order, p.top = memory.Copied(own.order, from.order), memory.Copied(own.top, from.top)
}

func (p *LinGIFA) follow(from follower) {
	f, own := from.(*LinGIFA), p.topM
	*p = *f
	p.topM = own
	p.topM.follow(&f.topM)
}

func (p *LinGIFA) expected(dst []float64, arm int) { dst[0] = p.topM.belief.Mean[arm] }

func (p *MLinGapE) follow(from follower) {
	f, own := from.(*MLinGapE), p.topM
	*p = *f
	p.topM = own
	p.topM.follow(&f.topM)
}

func (p *MLinGapE) expected(dst []float64, arm int) { dst[0] = p.topM.belief.Mean[arm] }

func (p *PFIwR) follow(from follower) {
	f, own := from.(*PFIwR), *p
	*p = *f
	p.rnd, p.ridge, p.race, p.out = f.stream, own.ridge, own.race, own.out
	if p.ridge == nil {
		p.ridge, p.out = new(lsq.Ridge), p.leave
	}
	p.ridge.Copy(f.ridge)
	p.race.Follow(&f.race)
	p.pulls, p.alive = memory.Copied(own.pulls, f.pulls), memory.Copied(own.alive, f.alive)
	p.mean, p.beta = memory.Copied(own.mean, f.mean), memory.Copied(own.beta, f.beta)
	p.front, p.final = memory.Copied(own.front, f.front), memory.Copied(own.final, f.final)
}

func (p *PFIwR) expected(dst []float64, arm int) { p.ridge.Means(dst, p.x.RawRowView(arm)) }
