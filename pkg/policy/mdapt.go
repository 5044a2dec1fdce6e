package policy

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

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

	batcher
	state constrained.State
}

// Card implements explore.Carded.
func (p *MDAPT) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:      "MD-APT",
		Answers:   []explore.Question{question.Feasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      explore.UsesSums,
		Bound:     "pulls of order HF log",
		Source:    "Katz-Samuels, Scott 2018, fixed-confidence form",
		Key:       "katzsamuels2018feasible",
	})
}

// String returns the name with the settings.
func (p *MDAPT) String() string { return named("MD-APT", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *MDAPT) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.state.Row)
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Feasible)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Feasible about the arms: %w", prob.Question,
			explore.ErrQuestion)
	}
	p.state.Init(prob, q.Region, arms.Bind(r, prob, delta))
	return nil
}

// Ask implements explore.Policy.
func (p *MDAPT) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	from := len(dst)
	if p.state.Pulls == 0 {
		return arms.Sweep(dst, p.state.K), nil
	}
	if i := p.state.Uncertain(); i >= 0 {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return patience.Extend(dst, from, p.state.Pulls, p.state.Prob, p)
}

// Tell implements explore.Policy.
func (p *MDAPT) Tell(obs []explore.Batch) error {
	p.state.Observe(obs)
	return nil
}

// Answer implements explore.Policy. Feasible arms are the items, and Optimal.
func (p *MDAPT) Answer() explore.Answer {
	c := &p.state
	a := explore.Answer{Reasons: arms.Undecided(c.K)}
	if c.Pulls == 0 {
		return a
	}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		c.Feasibility.Slack(r, i)
		if c.Feasibility.Inside[i] {
			a.Items = append(a.Items, i)
		}
		switch {
		case c.Gammas[i] <= 0:
		case c.Feasibility.Inside[i]:
			r.Class = explore.Optimal
		default:
			r.Class = explore.Infeasible
		}
	}
	return a
}
