package explore

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Sums is a [Recorder] that adds up what a run measures of each arm, whatever the policy makes of it. The
// zero value is ready.
//
//	var s explore.Sums
//	r, err := explore.Run(p, problem, laboratory, &explore.Settings{Recorder: &s})
type Sums struct {
	N     []int       // measurements of each arm; shorter than K if the last arms have none
	Total [][]float64 // their sums, d numbers an arm
	Pulls int         // in total
}

// Record implements Recorder.
func (s *Sums) Record(e Event) error {
	s.Pulls = e.Pulls
	for _, b := range e.Obs {
		for b.Arm >= len(s.N) {
			s.N, s.Total = append(s.N, 0), append(s.Total, make([]float64, len(b.Sum)))
		}
		s.N[b.Arm] += b.N
		floats.Add(s.Total[b.Arm], b.Sum)
	}
	return nil
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
