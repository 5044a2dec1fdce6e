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

// BettingAllEpsilon finds all epsilon-best items by betting; the method was developed in this
// project (docs/betting.md).
//
// Question: all items within Epsilon of the best (question.AllEpsilonBest). These items are called
// good, and all other items are called bad. Means are linear in the features, unless arms have no
// features. Multiplicative requires that items are arms. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma. If arms have features, the means
// are linear in the features. With Multiplicative, the largest mean is above the question's Zero.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union bound over
// items. Whatever the true means are, the proof considers the bets on one false claim about each
// item. The false claim about a good item is that the item is bad. The false claim about a bad item
// is that the item is within Epsilon of a fixed best item. If the answer is wrong, the policy has
// stopped because the bets on false claims multiplied their initial capital by 1/Delta. There is no
// theorem on the number of pulls. If an item is exactly on the threshold between good and bad
// items, the policy returns ErrUndecidable after at most about 5e16 pulls.
//
// Before each phase, earlier results determine the pulls, the stakes, and the blends of rivals to
// which items are compared. The bets are settled by least squares on the results of the phase
// alone. A claim is proved when the capital of the bets on the claim reaches 1/Delta. The policy
// stops when the class of each item is proved. For a good item, the claim to prove is that the item
// is within Epsilon of every other item. For a bad item, the claim to prove is that the item is
// more than Epsilon below a blend of other items. During the run, the policy drops an item when the
// class of the item is proved, whatever the classes of the other items are. Each phase takes O(n^2)
// operations for n items, or O(n^2 m^2) with features of rank m. Bets are grouped in accounts; a
// new account opens whenever the number of pulls has doubled. Each account needs O(n^2) memory.
type BettingAllEpsilon struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states what is known about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with one entry per objective. Rewards has an
	// effect only if arms have no features. If Rewards is nil, nothing else is known.
	Rewards radius.Radius `label:"rewards %v"`

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

// String returns the name of the policy, followed by its settings.
func (p *BettingAllEpsilon) String() string {
	return named("all epsilon-best by betting", p)
}

// Init implements explore.Policy.
func (p *BettingAllEpsilon) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.AllEpsilonBest)
	if !ok {
		return fmt.Errorf("policy: BettingAllEpsilon: the question is %T; expected question.AllEpsilonBest: %w",
			prob.Question, explore.ErrQuestion)
	}
	if q.Multiplicative && prob.Z != nil {
		return fmt.Errorf("policy: BettingAllEpsilon: Multiplicative needs items that are arms; leave Multiplicative "+
			"false, or Z nil: %w", explore.ErrQuestion)
	}
	factor, offset := q.Line()
	p.near = betting.Near{Factor: factor, Offset: offset}
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, &p.near, delta, bounds)
}

// Answer implements explore.Policy. The margins are estimates, so their radius is not set.
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
