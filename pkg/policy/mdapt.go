package policy

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Policy = (*MDAPT)(nil)

// MDAPT finds the feasible arms: MD-APT (Katz-Samuels and Scott, "Feasible arm
// identification", ICML 2018) in the fixed-confidence form that the e-cAPE
// paper's two-stage baseline needs.
//
// Question: which arms have their mean in a polyhedron (question.Feasible).
//
// Assumptions: projections of rewards are sub-Gaussian of scale
// Problem.NormSigma; no arm exactly on the boundary, where it never stops.
//
// Guarantee: with radius.Theory the answer is right with probability at least
// 1 - Delta; the number of pulls is of order sum over arms of
// 2 sigma_u^2 / eta_i^2, eta_i the distance to the boundary.
//
// Deviations from the paper: theirs has a fixed budget and a tolerance; here
// it stops when every arm is certified. The sampling rule is theirs without
// tolerance: the arm with the least sqrt(N_i) eta_i, that is, the least
// evidence gamma_i.
//
// Cost: O(K) and one distance a round of one pull, no allocation.
type MDAPT struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{}.
	Radius radius.Radius

	c constrained
}

// String returns the name with the settings.
func (p *MDAPT) String() string { return describe("MD-APT", p.Delta, p.Radius) }

// Init implements explore.Policy.
func (p *MDAPT) Init(prob *explore.Problem, _ rand.Source) error {
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Feasible)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Feasible about the arms: %w", prob.Question, explore.ErrQuestion)
	}
	p.c.init(prob, q.Region, bind(r, prob, delta), false)
	return nil
}

// Ask implements explore.Policy.
func (p *MDAPT) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.c.t == 0 {
		return sweep(dst, p.c.k), nil
	}
	if i := p.c.uncertain(); i >= 0 {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst, nil
}

// uncertain returns the arm with the least evidence on its feasibility, -1 if
// there is enough on every arm.
func (c *constrained) uncertain() int {
	least, arm := 0., -1
	for i, g := range c.gammas {
		if g <= least && (arm < 0 || g < least) {
			least, arm = g, i
		}
	}
	return arm
}

// Tell implements explore.Policy.
func (p *MDAPT) Tell(obs []explore.Batch) error {
	p.c.observe(obs)
	return nil
}

// observe takes measurements in as far as feasibility is concerned.
func (c *constrained) observe(obs []explore.Batch) {
	c.estimates.tell(obs)
	c.feas.locate(obs, &c.estimates)
	c.factor, c.feas.factor = c.bonus.Factors(c.t)
	for i := range c.gammas {
		c.gammas[i] = c.feas.gamma(i, c.n[i])
	}
}

// Answer implements explore.Policy. Feasible arms are the items, and Optimal.
func (p *MDAPT) Answer() explore.Answer {
	c := &p.c
	a := explore.Answer{Reasons: make([]explore.Reason, c.k)}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		r.By, r.Constraint = -1, -1
		if c.t == 0 {
			continue
		}
		c.feas.slack(r, i)
		if c.feas.inside[i] {
			a.Items = append(a.Items, i)
		}
		switch {
		case c.gammas[i] <= 0:
		case c.feas.inside[i]:
			r.Class = explore.Optimal
		default:
			r.Class = explore.Infeasible
		}
	}
	return a
}
