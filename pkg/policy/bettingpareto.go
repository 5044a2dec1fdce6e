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

// BettingPareto identifies a Pareto set by betting, a method of this project (docs/betting.md).
//
// Question: the Pareto set of the items, by means that are linear in the features, or of arms
// without features (question.Pareto). Epsilon is made use of, and so are objectives that are known of
// all arms, which need not be linear; with Cover or AtMost alone the answer is the exact set. Fixed
// confidence.
//
// Assumptions: the objectives of rewards are sub-Gaussian of the scales of the problem, and
// projections of scale Problem.NormSigma; means are linear in the features, if there are any.
//
// Guarantee: the answer is right with probability at least 1 - Delta, without a union over items.
// Whatever the means are, they make one claim of each item false: of an optimal item, that others are ahead of it in
// all objectives; of another one, that it is somewhere ahead of a fixed optimal item that dominates it. It stops when
// under all means that make its answer wrong, bets against what is false have 1/Delta of one unit. There is no
// theorem about the number of pulls. Ties, and items on the edge of Epsilon, never end: after 5e16
// pulls or so it gives up with ErrUndecidable.
//
// Before each phase the past decides on pulls, a rival of each item, objectives and stakes; least
// squares on the phase alone pays. It stops when each item of the front of the estimates is ahead of each other
// one in some objective, and each other item behind, by capital of 1/Delta each. Items that are surely behind, whatever
// is said of the others, are dropped before. Cost a phase: O(n^2 d) for n items, and memory of O(n^2 d) an
// account, one for each doubling of pulls.
type BettingPareto struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Rewards says what is known of rewards besides their scale: radius.Bernoulli, that they count the
	// successes of trials, or lie between bounds, or radius.Each of them by objective. Bets then know it,
	// where arms have no features. Nil means that nothing is.
	Rewards radius.Radius

	bets
	front betting.Front
}

// Card implements explore.Carded.
func (p *BettingPareto) Card() explore.Card {
	c := (&BettingFeasible{Rewards: p.Rewards}).Card()
	c.Name, c.Answers, c.Certifies = "Betting Pareto", []explore.Question{question.Pareto{}}, explore.CertifiesSet
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations | explore.UsesScales |
		explore.UsesCosts | explore.UsesKnownValues
	return c
}

// String returns the name with the settings.
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

// Answer implements explore.Policy. Margins are estimates, without radius.
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
		if e.Over { // what was proved, whatever the estimates say
			return !q.Dropped[i]
		}
		return slices.Contains(q.Members, i)
	}, reasons)
}

// frontReason compares item i with the item of a front that comes closest to dominating it.
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
