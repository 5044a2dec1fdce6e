package policy

import (
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// ECAPE is e-cAPE, constrained Adaptive Pareto Exploration with explainability (Kone, Kaufmann and
// Richert, "Constrained Pareto Set Identification with Bandit Feedback", Algorithm 1).
//
// Question: the Pareto set of the feasible arms and, for every other arm, the reason for its
// rejection (question.FeasiblePareto). If there are no constraints (question.Pareto), ECAPE is a
// variant of APE. ECAPE also finds the best feasible arm in one objective (question.BestFeasible
// with one nonzero weight). Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective, and projections
// of rewards are sub-Gaussian of scale Problem.NormSigma. No arm is exactly on the boundary of the
// feasible region or tied with a member of the front.
//
// Guarantee: with radius.Theory, the answer is right with probability at least 1 - Delta. The
// expected number of pulls is at most of order C*_M log(K d C*_M / Delta) (Theorem 4.4), where C*_M
// is CStar of package question/complexity.
//
// For tolerances, known values, and half-widths that adapt to variances, ECAPE uses the stopping
// rule of docs/good-enough.md.
//
// Deviations from the paper: in the radii, t counts pulls instead of rounds. The radii are
// therefore slightly more conservative, by a constant inside a logarithm. Ties are broken in favour
// of the lowest index. If no arm other than the leader can be feasible, only the leader is pulled.
//
// Each round pulls two arms: b, whose status is least certain, and c, which comes closest to
// dominating b. Each round usually takes O(K d) operations, at worst O(K^2 d), and allocates no
// memory.
type ECAPE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}. The paper's experiments
	// use the constants of radius.Paper{}.
	Radius radius.Radius
	// If Scaled is true, the choice of arm b does not depend on the units of the objectives. The
	// printed algorithm compares log-likelihoods (about feasibility) with differences of rewards
	// (about dominance). If Scaled is true, distances from the boundary and differences of rewards
	// are compared in units of their radii. The guarantee does not depend on Scaled, because the
	// stopping rule uses only the signs of the compared numbers, which Scaled does not change.
	Scaled bool `label:"scaled"`

	ruled
	exact ecape
}

// Card implements explore.Describer.
func (p *ECAPE) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:     "e-cAPE",
		Evidence: explore.AnySampling,
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

// String returns the name of the policy, followed by its settings.
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

// ecape implements the rules of the e-cAPE paper.
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

// MDAPT finds all feasible arms. MDAPT is MD-APT (Katz-Samuels and Scott, "Feasible arm
// identification", ICML 2018), in the fixed-confidence form that the two-stage baseline in the
// e-cAPE paper uses.
//
// Question: the arms whose means are in a polyhedron (question.Feasible). Fixed confidence.
//
// Assumptions: projections of rewards are sub-Gaussian of scale Problem.NormSigma. No arm is
// exactly on the boundary of the polyhedron; otherwise the run does not stop.
//
// Guarantee: with radius.Theory, the answer is right with probability at least 1 - Delta. The
// number of pulls is of the order of the sum over arms of 2 sigma_u^2 / eta_i^2, where sigma_u is
// Problem.NormSigma and eta_i is the distance of arm i from the boundary.
//
// Deviations from the paper: the original method has a fixed budget and a tolerance. Instead, this
// policy stops when the class of every arm is certified. The sampling rule is the original rule
// without tolerance: pull the arm with the least evidence gamma_i, which is the arm with the
// smallest sqrt(N_i) eta_i.
//
// Each round makes one pull, takes O(K) operations and one distance computation, and allocates no
// memory.
type MDAPT struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius

	batcher
	state constrained.State
}

// Card implements explore.Describer.
func (p *MDAPT) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:      "MD-APT",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Feasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      explore.UsesSums,
		Bound:     "pulls of order HF log",
		Source:    "Katz-Samuels, Scott 2018, fixed-confidence form",
		Key:       "katzsamuels2018feasible",
	})
}

// String returns the name of the policy, followed by its settings.
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
		return arms.WrongQuestion(prob, "question.Feasible")
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

// Answer implements explore.Policy. Answer contains the arms that are feasible by the estimates;
// arms that are certainly feasible have the class Optimal.
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

// TwoStage first finds the feasible arms by MD-APT, then their Pareto set by APE. TwoStage is the
// baseline A-A of the e-cAPE paper (section 5).
//
// TwoStage has the same questions, assumptions and error probability as [ECAPE].
//
// TwoStage's bound on the number of pulls is weaker than that of ECAPE: TwoStage certifies the
// feasibility of every arm, even if the arm is clearly dominated. The number of pulls is of order
// HPSI + HF (see complexity.CStar), up to logarithms.
//
// For tolerances, known values, and half-widths that adapt to variances, TwoStage uses the stopping
// rule of docs/good-enough.md. TwoStage's confidence intervals hold for both stages simultaneously.
//
// Deviations from the paper: in the paper, each stage uses all of Delta ("the same confidence
// bonuses"), so the error probability of a run is only bounded by 2 Delta. By default, each stage
// of TwoStage uses half of Delta. The second stage keeps the rewards of the first stage, which is
// valid because the radii hold at all times.
//
// Each round costs as much as a round of [MDAPT] or [APE].
type TwoStage struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius
	// If WholeDelta is true, each stage uses all of Delta, as in the paper. With WholeDelta, the
	// error probability is at most 2 Delta.
	WholeDelta bool `label:"whole delta in each stage"`

	ruled
	exact twoStages
}

// Card implements explore.Describer.
func (p *TwoStage) Card() explore.Card {
	c := (&ConstrainedRacing{Radius: p.Radius}).Card()
	c.Name, c.Bound = "MD-APT+APE", "pulls of order (HPSI + HF) log"
	c.Source = "Kone, Kaufmann, Richert 2025, section 5, a baseline: MD-APT, then APE"
	if p.WholeDelta {
		c.Certifies = explore.CertifiesNothing // the error probability is at most 2 Delta
	}
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *TwoStage) String() string { return named("MD-APT+APE", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *TwoStage) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, feasibilityFirst)
	if err != nil || !exact {
		return err
	}
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	if !p.WholeDelta {
		delta /= 2
	}
	region, err := constrained.Region(prob)
	if err != nil {
		return err
	}
	p.exact.State.Init(prob, region, arms.Bind(r, prob, delta))
	p.exact.stage, p.exact.feasible = 1, p.exact.feasible[:0]
	return nil
}

// twoStages is MD-APT followed by APE, with the rules of the papers.
type twoStages struct {
	constrained.State // constrained.State is updated in the first stage only, except for Estimates
	search            pareto.Search
	stage             int
	feasible          []int // feasible arms found in the first stage
}

func (p *twoStages) round(dst []explore.Pull) []explore.Pull {
	if p.Pulls == 0 {
		return arms.Sweep(dst, p.K)
	}
	if p.stage == 1 {
		if i := p.Uncertain(); i >= 0 {
			return append(dst, explore.Pull{Arm: i, N: 1})
		}
		p.stage = 2
		for i, in := range p.Feasibility.Inside {
			if in {
				p.feasible = append(p.feasible, i)
			}
		}
		if len(p.feasible) > 0 {
			p.search.Init(&p.Estimates, p.feasible, question.Pareto{}, pareto.Rules{})
			p.search.Update(nil)
		}
	}
	if len(p.feasible) == 0 {
		return dst
	}
	return p.search.Ask(dst)
}

// Tell adds measurements to the statistics of the current stage.
func (p *twoStages) Tell(obs []explore.Batch) {
	if p.stage == 1 {
		p.Observe(obs)
		return
	}
	p.Estimates.Tell(obs)
	p.Factor, _ = p.Bonus.Factors(p.Pulls)
	p.search.Update(obs)
}

// Answer returns the Pareto set found so far.
func (p *twoStages) Answer() explore.Answer {
	if p.stage == 1 {
		// Before the run has ended, the answer is the Pareto set of the arms that are feasible by
		// the estimates.
		return p.Snapshot().Answer()
	}
	a := explore.Answer{Reasons: arms.Undecided(p.K)}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		p.Feasibility.Slack(r, i)
		if !slices.Contains(p.feasible, i) {
			r.Class = explore.Infeasible
		}
	}
	if len(p.feasible) > 0 {
		a.Items = p.search.Recommend()
		p.search.Explain(a.Reasons, a.Items)
	}
	return a
}
