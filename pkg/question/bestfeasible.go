package question

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// BestFeasible asks for the best items by a weighted sum of objectives, among the items whose mean
// is in a polyhedron. Other names are top feasible arm identification (Katz-Samuels and Scott,
// AISTATS 2019) and, for one item, constrained best-arm identification. If no item is feasible, the
// right answer is empty. If items are tied, any choice between the tied items is right.
type BestFeasible struct {
	// Region is the set of feasible means, in R^d.
	Region *polyhedron.Polyhedron
	// Weights contains the weights of the objectives in the sum, d finite numbers, not all 0; nil
	// means that all weights are 1.
	Weights []float64
	// Count is the number of items in the answer; if fewer items are feasible, the answer consists
	// of all feasible items. Zero means 1.
	Count int
}

// Title implements explore.Titled.
func (BestFeasible) Title() string { return "best feasible items by a weighted sum" }

// GoString returns the complete question, for logs.
func (q BestFeasible) GoString() string {
	return fmt.Sprintf("question.BestFeasible{%s, Weights:%v, Count:%d}", written(q.Region), q.Weights, q.Count)
}

// String returns the question with its weights and constraints.
func (q BestFeasible) String() string {
	s := "best feasible item"
	if q.Items() > 1 {
		s = fmt.Sprintf("%d best feasible items", q.Items())
	}
	if q.Weights != nil {
		s += fmt.Sprintf(" with weights %v", q.Weights)
	}
	return s + " in " + q.Region.String()
}

// Items returns Count or, if Count is zero, 1.
func (q BestFeasible) Items() int {
	if q.Count == 0 {
		return 1
	}
	return q.Count
}

// Value returns the weighted sum of the objectives of an item with mean mu, a slice of length d.
func (q BestFeasible) Value(mu []float64) float64 {
	v := 0.
	for c, x := range mu {
		if q.Weights != nil {
			x *= q.Weights[c]
		}
		v += x
	}
	return v
}

// Validate returns an error if the question is not defined for p.
func (q BestFeasible) Validate(p *explore.Problem) error {
	if err := validate(q.Region, p); err != nil {
		return fmt.Errorf("BestFeasible: %w", err)
	}
	if q.Count < 0 {
		return fmt.Errorf("BestFeasible.Count is %d; expected the number of items to find; 0 means 1", q.Count)
	}
	if q.Weights == nil {
		return nil
	}
	if len(q.Weights) != p.D() {
		return fmt.Errorf("BestFeasible.Weights has %d entries; expected %d, one per objective", len(q.Weights), p.D())
	}
	size := 0.
	for c, w := range q.Weights {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("BestFeasible.Weights: %v for %s; expected a finite number", w, p.Objective(c))
		}
		size += math.Abs(w)
	}
	if size == 0 {
		return fmt.Errorf("BestFeasible.Weights are all 0, so all items are equally good; " +
			"ask for the feasible items (Feasible)")
	}
	return nil
}

// ConstraintName returns the name of constraint k of the region.
func (q BestFeasible) ConstraintName(k int) string { return q.Region.Constraint(k).Name }

// Correct implements explore.Question. Correct checks only the items of a, not the reasons.
func (q BestFeasible) Correct(mu *mat.Dense, a explore.Answer) bool {
	feasible := members(inside(q.Region, mu))
	if len(a.Items) != min(q.Items(), len(feasible)) {
		return false
	}
	left, worst := map[int]bool{}, math.Inf(1)
	for _, i := range feasible {
		left[i] = true
	}
	for _, i := range a.Items {
		if !left[i] {
			return false
		}
		delete(left, i)
		worst = min(worst, q.Value(mu.RawRowView(i)))
	}
	for i := range left {
		if q.Value(mu.RawRowView(i)) > worst {
			return false
		}
	}
	return true
}

// Right returns the right answer for items with means mu (M x d): the indices of the best items in
// ascending order. Among tied items, Right returns the items with the lowest indices.
func (q BestFeasible) Right(mu *mat.Dense) []int {
	items := members(inside(q.Region, mu))
	slices.SortStableFunc(items, func(i, j int) int {
		return cmp.Compare(q.Value(mu.RawRowView(j)), q.Value(mu.RawRowView(i)))
	})
	items = items[:min(q.Items(), len(items))]
	slices.Sort(items)
	return items
}

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q BestFeasible) Rescale(scale float64, shift []float64) explore.Question {
	q.Region = rescale(q.Region, scale, shift)
	return q
}
