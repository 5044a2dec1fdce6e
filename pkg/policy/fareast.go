package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/radius"
)

// EAST uses only the good filter of [FAREAST], which eliminates arms by comparing confidence
// intervals with the threshold between good arms and other arms. Source: Mason, Jain, Tripathy and
// Nowak, "Finding All epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020, the good filter of
// Algorithm 2. LinFACT applies the same elimination rule to linear models.
//
// Question: all arms within Epsilon of the best, as for [ST2]. Fixed confidence.
//
// Assumptions: the same as those of ST2.
//
// Guarantee: if Radius is valid for all arms at all times, like the default, the answer is right
// with probability at least 1 - Delta.
//
// Deviations from the paper: the same as those of ST2.
//
// Each round pulls all active arms once. An arm is active until it is certainly not good, or until
// it is certainly good and certainly not the best. The run stops when all active arms are certainly
// good. Each round takes O(K) operations and allocates no memory.
type EAST struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius gives the confidence intervals of means; nil means radius.KaufmannKoolen{}.
	Radius radius.Radius

	batcher
	filter filter
}

// Card implements explore.Describer.
func (p *EAST) Card() explore.Card {
	c := (&ST2{Radius: p.Radius}).Card()
	c.Name, c.Source = "EAST", "Mason, Jain, Tripathy, Nowak 2020, the good filter of Algorithm 2"
	return c
}

// filter is the good filter of FAREAST, which classifies arms by confidence intervals around the
// threshold.
type filter struct {
	goodArms
	active []bool
}

func (f *filter) start(prob *explore.Problem, name string, delta float64, r radius.Radius) error {
	if err := f.goodArms.start(prob, name, delta, r); err != nil {
		return err
	}
	f.active = slices.Repeat([]bool{true}, f.K)
	return nil
}

// round appends one pull of each active arm.
func (f *filter) round(dst []explore.Pull) []explore.Pull {
	for i, a := range f.active {
		if a {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return dst
}

// learn adds the rewards of a round, classifies active arms, and deactivates arms that need no
// further pulls.
func (f *filter) learn(obs []explore.Batch) {
	f.goodArms.learn(obs)
	f.sift()
}

// sift classifies the active arms, and deactivates arms that need no further pulls.
func (f *filter) sift() {
	top, second := f.leaders(f.high, f.active)
	sure, _ := f.leaders(f.low, f.active)
	f.over = true
	for i, a := range f.active {
		if !a {
			continue
		}
		by := top
		if i == top {
			by = second
		}
		if r := f.reasons[i]; r.Class != explore.Optimal { // arms that are certainly good keep their class
			f.decide(i, by, sure)
		}
		f.over = f.over && f.reasons[i].Class != explore.Undecided
	}
	least := f.low[sure]
	for i, a := range f.active {
		if c := f.reasons[i].Class; a && (c == explore.Dominated ||
			c == explore.Optimal && i != sure && f.high[i] < least) {
			f.active[i] = false
		}
	}
	if n, last := f.count(); n == 1 { // the last active arm is the best arm
		f.reasons[last].Class = explore.Optimal
		f.over = true
	}
}

// count returns the number of active arms and the index of the last active arm.
func (f *filter) count() (n, last int) {
	for i, a := range f.active {
		if a {
			n, last = n+1, i
		}
	}
	return n, last
}

// String returns the name of the policy, followed by its settings.
func (p *EAST) String() string { return named("EAST", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *EAST) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.filter.Row)
	delta, r, err := confidence(p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	return p.filter.start(prob, "EAST", delta, r)
}

// Ask implements explore.Policy.
func (p *EAST) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.filter.over {
		return dst, nil
	}
	return p.filter.round(dst), nil
}

// Tell implements explore.Policy.
func (p *EAST) Tell(obs []explore.Batch) error {
	p.filter.learn(obs)
	return nil
}

// Answer implements explore.Policy.
func (p *EAST) Answer() explore.Answer { return p.filter.Answer() }

// FAREAST is the method Fast Arm Removal Elimination Algorithm for a Sampled Threshold (Mason,
// Jain, Tripathy and Nowak, "Finding All epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020,
// Algorithm 2).
//
// Question: all arms within Epsilon of the best, as for [ST2]. Fixed confidence.
//
// Assumptions: the same as those of ST2. Because the accuracy of phase k is 2^-k in reward units,
// gaps should be below 2.
//
// Guarantee (Theorem 4.1): the answer is right with probability at least 1 - Delta; the good filter
// and the bad filter each use half of Delta. The expected number of pulls is near-optimal in the
// worst case, even if Delta is not small.
//
// Deviations from the paper: the same as those of ST2, and the following. The number of pulls of
// the bad filter is multiplied by Sigma^2 and rounded up; in the public code, it is multiplied by
// Sigma. To find a nearly best arm in a phase, the policy runs LUCB with fresh rewards, as the
// public code does.
//
// Each phase k = 1, 2, ... has three steps:
//
//	(a) LUCB finds an arm within 2^-k of the best of the certainly good arms, or of all active arms if
//	    there are none, with error probability Kappa.
//	(b) The bad filter pulls this arm and the undecided arms ceil(4 Sigma^2 4^k log(4/delta_k)) times.
//	    The bad filter rejects arms that are behind this arm by at least Epsilon + 2^(1-k), for
//	    additive questions. Here, delta_k = Delta/(4 K k^2).
//	(c) The good filter (see [EAST]) makes at least as many pulls as (a) and (b). Unlike the bad
//	    filter, the good filter keeps its rewards from phase to phase.
//
// Each round takes O(K) operations and allocates no memory.
type FAREAST struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius gives the confidence intervals of means; nil means radius.KaufmannKoolen{}.
	Radius radius.Radius
	// Kappa is the error probability of each search for a nearly best arm. Errors of these searches
	// do not count towards Delta. Zero means 0.5, the value in the public code.
	Kappa float64 `label:"kappa %v" usual:"0.5" in:"(0,1)" want:"an error probability between 0 and 1"`

	filter filter
	delta  float64
	kappa  float64
	r      radius.Radius
	prob   *explore.Problem

	phase int
	stage fareastStage
	spent int // pulls of steps (a) and (b) in the phase, minus pulls of the good filter
	lucb  lucb
	good  int // the arm that LUCB found in the current phase
	tau   int
}

// Card implements explore.Describer.
func (p *FAREAST) Card() explore.Card {
	c := (&ST2{Radius: p.Radius}).Card()
	c.Name, c.Source = "FAREAST", "Mason, Jain, Tripathy, Nowak 2020, Algorithm 2"
	c.Evidence = explore.OwnRounds
	return c
}

// fareastStage is a step within a phase of FAREAST, one of (a), (b) and (c).
type fareastStage int

const (
	fareastFind fareastStage = iota
	fareastBad
	fareastGood
)

// String returns the name of the policy, followed by its settings.
func (p *FAREAST) String() string { return named("FAREAST", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *FAREAST) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, p.r, err = checked(p, p.Delta, orKaufmannKoolen(p.Radius)); err != nil {
		return err
	}
	p.kappa = cmp.Or(p.Kappa, .5)
	p.delta /= 2
	if err := p.filter.start(prob, "FAREAST", p.delta, p.r); err != nil {
		return err
	}
	p.prob, p.phase = prob, 0
	p.begin()
	return nil
}

// begin starts the next phase of FAREAST, whose accuracy 2^-k is half of the previous accuracy.
func (p *FAREAST) begin() {
	p.phase++
	p.stage, p.spent = fareastFind, 0
	k := float64(p.phase)
	log := math.Log(4*2*float64(p.filter.K)*k*k) - math.Log(p.delta)
	p.tau = linear.Ceil(4 * p.filter.sigma * p.filter.sigma * math.Ldexp(1, 2*p.phase) * log)
	if p.lucb.start(p, math.Ldexp(1, -p.phase)); p.lucb.over {
		p.good, p.stage = p.lucb.leader, fareastBad
	}
}

// Ask implements explore.Policy.
func (p *FAREAST) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.filter.over {
		return dst, nil
	}
	switch p.stage {
	case fareastFind:
		return p.lucb.ask(dst), nil
	case fareastGood:
		return p.filter.round(dst), nil
	}
	if float64(p.tau) >= linear.MostPulls {
		return dst, fmt.Errorf("%w: FAREAST: phase %d would pull each arm %.1g times; if an arm is on the "+
			"threshold, change Epsilon a little", ErrUndecidable, p.phase, float64(p.tau))
	}
	dst = append(dst, explore.Pull{Arm: p.good, N: p.tau})
	for i, a := range p.filter.active {
		if a && i != p.good && p.filter.reasons[i].Class == explore.Undecided {
			dst = append(dst, explore.Pull{Arm: i, N: p.tau})
		}
	}
	return dst, nil
}

// Tell implements explore.Policy.
func (p *FAREAST) Tell(obs []explore.Batch) error {
	n := 0
	for _, b := range obs {
		n += b.N
	}
	switch p.stage {
	case fareastFind:
		p.spent += n
		if p.lucb.tell(obs); p.lucb.over {
			p.good, p.stage = p.lucb.leader, fareastBad
		}
	case fareastBad:
		p.spent += n
		p.reject(obs)
		p.stage = fareastGood
	case fareastGood:
		p.spent -= n
		if p.filter.learn(obs); p.spent <= 0 && !p.filter.over {
			p.begin()
		}
	}
	return nil
}

// reject removes arms that are far worse than the arm found by LUCB.
func (p *FAREAST) reject(obs []explore.Batch) {
	f, acc := &p.filter, math.Ldexp(1, -p.phase)
	top := obs[0].Sum[0] / float64(obs[0].N)
	for _, b := range obs[1:] {
		behind := f.threshold(top) - b.Sum[0]/float64(b.N)
		if radius := (1 + f.factor) * acc; behind >= radius {
			f.active[b.Arm] = false
			f.reasons[b.Arm] = explore.Reason{Class: explore.Dominated, By: p.good, Margin: behind,
				MarginRadius: radius, Constraint: -1}
		}
	}
	if f.Pulls > 0 {
		f.sift()
	} else if n, last := f.count(); n == 1 {
		f.reasons[last].Class, f.over = explore.Optimal, true
	}
}

// lucb finds an arm that is within a given accuracy of the best of some arms (Kalyanakrishnan,
// Tewari, Auer and Stone 2012).
type lucb struct {
	goodArms
	set      []bool
	accuracy float64
	leader   int
	rival    int
}

// start begins a search among the certainly good arms or, if no arm is certainly good, among all
// active arms.
func (l *lucb) start(p *FAREAST, accuracy float64) {
	f := &p.filter
	if l.K != f.K {
		l.set, l.low, l.high = make([]bool, f.K), make([]float64, f.K), make([]float64, f.K)
	}
	l.Init(p.prob)
	l.over, l.accuracy = false, accuracy
	kept := false
	for _, r := range f.reasons {
		kept = kept || r.Class == explore.Optimal
	}
	n := 0
	for i := range l.set {
		l.set[i] = f.reasons[i].Class == explore.Optimal || !kept && f.active[i]
		if l.set[i] {
			n, l.leader = n+1, i
		}
	}
	l.over = n == 1
	l.bonus = p.r.Bind(radius.Params{Arms: n, Objectives: 1, Sigma: p.prob.Sigma,
		NormSigma: p.prob.Sigma, Delta: p.kappa})
}

func (l *lucb) ask(dst []explore.Pull) []explore.Pull {
	if l.Pulls == 0 {
		for i, in := range l.set {
			if in {
				dst = append(dst, explore.Pull{Arm: i, N: 1})
			}
		}
		return dst
	}
	return append(dst, explore.Pull{Arm: l.leader, N: 1}, explore.Pull{Arm: l.rival, N: 1})
}

func (l *lucb) tell(obs []explore.Batch) {
	l.learn(obs)
	l.leader, _ = l.leaders(l.Mean, l.set)
	first, second := l.leaders(l.high, l.set)
	if l.rival = first; first == l.leader {
		l.rival = second
	}
	l.over = l.high[l.rival]-l.low[l.leader] <= l.accuracy
}

// Answer implements explore.Policy.
func (p *FAREAST) Answer() explore.Answer { return p.filter.Answer() }
