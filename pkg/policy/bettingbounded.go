package policy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
)

// bounds are the least and the largest reward that there can be; both 0 if nothing is known.
type bounds [2]float64

func (b bounds) known() bool { return b != bounds{} }

// limit sets the bounds of rewards, from Bounds or Rewards.
func (p *BettingElimination) limit(prob *explore.Problem) error {
	if err := bounds(p.Bounds).validate(); err != nil {
		return err
	}
	p.limits, p.length = p.Bounds, 0
	all, err := rewards(p.Rewards, prob)
	switch {
	case err != nil || all == nil || all[0].Trials > 1:
		return err
	case p.Bounds != [2]float64{}:
		return fmt.Errorf("policy: BettingElimination has Bounds %v and Rewards %v; set one of them", p.Bounds, p.Rewards)
	case math.IsNaN(all[0].Low):
		p.length = all[0].Length
	default:
		p.limits = bounds{all[0].Low, all[0].Low + all[0].Length}
	}
	return nil
}

// sign finds out whether rewards lie above or below 0, once one is not 0. Bets until then know no bounds.
func (p *BettingElimination) sign() {
	for _, sum := range p.sums {
		if p.length > 0 && sum != 0 {
			p.limits, p.length = bounds{0, p.length}, 0
			if sum < 0 {
				p.limits = bounds{-p.limits[1], 0}
			}
		}
	}
}

// count takes in the sums of a phase where rewards are bounded.
func (p *BettingElimination) count(obs []explore.Batch) error {
	limits := p.limits
	if p.length > 0 {
		limits = bounds{-p.length, p.length}
	}
	if !limits.known() {
		return nil
	}
	for i := range obs {
		if err := limits.check(p.prob, &obs[i]); err != nil {
			return err
		}
	}
	clear(p.sums)
	for _, b := range obs {
		p.sums[b.Arm] += b.Sum[0]
		p.pulled[b.Arm] += float64(b.N)
	}
	return nil
}

// validate reports what is wrong with bounds.
func (b bounds) validate() error {
	if w := b[1] - b[0]; b.known() && !(w > 0 && w < inf) {
		return fmt.Errorf("policy: BettingElimination.Bounds are %v; want the least and the "+
			"largest reward that there can be, such as [0 1], or [0 0] if rewards are not "+
			"bounded", [2]float64(b))
	}
	return nil
}

// check fails if the rewards of a batch cannot lie within the bounds.
func (b bounds) check(p *explore.Problem, o *explore.Batch) error {
	n, near := float64(o.N), 1e-9*float64(o.N)*max(math.Abs(b[0]), math.Abs(b[1]))
	if s := o.Sum[0]; s < n*b[0]-near || s > n*b[1]+near {
		return fmt.Errorf("policy: BettingElimination: %d rewards of %s add up to %v; with "+
			"Bounds of %v they cannot: correct the reward, or the bounds before the run", o.N,
			p.Arm(o.Arm), s, [2]float64(b))
	}
	return nil
}

// spread returns the variance that a reward of mean m may have at most, where m was estimated with
// the information of n rewards: half a success and half a failure are added to these.
func (b bounds) spread(m, n float64) (mean, variance float64) {
	mean = (n*min(max(m, b[0]), b[1]) + (b[0]+b[1])/2) / (n + 1)
	return mean, (mean - b[0]) * (b[1] - mean)
}

// A forecast is what the past says about the rewards of a phase, by arm that it pulls.
type forecast struct {
	arms     []int
	white    []float64 // arms x m: coordinates in the metric of the phase
	mean     []float64
	variance []float64
	c        []float64 // the coefficients of a difference
	y        []float64
}

// foresee sets the forecast, before the rewards are there.
func (p *BettingElimination) foresee() {
	f := &p.forecast
	*f = forecast{f.arms[:0], f.white[:0], f.mean[:0], f.variance[:0], f.c[:0], f.y[:0]}
	m := p.model.Rank
	f.y = append(f.y, p.y...)
	for i, n := range p.counts {
		if n == 0 {
			continue
		}
		mean, v := p.predict(i)
		f.arms, f.mean, f.variance = append(f.arms, i), append(f.mean, mean), append(f.variance, v)
		f.white = append(f.white, f.y...)
		p.own.Whiten(f.white[len(f.white)-m:], p.model.Arm(i))
		f.c = append(f.c, 0)
	}
}

// A wager is a bet on bounded rewards. What one unit has become after the rewards Y of the arms k
// is at most the product over rewards of
//
//	1 + l nu c_k (Y - q_k),  sum_k N_k c_k q_k = -tolerance,
//
// where d = sum_k c_k (rewards of k).
type wager struct {
	d, v   float64
	growth func(l float64) float64
}

// wager returns the outcome of a bet of stake f on d plus a tolerance, for the coefficients in the
// forecast.
func (p *BettingElimination) wager(f, tolerance float64) wager {
	fc := &p.forecast
	var w wager
	excess := tolerance
	for a, k := range fc.arms {
		n, c := float64(p.counts[k]), fc.c[a]
		w.d += c * p.sums[k]
		excess += n * c * fc.mean[a]
		w.v += n * c * c * fc.variance[a]
	}
	w.d += tolerance
	if w.v == 0 {
		w.v = inf
		return w
	}
	// The means of the hypothesis that are closest to those of the forecast.
	q := func(a int) float64 { return fc.mean[a] - excess/w.v*fc.c[a]*fc.variance[a] }
	nu, reach := f/w.v, 0.
	for a := range fc.arms {
		reach = max(reach, nu*fc.c[a]*(q(a)-p.limits[0]), nu*fc.c[a]*(q(a)-p.limits[1]))
	}
	w.growth = func(l float64) float64 {
		if l*reach > mostStaked {
			l = mostStaked / reach
		}
		sum := 0.
		for a, k := range fc.arms {
			n, stake := float64(p.counts[k]), l*nu*fc.c[a]
			if stake == 0 {
				continue
			}
			// Of rewards with this sum, those at the bounds are worth least.
			high := min(max((p.sums[k]-n*p.limits[0])/(p.limits[1]-p.limits[0]), 0), n)
			sum += high*math.Log1p(stake*(p.limits[1]-q(a))) +
				(n-high)*math.Log1p(stake*(p.limits[0]-q(a)))
		}
		return sum
	}
	return w
}

// mostStaked is the largest share of the capital that one reward can lose.
const mostStaked = .9

// resolve sets the coefficients of the difference of items i and j in the rewards of the phase.
func (p *BettingElimination) resolve(i, j int) {
	fc := &p.forecast
	floats.SubTo(p.y, p.model.Item(j), p.model.Item(i))
	p.own.Whiten(fc.y, p.y)
	m := p.model.Rank
	for a := range fc.arms {
		fc.c[a] = floats.Dot(fc.white[a*m:][:m], fc.y)
	}
}

// predict returns the mean of a reward of arm k by all that is known, and its variance at most.
func (p *BettingElimination) predict(k int) (mean, variance float64) {
	x := p.model.Arm(k)
	n := 1 / p.pooled.Squared(x)
	if math.IsInf(n, 1) { // too few pulls, beside those of others, for the metric to see them
		n = p.pulled[k]
	}
	return p.limits.spread(p.pooled.Mean(x, 0), n)
}

// noise returns the typical standard deviation of rewards, by all that were pulled.
func (p *BettingElimination) noise() float64 {
	if !p.limits.known() {
		return p.model.Sigma
	}
	sum, total := 0., 0.
	for k, n := range p.pulled {
		if n > 0 {
			_, v := p.predict(k)
			sum += n * v
			total += n
		}
	}
	return math.Sqrt(sum / total)
}
