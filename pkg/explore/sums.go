package explore

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/radius"
)

// Sums are what a run measured of each arm, whatever the policy makes of it: Result.Sums, if Settings.Sums is set.
// They are a [Recorder], too, for those who run policies by other means. The zero value is ready.
//
//	r, err := explore.Run(p, problem, laboratory, &explore.Settings{Sums: true})
//	e, err := r.Sums.Estimates(problem, radius.Theory{}, 0.05)
//	e.Means, e.Low, e.High // arms x objectives
type Sums struct {
	N     []int       // measurements of each arm; shorter than K if the last arms have none
	Total [][]float64 // their sums, d numbers an arm
	Pulls int         // in total
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

// clone returns a copy; nil of nil.
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

// Means returns the mean of the measurements of each arm of p, K x d; NaN where there are none.
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

// Estimates are the means of what was measured of each arm, with confidence intervals.
type Estimates struct {
	Pulls []int      // measurements of each arm
	Means *mat.Dense // arms x objectives; NaN where there are no measurements
	// Low and High are the ends of the intervals; of arms without measurements they are infinite.
	Low, High *mat.Dense
	// Level is the probability with which all intervals, of all arms and objectives and at all times, hold at
	// once, if the noise is as the problem says.
	Level float64
}

// Estimates returns the means of the arms of p with intervals of a kind that hold at once with probability 1 - delta. Means
// are of the measurements alone: where means are linear in features, a method may know more. The error says what is wrong
// with the arguments.
func (s *Sums) Estimates(p *Problem, half radius.Radius, delta float64) (*Estimates, error) {
	switch {
	case len(s.N) > p.K():
		return nil, fmt.Errorf("explore: estimates: measurements of %d arms; the problem has %d", len(s.N), p.K())
	case half == nil:
		return nil, fmt.Errorf("explore: estimates: there is no radius; name one, such as radius.Theory{}, or call Means")
	case !(delta > 0 && delta < 1):
		return nil, fmt.Errorf("explore: estimates: delta is %v; want a probability above 0 and below 1", delta)
	}
	e := &Estimates{Pulls: make([]int, p.K()), Means: s.Means(p), Low: mat.NewDense(p.K(), p.D(), nil),
		High: mat.NewDense(p.K(), p.D(), nil), Level: 1 - delta}
	copy(e.Pulls, s.N)
	for c := range p.D() {
		sigma := p.Sigma
		if p.Sigmas != nil {
			sigma = p.Sigmas[c] // each objective has the interval of its own noise
		}
		bonus := half.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: sigma, NormSigma: p.SigmaU(), Delta: delta})
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
