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
	for _, i := range a.arms {
		if a.inS(i) {
			r = append(r, i)
		} else if _, m := a.estimates.Dominator(i, a.arms); a.question.Epsilon > 0 && m <= 0 {
			r = append(r, i)
		}
	}
	return r
}

// Explain fills in the reasons of the active arms, items being recommended.
func (a *Search) Explain(reasons []explore.Reason, items []int) {
	for _, i := range a.arms {
		r := &reasons[i]
		if slices.Contains(items, i) {
			a.estimates.Ahead(r, i, a.arms)
			if a.done || a.opt[i] {
				r.Class = explore.Optimal
			}
			continue
		}
		by, m := a.estimates.Dominator(i, a.arms)
		if among, ms := a.estimates.Dominator(i, a.front.Members); ms >= 0 || m < 0 && among >= 0 {
			by, m = among, ms // a member of the front is the better explanation
		}
		if m >= 0 || a.done && !a.opt[i] && by >= 0 {
			r.Class = explore.Dominated
			a.estimates.Behind(r, i, by)
		} else {
			a.estimates.Ahead(r, i, a.arms)
		}
	}
}
