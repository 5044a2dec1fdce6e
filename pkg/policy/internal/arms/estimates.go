// Package arms holds what policies know about arms one by one: their means, the radii of these, and
// how far one arm is ahead of another.
//
//	e.Init(prob, arms.Bind(radius.Theory{}, prob, delta)) // arms.Estimates
//	e.Tell(obs)
//	m, beta := e.Pair(i, j) // arm i is not dominated by j if m > beta
//
// [Estimates] have half-widths; [Means] are without. A [Front] keeps their Pareto set.
package arms

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// Estimates are the empirical means of K unstructured arms with d objectives
// and, for every ordered pair, how far one exceeds the other and what half-width
// that has. A pair is computed when it is asked for: matrices of all pairs would be
// 12 GB for 20 000 arms, and slower as soon as they leave the cache.
type Estimates struct {
	Prob  *explore.Problem
	K, D  int
	Pulls int // pulls so far
	Bonus radius.Bonus

	N      []int
	sum    []float64 // k x d
	Mean   []float64 // k x d
	Term   []radius.Term
	Factor float64 // of the half-widths, at this time
}

// Init starts without rewards for the arms of p.
func (e *Estimates) Init(p *explore.Problem, bonus radius.Bonus) {
	e.Prob = p
	e.K, e.D, e.Pulls, e.Bonus = p.K(), p.D(), 0, bonus
	e.N = memory.Zeroed(e.N, e.K)
	e.sum = memory.Zeroed(e.sum, e.K*e.D)
	e.Mean = memory.Zeroed(e.Mean, e.K*e.D)
	e.Term = memory.Zeroed(e.Term, e.K)
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
}

// Pair returns M(i,j) = max_c (muhat_i^c - muhat_j^c) = -m(i,j), by which arm i is not
// dominated by j, and its half-width beta_ij. M(i,i) is +Inf, which makes an arm neither
// its own rival nor its own dominator.
func (e *Estimates) Pair(i, j int) (m, beta float64) {
	m, w := e.Gap(i, j)
	return m, e.Factor * w
}

// Gap returns M(i,j) and beta_ij/factor.
func (e *Estimates) Gap(i, j int) (m, w float64) {
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

// Rival returns the arm of set, other than i, that comes closest to dominating
// i, the minimiser of M^-(i,j); -1 if there is none.
func (e *Estimates) Rival(i int, set []int) int {
	least, arm := inf, -1
	for _, j := range set {
		if m := e.NotDominated(i, j); m < least {
			least, arm = m, j
		}
	}
	return arm
}

// Dominator returns the arm of set, other than i, that most certainly dominates
// i, the maximiser of m^-(i,j), and that value; -1 and -Inf if there is none.
func (e *Estimates) Dominator(i int, set []int) (arm int, m float64) {
	arm, m = -1, -inf
	for _, j := range set {
		if j == i {
			continue
		}
		if v := e.Dominated(i, j); v > m {
			arm, m = j, v
		}
	}
	return arm, m
}

// Rivals is Leading of arms whose intervals depend on their numbers of rewards: its Dominator and its Rival are among
// these.
func (e *Estimates) Rivals(set []int) func(i int) []int {
	return Leading(set, e.Row, func(i int) int { return e.N[i] })
}

// Leading returns for an arm those of set, for most arms few, which come closest to beating it. Differences from arms
// of one kind have half-widths of the same size, so that an arm which another of its kind beats in each objective is
// not among them; of arms with equal estimates the first is.
func Leading[K comparable](set []int, row func(i int) []float64, kind func(i int) K) func(i int) []int {
	beats := func(i, j int) bool {
		b := row(j)
		for c, x := range row(i) {
			if x <= b[c] {
				return false
			}
		}
		return true
	}
	leading := map[K][]int{}
	for _, j := range set {
		of := kind(j)
		list := leading[of]
		if !slices.ContainsFunc(list, func(k int) bool { return beats(k, j) || slices.Equal(row(k), row(j)) }) {
			leading[of] = append(slices.DeleteFunc(list, func(k int) bool { return beats(j, k) }), j)
		}
	}
	in := map[int]bool{}
	for _, list := range leading {
		for _, j := range list {
			in[j] = true
		}
	}
	few := make([]int, 0, len(in)) // in the order of set, in which the first of several wins
	for _, j := range set {
		if in[j] {
			few = append(few, j)
		}
	}
	return func(i int) []int {
		if in[i] { // the second of its kind may be next
			return set
		}
		return few
	}
}

// Ahead fills in by how much i is ahead of its closest rival in set.
func (e *Estimates) Ahead(r *explore.Reason, i int, set []int) {
	if r.By = e.Rival(i, set); r.By >= 0 {
		r.Margin, r.MarginRadius = e.Pair(i, r.By)
	}
}

// Behind fills in by how much i is behind j.
func (e *Estimates) Behind(r *explore.Reason, i, j int) {
	m, beta := e.Pair(i, j)
	r.By, r.Margin, r.MarginRadius = j, -m, beta
}

// inf is the minimum of the empty set.
var inf = math.Inf(1)
