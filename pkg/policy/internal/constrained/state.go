// Package constrained supports policies that find arms in a feasible region. The package determines
// the positions of estimates relative to the region, and implements the stopping rule of e-cAPE.
//
//	c.Init(prob, region, bonus) // constrained.State
//	c.Tell(obs)
//	arm := c.Check() // the next arm to examine; -1 if the rule holds and c.Answer() is final
//
// [Weighted] holds the estimates for finding the best arms by a weighted sum; it has no stopping
// rule.
package constrained

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// State is the state of policies for constrained Pareto sets. State implements the stopping and
// recommendation rule of the e-cAPE paper (equations 5 to 7), which is valid for any sampling rule.
type State struct {
	arms.Estimates
	Feasibility Feasibility

	Scaled   bool // whether evidence is compared in units of its radius
	Gammas   []float64
	status   []float64  // evidence on feasibility for comparing arms: gamma_i, or eta_i/U_i - 1 if Scaled is set
	feasible []int      // F: empirically feasible arms
	Possible []int      // union of F and G: arms that are not certainly infeasible
	front    arms.Front // O: empirical Pareto set of F
	isMember []bool
	fresh    []bool    // scratch: pulled arms
	hint     []int     // by arm i: the arm j that came closest to certainly dominating i
	m, w     []float64 // by arm i: M(i,j) and the width of the pair, for the hint j of i
	last     int       // the previous unresolved arm
	stopped  bool
}

// Init starts a run on p.
func (c *State) Init(p *explore.Problem, region *polyhedron.Polyhedron, bonus radius.Bonus) {
	c.Estimates.Init(p, bonus)
	c.Feasibility.init(p, region)
	c.Gammas, c.status = memory.Zeroed(c.Gammas, c.K), memory.Zeroed(c.status, c.K)
	c.feasible, c.Possible = memory.Zeroed(c.feasible, c.K)[:0], memory.Zeroed(c.Possible, c.K)[:0]
	c.front.Init(c.K)
	c.isMember, c.fresh = memory.Zeroed(c.isMember, c.K), memory.Zeroed(c.fresh, c.K)
	c.hint, c.m, c.w = memory.Zeroed(c.hint, c.K), memory.Zeroed(c.m, c.K), memory.Zeroed(c.w, c.K)
	c.last, c.stopped = -1, false
}

// Tell adds measurements to the state.
func (c *State) Tell(obs []explore.Batch) {
	c.Estimates.Tell(obs)
	c.Feasibility.locate(obs, &c.Estimates)
	arms.Mark(c.fresh, obs, true)
	c.sort()
	for i, h := range c.hint {
		if c.fresh[i] || c.fresh[h] {
			c.m[i], c.w[i] = c.Gap(i, h)
		}
	}
	arms.Mark(c.fresh, obs, false)
}

// sort computes F, G and O, and the other values that change from round to round.
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
	c.front.Update(&c.Estimates, c.feasible, c.fresh, c.Feasibility.Inside)
	clear(c.isMember)
	for _, i := range c.front.Members {
		c.isMember[i] = true
	}
}

// unresolved returns the arm outside O whose status is least certain, which minimises Z2 (equation
// 6). unresolved returns -1 if Z2 >= 0, that is, all arms outside O are certainly infeasible or
// certainly dominated.
//
// The previous unresolved arm, which is often the minimizer again, is examined first. For most
// arms, one comparison with the arm that ended the previous scan then suffices.
func (c *State) unresolved() int {
	worst, arm, above := 0., -1, 0.
	if i := c.last; i >= 0 && !c.isMember[i] {
		if xi := c.evidence(i, 0); xi < 0 {
			worst, arm, above = xi, i, math.Nextafter(xi, inf)
		}
	}
	for i := range c.K {
		if c.isMember[i] || i == c.last {
			continue
		}
		ceiling := worst
		if i < arm {
			ceiling = above // among arms with equal values, the arm with the lowest index is returned
		}
		if xi := c.evidence(i, ceiling); xi < ceiling {
			worst, arm, above = xi, i, math.Nextafter(xi, inf)
		}
	}
	if arm >= 0 {
		c.last = arm
	}
	return arm
}

// evidence returns the term of arm i in Z2: the maximum of m^-(i,j) over the arms j of the union of
// F and G. If arm i is infeasible by the estimates, the maximum also includes gamma_i. To save
// time, evidence may return any value of at least ceiling if the term is at least ceiling.
func (c *State) evidence(i int, ceiling float64) float64 {
	xi := -inf
	if !c.Feasibility.Inside[i] {
		if xi = c.status[i]; xi >= ceiling {
			return xi
		}
	}
	if h := c.hint[i]; c.Feasibility.Inside[h] || c.Gammas[h] < 0 {
		if v := c.compared(-c.m[i], c.Factor*c.w[i]); v >= ceiling {
			return v
		}
	}
	d, factor, scaled := c.D, c.Factor, c.Scaled
	own, term := c.Mean[i*d:][:d], c.Term[i]
	for _, j := range c.Possible {
		if j == i {
			continue
		}
		other := c.Mean[j*d:][:d]
		m := own[0] - other[0]
		for q := 1; q < d; q++ {
			if v := own[q] - other[q]; v > m {
				m = v
			}
		}
		if -m <= xi && !scaled {
			continue // no larger value is possible, as half-widths are not negative
		}
		w := c.Bonus.Pair(term, c.Term[j])
		v := c.compared(-m, factor*w)
		if v > xi {
			xi, c.hint[i], c.m[i], c.w[i] = v, j, m, w
			if v >= ceiling {
				break
			}
		}
	}
	return xi
}

// compared returns the lower end of the confidence interval with centre m and half-width beta. If
// c.Scaled is true, the result is divided by beta.
func (c *State) compared(m, beta float64) float64 {
	if c.Scaled && beta > 0 {
		return (m - beta) / beta
	}
	return m - beta
}

// doubtful returns the least certain member of O, which minimises Z1 (equation 5). doubtful returns
// -1 if Z1 >= 0, that is, all members are certainly feasible and no member may dominate another.
func (c *State) doubtful() int {
	z1f, z1ps := inf, inf
	byF, byPS := -1, -1
	for _, i := range c.front.Members {
		if c.status[i] < z1f {
			z1f, byF = c.status[i], i
		}
		for _, j := range c.front.Members {
			if m := c.compared(c.Pair(i, j)); m < z1ps {
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

// Snapshot returns a copy of c in which all values are computed. After updates by Observe alone,
// Snapshot returns the state that an answer needs.
func (c *State) Snapshot() *State {
	s := &State{Estimates: c.Estimates, Feasibility: c.Feasibility}
	s.Gammas, s.status, s.isMember = make([]float64, c.K), make([]float64, c.K), make([]bool, c.K)
	s.front.Init(c.K)
	s.fresh = slices.Repeat([]bool{true}, c.K)
	if s.Pulls > 0 {
		s.sort()
	}
	return s
}

// Check applies the stopping rule, and returns the next arm to examine, or -1 if the rule is
// satisfied.
func (c *State) Check() int {
	arm := c.unresolved()
	if arm < 0 {
		arm = c.doubtful()
	}
	c.stopped = arm < 0
	return arm
}

// Answer implements explore.Policy. Answer recommends O, rejects the arms outside F and G as
// infeasible, and rejects the remaining arms of F and G as dominated. Before the stopping rule is
// satisfied, arms with uncertain status are undecided.
func (c *State) Answer() explore.Answer {
	a := explore.Answer{Items: slices.Clone(c.front.Members), Reasons: arms.Undecided(c.K)}
	var certain []int // certainly feasible arms
	for i := range c.K {
		if c.N[i] > 0 && c.Feasibility.Inside[i] && c.Gammas[i] >= 0 {
			certain = append(certain, i)
		}
	}
	if c.Pulls == 0 {
		return a
	}
	possible, sure := c.Rivals(c.Possible), c.Rivals(certain)
	for i := range a.Reasons {
		r := &a.Reasons[i]
		c.Feasibility.Slack(r, i)
		switch {
		case !c.Feasibility.Inside[i] && c.Gammas[i] >= 0:
			r.Class = explore.Infeasible
		case c.isMember[i]:
			c.Ahead(r, i, possible(i))
			if c.stopped || c.Gammas[i] >= 0 && (r.By < 0 || r.Margin >= r.MarginRadius) {
				r.Class = explore.Optimal
			}
		case c.stopped:
			// The reason preferably names an arm of O as the arm that dominates i. If no member of
			// O certainly dominates i, the reason names the arm of F and G that most certainly
			// dominates i.
			r.Class = explore.Dominated
			by, m := c.Dominator(i, c.front.Members)
			if m < 0 {
				by, _ = c.Dominator(i, possible(i))
			}
			c.Behind(r, i, by)
		default:
			if by, m := c.Dominator(i, sure(i)); m >= 0 {
				r.Class = explore.Dominated
				c.Behind(r, i, by)
			} else {
				c.Ahead(r, i, possible(i))
			}
		}
	}
	return a
}

// Feasibility contains the positions of the estimated means relative to a polyhedron.
type Feasibility struct {
	margins margins
	ws      polyhedron.Workspace
	sigmaU  float64

	Inside []bool    // muhat_i in P
	eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // index of the closest constraint, or of the most violated constraint
	width  []float64 // width[i] times the current factor is U_i
	factor float64
}

func (f *Feasibility) init(p *explore.Problem, region *polyhedron.Polyhedron) {
	f.margins.init(p, region)
	f.sigmaU = p.SigmaU()
	f.Inside = memory.Zeroed(f.Inside, p.K())
	f.eta = memory.Zeroed(f.eta, p.K())
	f.facet = memory.Zeroed(f.facet, p.K())
	f.width = memory.Zeroed(f.width, p.K())
}

func (f *Feasibility) locate(obs []explore.Batch, e *arms.Estimates) {
	for b := range obs {
		i := obs[b].Arm
		f.Inside[i], f.eta[i], f.facet[i] = f.margins.of(&f.ws, i, e.Row(i))
		f.width[i] = e.Bonus.Norm(e.N[i])
	}
}

// gamma returns the evidence, in units of log-likelihood, that arm i with n pulls is on the same
// side of the boundary as its estimate.
//
//	gamma_i = N_i (eta_i^2 - U_i^2) / (2 sigma_u^2).
//
// The result gamma_i is positive if the side of the boundary is certain.
func (f *Feasibility) gamma(i, n int) float64 {
	u := f.factor * f.width[i]
	return float64(n) * (f.eta[i]*f.eta[i] - u*u) / (2 * f.sigmaU * f.sigmaU)
}

// Slack sets the slack in the reason for arm i.
func (f *Feasibility) Slack(r *explore.Reason, i int) {
	r.Constraint, r.Slack, r.SlackRadius = f.facet[i], f.eta[i], f.factor*f.width[i]
	if !f.Inside[i] {
		r.Slack = -r.Slack
	}
	f.margins.explain(r, i)
}

// Uncertain returns the arm with the least evidence on its feasibility, or -1 if it is certain for
// each arm whether it is feasible.
func (c *State) Uncertain() int {
	least, arm := 0., -1
	for i, g := range c.Gammas {
		if g <= least && (arm < 0 || g < least) {
			least, arm = g, i
		}
	}
	return arm
}

// Observe adds measurements, and updates only the evidence on feasibility.
func (c *State) Observe(obs []explore.Batch) {
	c.Estimates.Tell(obs)
	c.Feasibility.locate(obs, &c.Estimates)
	c.Factor, c.Feasibility.factor = c.Bonus.Factors(c.Pulls)
	for i := range c.Gammas {
		c.Gammas[i] = c.Feasibility.gamma(i, c.N[i])
	}
}

// Region returns the feasible region of a Pareto question about the arms of p. If the question has
// no constraints, the region is the whole space.
func Region(p *explore.Problem) (*polyhedron.Polyhedron, error) {
	if p.Z == nil {
		switch q := p.Question.(type) {
		case question.FeasiblePareto:
			return q.Region, nil
		case question.Pareto: // the exact Pareto set is a correct answer for every relaxation
			return polyhedron.Whole(p.D()), nil
		}
	}
	return nil, arms.WrongQuestion(p, "question.FeasiblePareto or question.Pareto")
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
