package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// BettingPareto identifies a Pareto set by betting; the method was developed in this project
// (docs/betting.md).
//
// Question: the Pareto set of the items (question.Pareto). Means are linear in the features, unless
// arms have no features. The policy supports Epsilon, and objectives that are known for all arms;
// known objectives need not be linear. If only Cover or AtMost relaxes the question, the answer is
// the exact set. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian in each objective with the scales of the problem, and
// projections of rewards are sub-Gaussian of scale Problem.NormSigma. If arms have features, the
// means are linear in the features.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union bound over
// items. Whatever the true means are, the proof considers the bets on one false claim about each
// item. The false claim about an optimal item is that some item is better in all objectives. The
// false claim about a dominated item is that it is better, in some objective, than a fixed optimal
// item that dominates it. If the answer is wrong, the policy has stopped because the bets on false
// claims multiplied their initial capital by 1/Delta. There is no theorem on the number of pulls.
// If items are tied, or exactly at the distance Epsilon from a tie, the policy returns
// ErrUndecidable after at most about 5e16 pulls.
//
// Before each phase, earlier results determine the pulls and, for each item, a rival, objectives
// and stakes. The bets are settled by least squares on the results of the phase alone. A claim is
// proved when the capital of the bets on the claim reaches 1/Delta. The policy stops when the class
// of each item is proved. For an item of the estimated front, the claim to prove is that the item
// is better than each other item in some objective. For every other item, the claim to prove is
// that the item is dominated. During the run, the policy drops an item when the item is proved to
// be dominated, whatever the classes of the other items are. Each phase takes O(n^2 d) operations
// for n items. Bets are grouped in accounts; a new account opens whenever the number of pulls has
// doubled. Each account needs O(n^2 d) memory.
type BettingPareto struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states what is known about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with one entry per objective. Rewards has an
	// effect only if arms have no features. If Rewards is nil, nothing else is known.
	Rewards radius.Radius `label:"rewards %v"`

	bets
	front betting.Front
}

// Card implements explore.Describer.
func (p *BettingPareto) Card() explore.Card {
	c := (&BettingFeasible{Rewards: p.Rewards}).Card()
	c.Name, c.Answers, c.Certifies = "Betting Pareto", []explore.Question{question.Pareto{}}, explore.CertifiesSet
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations | explore.UsesScales |
		explore.UsesCosts | explore.UsesKnownValues
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *BettingPareto) String() string {
	return named("Pareto set by betting", p)
}

// Init implements explore.Policy.
func (p *BettingPareto) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Pareto)
	if !ok {
		return fmt.Errorf("policy: BettingPareto: the question is %T; expected question.Pareto: %w", prob.Question,
			explore.ErrQuestion)
	}
	p.front = betting.Front{Epsilon: q.Epsilon}
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, &p.front, delta, bounds)
}

// Answer implements explore.Policy. The margins are estimates without confidence intervals, so
// MarginRadius is not set.
func (p *BettingPareto) Answer() explore.Answer {
	e, q := &p.engine, &p.front
	reasons := arms.Undecided(e.Model.N)
	for i := range reasons {
		if e.Over {
			reasons[i].Class = explore.Optimal
		}
		if e.Pulls() > 0 {
			frontReason(&reasons[i], e, i, q.Members, q.Dropped[i])
		}
	}
	return e.Model.Answer(func(i int) bool {
		if e.Over { // use the proved set, which may differ from the estimated front
			return !q.Dropped[i]
		}
		return slices.Contains(q.Members, i)
	}, reasons)
}

// frontReason sets the reason of item i, by comparing the item with the item of a front that comes
// closest to dominating it.
func frontReason(r *explore.Reason, e *betting.Engine, i int, front []int, dropped bool) {
	least := inf
	for _, j := range front {
		if x := e.Excess(i, j); j != i && x < least {
			r.By, r.Margin, least = j, x, x
		}
	}
	if dropped {
		r.Class, r.Margin = explore.Dominated, max(-r.Margin, 0)
	}
}
