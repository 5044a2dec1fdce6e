package monitor

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// shares are values of s = rho/(1 + rho), where rho is an additional variance of the noise relative
// to the declared variance. The additional variance ranges from 0.02 to 99 times the declared
// variance.
var shares = [...]float64{.02, .05, .1, .2, .35, .5, .7, .9, .99}

// excess returns, for each share s, the logarithm of (1-s)^(k/2) exp(s ss/2). The argument ss is
// the residual sum of squares of k results: the minimum over all means that the null hypothesis
// allows.
func excess(dst []float64, k int, ss float64) []float64 {
	for i, s := range shares {
		dst = append(dst, float64(k)/2*logLeft[i]+s/2*ss)
	}
	return dst
}

// logLeft contains log(1-s) for each share s.
var logLeft = func() (l [len(shares)]float64) {
	for i, s := range shares {
		l[i] = math.Log1p(-s)
	}
	return l
}()

// noise is the e-process for findings of kind Noise. Estimating the mean of an arm reduces the
// evidence, so arms with few results would hide the evidence of other arms. Therefore, noise
// averages over variants that omit the first 0, 1 or 4 results of each arm.
type noise struct {
	skip []skipped
	logs []float64
}

type skipped struct {
	first int
	arm   []armSums
	k     int
	ss    float64
}

func newNoise(k int) *noise {
	p := &noise{}
	for _, first := range []int{0, 1, 4} {
		p.skip = append(p.skip, skipped{first: first, arm: make([]armSums, k)})
	}
	return p
}

func (p *noise) observe(s *sums, r *result) {
	for i := range p.skip {
		x := &p.skip[i]
		if s.arm[r.arm].k >= x.first {
			x.k++
			x.ss += x.arm[r.arm].add(r.n, r.y)
		}
	}
}

func (p *noise) look(s *sums) Finding {
	p.logs = p.logs[:0]
	for i := range p.skip {
		p.logs = excess(p.logs, p.skip[i].k, p.skip[i].ss)
	}
	f := none(Noise)
	f.LogE = logMean(p.logs)
	x := &p.skip[0]
	f.Size = math.Sqrt(x.ss / float64(max(x.k-len(s.measured), 1)))
	return f
}

// armNoise is the e-process for findings of kind ArmNoise: the product over arms of 0.9 plus 0.1
// times the Noise e-process of the arm. The product detects a single noisy arm, because each of the
// other arms reduces the evidence at most by the factor 0.9.
type armNoise struct {
	arm   []armSums
	log   []float64 // by arm: logarithm of the arm's factor
	total float64
	logs  []float64
}

func newArmNoise(k int) *armNoise {
	return &armNoise{arm: make([]armSums, k), log: make([]float64, k)}
}

func (p *armNoise) observe(_ *sums, r *result) {
	a := &p.arm[r.arm]
	a.add(r.n, r.y)
	p.logs = excess(p.logs[:0], a.k, a.ss)
	log := logAdd(math.Log(.9), math.Log(.1)+logMean(p.logs))
	p.total += log - p.log[r.arm]
	p.log[r.arm] = log
}

func (p *armNoise) look(*sums) Finding {
	f := none(ArmNoise)
	f.LogE, f.Arm = p.total, floats.MaxIdx(p.log)
	a := &p.arm[f.Arm]
	f.Size = math.Sqrt(a.ss / float64(max(a.k-1, 1)))
	return f
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// The following constants are prior variances of two differences under the alternative of an
// outlier, relative to the declared variance. Under the alternative, the mean of the arm differs
// from the assumed mean, and the new result has an additional effect.
const (
	priorMean = 1
	priorSlip = 100
)

// oddity returns log E against the hypothesis that the mean y of n measurements has the same
// expectation as the results of a. The evidence E is the minimum, over all means, of a product of
// two factors: one for the earlier results and one for the new result.
func oddity(a *armSums, n, y float64) float64 {
	w1 := a.n * a.n * priorMean / (1 + a.n*priorMean)
	w2 := n * priorSlip / (1 + priorSlip)
	d := y - a.mean
	return -math.Log1p(a.n*priorMean)/2 - math.Log1p(priorSlip)/2 + w1*w2/(w1+w2)*d*d/2
}

// outlier is the e-process for findings of kind Outlier: the sum over results t = 1, 2, ... of the
// evidence of oddity with weights 1/(K t (t+1)), where K is the number of arms. The factor 1/K
// accounts for the choice of the arm, which may depend on earlier results. For the chosen arm, the
// factor of the earlier results is at most K times the average over arms, and this average is an
// e-process.
type outlier struct {
	log  float64
	best Finding
}

func (p *outlier) observe(s *sums, r *result) {
	if s.k == 0 {
		p.log, p.best = math.Inf(-1), none(Outlier)
		p.best.LogE = p.log
	}
	a := &s.arm[r.arm]
	if a.k == 0 {
		return
	}
	t := float64(s.k + 1)
	log := oddity(a, r.n, r.y) - math.Log(float64(len(s.arm))) - math.Log(t*(t+1))
	p.log = logAdd(p.log, log)
	if log > p.best.LogE {
		p.best = Finding{Kind: Outlier, Arm: r.arm, Plate: r.plate, Result: r.number, LogE: log,
			Size: math.Abs(r.y - a.mean)}
	}
}

func (p *outlier) look(*sums) Finding {
	f := p.best
	f.LogE = p.log
	return f
}

// mostTrials is the largest number of trials for which counts are tested, because the work for each
// result is proportional to the number of trials.
const mostTrials = 1000

// dispersions are the correlations between two trials of a result that the alternative considers.
var dispersions = [...]float64{.01, .05, .2}

// counts is the e-process for findings of kind Counts. For each arm, counts takes the minimum, over
// success probabilities p, of the likelihood ratio of beta-binomial to binomial counts with mean p.
type counts struct {
	sigma  float64
	trials int
	arm    []tally
	total  [len(dispersions)]float64 // for each dispersion, the sum over arms of the logarithms
	stale  []int                     // arms with results since the last look
}

// tally counts how often each number of successes occurred for an arm.
type tally struct {
	n int
	// For each i, the number of results with more than i successes, and with more than i failures.
	above, below []float64
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

// least returns a lower bound, accurate to 1e-6, on the minimum over p of the log-likelihood ratio
// of beta-binomial counts, with parameters p m and (1-p) m, to binomial counts. The log-likelihood
// ratio
//
//	sum over i of above[i] log(m + i/p) + below[i] log(m + i/(1-p)) - n log(m + i)
//
// is convex in p, and therefore lies above each of its tangents. least finds the minimum with
// Newton's method, and keeps the search between two bounds.
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
