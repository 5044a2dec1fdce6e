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

// BettingElimination finds the best item by betting; the method was developed in this project
// (docs/betting.md). The tests follow Waudby-Smith and Ramdas ("Estimating means of bounded random
// variables by betting", JRSS B 2024) and Cho, Gan and Kallus ("Peeking with PEAK", ICML 2024). The
// designs for the differences of items follow RAGE.
//
// Question: the item z with the largest mean z'theta, up to question.Best{Epsilon}; rewards of arms
// x have mean x'theta. Items may be different from arms. Fixed confidence.
//
// Assumptions: means are linear in the features. Rewards are independent and sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms.
//
// Guarantee: the answer is right with probability at least 1 - Delta. If Epsilon is 0, the only
// possible error is that the best item is dropped. Each item i has one hypothesis, "no item is
// better than i", and a capital that bets against the hypothesis. No union bound is needed, because
// only the hypothesis of the best item is true.
//
// Proof. Before each phase, earlier results determine the pulls of the phase and, for each item i,
// a rival j and a stake f >= 0. Least squares on the rewards of the phase alone gives an estimate d
// of (z_j - z_i)'theta. Because the pulls are fixed, the estimate d is sub-Gaussian with a known
// variance v. The variance v is sigma^2 times the squared length of z_j - z_i in the norm of the
// inverse information matrix of the phase. If no item is better than i, the expectation of d is at
// most 0 for every j. Given the past,
//
//	E exp(l f d/v - l^2 f^2/(2 v)) <= exp(l f E d/v) <= 1 for all l >= 0.
//
// For each l, the product of exp(l f d/v - l^2 f^2/(2 v)) over phases is a supermartingale. An
// account is a mixture of these products over several l, with fixed weights, that starts in some
// phase. Whether an account starts in a phase depends only on earlier results, so an account is
// also a supermartingale. Therefore, the sum over accounts is a supermartingale, with an initial
// capital of at most 1. By Ville's inequality, the probability that the sum over accounts ever
// reaches 1/Delta is at most Delta. An item is dropped when its capital reaches 1/Delta.
//
// If Epsilon > 0, the bets against "no item is better than i" have half of the capital. While item
// b is the leader, the other half bets against the hypothesis "i is best, and b is worse than i by
// more than Epsilon". Bets against the second hypothesis use d + Epsilon with the rival j = b. The
// r-th leader gets the share 1/(r (r + 1)) of the second half of the capital, for bets about this
// leader only. If the answer b is wrong, then either the best item was dropped, or the capital of
// bets against a true hypothesis about b has reached 1/Delta. The probability that the best item
// was dropped or that a true hypothesis about b was rejected is at most Delta.
//
// If Rewards declares bounds, the factor for a phase is the product over its rewards Y of 1 + l
// (f/V) c_k (Y - q_k), where k is the arm of Y. Here, d = sum_k c_k (sum of the rewards of arm k),
// and V is the variance of d predicted from the past. For N_k rewards of each arm k, the q_k are
// means that satisfy the hypothesis, sum_k N_k c_k q_k = 0, and are close to the predictions from
// earlier results. The product's expectation is at most 1, because log(1 + x) <= x
// (docs/betting.md). For success rates near 0 or 1, Rewards reduces the number of measurements to a
// third or less.
//
// The certificate states only that dropped items are not best. The margins in reasons are estimates
// from all rewards. The half-widths of margins are those of [SelfNormalized], which hold with
// probability 1 - Delta separately from the answer. During the run, reasons compare dropped items
// with the leader at that time, which need not be the best item. At the end of the run, reasons
// compare dropped items with the answer.
//
// On each held-back instance of the arena (docs/arena.md), BettingElimination needs at most 61 % of
// the pulls of any other method that is not given the means. There is no theorem on the expected
// number of pulls. If Epsilon is 0 and best items are tied, the policy does not stop by itself. The
// policy also does not stop if the best item was dropped and the remaining items are tied, which
// has probability at most Delta. Instead of a phase of more than 1e15 pulls, the policy returns
// ErrUndecidable, together with the part of the answer that is certain.
//
// Without features, phase 0 pulls each arm twice, or once if there are more than 26 arms. With
// features, phase 0 uses a design for all differences of items, and pulls each arm of the design
// eight times. For each item, 15 % of the capital of the first account is used for bets on phase 0.
// This share of the capital is divided equally among bets against all rivals. Each bet averages
// over a half-normal distribution of the difference, with a scale of 4 standard errors. If most
// items are far worse than the best, few pulls are needed after phase 0. Each later phase has a
// design for the active items. For each item, the variance of the estimated difference from the
// leader b is multiplied by the missing information of the item. The design minimises the largest
// of these products. The missing information of an item is the additional information with which
// its capital would reach 1/Delta if gaps equalled their estimates. A phase has Growth - 1 times as
// many pulls as all earlier phases together, but at least twice as many pulls as the design has
// arms. The number of pulls is rounded up to whole plates of Plate pulls. The rival of an item is
// the leader; the rival of the leader is the runner-up. The stake is the expected gap se (phi(x) +
// x Phi(x)), where x is the estimated margin of the rival divided by its standard error se. The
// functions phi and Phi are the density and the distribution function of the standard normal
// distribution.
//
// Each phase takes O(n m^2) operations for n items of rank m. A new design is computed if the
// leader has changed, the number of pulls has grown by 5 %, or a quarter of the items has been
// dropped.
type BettingElimination struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which each phase increases the total number of pulls; zero means
	// 1.02. If a laboratory measures in plates, use larger values: docs/betting.md describes the
	// cost.
	Growth float64 `in:"(1,16]" want:"a growth factor above 1, at most 16" label:"growth %v" usual:"1.02"`
	// If Plate is above 1, the number of pulls of each phase is a multiple of Plate; zero means 1.
	Plate int `in:"[0,inf)" want:"a number of pulls, or 0" label:"plates of %d" usual:"1"`
	// Rewards states what else is known about rewards besides their scale. With radius.Bernoulli,
	// rewards count the successes of trials, or lie between 0 and 2 Sigma, or between -2 Sigma and
	// 0. If Centered is set in radius.Bernoulli, rewards lie between -Sigma and Sigma. If Rewards
	// is nil, nothing else is known.
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
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations |
			explore.UsesCosts,
		Source: "this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, Gan, Kallus 2024",
		Key:    "cho2024peeking",
	})
}

// String returns the name of the policy, followed by its settings.
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
		return fmt.Errorf("policy: BettingElimination: the question is %T; expected question.Best: %w", prob.Question,
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

// Answer implements explore.Policy. At the end of the run, reasons compare each item with the
// answer.
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
		if own.By < 0 || lead < own.Margin { // item i is the best rival of the leader so far
			own.By, own.Margin, own.MarginRadius = i, lead, r.MarginRadius
		}
	}
	return e.Model.Answer(func(i int) bool { return i == q.Best }, reasons)
}

// Capital returns the logarithm of the capital that bets against the hypothesis that no item is
// better than the given item. When the logarithm of its capital reaches log(1/Delta), the item is
// dropped.
func (p *BettingElimination) Capital(item int) (log float64) {
	log, _ = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// CapitalWithin returns the logarithm of the capital that bets that the given item is better than
// the leader by at most Epsilon. For the leader itself, and for all items if Epsilon is 0,
// CapitalWithin returns -Inf.
func (p *BettingElimination) CapitalWithin(item int) (log float64) {
	_, log = p.rules.Capital(p.engine.Model.Class[item])
	return log
}

// Leaders returns the leader and the runner-up in each planned phase after the first. Among items
// with the same features, the first such item represents all. If estimates differ only by rounding
// errors, the result is still the pair that the bets used.
func (p *BettingElimination) Leaders() [][2]int {
	all := slices.Clone(p.rules.Leaders)
	for k, pair := range all {
		all[k] = [2]int{p.engine.Model.First[pair[0]], p.engine.Model.First[pair[1]]}
	}
	return all
}
