package policy

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/radius"
)

// estimates are the empirical means of K unstructured arms with d objectives
// and, for every ordered pair, how far one exceeds the other. Policies that look
// at most pairs in every round have them kept in matrices, of which only what
// depends on the arms that were pulled is computed anew; for others a pair is
// computed when they ask for it.
type estimates struct {
	k, d  int
	t     int // pulls so far
	bonus radius.Bonus
	pairs bool // whether pairs are kept in excess and width

	n    []int
	sum  []float64 // k x d
	mean []float64 // k x d
	term []radius.Term

	// excess[i*k+j] is M(i,j) = max_c (muhat_i^c - muhat_j^c) = -m(i,j): arm i
	// is not dominated by j if it is positive; +Inf for i = j, which makes an
	// arm neither its own rival nor its own dominator.
	excess []float64
	// width[i*k+j] times factor is beta_ij.
	width  []float64
	factor float64

	changed []bool // scratch of tell
}

func (e *estimates) init(p *explore.Problem, bonus radius.Bonus, pairs bool) {
	e.k, e.d, e.t, e.bonus, e.pairs = p.K(), p.D(), 0, bonus, pairs
	e.n = zeroed(e.n, e.k)
	e.sum = zeroed(e.sum, e.k*e.d)
	e.mean = zeroed(e.mean, e.k*e.d)
	e.term = zeroed(e.term, e.k)
	if !pairs {
		return
	}
	e.excess = zeroed(e.excess, e.k*e.k)
	e.width = zeroed(e.width, e.k*e.k)
	e.changed = zeroed(e.changed, e.k)
	for i := range e.k {
		e.excess[i*e.k+i] = inf
	}
}

// zeroed returns s with length n and all entries zero, reusing its memory.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// row returns the mean of arm i.
func (e *estimates) row(i int) []float64 { return e.mean[i*e.d : (i+1)*e.d] }

// tell takes measurements in.
func (e *estimates) tell(obs []explore.Batch) {
	for b := range obs {
		o := &obs[b]
		e.t += o.N
		e.n[o.Arm] += o.N
		n := float64(e.n[o.Arm])
		sum, mean := e.sum[o.Arm*e.d:][:e.d], e.mean[o.Arm*e.d:][:e.d]
		for c, x := range o.Sum {
			sum[c] += x
			mean[c] = sum[c] / n
		}
		e.term[o.Arm] = e.bonus.Term(e.n[o.Arm])
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
func (e *estimates) compare(i int) {
	k, d := e.k, e.d
	mi, ti := e.mean[i*d:][:d], e.term[i]
	for j := range k {
		if j == i || e.n[j] == 0 || (e.changed[j] && j < i) {
			continue
		}
		mj := e.mean[j*d:][:d]
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
		e.excess[i*k+j], e.excess[j*k+i] = hi, -lo
		w := e.bonus.Pair(ti, e.term[j])
		e.width[i*k+j], e.width[j*k+i] = w, w
	}
}

// pair returns M(i,j) and beta_ij.
func (e *estimates) pair(i, j int) (m, beta float64) {
	m, w := e.gap(i, j)
	return m, e.factor * w
}

// gap returns M(i,j) and beta_ij/factor.
func (e *estimates) gap(i, j int) (m, w float64) {
	if e.pairs {
		return e.excess[i*e.k+j], e.width[i*e.k+j]
	}
	if i == j {
		return inf, 0
	}
	a, b := e.mean[i*e.d:][:e.d], e.mean[j*e.d:][:e.d]
	m = a[0] - b[0]
	for c := 1; c < len(a); c++ {
		if v := a[c] - b[c]; v > m {
			m = v
		}
	}
	return m, e.bonus.Pair(e.term[i], e.term[j])
}

// notDominated returns M^-(i,j): positive if i is confidently not dominated by
// j.
func (e *estimates) notDominated(i, j int) float64 {
	m, beta := e.pair(i, j)
	return m - beta
}

// dominated returns m^-(i,j): positive if i is confidently dominated by j.
func (e *estimates) dominated(i, j int) float64 {
	m, beta := e.pair(i, j)
	return -m - beta
}

// below reports whether the estimate of arm i is dominated by that of j: nowhere
// better, somewhere worse. Equal estimates do not dominate each other.
func (e *estimates) below(i, j int) bool {
	if e.pairs {
		return e.excess[i*e.k+j] <= 0 && e.excess[j*e.k+i] > 0
	}
	worse := false
	b := e.mean[j*e.d:][:e.d]
	for c, x := range e.mean[i*e.d:][:e.d] {
		if x > b[c] {
			return false
		}
		worse = worse || x < b[c]
	}
	return worse
}

// front appends to dst the members of set whose estimates no other member's
// dominates. hint[i] remembers who dominated i last, so that most arms cost one
// comparison.
func (e *estimates) front(dst, set, hint []int) []int {
next:
	for p, i := range set {
		if h := hint[p]; h < len(set) && set[h] != i && e.below(i, set[h]) {
			continue
		}
		for q, j := range set {
			if j != i && e.below(i, j) {
				hint[p] = q
				continue next
			}
		}
		dst = append(dst, i)
	}
	return dst
}
