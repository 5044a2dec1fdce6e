package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// ECAPE is constrained Adaptive Pareto Exploration with explainability, e-cAPE
// (Kone, Kaufmann and Richert, "Constrained Pareto Set Identification with
// Bandit Feedback", Algorithm 1).
//
// Question: the Pareto set of the feasible arms, and for every other arm the
// reason why it is rejected (question.FeasiblePareto); without constraints
// (question.Pareto) it is a variant of APE. The best feasible arm by one objective
// (question.BestFeasible with one weight that is not 0). Fixed confidence.
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
	Scaled bool `label:"scaled"`

	ruled
	exact ecape
}

// Card implements explore.Carded.
func (p *ECAPE) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name: "e-cAPE",
		Answers: []explore.Question{question.FeasiblePareto{}, question.Pareto{},
			question.BestFeasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      tolerantUses(p.Radius) | explore.UsesCosts | explore.UsesSums,
		Bound:     "pulls of order C* log(K d C*/delta)",
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 1",
		Key:       "kone2025constrained",
	})
}

// String returns the name with the settings.
func (p *ECAPE) String() string { return named("e-cAPE", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *ECAPE) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, duel)
	if err != nil || !exact {
		return err
	}
	p.exact.Scaled = p.Scaled
	return startConstrained(&p.exact.State, prob, p.Delta, p.Radius)
}

// ecape is e-cAPE as in the paper.
type ecape struct{ constrained.State }

func (c *ecape) round(dst []explore.Pull) []explore.Pull {
	if c.Pulls == 0 {
		return arms.Sweep(dst, c.K)
	}
	b := c.Check()
	if b < 0 {
		return dst
	}
	from := len(dst)
	dst = append(dst, explore.Pull{Arm: b, N: 1})
	if r := c.Rival(b, c.Possible); r >= 0 {
		dst = append(dst, explore.Pull{Arm: r, N: 1})
	}
	return arms.Thrift(dst, from, c.Prob, c.N)
}
