package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// APE is Adaptive Pareto Exploration (Kone, Kaufmann and Richert, "Adaptive Algorithms for Relaxed
// Pareto Set Identification", NeurIPS 2023).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon, Cover and AtMost of
// question.Pareto, which are the paper's eps1, eps2 and k. The best arm (question.Best) is treated
// as the Pareto set in one objective; if Epsilon is positive, the set has at most one arm. For the
// best arm, UGapE ranks above APE in package arena, but does not support intervals that adapt to
// the variance of rewards. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective. Without a
// relaxation, no arm is tied with a member of the Pareto set.
//
// Guarantee: with radius.Theory or radius.KaufmannKoolen, the answer is right with probability at
// least 1 - Delta. The number of pulls is of the order of the sum over arms of 2 sigma^2 /
// max(gap_i, eps1)^2 log(K d / Delta).
//
// For tolerances of question.FeasiblePareto (without constraints), known values, and half-widths
// that adapt to variances, APE uses the stopping rule of docs/good-enough.md.
//
// Deviations from the paper: none, except that ties are broken in favour of the lowest index. The
// fields Leader and Pull select variants from the authors' later code.
//
// Each round pulls two arms: b, which may be optimal but is not yet known to be, and c, which comes
// closest to dominating b. Each round usually takes O(K), and at worst O(K^2), comparisons of two
// arms, which cost O(d) each. The policy needs O(K d) memory; rounds allocate no memory.
type APE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius
	// Leader is the rule for choosing b: APELeaderPaper (the default) or APELeaderIndex.
	Leader APELeader `label:"|leader by index"`
	// Pull selects whether both b and c are pulled: APEPullBoth (the default) or APEPullLeast.
	Pull APEPulls `label:"|one pull"`

	ruled
	exact ape
}

// Card implements explore.Describer.
func (p *APE) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:      "APE",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Pareto{}, question.FeasiblePareto{}, question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses: explore.UsesRelaxations | tolerantUses(p.Radius) | explore.UsesCosts |
			explore.UsesSums,
		Bound:  "pulls of order sum of 1/gap² log",
		Source: "Kone, Kaufmann, Richert 2023",
		Key:    "kone2023adaptive",
	})
}

// An APELeader is a rule for choosing b, the first arm of a round.
type APELeader int

// The following constants are the rules for choosing b.
const (
	APELeaderPaper APELeader = iota // the most optimistic arm not known to be optimal
	APELeaderIndex                  // the arm with the least term in the stopping rule
)

// An APEPulls is a rule that determines which of the two arms of a round are pulled.
type APEPulls int

// The following constants are the rules that determine which arms are pulled.
const (
	APEPullBoth  APEPulls = iota // both arms
	APEPullLeast                 // the arm with fewer pulls
)

// String returns the name of the policy, followed by its settings.
func (p *APE) String() string { return named("APE", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *APE) Init(prob *explore.Problem, _ rand.Source) error {
	if best, is := prob.Question.(question.Best); is && prob.CheckLinear() == nil {
		set := *prob
		set.Question = asPareto(best)
		prob = &set
	}
	q, ok := prob.Question.(question.Pareto)
	if f, is := prob.Question.(question.FeasiblePareto); is && f.Region.Rows() == 0 {
		ok = true // the zero question.Pareto selects the exact set
	}
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	if !ok || prob.Z != nil {
		return arms.WrongQuestion(prob, "question.Pareto, question.Best, or question.FeasiblePareto without "+
			"constraints")
	}
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, leaderFirst)
	if err != nil || !exact {
		return err
	}
	p.exact.Estimates.Init(prob, arms.Bind(r, prob, delta))
	p.exact.search.Init(&p.exact.Estimates, nil, q, pareto.Rules{
		ByIndex: p.Leader == APELeaderIndex, Least: p.Pull == APEPullLeast})
	return nil
}

// asPareto returns the Pareto question in one objective that is equivalent to the question for the
// best arm.
func asPareto(q question.Best) question.Pareto {
	if q.Epsilon > 0 {
		return question.Pareto{Epsilon: q.Epsilon, AtMost: 1}
	}
	return question.Pareto{}
}

// ape implements the rules of the APE paper.
type ape struct {
	arms.Estimates
	search pareto.Search
}

func (p *ape) round(dst []explore.Pull) []explore.Pull {
	if p.Pulls == 0 {
		return arms.Sweep(dst, p.K)
	}
	return arms.Thrift(p.search.Ask(dst), len(dst), p.Prob, p.N)
}

// Tell adds measurements to the statistics.
func (p *ape) Tell(obs []explore.Batch) {
	p.Estimates.Tell(obs)
	p.Factor, _ = p.Bonus.Factors(p.Pulls)
	p.search.Update(obs)
}

// Answer returns the set that the relaxation in the question requires. Certified arms of the answer
// have the class Optimal.
func (p *ape) Answer() explore.Answer {
	a := explore.Answer{Reasons: arms.Undecided(p.K)}
	if p.Pulls == 0 {
		return a
	}
	a.Items = p.search.Recommend()
	p.search.Explain(a.Reasons, a.Items)
	return a
}
