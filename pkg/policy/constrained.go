package policy

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/radius"
)

// constrained is what the policies for constrained Pareto sets know, and the
// stopping and recommendation rule of the e-cAPE paper (its equations 5 to 7),
// which does not care how samples were chosen.
type constrained struct {
	estimates
	feas feasibility

	scaled  bool // compare evidence in units of its radius
	gammas  []float64
	status  []float64 // evidence on feasibility as compared: gamma_i, or eta_i/U_i - 1 if scaled
	f       []int     // F: empirically feasible arms
	fg      []int     // F and G: arms that are not confidently infeasible
	inO     []bool
	o       []int // O: empirical Pareto set of F
	hintO   []int // see estimates.front
	hintXi  []int // hintXi[i]: who came closest to dominating i certainly
	stopped bool
}

// init starts a run; pairs says whether all pairs are looked at in every round.
func (c *constrained) init(p *explore.Problem, region *polyhedron.Polyhedron, bonus radius.Bonus, pairs bool) {
	c.estimates.init(p, bonus, pairs)
	c.feas.init(p, region)
	c.gammas, c.status = zeroed(c.gammas, c.k), zeroed(c.status, c.k)
	c.f, c.fg, c.o = zeroed(c.f, c.k)[:0], zeroed(c.fg, c.k)[:0], zeroed(c.o, c.k)[:0]
	c.inO = zeroed(c.inO, c.k)
	c.hintO, c.hintXi = zeroed(c.hintO, c.k), zeroed(c.hintXi, c.k)
	c.stopped = false
}

func (c *constrained) tell(obs []explore.Batch) {
	c.estimates.tell(obs)
	c.feas.locate(obs, &c.estimates)
	c.sort()
}

// sort computes F, G and O and everything else that depends on time.
func (c *constrained) sort() {
	c.factor, c.feas.factor = c.bonus.Factors(c.t)
	c.f, c.fg = c.f[:0], c.fg[:0]
	for i := range c.k {
		c.gammas[i] = c.feas.gamma(i, c.n[i])
		c.status[i] = c.gammas[i]
		if c.scaled {
			c.status[i] = c.feas.eta[i]/(c.feas.factor*c.feas.width[i]) - 1
		}
		if c.feas.inside[i] {
			c.f = append(c.f, i)
			c.fg = append(c.fg, i)
		} else if c.gammas[i] < 0 {
			c.fg = append(c.fg, i)
		}
	}
	c.o = c.front(c.o[:0], c.f, c.hintO)
	clear(c.inO)
	for _, i := range c.o {
		c.inO[i] = true
	}
}

// unresolved returns the arm outside O whose status is least certain, the
// minimiser of Z2 (equation 6), or -1 if all are certified, that is, Z2 >= 0.
//
// An arm's term is max over j in F and G of m^-(i,j), or gamma_i if that is
// larger and i is empirically infeasible. A scan of j ends as soon as it shows
// that i is not the minimiser; starting with whoever ended it last time, most
// arms cost one comparison.
func (c *constrained) unresolved() int {
	worst, arm := 0., -1
	for i := range c.k {
		if c.inO[i] {
			continue
		}
		xi := -inf
		if !c.feas.inside[i] {
			xi = c.status[i]
		}
		if xi >= worst {
			continue
		}
		if h := c.hintXi[i]; (c.feas.inside[h] || c.gammas[h] < 0) && c.compared(c.dominated(i, h), i, h) >= worst {
			continue
		}
		row, wide, factor := c.excess[i*c.k:][:c.k], c.width[i*c.k:][:c.k], c.factor
		for _, j := range c.fg {
			m := -row[j] - factor*wide[j]
			if c.scaled {
				m = c.compared(m, i, j)
			}
			if m > xi {
				xi, c.hintXi[i] = m, j
				if m >= worst {
					break
				}
			}
		}
		if xi < worst {
			worst, arm = xi, i
		}
	}
	return arm
}

// compared returns a confidence bound m on the pair i, j as it is compared with
// other evidence: as it is, or in units of the pair's radius.
func (c *constrained) compared(m float64, i, j int) float64 {
	if c.scaled && i != j {
		return m / (c.factor * c.width[i*c.k+j])
	}
	return m
}

// doubtful returns the member of O that is least certain to belong there, the
// minimiser of Z1 (equation 5), or -1 if all are certified feasible and not
// dominated by one another, that is, Z1 >= 0.
func (c *constrained) doubtful() int {
	z1f, z1ps := inf, inf
	byF, byPS := -1, -1
	for _, i := range c.o {
		if c.status[i] < z1f {
			z1f, byF = c.status[i], i
		}
		for _, j := range c.o {
			if m := c.compared(c.notDominated(i, j), i, j); m < z1ps {
				z1ps, byPS = m, i
			}
		}
	}
	switch {
	case min(z1f, z1ps) >= 0:
		return -1
	case z1f <= z1ps:
		return byF
	}
	return byPS
}

// snapshot returns a copy of c with everything computed, for an answer from a
// state that knows no more than where the arms lie.
func (c *constrained) snapshot() *constrained {
	s := &constrained{estimates: c.estimates, feas: c.feas}
	s.gammas, s.status, s.inO = make([]float64, c.k), make([]float64, c.k), make([]bool, c.k)
	s.hintO = make([]int, c.k)
	if s.t > 0 {
		s.sort()
	}
	return s
}

// check applies the stopping rule and returns the arm to look at next, -1 when
// stopped.
func (c *constrained) check() int {
	arm := c.unresolved()
	if arm < 0 {
		arm = c.doubtful()
	}
	c.stopped = arm < 0
	return arm
}

// rival returns the arm of set, other than i, that comes closest to dominating
// i, the minimiser of M^-(i,j); -1 if there is none.
func (e *estimates) rival(i int, set []int) int {
	least, arm := inf, -1
	for _, j := range set {
		if m := e.notDominated(i, j); m < least {
			least, arm = m, j
		}
	}
	return arm
}

// dominator returns the arm of set, other than i, that most certainly dominates
// i, the maximiser of m^-(i,j), and that value; -1 and -Inf if there is none.
func (e *estimates) dominator(i int, set []int) (arm int, m float64) {
	arm, m = -1, -inf
	for _, j := range set {
		if j == i {
			continue
		}
		if v := e.dominated(i, j); v > m {
			arm, m = j, v
		}
	}
	return arm, m
}

// ahead fills in by how much i is ahead of its closest rival in set.
func (e *estimates) ahead(r *explore.Reason, i int, set []int) {
	if r.By = e.rival(i, set); r.By >= 0 {
		r.Margin, r.MarginRadius = e.pair(i, r.By)
	}
}

// behind fills in by how much i is behind j.
func (e *estimates) behind(r *explore.Reason, i, j int) {
	m, beta := e.pair(i, j)
	r.By, r.Margin, r.MarginRadius = j, -m, beta
}

// Answer implements explore.Policy. It recommends O, rejects as infeasible the
// arms outside F and G, and as dominated the rest of F and G. Before the
// stopping rule holds, an arm whose own status is not certain is undecided.
func (c *constrained) Answer() explore.Answer {
	a := explore.Answer{Items: slices.Clone(c.o), Reasons: make([]explore.Reason, c.k)}
	var certain []int // confidently feasible
	for i := range c.k {
		if c.n[i] > 0 && c.feas.inside[i] && c.gammas[i] >= 0 {
			certain = append(certain, i)
		}
	}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		r.By, r.Constraint = -1, -1
		if c.t == 0 {
			continue
		}
		c.feas.slack(r, i)
		switch {
		case !c.feas.inside[i] && c.gammas[i] >= 0:
			r.Class = explore.Infeasible
		case c.inO[i]:
			c.ahead(r, i, c.fg)
			if c.stopped || c.gammas[i] >= 0 && (r.By < 0 || r.Margin >= r.MarginRadius) {
				r.Class = explore.Optimal
			}
		case c.stopped:
			// Whoever certifies it is itself dominated by a member of O, unless
			// it is one; a member is the better explanation.
			r.Class = explore.Dominated
			by, m := c.dominator(i, c.o)
			if m < 0 {
				by, _ = c.dominator(i, c.fg)
			}
			c.behind(r, i, by)
		default:
			if by, m := c.dominator(i, certain); m >= 0 {
				r.Class = explore.Dominated
				c.behind(r, i, by)
			} else {
				c.ahead(r, i, c.fg)
			}
		}
	}
	return a
}
