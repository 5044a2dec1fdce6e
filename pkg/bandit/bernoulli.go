package bandit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Bernoulli is the law of successes and failures: a reward is 1 or 0 in each
// objective, independently of the other objectives. Sums are binomial. (For
// outcomes of one patient that go together, see [Resample].)
type Bernoulli struct {
	table
	// Of the numbers in table: for one reward, and for several, of what is less likely.
	thresholds []uint64
	rare       []rare
}

var _ Law = (*Bernoulli)(nil)

// NewBernoulli returns the Bernoulli law with the given probabilities of
// success, K x d. It is an error if one is not in [0, 1].
func NewBernoulli(probs mat.Matrix) (*Bernoulli, error) {
	t, err := newTable(probs, "probability", 0, 1, "a number in [0, 1]")
	if err != nil {
		return nil, err
	}
	l := &Bernoulli{t, make([]uint64, len(t.data)), make([]rare, len(t.data))}
	for i, p := range t.data {
		l.thresholds[i], l.rare[i] = threshold(p), newRare(min(p, 1-p))
	}
	return l, nil
}

// Sum draws the numbers of successes among n rewards of an arm and stores them
// in dst, of length d.
func (l *Bernoulli) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	probs := l.check(dst, arm, n)
	if n == 1 {
		for c, t := range l.thresholds[arm*l.d:][:l.d] {
			dst[c] = bernoulli(t, rnd)
		}
		return
	}
	if n == 0 {
		clear(dst)
		return
	}
	for c, p := range probs {
		dst[c] = l.rare[arm*l.d+c].binomial(float64(n), rnd)
		if p > .5 {
			dst[c] = float64(n) - dst[c]
		}
	}
}

// Poisson is the law of counts: a reward is a Poisson variate in each
// objective, independently of the other objectives. Sums are Poisson too. It
// has no sub-Gaussian scale, so that guarantees for sub-Gaussian rewards do not
// cover it, whatever Problem.Sigma says.
type Poisson struct{ table }

var _ Law = (*Poisson)(nil)

// NewPoisson returns the Poisson law with the given rates (means), K x d. It is
// an error if one is negative, or above 2^53, where counts are no longer exact
// in floating point.
func NewPoisson(rates mat.Matrix) (*Poisson, error) {
	t, err := newTable(rates, "rate", 0, 1<<53, "a number in [0, 2^53]")
	if err != nil {
		return nil, err
	}
	return &Poisson{t}, nil
}

// Sum draws the sums of n rewards of an arm and stores them in dst, of length
// d.
func (l *Poisson) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	for c, rate := range l.check(dst, arm, n) {
		dst[c] = poisson(float64(n)*rate, rnd)
	}
}
