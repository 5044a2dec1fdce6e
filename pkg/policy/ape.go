package policy

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Open = (*APE)(nil)

// APE is Adaptive Pareto Exploration (Kone, Kaufmann and Richert, "Adaptive
// Algorithms for Relaxed Pareto Set Identification", NeurIPS 2023).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon, Cover and
// AtMost of question.Pareto (the paper's eps1, eps2 and k). Fixed confidence.
//
// Assumptions: objectives are sub-Gaussian of scale Problem.Sigma. Without
// relaxation, no tie with a member of the front.
//
// Guarantee: with radius.Theory or radius.KaufmannKoolen the answer is right
// with probability at least 1 - Delta; pulls are of order sum over arms of
// 2 sigma^2 / max(gap_i, eps1)^2 log(K d / Delta).
//
// Tolerances of question.FeasiblePareto (without constraints), known values and
// half-widths that adapt to variances: as in docs/good-enough.md, with its stopping rule.
//
// Deviations from the paper: none in the rules; ties go to the lowest index.
// Leader and Pull offer the variants of the authors' later code.
//
// Each round pulls two arms: b, which may be optimal and is not known to be,
// and c, which comes closest to dominating it. Cost: O(K) comparisons of two arms
// a round, O(d) each, as a rule; O(K^2) at worst; memory O(K d), no allocation.
type APE struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii. Nil means radius.Theory{}.
	Radius radius.Radius
	// Leader is the rule for b: APELeaderPaper (the default) or APELeaderIndex.
	Leader APELeader
	// Pull says which of b and c are pulled: APEPullBoth (the default) or
	// APEPullLeast.
	Pull APEPulls

	opening
	estimates arms.Estimates
	search    pareto.Search
	loose     *goodenough.State // nil where tolerances are question.Pareto's and no mean is known
}

// Card implements explore.Carded.
func (p *APE) Card() explore.Card {
	return byRadius(p.Radius, radius.Theory{}, explore.Card{
		Name:      "APE",
		Answers:   []explore.Question{question.Pareto{}, question.FeasiblePareto{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations | lenientUses(p.Radius) | explore.UsesSums,
		Bound:     "pulls of order sum of 1/gap² log",
		Source:    "Kone, Kaufmann, Richert 2023",
		Key:       "kone2023adaptive",
	})
}

// An APELeader is a rule for choosing the first arm of a round.
type APELeader int

// Rules for the first arm.
const (
	APELeaderPaper APELeader = iota // the most optimistic arm not known to be optimal
	APELeaderIndex                  // the arm whose term in the stopping rule is least
)

// APEPulls say which arms of a round's pair are pulled.
type APEPulls int

// Which arms are pulled.
const (
	APEPullBoth  APEPulls = iota // both
	APEPullLeast                 // the one with fewer pulls
)

// String returns the name with the settings.
func (p *APE) String() string {
	s := describe("APE", p.Delta, p.Radius)
	if p.Leader == APELeaderIndex {
		s += ", leader by index"
	}
	if p.Pull == APEPullLeast {
		s += ", one pull"
	}
	return s
}

// Init implements explore.Policy.
func (p *APE) Init(prob *explore.Problem, _ rand.Source) error {
	p.opens(p, prob, nil)
	delta, r, err := confidence(p.Delta, p.Radius)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Pareto)
	if f, is := prob.Question.(question.FeasiblePareto); is && f.Region.Rows() == 0 {
		ok = true // q asks for the exact set
	}
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Pareto about the arms, or "+
			"question.FeasiblePareto without constraints: %w", prob.Question, explore.ErrQuestion)
	}
	if p.loose, err = lenient(p.loose, prob, p.Delta, p.Radius); err != nil || p.loose != nil {
		return err
	}
	p.estimates.Init(prob, arms.Bind(r, prob, delta))
	p.search.Init(&p.estimates, nil, q, pareto.Rules{ByIndex: p.Leader == APELeaderIndex,
		Least: p.Pull == APEPullLeast})
	return nil
}

// Ask implements explore.Policy.
func (p *APE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.loose != nil {
		return leaderFirst(dst, p.loose, p)
	}
	if p.estimates.Pulls == 0 {
		return arms.Sweep(dst, p.estimates.K), nil
	}
	from := len(dst)
	return patience.Extend(p.search.Ask(dst), from, p.estimates.Pulls, p.estimates.Prob, p)
}

// leaderFirst appends the pulls of a round of APE where a good enough answer is enough: its leader
// and what comes closest to beating that, until the rule of goodenough.State holds. If all arms
// that may be feasible are known to be beaten by none, the least certain arm leads.
func leaderFirst(dst []explore.Pull, s *goodenough.State, p patience.Answerer) (
	[]explore.Pull, error) {
	from := len(dst)
	if s.Pulls == 0 {
		if dst = s.Sweep(dst); len(dst) > from {
			return dst, nil
		}
	}
	b := s.Check()
	if b < 0 {
		return dst, nil
	}
	if l := s.Leader(); l >= 0 {
		b = l
	}
	return patience.Extend(s.Duel(dst, b), from, s.Pulls, s.Prob, p)
}

// Tell implements explore.Policy.
func (p *APE) Tell(obs []explore.Batch) error {
	if p.loose != nil {
		p.loose.Tell(obs)
		return nil
	}
	p.estimates.Tell(obs)
	p.estimates.Factor, _ = p.estimates.Bonus.Factors(p.estimates.Pulls)
	p.search.Update(obs)
	return nil
}

// Answer implements explore.Policy. It recommends what the question's
// relaxation asks for; Optimal are the arms recommended.
func (p *APE) Answer() explore.Answer {
	if p.loose != nil {
		return p.loose.Answer()
	}
	a := explore.Answer{Reasons: arms.Undecided(p.estimates.K)}
	if p.estimates.Pulls == 0 {
		return a
	}
	a.Items = p.search.Recommend()
	p.search.Explain(a.Reasons, a.Items)
	return a
}
