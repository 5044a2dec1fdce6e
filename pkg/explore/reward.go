package explore

import (
	"errors"
	"fmt"
	"math"
)

// Errors that the methods of a Session wrap; test for them with errors.Is.
var (
	// ErrUnexpected says that measurements were told before, or not asked for.
	ErrUnexpected = errors.New("unexpected measurements")
	// ErrMismatch says that measurements are not those that were asked for.
	ErrMismatch = errors.New("these are not the measurements asked for")
	// ErrValue says that a measurement is not a finite number, or too large to be
	// squared and added up: beyond 1e100 a reward.
	ErrValue = errors.New("a measurement is not a finite number of at most 1e100 in size")
	// ErrRange says that a measurement cannot come from the family of the problem's
	// link, such as a number of successes above that of the trials.
	ErrRange = errors.New("a measurement is outside the range of the link")
	// ErrOffset says that a reward is so large, relative to the noise, that the rounding of sums
	// would take the place of the noise: beyond LargestRatio times Problem.Sigma.
	ErrOffset = errors.New("a measurement is too large for its noise")
	// ErrPolicy says that a policy broke its contract.
	ErrPolicy = errors.New("the policy asked for something impossible")
)

// LargestRatio is the largest mean of a batch of rewards, in size, relative to Problem.Sigma. A sum
// of n numbers that are added one by one has a relative error of sqrt(n) 1e-16 as a rule, and
// policies add up to about 1e6 batches of up to 1e12 rewards in all: the error of a mean is then
// 1e-13 of it, and its standard deviation 1e-6 Sigma. At this ratio rounding is a tenth of that.
const LargestRatio = 1e6

// checkSum reports whether b has a sum that rewards of p can have.
func (p *Problem) checkSum(b *Batch) error {
	if len(b.Sum) != p.D() {
		return fmt.Errorf("a sum of length %d; want %d, one entry an objective: %w", len(b.Sum),
			p.D(), ErrMismatch)
	}
	if err := p.checkSquares(b); err != nil {
		return err
	}
	size := p.largest() * float64(b.N)
	for c, v := range b.Sum {
		if !(math.Abs(v) <= size) { // also NaN
			return p.extreme(b, c)
		}
		if p.Link == Identity {
			continue // any finite reward
		}
		if least, most := p.Link.Range(); v < least*float64(b.N) || v > most*float64(b.N) {
			return fmt.Errorf("%d rewards sum to %v; with the link %v each is from %v to %v: %w",
				b.N, v, p.Link, least, most, ErrRange)
		}
	}
	return nil
}

// checkSquares reports whether the sums of squares of b can be those of its rewards.
func (p *Problem) checkSquares(b *Batch) error {
	if b.Squares == nil {
		return nil
	}
	if len(b.Squares) != p.D() {
		return fmt.Errorf("sums of squares of length %d; want %d, one entry an objective, or "+
			"nil: %w", len(b.Squares), p.D(), ErrMismatch)
	}
	for c, v := range b.Squares {
		// Of n numbers with a given sum, equal ones have the least sum of squares.
		mean := b.Sum[c] / float64(b.N)
		if least := b.Sum[c] * mean; !(v >= least-1e-6*math.Abs(least)) || math.IsInf(v, 1) {
			return fmt.Errorf("%s: the squares of %d rewards with the sum %v sum to %v; they sum "+
				"to at least %v: %w", p.Objective(c), b.N, b.Sum[c], v, least, ErrValue)
		}
	}
	return nil
}

// largest returns the size of the largest reward that p allows.
func (p *Problem) largest() float64 {
	if p.Link != Identity {
		return Largest // whose noise is not of scale Sigma
	}
	return min(LargestRatio*p.Sigma, Largest)
}

// extreme says why the sum of objective c of b cannot be used.
func (p *Problem) extreme(b *Batch, c int) error {
	v := b.Sum[c]
	if !(math.Abs(v) <= Largest*float64(b.N)) {
		return fmt.Errorf("%s: %v: %w", p.Objective(c), v, ErrValue)
	}
	mean := v / float64(b.N)
	return fmt.Errorf("%s: the mean %v is %.3g times the noise (Sigma = %v): beyond %.0g times "+
		"it rounding replaces the noise; check Sigma, or subtract the same number from all "+
		"rewards of the objective, and from its constraints: %w", p.Objective(c), mean,
		math.Abs(mean)/p.Sigma, p.Sigma, LargestRatio, ErrOffset)
}
