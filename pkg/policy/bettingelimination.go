package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// BettingElimination is elimination by betting, a method of this project (docs/betting.md). It
// tests by betting, as Waudby-Smith and Ramdas ("Estimating means of bounded random variables by
// betting", JRSS B 2024) and Cho, Gan and Kallus ("Peeking with PEAK", ICML 2024) do, and chooses
// designs as RAGE does.
//
// Question: the best item z, by z'theta, when rewards of arms x have mean x'theta, up to
// question.Best{Epsilon}. Items need not be arms. Fixed confidence.
//
// Assumptions: the means are linear in the features, rewards are independent and sub-Gaussian of
// scale Problem.Sigma, differences of items lie in the span of the arms.
//
// Guarantee: the answer is right with probability at least 1 - Delta. The only error is that the
// best item is dropped, so that each item i has one hypothesis, "no item beats i", a capital that
// bets against it, and no union bound: the hypothesis of the best item is the only one that is
// true.
//
// Proof. Before each phase, what came before decides on its pulls, and for each item i on a rival
// j and a stake f >= 0. Least squares on the rewards of this phase alone, whose pulls are fixed by
// then, estimates (z_j - z_i)'theta by d, which is sub-Gaussian around it with the known variance
// v = sigma^2 ||z_j - z_i||^2 in the norm of the inverse information of the phase. If no item
// beats i, E d <= 0 for every j, so that, given the past,
//
//	E exp(l f d/v - l^2 f^2/(2 v)) <= exp(l f E d/v) <= 1 for all l >= 0.
//
// The product of these over phases is a supermartingale for each l; so is their mixture over
// fixed l with fixed weights, from the phase on in which an account opens, which the past decides
// about; and so is the sum over accounts, which have a capital of at most 1 in all. By Ville's
// inequality it ever reaches 1/Delta with probability at most Delta. An item is dropped when its
// capital has.
//
// With Epsilon > 0, half of the capital is for these bets. The other half bets against "i is best,
// and the leader b is more than Epsilon below it", on d + Epsilon with j = b, as long as b leads:
// the r-th leader has 1/(r (r + 1)) of it, and it counts for that leader only. If an answer b is
// wrong, the best item was dropped, or the capital of b's bets against it reached 1/Delta though
// the hypothesis was true. The probabilities of these sum to Delta at most.
//
// With Rewards, they lie between bounds, and one unit becomes the product over the rewards Y of a
// phase of 1 + l (f/V) c_k (Y - q_k), where d = sum_k c_k (rewards of arm k), V is the variance of
// d that the past allows for, and the q_k are means under the hypothesis, sum_k N_k c_k q_k = 0,
// close to what the past predicts. Its expectation is at most 1 by log(1 + x) <= x
// (docs/betting.md). Rates near 0 or 1 then take a third of the rewards or less.
//
// What is certified: that dropped items are not best. By which amount is not; the amounts of
// reasons are estimates from all rewards, with the half-widths of [SelfNormalized], which hold with
// probability 1 - Delta of their own. Until the run has stopped, dropped items are compared with
// the leader, which may not be the best item; then, with the answer.
//
// It needed 3 to 6 times psi* log(1/Delta) pulls at Delta = .05 on the instances of the arena, where
// RAGE needs 10 to 30; there is no theorem about their expected number. Ties never end, nor do
// items that are left when the best was dropped, which happens with probability Delta: before a
// phase of 1e15 pulls it gives up with ErrUndecidable, and its answer says what is certain so far.
// Epsilon ends ties.
//
// Phase 0 pulls each arm twice, 40 times in all from 20 arms on and at least once, or with features
// those of a design for all differences eight times. Its bets, on all rivals and on leads of 4
// standard errors or so, have 15 % of the first account: where most items are far behind, it is
// nearly enough. Each later phase minimises the largest variance of the differences of the leader b from active items,
// divided by the information that each of them still lacks: what its accounts need to reach
// 1/Delta if gaps are as estimated. Its pulls are Growth - 1 of all before, at least two for each
// supporting arm, in whole plates of Plate pulls. The rival is the leader, that of the leader the
// runner-up; the stake is the expected gap, se (phi(x) + x Phi(x)), where x is the estimated
// lead of the rival over the item in units of its standard error se. Cost a phase: O(n m^2) for n
// items and rank m, and a design if the leader changed, pulls grew by 5 % or items went to 3/4.
type BettingElimination struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which a phase increases the number of pulls. Zero means 1.02.
	// Laboratories that measure by plates take more: see docs/betting.md for the price.
	Growth float64 `in:"(1,16]" want:"a factor above 1 by which the pulls grow in a phase, at most 16" label:"growth %v" usual:"1.02"`
	// Plate is the number of pulls that a phase is a multiple of. Zero means 1.
	Plate int `in:"[0,inf)" want:"how many pulls a phase is a multiple of, or 0" label:"plates of %d" usual:"1"`
	// Rewards says what is known of rewards besides their scale: radius.Bernoulli, that they count the successes of
	// trials, or lie between 0 and 2 Sigma, or between -2 Sigma and 0, or with Centered between -Sigma and Sigma. Nil
	// means that nothing is.
	Rewards radius.Radius `label:"rewards %v"`

	bets
	rules     betting.Elimination
	sigma     float64
	threshold fixedThreshold
}

const bettingGrowth = 1.02

// Card implements explore.Carded.
func (p *BettingElimination) Card() explore.Card {
	return byRewards(p.Rewards, explore.Card{
		Name:      "Betting",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence:  explore.OwnRounds,
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations |
			explore.UsesCosts,
		Source: "of this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, Kallus 2024",
		Key:    "cho2024peeking",
	})
}

// String returns the name with the settings.
func (p *BettingElimination) String() string {
	return named("elimination by betting", p)
}

// Init implements explore.Policy.
func (p *BettingElimination) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	q, ok := prob.Question.(question.Best)
	if !ok {
		return fmt.Errorf("policy: BettingElimination: %T; expected question.Best: %w", prob.Question,
			explore.ErrQuestion)
	}
	known, err := rewards(p.Rewards, prob)
	if err != nil {
		return err
	}
	p.rules = betting.Elimination{Epsilon: q.Epsilon}
	if err := p.engine.Init(prob, &p.rules, delta, known); err != nil {
		return err
	}
	p.engine.Pace(cmp.Or(p.Growth, bettingGrowth), p.Plate)
	p.sigma, p.threshold = p.engine.Model.Sigma, SelfNormalized{}.fix(delta, p.engine.Model.Rank)
	return nil
}

// Answer implements explore.Policy. Items are compared with the answer.
func (p *BettingElimination) Answer() explore.Answer {
	e, q := &p.engine, &p.rules
	reasons := arms.Undecided(e.Model.N)
	if e.Pulls() == 0 && !e.Over {
		return e.Model.Answer(func(int) bool { return false }, reasons)
	}
	own := &reasons[q.Best]
	if e.Over {
		own.Class = explore.Optimal
	}
	for i := range reasons {
		if e.Pulls() == 0 || i == q.Best {
			continue
		}
		r, t := &reasons[i], betting.Sum(1, q.Best, -1, i)
		lead := e.Mean(q.Best)[0] - e.Mean(i)[0]
		r.By, r.Margin = q.Best, -lead
		r.MarginRadius = p.sigma * math.Sqrt(e.Spread(&t)*2*max(p.threshold.beta(e.Information()), 0))
		if q.Dropped[i] || e.Over && q.Epsilon == 0 {
			r.Class, r.Margin = explore.Dominated, lead
		}
		if own.By < 0 || lead-r.MarginRadius < own.Margin-own.MarginRadius {
			own.By, own.Margin, own.MarginRadius = i, lead, r.MarginRadius
		}
	}
	return e.Model.Answer(func(i int) bool { return i == q.Best }, reasons)
}

// Capital returns the logarithm of the capital that bets against an item: it is dropped when that
// reaches log(1/Delta).
func (p *BettingElimination) Capital(item int) (log float64) {
	log, _ = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// CapitalWithin returns the logarithm of the capital that bets that the leader is within the
// tolerance of an item; -Inf if nothing is tolerated, and for the leader.
func (p *BettingElimination) CapitalWithin(item int) (log float64) {
	_, log = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// Leaders returns the leader and the runner-up of each phase that was planned, after the first: of
// estimates that are equal but for rounding errors, those that the bets were on. They are the first
// items of their features.
func (p *BettingElimination) Leaders() [][2]int {
	all := slices.Clone(p.rules.Leaders)
	for k, pair := range all {
		all[k] = [2]int{p.engine.Model.First[pair[0]], p.engine.Model.First[pair[1]]}
	}
	return all
}
