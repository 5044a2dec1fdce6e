package bandit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Exact is the law without noise: the sum of n rewards is n times the mean.
// What a policy answers under it is its answer to the question itself.
type Exact struct{ table }

var _ Law = (*Exact)(nil)

// NewExact returns the noiseless law with the given means, K x d. It is an
// error if one is not finite.
func NewExact(means mat.Matrix) (*Exact, error) {
	t, err := newTable(means, "mean", -finite, finite, "a finite number")
	if err != nil {
		return nil, err
	}
	return &Exact{t}, nil
}

// Sum stores n times the mean of an arm in dst, of length d. It draws nothing
// from rnd, which may be nil.
func (l *Exact) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	for c, mu := range l.check(dst, arm, n) {
		dst[c] = float64(n) * mu
	}
}
