package arms

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
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

// Sweep asks for one pull of each of k arms.
func Sweep(dst []explore.Pull, k int) []explore.Pull {
	for i := range k {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst
}

// Bind binds r to the arms of p with error probability delta.
func Bind(r radius.Radius, p *explore.Problem, delta float64) radius.Bonus {
	return r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma,
		NormSigma: p.SigmaU(), Delta: delta})
}

// Undecided returns reasons for n items that claim nothing: where every answer
// begins.
func Undecided(n int) []explore.Reason {
	r := make([]explore.Reason, n)
	for i := range r {
		r[i].By, r[i].Constraint = -1, -1
	}
	return r
}

// Thrift keeps of the pulls after the first from, which are to tell arms apart, the one that says most
// for its cost, where costs differ. The variance of a difference, 1/n_1 + 1/n_2, is bought cheapest
// with n_i in proportion to 1/sqrt(c_i): the arm with the least n_i sqrt(c_i) lags behind. The
// guarantee is about any sampling, and each arm of a pair that stays gets its turn.
func Thrift(dst []explore.Pull, from int, p *explore.Problem, n []int) []explore.Pull {
	if p.Costs == nil || len(dst) < from+2 {
		return dst
	}
	best := from
	for k := from + 1; k < len(dst); k++ {
		if lag(dst[k].Arm, p, n) < lag(dst[best].Arm, p, n) {
			best = k
		}
	}
	dst[from] = dst[best]
	return dst[:from+1]
}

// lag is n_i^2 c_i.
func lag(i int, p *explore.Problem, n []int) float64 {
	return float64(n[i]) * float64(n[i]) * p.Costs[i]
}
