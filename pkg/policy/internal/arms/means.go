package arms

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Means are the empirical means of K unstructured arms with d objectives.
type Means struct {
	Prob  *explore.Problem
	K, D  int
	Pulls int // pulls so far
	N     []int
	sum   []float64 // k x d
	Mean  []float64 // k x d
}

// Init starts without rewards for the arms of p.
func (e *Means) Init(p *explore.Problem) {
	e.Prob, e.K, e.D, e.Pulls = p, p.K(), p.D(), 0
	e.N = memory.Zeroed(e.N, e.K)
	e.sum, e.Mean = memory.Zeroed(e.sum, e.K*e.D), memory.Zeroed(e.Mean, e.K*e.D)
}

// Row returns the mean of arm i.
func (e *Means) Row(i int) []float64 { return e.Mean[i*e.D:][:e.D] }

// Tell takes measurements in.
func (e *Means) Tell(obs []explore.Batch) {
	for b := range obs {
		o := &obs[b]
		e.Pulls += o.N
		e.N[o.Arm] += o.N
		sum, mean := e.sum[o.Arm*e.D:][:e.D], e.Row(o.Arm)
		for c, x := range o.Sum {
			sum[c] += x
			mean[c] = sum[c] / float64(e.N[o.Arm])
		}
	}
}
