package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/radius"
)

// Sums contains the counts and sums of the rewards of each arm in a run, for any policy; see
// Settings.Sums. A Sums is also a [Recorder]. The zero value of Sums is ready to use.
//
//	r, err := explore.Run(p, problem, laboratory, &explore.Settings{Sums: true})
//	e, err := r.Sums.Estimates(problem, radius.Theory{}, 0.05)
//	e.Means, e.Low, e.High // arms x objectives
type Sums struct {
	N     []int       // measurements of each arm; shorter than K if the last arms have no measurements
	Total [][]float64 // sums of the measurements, d numbers per arm
	Pulls int         // total number of measurements
}

// Record implements Recorder.
func (s *Sums) Record(e Event) error {
	s.add(e.Obs)
	return nil
}

func (s *Sums) add(obs []Batch) {
	for i := range obs {
		b := &obs[i]
		for b.Arm >= len(s.N) {
			s.N, s.Total = append(s.N, 0), append(s.Total, make([]float64, len(b.Sum)))
		}
		s.Pulls += b.N
		s.N[b.Arm] += b.N
		floats.Add(s.Total[b.Arm], b.Sum)
	}
}

// clone returns a copy of s, or nil if s is nil.
func (s *Sums) clone() *Sums {
	if s == nil {
		return nil
	}
	c := &Sums{N: slices.Clone(s.N), Pulls: s.Pulls}
	for _, t := range s.Total {
		c.Total = append(c.Total, slices.Clone(t))
	}
	return c
}

// Means returns the mean of the rewards of each arm of p, K x d, or NaN for arms without
// measurements.
func (s *Sums) Means(p *Problem) *mat.Dense {
	means := mat.NewDense(p.K(), p.D(), nil)
	for i := range p.K() {
		for c := range p.D() {
			v := math.NaN()
			if i < len(s.N) && s.N[i] > 0 {
				v = s.Total[i][c] / float64(s.N[i])
			}
			means.Set(i, c, v)
		}
	}
	return means
}

// Estimates are the mean rewards of each arm, with confidence intervals.
type Estimates struct {
	Pulls []int      // measurements of each arm
	Means *mat.Dense // arms x objectives; NaN without measurements
	// Low and High are the ends of the confidence intervals, which are infinite for arms without
	// measurements.
	Low, High *mat.Dense
	// Level is the probability with which the intervals of all arms and objectives hold at all
	// times, if the noise is as stated in the problem.
	Level float64
}

// Estimates returns the mean rewards of the arms of p, with confidence intervals that hold
// simultaneously with probability 1 - delta. The mean of an arm uses only measurements of that arm;
// if arms have features, a linear model may estimate the mean more precisely. Estimates returns an
// error for invalid arguments.
func (s *Sums) Estimates(p *Problem, half radius.Radius, delta float64) (*Estimates, error) {
	switch {
	case len(s.N) > p.K():
		return nil, fmt.Errorf("explore: estimates: the sums have %d arms; expected at most %d", len(s.N), p.K())
	case half == nil:
		return nil, fmt.Errorf("explore: estimates: the radius is nil; give one, such as radius.Theory{}, or call " +
			"Means")
	case !(delta > 0 && delta < 1):
		return nil, fmt.Errorf("explore: estimates: delta is %v; expected a probability above 0 and below 1", delta)
	}
	e := &Estimates{Pulls: make([]int, p.K()), Means: s.Means(p), Low: mat.NewDense(p.K(), p.D(), nil),
		High: mat.NewDense(p.K(), p.D(), nil), Level: 1 - delta}
	copy(e.Pulls, s.N)
	for c := range p.D() {
		// The interval of each objective is based on the noise scale of that objective.
		bonus := half.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.SigmaOf(c), NormSigma: p.SigmaU(),
			Delta: delta})
		factor, _ := bonus.Factors(max(1, s.Pulls))
		for i, n := range e.Pulls {
			mean, width := 0., math.Inf(1)
			if n > 0 {
				mean, width = e.Means.At(i, c), factor*bonus.Mean(n)
			}
			e.Low.Set(i, c, mean-width)
			e.High.Set(i, c, mean+width)
		}
	}
	return e, nil
}

// Methods of a Session wrap the following errors; use errors.Is to test for an error.
var (
	// ErrUnexpected reports measurements that were already reported or not requested.
	ErrUnexpected = errors.New("unexpected measurements")
	// ErrMismatch reports measurements that differ from the requested measurements.
	ErrMismatch = errors.New("the measurements do not match the request")
	// ErrValue reports a measurement that is not finite or exceeds 1e100.
	ErrValue = errors.New("a measurement is not a number between -1e100 and 1e100")
	// ErrRange reports a measurement that is impossible for the distribution that belongs to the
	// problem's link, such as more successes than trials.
	ErrRange = errors.New("a measurement is outside the range of the link")
	// ErrOffset reports a mean reward beyond LargestRatio times Problem.Sigma, for which rounding
	// errors of sums could exceed the noise.
	ErrOffset = errors.New("a measurement is too large relative to the noise")
	// ErrPolicy reports that a policy violated the contract of the interface Policy.
	ErrPolicy = errors.New("the policy made an invalid request")
)

// LargestRatio is the largest allowed absolute mean of a batch, in units of Problem.Sigma. The
// constant is chosen as follows: a sum of n numbers has a relative rounding error of about sqrt(n)
// 1e-16. Suppose that a policy adds up 1e6 batches of 1e6 rewards, 1e12 rewards in total. The mean
// of these rewards has a relative rounding error of about 1e-13 and a standard deviation of
// 1e-6 Sigma. For a mean of LargestRatio Sigma, the rounding error is a tenth of the standard
// deviation.
const LargestRatio = 1e6

// CheckBatch returns an error if the sums in b are impossible for rewards of p. Sums are impossible
// if they are not finite, too large or outside the range of the link, or if their squares are
// inconsistent.
func (p *Problem) CheckBatch(b *Batch) error {
	if len(b.Sum) != p.D() {
		return fmt.Errorf("the sum has %d entries; expected %d, one per objective: %w", len(b.Sum), p.D(), ErrMismatch)
	}
	if err := p.checkSquares(b); err != nil {
		return err
	}
	size := p.largest() * float64(b.N)
	for c, v := range b.Sum {
		if !(math.Abs(v) <= size) { // the negation also rejects NaN
			return p.extreme(b, c)
		}
		if p.Link == Identity {
			continue // any finite reward is possible for this objective
		}
		if least, most := p.Link.Range(); v < least*float64(b.N) || v > most*float64(b.N) {
			return fmt.Errorf("%d rewards sum to %v; with the link %v, each reward must be between %v and %v: %w",
				b.N, v, p.Link, least, most, ErrRange)
		}
	}
	return nil
}

// checkSquares returns an error if the sums of squares in b are impossible given the sums.
func (p *Problem) checkSquares(b *Batch) error {
	if b.Squares == nil {
		return nil
	}
	if len(b.Squares) != p.D() {
		return fmt.Errorf("the sum of squares has %d entries; expected %d, one per objective, or "+
			"nil: %w", len(b.Squares), p.D(), ErrMismatch)
	}
	for c, v := range b.Squares {
		// For a given sum, the sum of squares is smallest if all numbers are equal.
		mean := b.Sum[c] / float64(b.N)
		if least := b.Sum[c] * mean; !(v >= least-1e-6*math.Abs(least)) || math.IsInf(v, 1) {
			return fmt.Errorf("%s: the sum of squares of %d rewards with sum %v is %v; expected "+
				"at least %v: %w", p.Objective(c), b.N, b.Sum[c], v, least, ErrValue)
		}
	}
	return nil
}

func (p *Problem) largest() float64 {
	if p.Link != Identity {
		return Largest // Sigma is not the scale of the noise of counts
	}
	return min(LargestRatio*p.Sigma, Largest)
}

// extreme describes why the sum of objective c in b cannot be used.
func (p *Problem) extreme(b *Batch, c int) error {
	v := b.Sum[c]
	if !(math.Abs(v) <= Largest*float64(b.N)) {
		return fmt.Errorf("%s: %v: %w", p.Objective(c), v, ErrValue)
	}
	mean := v / float64(b.N)
	return fmt.Errorf("%s: the mean %v is %.3g times the noise (Sigma = %v), but beyond %.0g times, rounding errors "+
		"exceed the noise; check Sigma, or subtract the same number from all rewards of the objective, and from its "+
		"constraints: %w", p.Objective(c), mean,
		math.Abs(mean)/p.Sigma, p.Sigma, LargestRatio, ErrOffset)
}
