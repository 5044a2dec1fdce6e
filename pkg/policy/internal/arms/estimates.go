// Package arms estimates the means of arms without features, and the amounts by which one arm is
// better than another, with half-widths.
//
//	e.Init(prob, arms.Bind(radius.Theory{}, prob, delta)) // arms.Estimates
//	e.Tell(obs)
//	m, beta := e.Pair(i, j) // arm i is not dominated by j if m > beta
//
// The type [Estimates] has half-widths; the type [Means] has no half-widths. A [Front] is the
// Pareto set of the estimates, which is updated from round to round.
package arms

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// Estimates holds the empirical means of K arms with d objectives. For a pair of arms, Estimates
// computes on demand the amount by which one arm is better, and the half-width of this amount.
// Estimates stores no K x K matrices. For 20,000 arms, each such matrix would take 3.2 GB; even for
// far fewer arms, a matrix would exceed the cache.
type Estimates struct {
	Prob  *explore.Problem
	K, D  int
	Pulls int // number of pulls so far
	Bonus radius.Bonus

	N      []int
	sum    []float64 // k x d
	Mean   []float64 // k x d
	Term   []radius.Term
	Factor float64 // current factor of the half-widths
}

// Init prepares estimates for the arms of p, without any rewards.
func (e *Estimates) Init(p *explore.Problem, bonus radius.Bonus) {
	e.Prob = p
	e.K, e.D, e.Pulls, e.Bonus = p.K(), p.D(), 0, bonus
	e.N = memory.Zeroed(e.N, e.K)
	e.sum = memory.Zeroed(e.sum, e.K*e.D)
	e.Mean = memory.Zeroed(e.Mean, e.K*e.D)
	e.Term = memory.Zeroed(e.Term, e.K)
}

// Row returns the estimated mean of arm i.
func (e *Estimates) Row(i int) []float64 { return e.Mean[i*e.D : (i+1)*e.D] }

// Tell adds measurements to the means.
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

// Pair returns M(i,j) = max_c (muhat_i^c - muhat_j^c) = -m(i,j), the amount by which j fails to
// dominate i, and its half-width beta_ij. By definition, M(i,i) is +Inf, so that an arm is neither
// its own rival nor its own dominator.
func (e *Estimates) Pair(i, j int) (m, beta float64) {
	m, w := e.Gap(i, j)
	return m, e.Factor * w
}

// Gap returns M(i,j), and the half-width beta_ij divided by the current factor of all half-widths.
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

// NotDominated returns M^-(i,j), a lower confidence bound that is positive if arm i is certainly
// not dominated by arm j.
func (e *Estimates) NotDominated(i, j int) float64 {
	m, beta := e.Pair(i, j)
	return m - beta
}

// Dominated returns m^-(i,j), a lower confidence bound that is positive if arm i is certainly
// dominated by arm j.
func (e *Estimates) Dominated(i, j int) float64 {
	m, beta := e.Pair(i, j)
	return -m - beta
}

// Below reports whether, by the estimates, arm j dominates arm i: arm i is better in no objective
// and worse in some objective. If two estimates are equal, neither arm dominates the other.
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

// Rival returns the arm of set, other than i, that comes closest to dominating i:
// the arm j that minimizes M^-(i,j). If set has no other arm, Rival returns -1.
func (e *Estimates) Rival(i int, set []int) int {
	least, arm := inf, -1
	for _, j := range set {
		if m := e.NotDominated(i, j); m < least {
			least, arm = m, j
		}
	}
	return arm
}

// Dominator returns the arm of set, other than i, that dominates i most certainly, and the maximum
// of m^-(i,j) over the arms j of set. If set has no other arm, Dominator returns -1 and -Inf.
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

// Rivals reduces the number of comparisons in the same way as Leading, for arms whose half-widths
// depend on their numbers of rewards. For arm i, the returned function gives a subset of set that
// contains the Dominator and the Rival of i in set.
func (e *Estimates) Rivals(set []int) func(i int) []int {
	return Leading(set, e.Row, func(i int) int { return e.N[i] })
}

// Leading returns a function that gives, for an arm, those arms of set that may come closest to
// dominating it. Because only a few arms may come closest to dominating an arm, Leading reduces the
// number of comparisons. The function kind may give two arms the same value only if their
// differences from any third arm have equal half-widths. Leading omits an arm if another arm of its
// kind is better in each objective. If several arms of a kind have equal estimates, Leading keeps
// only the first.
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
	few := make([]int, 0, len(in)) // keep the order of set, because the first of several equal arms is chosen
	for _, j := range set {
		if in[j] {
			few = append(few, j)
		}
	}
	return func(i int) []int {
		if in[i] { // arm i may itself have excluded the arm that comes closest to dominating it
			return set
		}
		return few
	}
}

// Ahead sets the margin in the reason: the amount by which arm i is better than its closest rival
// in set.
func (e *Estimates) Ahead(r *explore.Reason, i int, set []int) {
	if r.By = e.Rival(i, set); r.By >= 0 {
		r.Margin, r.MarginRadius = e.Pair(i, r.By)
	}
}

// Behind sets the margin in the reason: the amount by which arm j is better than arm i.
func (e *Estimates) Behind(r *explore.Reason, i, j int) {
	m, beta := e.Pair(i, j)
	r.By, r.Margin, r.MarginRadius = j, -m, beta
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
