package question

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Feasible asks for the items whose mean is in a polyhedron (Katz-Samuels and Scott, ICML 2018).
type Feasible struct {
	// Region is the set of feasible means, in R^d.
	Region *polyhedron.Polyhedron
}

// Validate returns an error if the region does not match p.
func (q Feasible) Validate(p *explore.Problem) error { return validate(q.Region, p) }

// ConstraintName returns the name of constraint k of the region.
func (q Feasible) ConstraintName(k int) string { return q.Region.Constraint(k).Name }

// Correct implements explore.Question.
func (q Feasible) Correct(mu *mat.Dense, a explore.Answer) bool {
	return slices.Equal(a.Items, members(inside(q.Region, mu)))
}

// FeasiblePareto asks for the Pareto set of the items whose mean is in a polyhedron. For every
// other item, FeasiblePareto also asks for the reason of the rejection: the item is infeasible, or
// a feasible item dominates it. An item that is both infeasible and dominated may be rejected for
// either reason (e-cPSI; e-cAPE paper, Definition 3.3).
//
// With a Tolerance or a Slack, an answer can be right without being exact. Item j beats item i if j
// dominates i even after Tolerance is subtracted from the objectives of j. Item j can replace i if
// j is at least as good as i after Tolerance is added to the objectives of j. An answer is right if
// all of the following hold:
//
//   - each item of the answer is in the region widened by Slack, and no item in the region itself
//     beats it;
//   - every other item is outside of the region, or an item of the answer can replace it.
//
// The exact answer is right as well. Policies that do not support tolerances therefore return the
// exact answer.
type FeasiblePareto struct {
	// Region is the set of feasible means, in R^d.
	Region *polyhedron.Polyhedron
	// If SetOnly is true, the question asks only for the set, without reasons (cPSI, Definition
	// 3.1).
	SetOnly bool
	// Tolerance contains, for each objective, the largest negligible difference, in reward units;
	// nil means that all tolerances are 0.
	Tolerance []float64
	// Slack contains, for each constraint of Region, the largest negligible violation, in the units
	// of the constraint. A nil Slack means that all slacks are 0.
	Slack []float64
}

// Tolerant reports whether any entry of Tolerance or Slack is positive.
func (q FeasiblePareto) Tolerant() bool { return positive(q.Tolerance) || positive(q.Slack) }

func positive(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return v > 0 })
}

// Title implements explore.Titled.
func (Feasible) Title() string { return "feasible set" }

// GoString returns the complete question, for logs.
func (q Feasible) GoString() string { return "question.Feasible{" + written(q.Region) + "}" }

// Title implements explore.Titled.
func (FeasiblePareto) Title() string { return "feasible Pareto set" }

// GoString returns the complete question, for logs.
func (q FeasiblePareto) GoString() string {
	s := fmt.Sprintf("question.FeasiblePareto{%s, SetOnly:%v", written(q.Region), q.SetOnly)
	if q.Tolerant() {
		s += fmt.Sprintf(", Tolerance:%v, Slack:%v", q.Tolerance, q.Slack)
	}
	return s + "}"
}

// written returns the constraints of r with all digits, as needed by GoString.
func written(r *polyhedron.Polyhedron) string {
	s := fmt.Sprintf("R^%d", r.Dim())
	for k := range r.Rows() {
		c := r.Constraint(k)
		s += fmt.Sprintf("; %q: %v.x <= %v", c.Name, c.A, c.B)
	}
	return s
}

// String returns the question with its constraints.
func (q FeasiblePareto) String() string {
	s := "feasible Pareto set in " + q.Region.String()
	if q.SetOnly {
		s += ", without reasons"
	}
	if positive(q.Tolerance) {
		s += fmt.Sprintf(", with tolerance %v", q.Tolerance)
	}
	if positive(q.Slack) {
		s += fmt.Sprintf(", with slack %v", q.Slack)
	}
	return s
}

// Validate returns an error if the region or the tolerances do not match p.
func (q FeasiblePareto) Validate(p *explore.Problem) error {
	if err := validate(q.Region, p); err != nil {
		return err
	}
	if err := amounts("Tolerance", "objective", q.Tolerance, p.D()); err != nil {
		return err
	}
	return amounts("Slack", "constraint", q.Slack, q.Region.Rows())
}

// amounts returns an error unless x is nil or has n valid tolerances, one for each objective or
// constraint.
func amounts(name, kind string, x []float64, n int) error {
	if x != nil && len(x) != n {
		return fmt.Errorf("FeasiblePareto.%s has %d entries; expected %d (one per %s), or nil", name, len(x), n, kind)
	}
	for k, v := range x {
		if !(v >= 0 && v <= explore.Largest) {
			return fmt.Errorf("FeasiblePareto.%s: entry %d, for %s %d, is %v; expected a difference "+
				"that does not matter, at least 0", name, k, kind, k, v)
		}
	}
	return nil
}

// ConstraintName returns the name of constraint k of the region.
func (q FeasiblePareto) ConstraintName(k int) string { return q.Region.Constraint(k).Name }

func validate(r *polyhedron.Polyhedron, p *explore.Problem) error {
	if r == nil {
		return fmt.Errorf("region is nil; use polyhedron.Whole(%d) for no constraints", p.D())
	}
	if r.Dim() != p.D() {
		return fmt.Errorf("region has dimension %d; expected %d, one per objective", r.Dim(), p.D())
	}
	return nil
}

// Truth contains the true status of the items in a constrained Pareto problem.
type Truth struct {
	Feasible []bool // whether the mean of the item is in the region
	Optimal  []bool // whether the item is feasible and not dominated by a feasible item
	SubOpt   []bool // whether a feasible item dominates the item
	// For each item in SubOpt, By is the optimal item that is better in every objective by the
	// largest amount, and D is this amount. For all other items, By is -1 and D is 0.
	By []int
	D  []float64
	// Eta is the distance of an item's mean from the boundary of the region.
	Eta []float64
}

// Classes returns the correct class of each item. If two classes are correct, Classes returns
// explore.Infeasible, which is easier to see in a plot of two objectives.
func (t Truth) Classes() []explore.Class {
	classes := make([]explore.Class, len(t.Optimal))
	for i := range classes {
		switch {
		case t.Optimal[i]:
			classes[i] = explore.Optimal
		case !t.Feasible[i]:
			classes[i] = explore.Infeasible
		default:
			classes[i] = explore.Dominated
		}
	}
	return classes
}

// Truth returns the true status of items with means mu (M x d).
func (q FeasiblePareto) Truth(mu *mat.Dense) Truth {
	m, _ := mu.Dims()
	t := Truth{
		Feasible: make([]bool, m), Optimal: make([]bool, m), SubOpt: make([]bool, m),
		By: make([]int, m), D: make([]float64, m), Eta: make([]float64, m),
	}
	var ws polyhedron.Workspace
	for i := range m {
		t.Feasible[i], t.Eta[i], _ = q.Region.MarginWith(&ws, mu.RawRowView(i))
	}
	f := members(t.Feasible)
	o := pareto.SetOf(mu, f)
	for _, i := range o {
		t.Optimal[i] = true
	}
	for i := range m {
		t.By[i] = -1
		if t.Optimal[i] {
			continue
		}
		for _, j := range o {
			a, b := mu.RawRowView(i), mu.RawRowView(j)
			if !pareto.Dominates(b, a) {
				continue
			}
			if d := pareto.Deficit(a, b); t.By[i] < 0 || d > t.D[i] {
				t.SubOpt[i], t.By[i], t.D[i] = true, j, d
			}
		}
	}
	return t
}

// Correct implements explore.Question.
func (q FeasiblePareto) Correct(mu *mat.Dense, a explore.Answer) bool {
	if q.Tolerant() {
		return q.enough(mu, a)
	}
	t := q.Truth(mu)
	if !slices.Equal(a.Items, members(t.Optimal)) {
		return false
	}
	if q.SetOnly {
		return true
	}
	if len(a.Reasons) != len(t.Optimal) {
		return false
	}
	for i, r := range a.Reasons {
		ok := false
		switch r.Class {
		case explore.Optimal:
			ok = t.Optimal[i]
		case explore.Dominated:
			ok = t.SubOpt[i]
		case explore.Infeasible:
			ok = !t.Feasible[i]
		}
		if !ok {
			return false
		}
	}
	return true
}

func inside(r *polyhedron.Polyhedron, mu *mat.Dense) []bool {
	m, _ := mu.Dims()
	in := make([]bool, m)
	for i := range in {
		in[i] = r.Contains(mu.RawRowView(i))
	}
	return in
}

func members(in []bool) []int {
	var m []int
	for i, ok := range in {
		if ok {
			m = append(m, i)
		}
	}
	return m
}

// enough reports whether the answer a is good enough for the means mu, within the tolerances of q.
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
		class := explore.Undecided // Undecided means here that any true reason is accepted
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
		stood := (class == explore.Undecided || class == explore.Dominated) && q.stoodFor(mu, i, a.Items)
		if !out && !stood {
			return false
		}
	}
	return true
}

// tolerable reports whether x satisfies all constraints of the region within the slacks.
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

func (q FeasiblePareto) tolerance(c int) float64 {
	if q.Tolerance == nil {
		return 0
	}
	return q.Tolerance[c]
}

// beaten reports whether a feasible item j beats item i, that is, j dominates i even after the
// tolerance is subtracted from the means of j.
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

// stoodFor reports whether some item j in items can replace item i, that is, j is at least as good
// as i after the tolerance is added to the means of j.
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
