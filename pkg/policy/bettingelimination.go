package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

var _ explore.Policy = (*BettingElimination)(nil)

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
// beats i, E d <= 0 whoever j is, so that, given the past,
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
// With Bounds, rewards lie between them, and one unit becomes the product over the rewards Y of a
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
// Pulls were 3 to 6 times psi* log(1/Delta) at Delta = .05 on the instances of the arena, where
// RAGE needs 10 to 30; there is no theorem about their expected number. Ties never end, nor do
// items that are left when the best was dropped, which happens with probability Delta: before a
// phase of 1e12 pulls it gives up with ErrUndecidable, and its answer says what is certain so far.
// Epsilon ends ties.
//
// Phase 0 pulls each arm of a design for all differences Start times, without bets. Each later
// phase minimises the largest variance of the differences of the leader b from active items,
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
	Growth float64
	// Plate is the number of pulls that a phase is a multiple of. Zero means 1.
	Plate int
	// Start is the number of pulls of each arm of the first design. Zero means 8.
	Start int
	// Tol is the relative gap of designs. Zero means .1.
	Tol float64
	// Bounds are the least and the largest reward that there can be, such as {0, 1} for successes
	// and failures. Zero means that they are not known, or that there are none.
	Bounds [2]float64
	// Rewards is Bounds in the words of the other betting methods: radius.Bernoulli says that rewards are
	// successes, or lie between 0 and 2 Sigma, or between -2 Sigma and 0, or with Centered between -Sigma and
	// Sigma. Rewards that count several trials are taken for sub-Gaussian ones. Nil says nothing.
	Rewards radius.Radius

	prob      *explore.Problem
	model     linear.Model
	items     linear.Survivors
	delta     float64
	log       float64  // log(1/delta)
	pooled    *lsq.Fit // all rewards
	own       *lsq.Fit // those of this phase
	star      *design.StarCriterion
	weights   []float64 // of the design
	designed  designed
	pulls     float64
	spent     float64 // what they cost
	opened    float64 // pulls when the last account opened
	phase     int
	counts    []int // of this phase; nil before it is planned
	memory    []int // of counts
	best      int   // the leader
	runner    int   // of the others, -1 if there is none
	bets      betting.Accounts
	tolerant  betting.Accounts // on d + Epsilon, of this leader
	leaders   int              // how many have led
	led       [][2]int         // by phase after the first: leader and runner-up, as items
	plans     []bet            // of this phase, by place among the active
	scale     []float64        // of their directions, by place
	y         []float64
	limits    bounds    // Bounds, or what Rewards says; both 0 as long as they are not known
	length    float64   // of rewards whose sign is not known yet, else 0
	sigma     float64   // of rewards, for stakes and designs
	pulled    []float64 // by arm, where there are bounds
	sums      []float64 // of this phase, by arm
	forecast  forecast
	threshold fixedThreshold
	base      float64 // log det of the information after phase 0
	warn      []error
}

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
		Source: "of this project, docs/betting.md, after Waudby-Smith, Ramdas 2024 and Cho, " +
			"Gan, Kallus 2024",
		Key: "cho2024peeking",
	})
}

// String returns the name with the settings.
func (p *BettingElimination) String() string {
	return label("elimination by betting", withDelta(p.Delta),
		setting("growth %v", p.Growth, bettingGrowth), setting("plates of %d", p.Plate, 1),
		setting("%d pulls to start with", p.Start, bettingStart),
		setting("rewards in %v", p.Bounds), setting("rewards %v", p.Rewards))
}

const (
	bettingGrowth = 1.02
	bettingStart  = 8
	bettingTol    = .1
)

// Init implements explore.Policy.
func (p *BettingElimination) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if g := p.Growth; g != 0 && !(g > 1 && g <= 16) {
		return fmt.Errorf("policy: BettingElimination.Growth is %v; want a factor above 1 by "+
			"which the pulls grow in a phase, at most 16", g)
	}
	if p.Plate < 0 || p.Start < 0 {
		return fmt.Errorf("policy: BettingElimination has plates of %d and starts with %d pulls; "+
			"want positive numbers, or 0", p.Plate, p.Start)
	}
	if !(p.Tol >= 0) {
		return fmt.Errorf("policy: BettingElimination.Tol is %v; want a relative gap, at least 0",
			p.Tol)
	}
	if err := p.limit(prob); err != nil {
		return err
	}
	p.prob, p.log = prob, -math.Log(p.delta)
	if err := p.model.Init(prob); err != nil {
		return err
	}
	p.items = linear.Survivors{}
	p.items.Start(&p.model)
	p.items.Half = p.half
	if !p.free() {
		if p.star, err = design.NewStar(p.model.PerCost(), p.model.Z); err != nil {
			return err
		}
	}
	n, m := p.model.N, p.model.Rank
	p.pooled, p.own = lsq.NewFit(m, 1), lsq.NewFit(m, 1)
	p.bets.Init(n, p.share())
	p.threshold = SelfNormalized{}.fix(p.delta, m)
	p.weights, p.designed = nil, designed{best: -1}
	p.phase, p.pulls, p.spent, p.opened, p.counts, p.warn = 0, 0, 0, 0, nil, nil
	p.best, p.runner, p.leaders, p.led, p.base = -1, -1, 0, nil, 0
	p.plans, p.scale = make([]bet, n), make([]float64, n)
	p.y, p.memory = make([]float64, m), make([]int, p.model.K)
	p.sigma, p.pulled, p.sums = p.model.Sigma, nil, nil
	if p.limits.known() || p.length > 0 {
		p.pulled, p.sums = make([]float64, p.model.K), make([]float64, p.model.K)
	}
	return nil
}

// Ask implements explore.Policy.
func (p *BettingElimination) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.items.Over {
		return dst, nil
	}
	if p.counts == nil {
		plan := p.plan
		if p.phase == 0 {
			plan = p.begin
		}
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return linear.Allocation(dst, p.counts), nil
}

// Tell implements explore.Policy.
func (p *BettingElimination) Tell(obs []explore.Batch) error {
	if err := p.count(obs); err != nil {
		return err
	}
	if p.phase > 0 {
		if !betting.IsPlan(p.counts, obs) {
			p.led = p.led[:p.phase-1]
			p.planned(obs)
		}
		for _, b := range obs {
			p.own.Reward(p.model.Arm(b.Arm), b.Sum)
		}
		p.own.Estimate()
		p.payBets()
	}
	p.sign()
	for _, b := range obs {
		p.pooled.Add(p.model.Arm(b.Arm), b.N, b.Sum)
		p.pulls += float64(b.N)
		p.spent += float64(b.N) * p.prob.Cost(b.Arm)
	}
	if !p.pooled.Solve() {
		if err := p.model.Seen(p.items.Active, p.pooled.Outside); err != nil {
			return err
		}
	}
	p.sigma = p.noise()
	switch {
	case p.phase == 0:
		p.base, p.opened = p.pooled.LogDet(), p.pulls
	case p.pulls >= 4*p.opened:
		p.bets.Open()
		if p.model.Epsilon > 0 {
			p.tolerant.Open()
		}
		p.opened = p.pulls
	}
	for _, i := range p.items.Active {
		p.items.Mean[i] = p.pooled.Mean(p.model.Item(i), 0)
	}
	p.items.Sort()
	p.items.Keep(p.items.Order)
	p.items.Over = p.items.Over || len(p.items.Active) == 1
	p.phase++
	p.counts = nil
	return nil
}

// half is the half-width of the estimated difference of two items.
func (p *BettingElimination) half(i, j int) float64 {
	beta := p.threshold.beta(p.pooled.LogDet() - p.base)
	return p.model.Sigma * p.distance(i, j) * math.Sqrt(2*max(beta, 0))
}

// Answer implements explore.Policy.
func (p *BettingElimination) Answer() explore.Answer {
	if p.items.Order == nil {
		return p.items.Answer()
	}
	b := p.items.Order[0]
	if p.items.Known > 0 {
		b = p.items.Known - 1
	}
	for i := range p.items.Reasons {
		if r := &p.items.Reasons[i]; r.Class == explore.Dominated {
			floats.SubTo(p.y, p.model.Item(b), p.model.Item(i))
			r.By, r.Margin, r.MarginRadius = b, p.pooled.Mean(p.y, 0), p.half(i, b)
		}
	}
	a := p.items.Answer()
	for i := range a.Reasons { // what was not dropped is not decided, whatever intervals say
		if r := &a.Reasons[i]; !p.items.Over && p.items.Reasons[p.model.Class[i]].Class != explore.Dominated {
			r.Class = explore.Undecided
		}
	}
	return a
}

// Capital returns the logarithm of the capital that bets against an item: it is dropped when that
// reaches log(1/Delta).
func (p *BettingElimination) Capital(item int) (log float64) {
	return p.bets.Log(p.model.Class[item], -inf)
}

// CapitalWithin returns the logarithm of the capital that bets that the leader is within the
// tolerance of an item; -Inf if nothing is tolerated, and for the leader.
func (p *BettingElimination) CapitalWithin(item int) (log float64) {
	if i := p.model.Class[item]; p.leaders > 0 && i != p.best {
		return p.tolerant.Log(i, -inf)
	}
	return -inf
}

// Leaders returns the leader and the runner-up of each phase that was planned, after the first: of
// estimates that are equal but for rounding errors, those that the bets were on. They are the first
// items of their features.
func (p *BettingElimination) Leaders() [][2]int { return slices.Clone(p.led) }

// Warnings implements explore.Warnings: designs that miss their tolerance.
func (p *BettingElimination) Warnings() []error { return p.warn }
