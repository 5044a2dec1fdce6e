package policy

import "github.com/purexp/purexp/pkg/explore"

// armMeans are the empirical means of K unstructured arms with d objectives.
type armMeans struct {
	k, d int
	t    int // pulls so far
	n    []int
	sum  []float64 // k x d
	mean []float64 // k x d
}

func (e *armMeans) init(p *explore.Problem) {
	e.k, e.d, e.t = p.K(), p.D(), 0
	e.n = zeroed(e.n, e.k)
	e.sum, e.mean = zeroed(e.sum, e.k*e.d), zeroed(e.mean, e.k*e.d)
}

// row returns the mean of arm i.
func (e *armMeans) row(i int) []float64 { return e.mean[i*e.d:][:e.d] }

// tell takes measurements in.
func (e *armMeans) tell(obs []explore.Batch) {
	for b := range obs {
		o := &obs[b]
		e.t += o.N
		e.n[o.Arm] += o.N
		sum, mean := e.sum[o.Arm*e.d:][:e.d], e.row(o.Arm)
		for c, x := range o.Sum {
			sum[c] += x
			mean[c] = sum[c] / float64(e.n[o.Arm])
		}
	}
}
