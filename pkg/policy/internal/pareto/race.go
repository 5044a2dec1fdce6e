package pareto

import (
	"cmp"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// A Race retires arms by the tests of Auer, Chiang, Ortner and Drugan (AISTATS 2016, Algorithm 1),
// with a separate half-width for each mean:
//
//	dropped  arms i with m(i,j) > beta_i + beta_j for an active arm j; A1 are the remaining arms;
//	optimal  arms of A1 with M(i,j) + eps >= beta_i + beta_j for all j in A1; P1 are these arms;
//	retired  arms j of P1 with M(i,j) + eps >= beta_i + beta_j for all i in A1 outside P1,
//	         so that no arm outside P1 needs them as evidence of dominance.
type Race struct {
	Active  []int  // undecided arms, and optimal arms that may still prevent decisions about other arms, ascending
	Retired []bool // by arm: found optimal

	open   []bool // by arm: whether it is in A1 outside P1
	before []int  // scratch
}

// Init starts a race of n arms.
func (r *Race) Init(n int) {
	r.Active, r.Retired = memory.UpTo(r.Active, n), memory.Zeroed(r.Retired, n)
	r.open, r.before = memory.Zeroed(r.open, n), memory.Zeroed(r.before, n)[:0]
}

// Round drops dominated arms, and retires optimal arms that are not needed to show that another arm
// is dominated. The means of the arms are the rows of mean, n x d, each with half-width beta. For
// each arm that leaves the race, Round calls out(i, by), where arm by dominates arm i, or by is
// -1 if i is optimal. During calls of out, Active contains the arms with which i was compared.
func (r *Race) Round(mean []float64, d int, beta []float64, eps float64, out func(i, by int)) {
	row := func(i int) []float64 { return mean[i*d:][:d] }
	// All tests within a step use the same set of arms.
	r.before = append(r.before[:0], r.Active...)
	kept := r.Active[:0]
	for _, i := range r.before {
		by, most := -1, 0.
		own, b := row(i), beta[i]
		for _, j := range r.before {
			if v := pareto.Deficit(own, row(j)) - b - beta[j]; v > most && j != i {
				by, most = j, v
			}
		}
		if by >= 0 {
			out(i, by)
			continue
		}
		kept = append(kept, i)
	}
	r.Active = kept
	closed := false
	for _, i := range kept {
		r.open[i] = r.blocked(i, row, beta, eps)
		closed = closed || !r.open[i]
	}
	if !closed {
		return
	}
	for _, j := range kept {
		if r.Retired[j] = !r.open[j] && !r.needed(j, row, beta, eps); r.Retired[j] {
			out(j, -1)
		}
	}
	left := kept[:0]
	for _, i := range kept {
		if !r.Retired[i] {
			left = append(left, i)
		}
	}
	r.Active = left
}

// blocked reports whether some arm of A1 keeps arm i out of P1.
func (r *Race) blocked(i int, row func(int) []float64, beta []float64, eps float64) bool {
	own, b := row(i), beta[i]-eps
	return slices.ContainsFunc(r.Active, func(j int) bool {
		return j != i && pareto.Excess(own, row(j)) < b+beta[j]
	})
}

// needed reports whether j may be the only arm by which some arm of A1 outside P1 can be shown to
// be dominated.
func (r *Race) needed(j int, row func(int) []float64, beta []float64, eps float64) bool {
	own, b := row(j), beta[j]-eps
	return slices.ContainsFunc(r.Active, func(i int) bool {
		return r.open[i] && pareto.Excess(row(i), own) < b+beta[i]
	})
}

// Recommend returns the current answer to the question, which depends on the relaxation in the
// question (AtMost, Cover or Epsilon).
func (a *Search) Recommend() []int {
	var r []int
	if a.question.AtMost > 0 && a.count >= a.question.AtMost {
		for _, i := range a.arms {
			if a.opt[i] {
				r = append(r, i)
			}
		}
		slices.SortStableFunc(r, func(i, j int) int {
			return cmp.Compare(a.h(j, -inf), a.h(i, -inf))
		})
		r = r[:a.question.AtMost]
		slices.Sort(r)
		return r
	}
	if a.question.Cover > 0 {
		for _, i := range a.arms {
			if a.opt[i] {
				r = append(r, i)
			}
		}
		return r
	}
	if a.question.Epsilon == 0 {
		return slices.Clone(a.front.Members)
	}
	rivals := a.estimates.Rivals(a.arms)
	for _, i := range a.arms {
		if _, m := a.estimates.Dominator(i, rivals(i)); a.inS(i) || m <= 0 {
			r = append(r, i)
		}
	}
	return r
}

// Explain sets the reasons for the active arms of the search. The argument items is the set that
// Recommend returned.
func (a *Search) Explain(reasons []explore.Reason, items []int) {
	rivals := a.estimates.Rivals(a.arms)
	chosen := make([]bool, len(reasons))
	for _, i := range items {
		chosen[i] = true
	}
	for _, i := range a.arms {
		r, among := &reasons[i], rivals(i)
		if chosen[i] {
			a.estimates.Ahead(r, i, among)
			if a.done || a.opt[i] {
				r.Class = explore.Optimal
			}
			continue
		}
		by, m := a.estimates.Dominator(i, among)
		if best, ms := a.estimates.Dominator(i, a.front.Members); ms >= 0 || m < 0 && best >= 0 {
			by, m = best, ms // prefer a member of the front as the reason for the dominance
		}
		if m >= 0 || a.done && !a.opt[i] && by >= 0 {
			r.Class = explore.Dominated
			a.estimates.Behind(r, i, by)
		} else {
			a.estimates.Ahead(r, i, among)
		}
	}
}
