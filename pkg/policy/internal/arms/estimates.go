package arms

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// Estimates are the empirical means of K unstructured arms with d objectives
// and, for every ordered pair, how far one exceeds the other. Policies that look
// at most pairs in every round have them kept in matrices, of which only what
// depends on the arms that were pulled is computed anew; for others a pair is
// computed when they ask for it.
type Estimates struct {
	Prob  *explore.Problem
	K, D  int
	Pulls int // pulls so far
	Bonus radius.Bonus
	pairs bool // whether pairs are kept in excess and width

	N    []int
	sum  []float64 // k x d
	Mean []float64 // k x d
	Term []radius.Term

	// excess[i*k+j] is M(i,j) = max_c (muhat_i^c - muhat_j^c) = -m(i,j): arm i
	// is not dominated by j if it is positive; +Inf for i = j, which makes an
	// arm neither its own rival nor its own dominator.
	Excess []float64
	// width[i*k+j] times factor is beta_ij.
	Width  []float64
	Factor float64

	changed []bool // scratch of Tell
}

// Init starts without rewards for the arms of p; pairs says whether pairs are kept.
func (e *Estimates) Init(p *explore.Problem, bonus radius.Bonus, pairs bool) {
	e.Prob = p
	e.K, e.D, e.Pulls, e.Bonus, e.pairs = p.K(), p.D(), 0, bonus, pairs
	e.N = memory.Zeroed(e.N, e.K)
	e.sum = memory.Zeroed(e.sum, e.K*e.D)
	e.Mean = memory.Zeroed(e.Mean, e.K*e.D)
	e.Term = memory.Zeroed(e.Term, e.K)
	if !pairs {
		return
	}
	e.Excess = memory.Zeroed(e.Excess, e.K*e.K)
	e.Width = memory.Zeroed(e.Width, e.K*e.K)
	e.changed = memory.Zeroed(e.changed, e.K)
	for i := range e.K {
		e.Excess[i*e.K+i] = inf
	}
}

// Row returns the mean of arm i.
func (e *Estimates) Row(i int) []float64 { return e.Mean[i*e.D : (i+1)*e.D] }

// Tell takes measurements in.
func (e *Estimates) Tell(obs []explore.Batch) {
	for b := range obs {
		o := &obs[b]
		e.Pulls += o.N
		e.N[o.Arm] += o.N
		n := float64(e.N[o.Arm])
		sum, mean := e.sum[o.Arm*e.D:][:e.D], e.Mean[o.Arm*e.D:][:e.D]
		for c, x := range o.Sum {
			sum[c] += x
			mean[c] = sum[c] / n
		}
		e.Term[o.Arm] = e.Bonus.Term(e.N[o.Arm])
	}
	if !e.pairs {
		return
	}
	for b := range obs {
		e.changed[obs[b].Arm] = true
	}
	for b := range obs {
		e.compare(obs[b].Arm)
	}
	for b := range obs {
		e.changed[obs[b].Arm] = false
	}
}

// compare updates the pairs of changed arm i. A pair of two changed arms is left
// to the lower one.
func (e *Estimates) compare(i int) {
	k, d := e.K, e.D
	mi, ti := e.Mean[i*d:][:d], e.Term[i]
	for j := range k {
		if j == i || e.N[j] == 0 || (e.changed[j] && j < i) {
			continue
		}
		mj := e.Mean[j*d:][:d]
		hi, lo := math.Inf(-1), inf
		for c, x := range mi {
			diff := x - mj[c]
			if diff > hi {
				hi = diff
			}
			if diff < lo {
				lo = diff
			}
		}
		e.Excess[i*k+j], e.Excess[j*k+i] = hi, -lo
		w := e.Bonus.Pair(ti, e.Term[j])
		e.Width[i*k+j], e.Width[j*k+i] = w, w
	}
}

// Pair returns M(i,j) and beta_ij.
func (e *Estimates) Pair(i, j int) (m, beta float64) {
	m, w := e.Gap(i, j)
	return m, e.Factor * w
}

// Gap returns M(i,j) and beta_ij/factor.
func (e *Estimates) Gap(i, j int) (m, w float64) {
	if e.pairs {
		return e.Excess[i*e.K+j], e.Width[i*e.K+j]
	}
	if i == j {
		return inf, 0
	}
	a, b := e.Mean[i*e.D:][:e.D], e.Mean[j*e.D:][:e.D]
	m = a[0] - b[0]
	for c := 1; c < len(a); c++ {
		if v := a[c] - b[c]; v > m {
			m = v
		}
	}
	return m, e.Bonus.Pair(e.Term[i], e.Term[j])
}

// NotDominated returns M^-(i,j): positive if i is confidently not dominated by
// j.
func (e *Estimates) NotDominated(i, j int) float64 {
	m, beta := e.Pair(i, j)
	return m - beta
}

// Dominated returns m^-(i,j): positive if i is confidently dominated by j.
func (e *Estimates) Dominated(i, j int) float64 {
	m, beta := e.Pair(i, j)
	return -m - beta
}

// Below reports whether the estimate of arm i is dominated by that of j: nowhere
// better, somewhere worse. Equal estimates do not dominate each other.
func (e *Estimates) Below(i, j int) bool {
	if e.pairs {
		return e.Excess[i*e.K+j] <= 0 && e.Excess[j*e.K+i] > 0
	}
	worse := false
	b := e.Mean[j*e.D:][:e.D]
	for c, x := range e.Mean[i*e.D:][:e.D] {
		if x > b[c] {
			return false
		}
		worse = worse || x < b[c]
	}
	return worse
}

// Front appends to dst the members of set whose estimates no other member's
// dominates. hint[i] remembers which dominated i last, so that most arms cost one
// comparison.
func (e *Estimates) Front(dst, set, hint []int) []int {
next:
	for p, i := range set {
		if h := hint[p]; h < len(set) && set[h] != i && e.Below(i, set[h]) {
			continue
		}
		for q, j := range set {
			if j != i && e.Below(i, j) {
				hint[p] = q
				continue next
			}
		}
		dst = append(dst, i)
	}
	return dst
}
