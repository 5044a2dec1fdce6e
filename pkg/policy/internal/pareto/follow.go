package pareto

import (
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Follow takes over what from knows, for the estimates e. Memory stays apart.
func (a *Search) Follow(from *Search, e *arms.Estimates) {
	own := *a
	*a = *from
	a.estimates = e
	a.front = own.front
	a.front.Follow(&from.front)
	a.arms, a.pulled = memory.Copied(own.arms, from.arms), memory.Copied(own.pulled, from.pulled)
	a.rival, a.cap = memory.Copied(own.rival, from.rival), memory.Copied(own.cap, from.cap)
	a.hintG = memory.Copied(own.hintG, from.hintG)
	a.opt, a.fresh = memory.Copied(own.opt, from.opt), memory.Copied(own.fresh, from.fresh)
	a.until, a.then = memory.Copied(own.until, from.until), memory.Copied(own.then, from.then)
	a.m, a.w = memory.Copied(own.m, from.m), memory.Copied(own.w, from.w)
}

// Follow takes over what from knows. Memory stays apart, but for that of computations.
func (m *Posterior) Follow(from *Posterior) {
	own := *m
	*m = *from
	m.N, m.Mean, m.p = memory.Copied(own.N, from.N), memory.Copied(own.Mean, from.Mean),
		memory.Copied(own.p, from.p)
}

// Follow takes over what from knows. Memory stays apart.
func (r *Race) Follow(from *Race) {
	own := *r
	r.Active, r.Retired = memory.Copied(own.Active, from.Active),
		memory.Copied(own.Retired, from.Retired)
	r.open, r.before = memory.Copied(own.open, from.open), memory.Copied(own.before, from.before)
}
