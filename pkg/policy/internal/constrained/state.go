package constrained

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/radius"
)

// State is what the policies for constrained Pareto sets know, and the
// stopping and recommendation rule of the e-cAPE paper (its equations 5 to 7),
// which does not care how samples were chosen.
type State struct {
	arms.Estimates
	Feasibility Feasibility

	Scaled   bool // compare evidence in units of its radius
	Gammas   []float64
	status   []float64 // evidence on feasibility as compared: gamma_i, or eta_i/U_i - 1 if scaled
	feasible []int     // F: empirically feasible arms
	Possible []int     // F and G: arms that are not confidently infeasible
	isMember []bool
	members  []int // O: empirical Pareto set of F
	hintO    []int // see arms.Estimates.Front
	hintXi   []int // hintXi[i]: which came closest to dominating i certainly
	stopped  bool
}

// Init starts a run; pairs says whether all pairs are looked at in every round.
func (c *State) Init(p *explore.Problem, region *polyhedron.Polyhedron, bonus radius.Bonus,
	pairs bool) {
	c.Estimates.Init(p, bonus, pairs)
	c.Feasibility.init(p, region)
	c.Gammas, c.status = memory.Zeroed(c.Gammas, c.K), memory.Zeroed(c.status, c.K)
	c.feasible, c.Possible, c.members = memory.Zeroed(c.feasible, c.K)[:0],
		memory.Zeroed(c.Possible, c.K)[:0], memory.Zeroed(c.members, c.K)[:0]
	c.isMember = memory.Zeroed(c.isMember, c.K)
	c.hintO, c.hintXi = memory.Zeroed(c.hintO, c.K), memory.Zeroed(c.hintXi, c.K)
	c.stopped = false
}

// Tell takes measurements in.
func (c *State) Tell(obs []explore.Batch) {
	c.Estimates.Tell(obs)
	c.Feasibility.locate(obs, &c.Estimates)
	c.sort()
}

// sort computes F, G and O and everything else that depends on time.
func (c *State) sort() {
	c.Factor, c.Feasibility.factor = c.Bonus.Factors(c.Pulls)
	c.feasible, c.Possible = c.feasible[:0], c.Possible[:0]
	for i := range c.K {
		c.Gammas[i] = c.Feasibility.gamma(i, c.N[i])
		c.status[i] = c.Gammas[i]
		if c.Scaled {
			c.status[i] = c.Feasibility.eta[i]/(c.Feasibility.factor*c.Feasibility.width[i]) - 1
		}
		if c.Feasibility.Inside[i] {
			c.feasible = append(c.feasible, i)
			c.Possible = append(c.Possible, i)
		} else if c.Gammas[i] < 0 {
			c.Possible = append(c.Possible, i)
		}
	}
	c.members = c.Front(c.members[:0], c.feasible, c.hintO)
	clear(c.isMember)
	for _, i := range c.members {
		c.isMember[i] = true
	}
}

// unresolved returns the arm outside O whose status is least certain, the
// minimiser of Z2 (equation 6), or -1 if all are certified, that is, Z2 >= 0.
//
// An arm's term is max over j in F and G of m^-(i,j), or gamma_i if that is
// larger and i is empirically infeasible. A scan of j ends as soon as it shows
// that i is not the minimiser; starting with the arm that ended it last time, most
// arms cost one comparison.
func (c *State) unresolved() int {
	worst, arm := 0., -1
	for i := range c.K {
		if c.isMember[i] {
			continue
		}
		xi := -inf
		if !c.Feasibility.Inside[i] {
			xi = c.status[i]
		}
		if xi >= worst {
			continue
		}
		if h := c.hintXi[i]; (c.Feasibility.Inside[h] || c.Gammas[h] < 0) &&
			c.compared(c.Dominated(i, h), i, h) >= worst {
			continue
		}
		row, wide, factor := c.Excess[i*c.K:][:c.K], c.Width[i*c.K:][:c.K], c.Factor
		for _, j := range c.Possible {
			m := -row[j] - factor*wide[j]
			if c.Scaled {
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
func (c *State) compared(m float64, i, j int) float64 {
	if c.Scaled && i != j {
		return m / (c.Factor * c.Width[i*c.K+j])
	}
	return m
}

// doubtful returns the member of O that is least certain to belong there, the
// minimiser of Z1 (equation 5), or -1 if all are certified feasible and not
// dominated by one another, that is, Z1 >= 0.
func (c *State) doubtful() int {
	z1f, z1ps := inf, inf
	byF, byPS := -1, -1
	for _, i := range c.members {
		if c.status[i] < z1f {
			z1f, byF = c.status[i], i
		}
		for _, j := range c.members {
			if m := c.compared(c.NotDominated(i, j), i, j); m < z1ps {
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

// Snapshot returns a copy of c with everything computed, for an answer from a
// state that knows no more than where the arms lie.
func (c *State) Snapshot() *State {
	s := &State{Estimates: c.Estimates, Feasibility: c.Feasibility}
	s.Gammas, s.status, s.isMember = make([]float64, c.K), make([]float64, c.K), make([]bool, c.K)
	s.hintO = make([]int, c.K)
	if s.Pulls > 0 {
		s.sort()
	}
	return s
}

// Check applies the stopping rule and returns the arm to look at next, -1 when
// stopped.
func (c *State) Check() int {
	arm := c.unresolved()
	if arm < 0 {
		arm = c.doubtful()
	}
	c.stopped = arm < 0
	return arm
}

// Answer implements explore.Policy. It recommends O, rejects as infeasible the
// arms outside F and G, and as dominated the rest of F and G. Before the
// stopping rule holds, an arm whose own status is not certain is undecided.
func (c *State) Answer() explore.Answer {
	a := explore.Answer{Items: slices.Clone(c.members), Reasons: arms.Undecided(c.K)}
	var certain []int // confidently feasible
	for i := range c.K {
		if c.N[i] > 0 && c.Feasibility.Inside[i] && c.Gammas[i] >= 0 {
			certain = append(certain, i)
		}
	}
	if c.Pulls == 0 {
		return a
	}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		c.Feasibility.Slack(r, i)
		switch {
		case !c.Feasibility.Inside[i] && c.Gammas[i] >= 0:
			r.Class = explore.Infeasible
		case c.isMember[i]:
			c.Ahead(r, i, c.Possible)
			if c.stopped || c.Gammas[i] >= 0 && (r.By < 0 || r.Margin >= r.MarginRadius) {
				r.Class = explore.Optimal
			}
		case c.stopped:
			// The arm that certifies it is itself dominated by a member of O, unless
			// it is one; a member is the better explanation.
			r.Class = explore.Dominated
			by, m := c.Dominator(i, c.members)
			if m < 0 {
				by, _ = c.Dominator(i, c.Possible)
			}
			c.Behind(r, i, by)
		default:
			if by, m := c.Dominator(i, certain); m >= 0 {
				r.Class = explore.Dominated
				c.Behind(r, i, by)
			} else {
				c.Ahead(r, i, c.Possible)
			}
		}
	}
	return a
}
