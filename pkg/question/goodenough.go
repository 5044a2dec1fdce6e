package question

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// enough reports whether a is right when the means are mu and the question has tolerances.
func (q FeasiblePareto) enough(mu *mat.Dense, a explore.Answer) bool {
	m, _ := mu.Dims()
	if !q.SetOnly && len(a.Reasons) != m {
		return false
	}
	in := make([]bool, m)
	for _, i := range a.Items {
		if i < 0 || i >= m || in[i] {
			return false
		}
		in[i] = true
	}
	feasible := inside(q.Region, mu)
	for i := range m {
		class := explore.Undecided // any true reason is fine
		if !q.SetOnly {
			if class = a.Reasons[i].Class; class == explore.Undecided {
				return false
			}
		}
		if in[i] {
			if class == explore.Dominated || class == explore.Infeasible ||
				!q.tolerable(mu.RawRowView(i)) || q.beaten(mu, i, feasible) {
				return false
			}
			continue
		}
		out := !feasible[i] && (class == explore.Undecided || class == explore.Infeasible)
		stood := (class == explore.Undecided || class == explore.Dominated) &&
			q.stoodFor(mu, i, a.Items)
		if !out && !stood {
			return false
		}
	}
	return true
}

// tolerable reports whether x is in the region widened by the slack.
func (q FeasiblePareto) tolerable(x []float64) bool {
	for k := range q.Region.Rows() {
		c := q.Region.Constraint(k)
		if q.Slack != nil {
			c.B += q.Slack[k]
		}
		if floats.Dot(c.A, x) > c.B {
			return false
		}
	}
	return true
}

// tolerance returns the tolerance of objective c.
func (q FeasiblePareto) tolerance(c int) float64 {
	if q.Tolerance == nil {
		return 0
	}
	return q.Tolerance[c]
}

// beaten reports whether a feasible item beats item i: dominates it even after the tolerance has
// been taken from it.
func (q FeasiblePareto) beaten(mu *mat.Dense, i int, feasible []bool) bool {
	own := mu.RawRowView(i)
next:
	for j, is := range feasible {
		if !is || j == i {
			continue
		}
		better := false
		for c, v := range mu.RawRowView(j) {
			if v -= q.tolerance(c); v < own[c] {
				continue next
			}
			better = better || v-own[c] > 0
		}
		if better {
			return true
		}
	}
	return false
}

// stoodFor reports whether one of items is at least as good as item i after the tolerance has been
// added to it.
func (q FeasiblePareto) stoodFor(mu *mat.Dense, i int, items []int) bool {
	own := mu.RawRowView(i)
next:
	for _, j := range items {
		for c, v := range mu.RawRowView(j) {
			if v+q.tolerance(c) < own[c] {
				continue next
			}
		}
		return true
	}
	return false
}
