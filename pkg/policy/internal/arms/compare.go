package arms

import "github.com/purexp/purexp/pkg/explore"

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
