package policy

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
)

// leave notes why an arm leaves the race.
func (p *PFIwR) leave(i, by int) {
	if by >= 0 {
		p.final[i] = p.reason(i, by, explore.Dominated)
		return
	}
	p.final[i] = p.reason(i, p.closest(i), explore.Optimal)
}

// closest returns the arm still in the race that comes closest to dominating i.
func (p *PFIwR) closest(i int) int {
	by, least := -1, inf
	for _, j := range p.race.Active {
		if j != i {
			if v := pareto.Excess(p.row(i), p.row(j)); v < least {
				by, least = j, v
			}
		}
	}
	return by
}

func (p *PFIwR) row(i int) []float64 { return p.mean[i*p.c.Objectives:][:p.c.Objectives] }

// reason returns the reason for the verdict on arm i, compared with by.
func (p *PFIwR) reason(i, by int, class explore.Class) explore.Reason {
	r := explore.Reason{Class: class, By: by}
	if by < 0 {
		return r
	}
	r.Margin, r.MarginRadius = pareto.Excess(p.row(i), p.row(by)), p.beta[i]+p.beta[by]
	if class == explore.Dominated {
		r.Margin = -r.Margin
	}
	return r
}

// Answer implements explore.Policy. Before all arms are decided, the items are those found
// optimal, and undecided arms whose estimates no other's dominates.
func (p *PFIwR) Answer() explore.Answer {
	a := explore.Answer{Reasons: slices.Clone(p.final)}
	in := slices.Clone(p.race.Retired)
	for _, i := range p.race.Active {
		a.Reasons[i] = explore.Reason{By: -1}
		if p.t == 0 {
			continue
		}
		a.Reasons[i] = p.reason(i, p.closest(i), explore.Undecided)
		in[i] = true
		for _, j := range p.alive {
			in[i] = in[i] && !pareto.Dominates(p.row(j), p.row(i))
		}
	}
	for i, first := range p.like {
		a.Reasons[i] = a.Reasons[first]
		a.Reasons[i].Constraint = -1
		if in[first] {
			a.Items = append(a.Items, i)
		}
	}
	return a
}
