package pareto

import (
	"cmp"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// Recommend returns the arms that the question's relaxation recommends.
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

// Explain fills in the reasons of the active arms, items being recommended.
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
			by, m = best, ms // a member of the front is the better explanation
		}
		if m >= 0 || a.done && !a.opt[i] && by >= 0 {
			r.Class = explore.Dominated
			a.estimates.Behind(r, i, by)
		} else {
			a.estimates.Ahead(r, i, among)
		}
	}
}
