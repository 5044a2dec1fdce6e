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

var _ explore.Policy = (*BettingPareto)(nil)

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
// Guarantee: the answer is right with probability at least 1 - Delta. Each item has a share of
// Delta, and one hypothesis that can be wrongly rejected: an optimal item, that for each other item
// there is an objective in which it is not behind; another one, that it is nowhere ahead of a fixed
// optimal item that dominates it. Shares are fixed before the bets that they are for. There is no
// theorem about the number of pulls. Ties, and items on the edge of Epsilon, never end: after 5e16
// pulls or so it gives up with ErrUndecidable.
//
// Before each phase the past decides on pulls, a rival of each item, objectives and stakes; least
// squares on the phase alone pays. Items whose capital that they are dominated is 1/Delta are
// dropped. It stops when each item left is ahead of each other one in some objective. Cost a phase:
// O(n^2 d) for n items, and memory of O(n^2 d) an account, one for each fourfold number of pulls.
type BettingPareto struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Rewards says what is known of rewards besides their scale: radius.Bernoulli, that they count the
	// successes of trials, or lie between bounds, or radius.Each of them by objective. Bets then know it,
	// where arms have no features. Nil means that nothing is.
	Rewards radius.Radius

	engine betting.Engine
	front  betting.Front
}

// Card implements explore.Carded.
func (p *BettingPareto) Card() explore.Card {
	return byRewards(p.Rewards, explore.Card{
		Name:      "Betting Pareto",
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: explore.CertifiesSet,
		Needs: []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{},
			explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations |
			explore.UsesScales | explore.UsesCosts | explore.UsesKnownValues,
		Source: "of this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, " +
			"Gan, Kallus 2024",
		Key: "cho2024peeking",
	})
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
		return fmt.Errorf("policy: BettingPareto: %T; want question.Pareto: %w", prob.Question,
			explore.ErrQuestion)
	}
	p.front = betting.Front{Epsilon: q.Epsilon}
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, &p.front, delta, bounds)
}

// Ask implements explore.Policy.
func (p *BettingPareto) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.engine.Ask(dst) }

// Tell implements explore.Policy.
func (p *BettingPareto) Tell(obs []explore.Batch) error {
	return p.engine.Tell(obs)
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
