package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// BettingAllEpsilon finds all epsilon-best items by betting, with this project's own method
// (docs/betting.md).
//
// Question: all items within Epsilon of the best (question.AllEpsilonBest). Means are linear in the
// features, or arms have no features. Multiplicative requires that items are arms. Fixed
// confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma. If arms have features, means are
// linear in the features. With Multiplicative, the largest mean is above the question's Zero.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union bound over
// items. For any true means, the policy bets against one false claim about each item. The false
// claim about a good item is that the item is bad. The false claim about a bad item is that it is
// near a fixed best item. The policy stops when the bets against the false claims reach 1/Delta
// times their initial capital, under all means for which its answer is wrong. There is no theorem
// on the number of pulls. If an item is on the threshold, the policy returns ErrUndecidable after
// about 5e16 pulls.
//
// Before each phase, earlier results determine pulls, stakes and blends of rivals. Bets are settled
// by least squares on the results of the phase alone. The policy stops when a capital of 1/Delta
// proves the class of each item. For a good item, the claim to prove is that it is within Epsilon
// of every other item. For a bad item, the claim to prove is that it is too far below a blend of
// other items. An item is dropped earlier if its class is certain for all possible classes of the
// other items. Each phase costs O(n^2) for n items, and O(n^2 m^2) with features of rank m. Each
// account needs O(n^2) memory, and there is one account for each doubling of pulls.
type BettingAllEpsilon struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states knowledge about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with an entry per objective. Bets use Rewards
	// only if arms have no features. A nil Rewards means that nothing else is known.
	Rewards radius.Radius

	bets
	near betting.Near
}

// Card implements explore.Describer.
func (p *BettingAllEpsilon) Card() explore.Card {
	c := (&BettingElimination{Rewards: p.Rewards}).Card()
	c.Name, c.Answers = "Betting all epsilon-best", []explore.Question{question.AllEpsilonBest{}}
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesCosts
	return c
}

// String returns the name of the policy with its settings.
func (p *BettingAllEpsilon) String() string {
	return label("all epsilon-best by betting", withDelta(p.Delta), setting("rewards %v", p.Rewards))
}

// Init implements explore.Policy.
func (p *BettingAllEpsilon) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.AllEpsilonBest)
	if !ok {
		return fmt.Errorf("policy: BettingAllEpsilon: question %T; expected question.AllEpsilonBest: %w",
			prob.Question, explore.ErrQuestion)
	}
	if q.Multiplicative && prob.Z != nil {
		return fmt.Errorf("policy: BettingAllEpsilon: Multiplicative needs items "+
			"that are arms; leave Multiplicative out, or Z nil: %w",
			explore.ErrQuestion)
	}
	factor, offset := q.Line()
	p.near = betting.Near{Factor: factor, Offset: offset}
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, &p.near, delta, bounds)
}

// Answer implements explore.Policy. Margins are estimates without a radius.
func (p *BettingAllEpsilon) Answer() explore.Answer {
	e, q := &p.engine, &p.near
	reasons := arms.Undecided(e.Model.N)
	if e.Pulls() == 0 {
		if e.Over {
			reasons[0].Class = explore.Optimal
		}
		return e.Model.Answer(func(int) bool { return e.Over }, reasons)
	}
	best := q.Best(e)
	for i := range reasons {
		r := &reasons[i]
		r.By, r.Margin = best, e.Mean(i)[0]-q.Threshold(e)
		switch {
		case q.Dropped[i]:
			r.Class, r.Margin = explore.Dominated, math.Abs(r.Margin)
		case e.Over:
			r.Class = explore.Optimal
		}
		if i == best {
			r.By = -1
		}
	}
	return e.Model.Answer(func(i int) bool {
		return !q.Dropped[i] && (e.Over || e.Mean(i)[0] >= q.Threshold(e))
	}, reasons)
}
