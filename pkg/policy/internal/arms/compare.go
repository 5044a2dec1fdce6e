package arms

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

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

// Rivals is Leading of arms whose intervals depend on their numbers of rewards: its Dominator and its Rival are among these.
func (e *Estimates) Rivals(set []int) func(i int) []int {
	return Leading(set, e.Row, func(i int) int { return e.N[i] })
}

// Leading returns for an arm those of set, for most arms few, which come closest to beating it. Differences from arms of one
// kind have half-widths of the same size, so that an arm which another of its kind beats in each objective is not among them;
// of arms with equal estimates the first is.
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
