package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*ECAPE)(nil)

// ECAPE is constrained Adaptive Pareto Exploration with explainability, e-cAPE
// (Kone, Kaufmann and Richert, "Constrained Pareto Set Identification with
// Bandit Feedback", Algorithm 1).
//
// Question: the Pareto set of the feasible arms, and for every other arm the
// reason why it is rejected (question.FeasiblePareto); without constraints
// (question.Pareto) it is a variant of APE. Fixed confidence.
//
// Assumptions: rewards with sub-Gaussian objectives of scale Problem.Sigma and
// projections of scale Problem.NormSigma; no arm exactly on the boundary of the
// region, no tie with a member of the front.
//
// Guarantee: with radius.Theory the answer is right with probability at least
// 1 - Delta, and the expected number of pulls is at most of order
// C*_M log(K d C*_M / Delta) (Theorem 4.4; C*_M is CStar of package
// question/complexity).
//
// Tolerances, known values and half-widths that adapt to variances: as in
// docs/good-enough.md, with its stopping rule.
//
// Deviations from the paper: t counts pulls, not rounds, in the radii (more
// conservative by a constant inside a logarithm); ties go to the lowest index;
// where no arm but the leader can still be feasible, only the leader is pulled.
//
// Each round pulls two arms: b, whose status is least certain, and c, which
// comes closest to dominating it. Cost: O(K d) a round as a rule, O(K^2) at
// worst; no allocation.
type ECAPE struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{};
	// radius.Paper{} is that of the paper's experiments.
	Radius radius.Radius
	// Scaled makes the choice of b independent of the units of the objectives.
	// As printed, the algorithm compares evidence on feasibility, in units of
	// log-likelihood, with bounds on dominance, in reward units; scaled, each
	// is divided by its radius. The stopping rule, which reads signs only, and
	// so the guarantee, are the same.
	Scaled bool

	opening
	state constrained.State
	loose *goodenough.State // nil where everything is measured and the answer is exact
}

// Card implements explore.Carded.
func (p *ECAPE) Card() explore.Card {
	return byRadius(p.Radius, radius.Theory{}, explore.Card{
		Name:      "e-cAPE",
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Pareto{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      lenientUses(p.Radius) | explore.UsesSums,
		Bound:     "pulls of order C* log(K d C*/delta)",
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 1",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *ECAPE) String() string {
	s := describe("e-cAPE", p.Delta, p.Radius)
	if p.Scaled {
		s += ", scaled"
	}
	return s
}

// Init implements explore.Policy.
func (p *ECAPE) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.opens(p, prob, nil)
	if p.loose, err = lenient(p.loose, prob, p.Delta, p.Radius); err != nil || p.loose != nil {
		return err
	}
	p.state.Scaled = p.Scaled
	return startConstrained(&p.state, prob, p.Delta, p.Radius)
}

// Ask implements explore.Policy.
func (p *ECAPE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.loose != nil {
		return p.askLoose(dst)
	}
	c, from := &p.state, len(dst)
	if c.Pulls == 0 {
		return arms.Sweep(dst, c.K), nil
	}
	b := c.Check()
	if b < 0 {
		return dst, nil
	}
	dst = append(dst, explore.Pull{Arm: b, N: 1})
	if r := c.Rival(b, c.Possible); r >= 0 {
		dst = append(dst, explore.Pull{Arm: r, N: 1})
	}
	return patience.Extend(dst, from, c.Pulls, c.Prob, p)
}

// askLoose is Ask where a good enough answer is enough: the same two arms by its stopping rule.
func (p *ECAPE) askLoose(dst []explore.Pull) ([]explore.Pull, error) {
	s, from := p.loose, len(dst)
	if s.Pulls == 0 {
		if dst = s.Sweep(dst); len(dst) > from {
			return dst, nil
		}
	}
	b := s.Check()
	if b < 0 {
		return dst, nil
	}
	return patience.Extend(s.Duel(dst, b), from, s.Pulls, s.Prob, p)
}

// Tell implements explore.Policy.
func (p *ECAPE) Tell(obs []explore.Batch) error {
	if p.loose != nil {
		p.loose.Tell(obs)
		return nil
	}
	p.state.Tell(obs)
	return nil
}

// Answer implements explore.Policy.
func (p *ECAPE) Answer() explore.Answer {
	if p.loose != nil {
		return p.loose.Answer()
	}
	return p.state.Answer()
}
