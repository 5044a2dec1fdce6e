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

// BettingPareto identifies a Pareto set by betting, with this project's own method
// (docs/betting.md).
//
// Question: the Pareto set of the items (question.Pareto). Means are linear in the features, or
// arms have no features. The policy uses Epsilon, and objectives that are known for all arms; known
// objectives need not be linear. With Cover or AtMost alone the answer is the exact set. Fixed
// confidence.
//
// Assumptions: objectives of rewards are sub-Gaussian with the scales of the problem, and
// projections are sub-Gaussian of scale Problem.NormSigma. If arms have features, means are linear
// in the features.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union bound over
// items. For any true means, the policy bets against one false claim about each item. The false
// claim about an optimal item is that some item is ahead of it in all objectives. The false claim
// about a dominated item is that it is ahead, in some objective, of a fixed optimal item that
// dominates it. The policy stops when the bets against the false claims reach 1/Delta times their
// initial capital, under all means for which its answer is wrong. There is no theorem on the number
// of pulls. With ties, or items on the edge of Epsilon, the policy returns ErrUndecidable after
// about 5e16 pulls.
//
// Before each phase, earlier results determine pulls, a rival for each item, objectives and stakes.
// Bets are settled by least squares on the results of the phase alone. The policy stops when a
// capital of 1/Delta proves the class of each item. For an item of the estimated front, the claim
// to prove is that it is ahead of each other item in some objective. For every other item, the
// claim to prove is that it is dominated. An item is dropped earlier if it is certainly dominated
// for all possible classes of the other items. Each phase costs O(n^2 d) for n items. Each account
// needs O(n^2 d) memory, and there is one account for each doubling of pulls.
type BettingPareto struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states knowledge about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with an entry per objective. Bets use Rewards
	// only if arms have no features. A nil Rewards means that nothing else is known.
	Rewards radius.Radius

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

// String returns the name of the policy with its settings.
func (p *BettingPareto) String() string {
	return label("Pareto set by betting", withDelta(p.Delta), setting("rewards %v", p.Rewards))
}

// Init implements explore.Policy.
func (p *BettingPareto) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Pareto)
	if !ok {
		return fmt.Errorf("policy: BettingPareto: %T; expected question.Pareto: %w", prob.Question,
			explore.ErrQuestion)
	}
	p.front = betting.Front{Epsilon: q.Epsilon}
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, &p.front, delta, bounds)
}

// Answer implements explore.Policy. Margins are estimates without a radius.
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

// frontReason fills in the reason of item i by comparing it with the item of a front that comes
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
