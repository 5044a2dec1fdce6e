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

// BettingFeasible identifies a feasible Pareto set by betting, with reasons; the method was
// developed in this project (docs/betting.md).
//
// Question: the Pareto set of the items inside a polyhedron (question.FeasiblePareto). For each
// item outside the answer, the policy states that the item is infeasible, or which item of the
// answer dominates it. The policy also answers question.Feasible (which items are inside) and
// question.BestFeasible (the best feasible items by a weighted sum of objectives). Means are linear
// in the features, unless arms have no features. The policy supports tolerances, slacks, and
// objectives that are known for all arms; known objectives need not be linear. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian in each objective with the scales of the problem, and
// projections of rewards are sub-Gaussian of scale Problem.NormSigma. If arms have features, the
// means are linear in the features.
//
// Guarantee: with probability at least 1 - Delta, the answer, the class of each item, and the item
// that dominates it are right. Margins and slacks are only estimates. The proof needs no union
// bound over items. There are three kinds of claims about an item: it is in the answer, a certain
// item dominates it, or it is infeasible. If the answer is wrong, the policy has stopped because
// the bets on false claims multiplied their initial capital by 1/Delta. There is no theorem on the
// number of pulls. If items are tied or on the boundary, the policy returns ErrUndecidable after at
// most about 5e16 pulls.
//
// Before each phase, earlier results determine the pulls and, for each item, a rival, a constraint,
// objectives and stakes. The bets are settled by least squares on the results of the phase alone.
// For each item of the estimated feasible front, it must be proved that the item is inside the
// polyhedron, and better than each other item in some objective. For each other item, it must be
// proved that the item is outside the polyhedron, or dominated by an item of the front. Each phase
// takes O(n^2 d) operations for n items. Bets are grouped in accounts; a new account opens whenever
// the number of pulls has doubled. Each account needs O(n^2 d) memory.
type BettingFeasible struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rewards states what is known about rewards besides their scale: radius.Bernoulli (counts of
	// successes, or bounded rewards), or radius.Each with one entry per objective. Rewards has an
	// effect only if arms have no features. If Rewards is nil, nothing else is known.
	Rewards radius.Radius `label:"rewards %v"`

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
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesCosts | explore.UsesScales |
			explore.UsesTolerances | explore.UsesSlacks | explore.UsesKnownValues,
		Source: "this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, Kallus 2024",
		Key:    "cho2024peeking",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *BettingFeasible) String() string {
	return named("feasible Pareto set by betting", p)
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
		return fmt.Errorf("policy: BettingFeasible: the question is %T; expected question.FeasiblePareto, "+
			"question.Feasible or question.BestFeasible: %w", prob.Question, explore.ErrQuestion)
	}
	p.ranks = rules == betting.Rules(&p.best)
	bounds, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	return p.engine.Init(prob, rules, delta, bounds)
}

// Answer implements explore.Policy. Margins and slacks are estimates, so their radii are not set.
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

// divide removes items of the class with index last from the answer, so that the answer does not
// exceed the size that the question allows. A class consists of items with the same features, so
// the removed items are as good as the items of the class that remain.
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

// compare sets the reason of item i, by comparing the item with the front.
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

// rank sets the reason of item i, by comparing its weighted sum of objectives with those of the
// items in the answer.
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
