package bandit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

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
