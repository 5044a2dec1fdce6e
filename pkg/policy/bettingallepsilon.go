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

// BettingAllEpsilon finds all epsilon-best items by betting, a method of this project
// (docs/betting.md).
//
// Question: all items within Epsilon of the best (question.AllEpsilonBest), by means that are linear
// in the features, or of arms without features. Multiplicative is for items that are arms. Fixed
// confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma; means are linear in the features, if
// there are any; with Multiplicative, the largest mean is above the question's Zero.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union over items.
// Whatever the means are, they make one claim of each item false: of a good item, that it is bad; of another one, that
// it is near a fixed best item. It stops when under all means that make its answer wrong, bets against what is
// false have 1/Delta of one unit.
// There is no theorem about the number of pulls. Where an item is on the threshold it does not stop:
// after 5e16 pulls or so it gives up with ErrUndecidable.
//
// Before each phase the past decides on pulls, stakes and blends of rivals; least squares on the
// phase alone pays. It stops when each item that is near by the estimates is within Epsilon of each other one, and each
// other item too far below a blend of others, by capital of 1/Delta each. Items that surely are, whatever is said of
// the others, are dropped before. Cost a phase: O(n^2) for n items, O(n^2 m^2) with features of rank m, and memory of
// O(n^2) an account, one for each doubling of pulls.
type BettingAllEpsilon struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Rewards says what is known of rewards besides their scale: radius.Bernoulli, that they count the
	// successes of trials, or lie between bounds, or radius.Each of them by objective. Bets then know it,
	// where arms have no features. Nil means that nothing is.
	Rewards radius.Radius

	bets
	near betting.Near
}

// Card implements explore.Carded.
func (p *BettingAllEpsilon) Card() explore.Card {
	c := (&BettingElimination{Rewards: p.Rewards}).Card()
	c.Name, c.Answers = "Betting all epsilon-best", []explore.Question{question.AllEpsilonBest{}}
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesCosts
	return c
}

// String returns the name with the settings.
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
		return fmt.Errorf("policy: BettingAllEpsilon: %T; expected question.AllEpsilonBest: %w",
			prob.Question, explore.ErrQuestion)
	}
	if q.Multiplicative && prob.Z != nil {
		return fmt.Errorf("policy: BettingAllEpsilon: fractions of the best of items that are not "+
			"arms; expected AllEpsilonBest without Multiplicative, or items that are arms: %w",
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

// Answer implements explore.Policy. Margins are estimates, without radius.
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
