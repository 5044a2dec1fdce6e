package betting

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
)

// Bounded declares that a reward in an objective counts successes of independent trials, or lies
// between the rewards for no success and for all successes.
type Bounded struct {
	Trials float64
	Length float64 // reward of all successes minus reward of no success
	Low    float64 // reward of no success; NaN means 0 or, if rewards are negative, -Length
}

// spread returns the success rate of arm i, estimated with half a success and half a failure added,
// and the variance of a trial.
func (e *Engine) spread(i, c int) (rate, variance float64) {
	b := &e.Bounds[c]
	n := e.pooled.n[i] * b.Trials
	high := min(max((e.pooled.sum[i*e.D+c]-e.pooled.n[i]*b.Low)/b.Length, 0), e.pooled.n[i]) * b.Trials
	if !e.free {
		x := e.Model.Arm(i)
		if m := 1 / e.pooled.fit.Squared(x); !math.IsInf(m, 1) {
			// The information m is infinite if the pulls so far give no information about arm i.
			n = m * b.Trials
		}
		high = n * min(max((e.pooled.fit.Mean(x, c)-b.Low)/b.Length, 0), 1)
	}
	rate = (high + .5) / (n + 1)
	return rate, rate * (1 - rate)
}

// bounded returns the only objective with a nonzero weight in lambda. If several objectives have
// nonzero weights, or if the bounds of the objective are unknown, bounded returns -1.
func (e *Engine) bounded(lambda []float64) int {
	at := -1
	if e.Bounds == nil {
		return at
	}
	for c, l := range lambda {
		if l == 0 {
			continue
		}
		if at >= 0 || e.Exact[c] != nil || math.IsNaN(e.Bounds[c].Low) {
			return -1
		}
		at = c
	}
	return at
}

// Typical returns the estimated variance of lambda'x for a reward vector x, averaged over the arms
// in a combination. The result is Noise or, for bounded rewards, a smaller variance.
func (e *Engine) Typical(t *Terms, lambda []float64) float64 {
	c := e.bounded(lambda)
	if c < 0 {
		return e.Noise(lambda)
	}
	sum, all := 0., 0.
	if e.keeper != nil { // average over all pulls instead of the arms in the combination
		for i, n := range e.pooled.n {
			if n > 0 {
				_, v := e.spread(i, c)
				sum, all = sum+n*v, all+n
			}
		}
		t = &Terms{}
	}
	for k, i := range t.Item[:t.N] {
		if e.pooled.n[i] == 0 {
			return e.Noise(lambda)
		}
		_, v := e.spread(i, c)
		x := t.Coef[k] * t.Coef[k] / e.pooled.n[i]
		sum, all = sum+x*v, all+x
	}
	scale := lambda[c] * e.Bounds[c].Length
	return scale * scale / e.Bounds[c].Trials * sum / all
}

// sd returns the square root of Typical for objective c only.
func (e *Engine) sd(t *Terms, c int) float64 {
	if e.Bounds == nil {
		return e.prob.SigmaOf(c)
	}
	clear(e.unit)
	e.unit[c] = 1
	return math.Sqrt(e.Typical(t, e.unit))
}

// A wager is a bet on bounded rewards: it wins if sum_k a_k p_k + shift > 0, where p_k are the
// success rates of arms. Suppose that a phase has N_k trials of each arm k. After the phase, one
// unit of the wager is worth at most the product, over all trials with results y, of
//
//	1 + l nu a_k/N_k (y - q_k),  sum_k a_k q_k + shift = 0.
//
// Here, l is the multiple of the stake, nu is the stake divided by the predicted variance of the
// outcome, and the rates q_k satisfy the hypothesis.
type wager struct {
	parts []part
	d, v  float64
}

// A part of a wager contains the coefficient and the trials of one arm.
type part struct{ a, trials, rate, variance, q, high float64 }

// mostStaked is the largest fraction of the capital that one trial may lose.
const mostStaked = .9

// wager returns bet k on objective c as a wager, with the rewards that settle it. The returned
// wager is overwritten by the next call.
func (e *Engine) wager(k, c int) (w wager) {
	b, bound := &e.bets[k], &e.Bounds[c]
	lambda := e.lambda[k*e.D+c]
	excess := b.shift
	w.d, w.parts = b.shift, e.parts[:0]
	each := func(i int, coef float64) {
		if coef == 0 {
			return
		}
		p := part{a: coef * bound.Length, trials: e.own.n[i] * bound.Trials}
		p.rate, p.variance = e.spread(i, c)
		p.high = min(max((e.own.sum[i*e.D+c]-e.own.n[i]*bound.Low)/bound.Length, 0), e.own.n[i]) * bound.Trials
		excess += p.a*p.rate + coef*bound.Low
		w.d += p.a*p.high/p.trials + coef*bound.Low
		w.v += p.a * p.a * p.variance / p.trials
		w.parts = append(w.parts, p)
	}
	items, coefs := e.items[b.from:b.to], e.coefs[b.from:b.to]
	if e.free {
		for x, i := range items {
			each(i, coefs[x]*lambda)
		}
	} else { // use the weights of arms in the least-squares estimate
		e.own.weigh(items, coefs)
		for i, n := range e.own.n {
			if n > 0 {
				each(i, n*lambda*e.own.weight(i))
			}
		}
	}
	for n := range w.parts { // compute the rates that satisfy the hypothesis and are closest to the expected rates
		p := &w.parts[n]
		p.q = p.rate - excess/w.v*p.a*p.variance/p.trials
	}
	e.parts = w.parts
	return w
}

// growth returns the logarithm of the value of one unit that was staked on the multiple l of the
// stake f.
func (w *wager) growth(f, l float64) float64 {
	nu, reach := f/w.v, 0.
	for k := range w.parts {
		p := &w.parts[k]
		c := nu * p.a / p.trials
		reach = max(reach, c*p.q, c*(p.q-1))
	}
	if l*reach > mostStaked {
		l = mostStaked / reach
	}
	sum := 0.
	for k := range w.parts {
		p := &w.parts[k]
		stake := l * nu * p.a / p.trials
		sum += p.high*math.Log1p(stake*(1-p.q)) + (p.trials-p.high)*math.Log1p(-stake*p.q)
	}
	return sum
}

// check returns the bounds on rewards, in which an unknown Low is set according to the sign of the
// rewards. check returns an error if rewards are outside the bounds. The engine does not use the
// returned bounds before the bets of the phase are settled, because bets must not depend on the
// sign of their own rewards.
func (e *Engine) check(obs []explore.Batch) (told []Bounded, err error) {
	told = append(e.spare[:0], e.Bounds...)
	for c := range told {
		b := &told[c]
		for i := range obs {
			o := &obs[i]
			if e.Exact[c] != nil || o.Sum[c] == 0 && math.IsNaN(b.Low) {
				continue
			}
			if math.IsNaN(b.Low) {
				b.Low = min(0, math.Copysign(b.Length, o.Sum[c]))
			}
			n := float64(o.N)
			if near := 1e-9 * n * b.Length; o.Sum[c] < n*b.Low-near || o.Sum[c] > n*(b.Low+b.Length)+near {
				return told, fmt.Errorf("policy: %d rewards of %s in %s sum to %v; expected each reward between %v "+
					"and %v; correct the rewards, or the declared range", o.N, e.prob.Arm(o.Arm),
					e.prob.Objective(c), o.Sum[c], b.Low, b.Low+b.Length)
			}
		}
	}
	return told, nil
}
