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

// BettingElimination finds the best item by betting, with this project's own method
// (docs/betting.md). The tests follow Waudby-Smith and Ramdas ("Estimating means of bounded random
// variables by betting", JRSS B 2024) and Cho, Gan and Kallus ("Peeking with PEAK", ICML 2024). The
// designs follow RAGE.
//
// Question: the best item z by its mean z'theta, up to question.Best{Epsilon}, when rewards of arms
// x have mean x'theta. Items need not be arms. Fixed confidence.
//
// Assumptions: means are linear in the features. Rewards are independent and sub-Gaussian of scale
// Problem.Sigma. Differences of items must lie in the span of the arms.
//
// Guarantee: the answer is right with probability at least 1 - Delta. Without Epsilon, the only
// possible error is that the best item is dropped. Each item i has one hypothesis, "no item beats
// i", and a capital that bets against it. No union bound is needed, because only the hypothesis of
// the best item is true.
//
// Proof. Before each phase, earlier results determine its pulls and, for each item i, a rival j and
// a stake f >= 0. Least squares on the rewards of the phase alone gives an estimate d of (z_j -
// z_i)'theta. Because the pulls are fixed, the estimate d is sub-Gaussian with a known variance v.
// The variance v is sigma^2 times the squared length of z_j - z_i in the norm of the inverse
// information of the phase. If no item beats i, the expectation of d is at most 0 for every j.
// Given the past,
//
//	E exp(l f d/v - l^2 f^2/(2 v)) <= exp(l f E d/v) <= 1 for all l >= 0.
//
// For each l, the product of exp(l f d/v - l^2 f^2/(2 v)) over phases is a supermartingale. A
// mixture of these products over fixed l with fixed weights is also a supermartingale, from the
// phase in which its account opens. The times at which accounts open depend only on past results.
// The sum over accounts is also a supermartingale, with an initial capital of at most 1. By Ville's
// inequality, the sum over accounts ever reaches 1/Delta with probability at most Delta. An item is
// dropped when its capital reaches 1/Delta.
//
// With Epsilon > 0, the bets against "no item beats i" have half of the capital. The other half
// bets, while b leads, against the hypothesis "i is best, and the leader b is more than Epsilon
// below i". Bets against the second hypothesis use d + Epsilon with the rival j = b. The r-th
// leader gets a share 1/(r (r + 1)) of the second half of the capital, for bets about this leader
// only. If the answer b is wrong, then the best item was dropped, or the capital of bets against a
// true hypothesis about b reached 1/Delta. The probabilities of a dropped best item and of a wrong
// bet about b sum to at most Delta.
//
// With Rewards, rewards are bounded, and the factor of a phase is the product over its rewards Y of
// 1 + l (f/V) c_k (Y - q_k). In the factor of a phase, d = sum_k c_k (rewards of arm k), and V is
// the variance of d predicted from the past. The q_k are means under the hypothesis, sum_k N_k c_k
// q_k = 0, close to the predictions from the past. The expectation of the product is at most 1
// because log(1 + x) <= x (docs/betting.md). For success rates near 0 or 1, Rewards reduces the
// number of rewards to a third or less.
//
// The certificate states that dropped items are not best. The margins of reasons are estimates from
// all rewards. The half-widths of margins are those of [SelfNormalized], which separately hold with
// probability 1 - Delta. During the run, reasons compare dropped items with the leader, which may
// not be the best item. After the run, reasons compare dropped items with the answer.
//
// At Delta = 0.05 on the instances of the arena, BettingElimination needed 3 to 6 times psi*
// log(1/Delta) pulls, and RAGE 10 to 30 times. There is no theorem on the expected number of pulls.
// Without Epsilon, the run does not end if best items are tied. The run also does not end if the
// best item was dropped and the remaining items are tied, an event of probability at most Delta.
// Before a phase of 1e15 pulls, the policy returns ErrUndecidable with the part of the answer that
// is certain.
//
// Without features, phase 0 pulls each arm twice, or once if there are more than 26 arms. With
// features, phase 0 repeats a design for all differences eight times. For each item, 15 % of the
// first account bets on phase 0. The share of the capital that bets on phase 0 is divided equally
// among all rivals, and bets on leads of about 4 standard errors. Phase 0 is nearly sufficient if
// most items are far behind. Each later phase has a design for the active items. The design
// minimizes the largest product, over the items, of the variance of the difference from the leader
// b and the information still missing. The missing information of an item is the amount at which
// its accounts would reach 1/Delta if gaps equaled their estimates. A phase makes Growth - 1 times
// as many pulls as all earlier phases. Each arm in the support of the design gets at least two
// pulls. Numbers of pulls are rounded up to whole plates of Plate pulls. The rival of an item is
// the leader; the rival of the leader is the runner-up. The stake is the expected gap se (phi(x) +
// x Phi(x)), where x is the rival's estimated lead divided by its standard error se.
//
// Each phase costs O(n m^2) for n items of rank m. A new design is computed if the leader changed,
// the pulls grew by 5 %, or a quarter of the items was dropped.
type BettingElimination struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which a phase increases the number of pulls; zero means 1.02.
	// Laboratories that measure in plates need larger values: docs/betting.md states the cost.
	Growth float64 `in:"(1,16]" want:"a factor above 1 by which the pulls grow in a phase, at most 16" label:"growth %v" usual:"1.02"`
	// Plate makes the number of pulls of each phase a multiple of Plate; zero means 1.
	Plate int `in:"[0,inf)" want:"a number of pulls, or 0" label:"plates of %d" usual:"1"`
	// Rewards states what else is known about rewards, besides their scale. radius.Bernoulli means
	// that rewards count the successes of trials, or that they lie between 0 and 2 Sigma, or
	// between -2 Sigma and 0. With Centered, radius.Bernoulli means that rewards lie between -Sigma
	// and Sigma. A nil Rewards means that nothing else is known.
	Rewards radius.Radius `label:"rewards %v"`

	bets
	rules     betting.Elimination
	sigma     float64
	threshold fixedThreshold
}

const bettingGrowth = 1.02

// Card implements explore.Describer.
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

// String returns the name of the policy with its settings.
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

// Answer implements explore.Policy. After the run, reasons compare each item with the answer.
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
		if own.By < 0 || lead < own.Margin { // the runner-up
			own.By, own.Margin, own.MarginRadius = i, lead, r.MarginRadius
		}
	}
	return e.Model.Answer(func(i int) bool { return i == q.Best }, reasons)
}

// Capital returns the logarithm of the capital that bets against an item. The item is dropped when
// the logarithm of its capital reaches log(1/Delta).
func (p *BettingElimination) Capital(item int) (log float64) {
	log, _ = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// CapitalWithin returns the logarithm of the capital that bets that the leader is within Epsilon of
// an item. CapitalWithin returns -Inf for the leader, and for all items if Epsilon is 0.
func (p *BettingElimination) CapitalWithin(item int) (log float64) {
	_, log = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// Leaders returns the leader and the runner-up of each planned phase after the first. Items with
// the same features are represented by the first such item. If estimates differ only by rounding
// errors, the result is the pair that the bets used.
func (p *BettingElimination) Leaders() [][2]int {
	all := slices.Clone(p.rules.Leaders)
	for k, pair := range all {
		all[k] = [2]int{p.engine.Model.First[pair[0]], p.engine.Model.First[pair[1]]}
	}
	return all
}
