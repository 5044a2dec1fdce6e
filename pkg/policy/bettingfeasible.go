package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// BettingFeasible identifies a feasible Pareto set by betting, with reasons, by this project's own
// method (docs/betting.md).
//
// Question: the Pareto set of the items inside a polyhedron (question.FeasiblePareto). For each
// item outside the answer, the policy states that the item is infeasible, or which member of the
// answer dominates it. The policy also answers question.Feasible (which items are inside) and
// question.BestFeasible (the best feasible items by a weighted sum of objectives). Means are linear
// in the features, or arms have no features. The policy uses tolerances, slacks, and objectives
// that are known for all arms; known objectives need not be linear. Fixed confidence.
//
// Assumptions: objectives of rewards are sub-Gaussian with the scales of the problem, and
// projections are sub-Gaussian of scale Problem.NormSigma. If arms have features, means are linear
// in the features.
//
// Guarantee: the answer, the class of each item and its dominating item are right with probability
// at least 1 - Delta. Margins and slacks are only estimates. The proof needs no union bound over
// items. The claims about an item are that it is in the answer, that a certain item dominates it,
// and that it is not feasible. The policy stops when the bets against false claims reach 1/Delta
// times their initial capital, under all means that make the answer wrong. There is no theorem on
// the number of pulls. With ties, or items on the boundary, the policy returns ErrUndecidable after
// about 5e16 pulls.
//
// Before each phase, earlier results determine pulls, a rival and a constraint for each item,
// objectives and stakes. Bets are settled by least squares on the results of the phase alone. Each
// item of the estimated feasible front must be proved to be inside the polyhedron and ahead of each
// other item in some objective. Each other item must be proved to be outside the polyhedron or
// dominated by an item of the front. Each phase costs O(n^2 d) for n items. Each account needs
// O(n^2 d) memory, and there is one account for each doubling of pulls.
type BettingFeasible struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states knowledge about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with an entry per objective. Bets use Rewards
	// only if arms have no features. A nil Rewards means that nothing else is known.
	Rewards radius.Radius

	bets
	feasible betting.Feasible
	best     betting.Best
	region   *polyhedron.Polyhedron
	ranks    bool // whether the question is question.BestFeasible
}

// Card implements explore.Describer.
func (p *BettingFeasible) Card() explore.Card {
	return byRewards(p.Rewards, explore.Card{
		Name:      "Betting feasible Pareto",
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Feasible{}, question.BestFeasible{}},
		Certifies: explore.CertifiesReasons,
		Needs: []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{},
			explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesCosts | explore.UsesScales |
			explore.UsesTolerances | explore.UsesSlacks | explore.UsesKnownValues,
		Source: "of this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, Kallus 2024",
		Key:    "cho2024peeking",
	})
}

// String returns the name of the policy with its settings.
func (p *BettingFeasible) String() string {
	return label("feasible Pareto set by betting", withDelta(p.Delta), setting("rewards %v", p.Rewards))
}

// Init implements explore.Policy.
func (p *BettingFeasible) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	rules := betting.Rules(&p.feasible)
	switch q := prob.Question.(type) {
	case question.FeasiblePareto:
		p.feasible, p.region = betting.Feasible{Region: q.Region, Tolerance: q.Tolerance, Slack: q.Slack}, q.Region
	case question.Feasible:
		p.feasible, p.region = betting.Feasible{Region: q.Region, All: true}, q.Region
	case question.BestFeasible:
		p.best, p.region = betting.Best{Region: q.Region, Weights: q.Weights, Count: q.Items()}, q.Region
		if q.Weights == nil {
			p.best.Weights = ones(prob.D())
		}
		rules = &p.best
	default:
		return fmt.Errorf("policy: BettingFeasible: %T; expected question.FeasiblePareto, question.Feasible or "+
			"question.BestFeasible: %w", prob.Question, explore.ErrQuestion)
	}
	p.ranks = rules == betting.Rules(&p.best)
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, rules, delta, bounds)
}

// Answer implements explore.Policy. Margins and slacks are estimates without a radius.
func (p *BettingFeasible) Answer() explore.Answer {
	e, q := &p.engine, &p.feasible
	reasons := arms.Undecided(e.Model.N)
	if e.Pulls() == 0 && !e.Over {
		return e.Model.Answer(func(int) bool { return false }, reasons)
	}
	members, barred := q.Members, q.Barred
	if p.ranks {
		members, barred = p.best.Members, p.best.Barred
	}
	for i := range reasons {
		r := &reasons[i]
		if b := barred(i); b.Distance > 0 {
			r.Class, r.Slack, r.Constraint = explore.Infeasible, -b.Distance, b.Row
			continue
		}
		inside, distance, row := p.region.Margin(e.Mean(i))
		if r.Slack, r.Constraint = distance, row; !inside {
			r.Slack = -distance
		}
		if p.ranks {
			p.rank(r, i)
		} else {
			p.compare(r, i)
		}
		if r.Class == explore.Infeasible {
			r.Slack = -distance
		}
	}
	a := e.Model.Answer(func(i int) bool { return slices.Contains(members, i) }, reasons)
	for i, c := range e.Model.Class {
		a.Reasons[i].Constraint = reasons[c].Constraint
	}
	if p.ranks && len(members) > 0 {
		p.divide(&a, members[len(members)-1])
	}
	return a
}

// divide removes the items of class last that exceed the size of the answer. The removed items
// equal the kept items of class last.
func (p *BettingFeasible) divide(a *explore.Answer, last int) {
	left, first := p.best.Part, p.engine.Model.First[last]
	a.Items = slices.DeleteFunc(a.Items, func(i int) bool {
		if p.engine.Model.Class[i] != last {
			return false
		}
		if left--; left >= 0 {
			return false
		}
		r := &a.Reasons[i]
		if r.By, r.Margin = first, 0; r.Class == explore.Optimal {
			r.Class = explore.Dominated
		}
		return true
	})
}

// compare fills in the reason of item i by comparing it with the front.
func (p *BettingFeasible) compare(r *explore.Reason, i int) {
	e, q := &p.engine, &p.feasible
	if !q.All {
		frontReason(r, e, i, q.Members, false)
	}
	switch {
	case slices.Contains(q.Members, i):
		if e.Over {
			r.Class = explore.Optimal
		}
	case q.By(i) >= 0:
		r.Class, r.By = explore.Dominated, q.By(i)
		r.Margin = max(-e.Excess(i, r.By), 0)
	case q.Out(i):
		r.Class = explore.Infeasible
	}
}

// rank fills in the reason of item i by comparing its weighted sum of objectives with the sums of
// the items in the answer.
func (p *BettingFeasible) rank(r *explore.Reason, i int) {
	e, q := &p.engine, &p.best
	by, member := q.By(e, i), slices.Contains(q.Members, i)
	switch {
	case member:
		if by = q.Closest(); e.Over {
			r.Class = explore.Optimal
		}
	case by >= 0:
		r.Class = explore.Dominated
	case q.Out(e, i):
		r.Class = explore.Infeasible
	case len(q.Members) > 0:
		by = q.Members[len(q.Members)-1]
	}
	if by >= 0 {
		r.By, r.Margin = by, q.Value(i)-q.Value(by)
		if r.Class == explore.Dominated {
			r.Margin = max(-r.Margin, 0)
		}
	}
}

func ones(d int) []float64 {
	x := make([]float64, d)
	for c := range x {
		x[c] = 1
	}
	return x
}
