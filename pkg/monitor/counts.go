package monitor

import "math"

// mostTrials is the largest number of trials of counts that are watched: the work of a result is in
// proportion to it.
const mostTrials = 1000

// dispersions are the correlations of two trials of a result under the alternative.
var dispersions = [...]float64{.01, .05, .2}

// counts is the e-process of Counts: for each arm the least, over probabilities p of success, of the
// likelihood ratio of beta-binomial counts to binomial ones, both of mean p.
type counts struct {
	sigma  float64
	trials int
	arm    []tally
	total  [len(dispersions)]float64 // by dispersion: sum of the log of that of all arms
	stale  []int                     // arms with new results
}

// A tally has the counts of an arm.
type tally struct {
	n            int
	above, below []float64 // i: results with more than i successes, with more than i failures
	log          [len(dispersions)]float64
	stale        bool
}

func newCounts(k int, o Objective) *counts {
	return &counts{sigma: o.Sigma, trials: o.Trials, arm: make([]tally, k)}
}

func (p *counts) observe(_ *sums, r *result) {
	a := &p.arm[r.arm]
	if a.above == nil {
		a.above, a.below = make([]float64, p.trials), make([]float64, p.trials)
	}
	y := int(math.Round(r.y * p.sigma))
	for i := range y {
		a.above[i]++
	}
	for i := range p.trials - y {
		a.below[i]++
	}
	a.n++
	if !a.stale {
		a.stale = true
		p.stale = append(p.stale, r.arm)
	}
}

func (p *counts) look(*sums) Finding {
	for _, i := range p.stale {
		a := &p.arm[i]
		a.stale = false
		for j, c := range dispersions {
			log := a.least((1 - c) / c)
			p.total[j] += log - a.log[j]
			a.log[j] = log
		}
	}
	p.stale = p.stale[:0]
	f := none(Counts)
	f.LogE = logMean(p.total[:])
	f.Arm = 0
	for i := range p.arm {
		if logMean(p.arm[i].log[:]) > logMean(p.arm[f.Arm].log[:]) {
			f.Arm = i
		}
	}
	return f
}

// least returns a lower bound on the least log-likelihood ratio, within 1e-6 of it, of beta-binomial
// counts with the parameters p m and (1-p) m. The ratio
//
//	sum over i of above[i] log(m + i/p) + below[i] log(m + i/(1-p)) - n log(m + i)
//
// is convex in p, so that it lies above its tangents: Newton's method between bounds.
func (a *tally) least(m float64) float64 {
	lo, hi := 0., 1.
	p, value, slope := .5, 0., 0.
	for range 100 {
		var curve float64
		value, slope, curve = a.ratio(m, p)
		if math.Abs(slope)*(hi-lo) < 1e-6 {
			break
		}
		if slope > 0 {
			hi = p
		} else {
			lo = p
		}
		if p -= slope / curve; !(p > lo && p < hi) {
			p = (lo + hi) / 2
		}
	}
	return value - math.Abs(slope)*(hi-lo)
}

// ratio returns the log-likelihood ratio at p, its slope and its curvature.
func (a *tally) ratio(m, p float64) (value, slope, curve float64) {
	q := 1 - p
	for i := range a.above {
		x, s, f := float64(i), a.above[i], a.below[i]
		value += s*math.Log(m+x/p) + f*math.Log(m+x/q) - float64(a.n)*math.Log(m+x)
		u, v := p*(m*p+x), q*(m*q+x)
		slope += x * (f/v - s/u)
		curve += x * (s*(2*m*p+x)/(u*u) + f*(2*m*q+x)/(v*v))
	}
	return value, slope, curve
}
