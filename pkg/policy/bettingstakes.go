package policy

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
)

// A bet is what the past decides about one item.
type bet struct {
	se       float64 // standard error of the leader's estimated lead
	rival    int
	stake    float64 // f
	tolerant float64 // f of the bet on d + Epsilon
	variance float64 // v; +Inf if this phase says nothing of the difference
}

// share is the part of the initial capital for bets that an item is worse than its rival: all of it,
// or half where other bets are on its being within Epsilon.
func (p *BettingElimination) share() float64 {
	if p.model.Epsilon > 0 {
		return .5
	}
	return 1
}

// compare finds the leader and the runner-up, and what is known of the leads.
func (p *BettingElimination) compare() {
	p.runner = -1
	if len(p.items.Order) > 1 {
		p.runner = p.items.Order[1]
	}
	if b := p.items.Order[0]; b != p.best {
		p.best = b
		if p.model.Epsilon > 0 {
			p.leaders++
			r := float64(p.leaders)
			p.tolerant.Init(p.model.N, .5/(r*(r+1)))
		}
	}
	first := func(item int) int { return slices.Index(p.model.Class, item) }
	p.led = append(p.led, [2]int{first(p.best), first(p.runner)})
	for a, i := range p.items.Active {
		p.plans[a].se = p.error(i, p.best)
	}
}

// error returns the standard error of the estimated difference of two items.
func (p *BettingElimination) error(i, j int) float64 {
	return p.sigma * p.distance(i, j)
}

// distance returns the norm of the difference of two items in the metric of all pulls.
func (p *BettingElimination) distance(i, j int) float64 {
	floats.SubTo(p.y, p.model.Item(j), p.model.Item(i))
	return math.Sqrt(p.pooled.Squared(p.y))
}

// bet decides about rivals and stakes, from the past alone.
func (p *BettingElimination) bet() {
	p.own.Reset()
	zero := []float64{0}
	for i, n := range p.counts {
		if n > 0 {
			p.own.Add(p.model.Arm(i), n, zero)
		}
	}
	p.own.Solve()
	if p.limits.known() {
		p.foresee()
	}
	eps := p.model.Epsilon
	for a, i := range p.items.Active {
		b := &p.plans[a]
		b.rival = p.best
		if i == p.best {
			b.rival = p.runner
			b.se = p.error(i, b.rival)
		}
		lead := p.items.Mean[b.rival] - p.items.Mean[i]
		b.stake = expectedGap(lead, b.se)
		b.tolerant = 0
		if eps > 0 && i != p.best {
			b.tolerant = expectedGap(lead+eps, b.se)
		}
		floats.SubTo(p.y, p.model.Item(b.rival), p.model.Item(i))
		b.variance = p.model.Sigma * p.model.Sigma * p.own.Squared(p.y)
		if p.own.Outside(p.y) > 1e-9 {
			b.variance = inf
		}
	}
}

// expectedGap returns E max(g, 0) for a Gaussian g of the given mean and standard deviation.
func expectedGap(mean, sd float64) float64 {
	x := mean / sd
	switch {
	case x < -30:
		return 0
	case x > 30:
		return mean
	}
	return sd * (distuv.UnitNormal.Prob(x) + x*distuv.UnitNormal.CDF(x))
}

// payBets pays the bets of this phase, and drops items whose capital has reached 1/delta. If that
// is true of all items, the one with the least capital stays.
func (p *BettingElimination) payBets() {
	eps, all := p.model.Epsilon, p.items.Active
	kept := all[:0]
	poorest, least, open := -1, inf, 0
	for a, i := range all {
		b := p.plans[a]
		d := p.own.Mean(p.model.Item(b.rival), 0) - p.own.Mean(p.model.Item(i), 0)
		p.pay(&p.bets, i, &b, b.stake, d, 0)
		capital := p.bets.Log(i, p.log)
		if capital < p.log {
			kept = append(kept, i)
			if eps > 0 && i != p.best {
				p.pay(&p.tolerant, i, &b, b.tolerant, d, eps)
				if p.tolerant.Log(i, p.log) < p.log {
					open++
				}
			}
			continue
		}
		if capital < least {
			poorest, least = i, capital
		}
		p.items.Reasons[i].Class = explore.Dominated
	}
	if len(kept) == 0 {
		kept = append(kept, poorest)
		p.items.Reasons[poorest] = explore.Reason{By: -1, Constraint: -1}
	}
	p.items.Active = kept
	// The leader of the bets is the answer, unless it was dropped.
	p.items.Over = eps > 0 && open == 0 && slices.Contains(kept, p.best)
	if p.items.Over {
		p.items.Known = p.best + 1
	}
}

// pay pays the bet of stake f on d + tolerance against item i.
func (p *BettingElimination) pay(to *betting.Accounts, i int, b *bet, f, d, tolerance float64) {
	if !p.limits.known() || math.IsInf(b.variance, 1) {
		s, q := f*(d+tolerance)/b.variance, f*f/b.variance
		if p.length == 0 {
			to.Add(i, s, q)
			return
		}
		to.Grow(i, s, q, func(l float64) float64 { return l*s - l*l*q/2 })
		return
	}
	p.resolve(i, b.rival)
	w := p.wager(f, tolerance)
	to.Grow(i, f*w.d/w.v, f*f/w.v, w.growth)
}
