package question

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Right returns the exact answer to q, without tolerances, for items with means mu (M x d): of items that tie
// the lowest. For FeasiblePareto it has a reason for each item; one that is infeasible and dominated is
// Dominated. It panics if q is not a question of this package.
func Right(q explore.Question, mu *mat.Dense) (a explore.Answer) {
	switch q := q.(type) {
	case Best:
		a.Items = []int{floats.MaxIdx(mat.Col(nil, 0, mu))}
	case AllEpsilonBest:
		a.Items = q.Right(mu)
	case BestFeasible:
		a.Items = q.Right(mu)
	case Pareto:
		a.Items = pareto.Set(mu)
	case Feasible:
		a.Items = members(inside(q.Region, mu))
	case FeasiblePareto:
		t := q.Truth(mu)
		for i, class := range t.Classes() {
			if class == explore.Infeasible && t.SubOpt[i] {
				class = explore.Dominated
			}
			a.Reasons = append(a.Reasons, explore.Reason{Class: class})
		}
		a.Items = a.Of(explore.Optimal)
	default:
		panic(fmt.Sprintf("question: no right answer to %T", q))
	}
	return a
}

// Region returns the region of feasible items of q, nil if q has none.
func Region(q explore.Question) *polyhedron.Polyhedron {
	switch q := q.(type) {
	case Feasible:
		return q.Region
	case FeasiblePareto:
		return q.Region
	case BestFeasible:
		return q.Region
	}
	return nil
}
