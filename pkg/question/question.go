// Package question defines questions about the means of items. The questions ask for the best item
// ([Best]), all items within epsilon of the best ([AllEpsilonBest]), the Pareto set ([Pareto]), or
// the items within constraints ([Feasible]). Two questions combine constraints with a further
// criterion: [FeasiblePareto] and [BestFeasible].
//
// A question is used as the field Question of an [explore.Problem]. The Correct method of a
// question compares an answer with the true means, which are known only in simulations:
//
//	q := question.Best{Epsilon: 0.1}
//	mu := mat.NewDense(3, 1, []float64{0.5, 0.9, 0.85})
//	q.Correct(mu, explore.Answer{Items: []int{2}}) // true: 0.85 is within 0.1 of 0.9
//
// The package does not answer questions; see package policy. Package question/complexity computes
// lower bounds on numbers of measurements, and package question/alternative finds the closest means
// for which an answer is wrong.
package question

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Pareto asks for the Pareto set: the items that no other item dominates. The zero value of Pareto
// asks for the exact set. Relaxations follow Kone, Kaufmann and Richert (NeurIPS 2023).
type Pareto struct {
	// The answer may contain items that would be non-dominated if Epsilon, in reward units, were
	// added to each of their objectives. The answer must still contain every optimal item, except
	// as Cover or AtMost permits.
	Epsilon float64
	// If Cover is positive, the answer may omit an optimal item if some item of the answer would
	// dominate it with Cover added to each objective. Even with Cover, every item of the answer
	// must be within Epsilon of optimal.
	Cover float64
	// If AtMost is positive, AtMost items are enough: an answer with at least AtMost items is right
	// if every item of the answer is within Epsilon of optimal.
	AtMost int
}

// Title implements explore.Titled.
func (Pareto) Title() string { return "Pareto set" }

// GoString returns the complete question, for logs.
func (q Pareto) GoString() string {
	return fmt.Sprintf("question.Pareto{Epsilon:%v, Cover:%v, AtMost:%d}", q.Epsilon, q.Cover, q.AtMost)
}

// Validate returns an error if a relaxation is negative or not finite.
func (q Pareto) Validate(*explore.Problem) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Pareto.Epsilon", q.Epsilon}, {"Pareto.Cover", q.Cover}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%s is %v; expected a difference in reward units, at least 0", f.name, f.value)
		}
	}
	if q.AtMost < 0 {
		return fmt.Errorf("Pareto.AtMost is %d; expected a number of items, at least 0", q.AtMost)
	}
	return nil
}

// AllowsUndecided reports whether a right answer may leave items undecided.
func (q Pareto) AllowsUndecided() bool { return q.AtMost > 0 }

// Correct implements explore.Question.
func (q Pareto) Correct(mu *mat.Dense, a explore.Answer) bool {
	front := pareto.Set(mu)
	m, _ := mu.Dims()
	in := make([]bool, m)
	for _, i := range a.Items {
		if i < 0 || i >= m || in[i] {
			return false
		}
		in[i] = true
	}
	for _, i := range a.Items {
		if worst(mu, i, front) > q.Epsilon {
			return false
		}
		if q.Epsilon == 0 && !slices.Contains(front, i) {
			return false
		}
	}
	if q.AtMost > 0 && len(a.Items) >= q.AtMost {
		return true
	}
	for _, i := range front {
		if in[i] {
			continue
		}
		covered := false
		for _, j := range a.Items {
			if q.Cover > 0 && pareto.Deficit(mu.RawRowView(i), mu.RawRowView(j)) >= -q.Cover {
				covered = true
			}
		}
		if !covered {
			return false
		}
	}
	return true
}

// worst returns the largest amount by which an item of front other than i is better than item i in
// every objective.
func worst(mu *mat.Dense, i int, front []int) float64 {
	w := 0.
	for _, j := range front {
		if j != i {
			w = max(w, pareto.Deficit(mu.RawRowView(i), mu.RawRowView(j)))
		}
	}
	return w
}

// Tolerates implements explore.Tolerating.
func (q Best) Tolerates() float64 { return q.Epsilon }

// Tolerates implements explore.Tolerating.
func (q Pareto) Tolerates() float64 { return max(q.Epsilon, q.Cover) }

// Tolerates implements explore.Tolerating.
func (q FeasiblePareto) Tolerates() float64 { return slices.Max(append([]float64{0}, q.Tolerance...)) }

// Right returns the exact answer to q for items with means mu (M x d), ignoring all tolerances
// except the Epsilon of AllEpsilonBest. Among tied items, the answers to Best and BestFeasible
// contain the items with the lowest indices. For FeasiblePareto, the answer has a reason for each
// item; items that are both infeasible and dominated have class Dominated. Right panics if q is not
// a question of this package.
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
		panic(fmt.Sprintf("question: unknown question %T; expected a question of this package", q))
	}
	return a
}

// Classes returns the correct class of each item for the means mu. If an item is both infeasible
// and dominated, Classes returns Infeasible; in contrast, Right returns Dominated.
func Classes(q explore.Question, mu *mat.Dense) []explore.Class {
	m, _ := mu.Dims()
	classes := slices.Repeat([]explore.Class{explore.Dominated}, m)
	for i := range classes {
		if r := Region(q); r != nil && !r.Contains(mu.RawRowView(i)) {
			classes[i] = explore.Infeasible
		}
	}
	for _, i := range Right(q, mu).Items {
		classes[i] = explore.Optimal
	}
	return classes
}

// Region returns the region in question q, or nil if q has no constraints.
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

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q Pareto) Rescale(scale float64, _ []float64) explore.Question {
	q.Epsilon *= scale
	q.Cover *= scale
	return q
}

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q Feasible) Rescale(scale float64, shift []float64) explore.Question {
	return Feasible{rescale(q.Region, scale, shift)}
}

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q FeasiblePareto) Rescale(scale float64, shift []float64) explore.Question {
	q.Region = rescale(q.Region, scale, shift)
	q.Tolerance, q.Slack = scaled(scale, q.Tolerance), scaled(scale, q.Slack)
	return q
}

// scaled returns x multiplied by scale, or nil if x is nil.
func scaled(scale float64, x []float64) []float64 {
	if x == nil {
		return nil
	}
	return floats.ScaleTo(make([]float64, len(x)), scale, x)
}

// rescale returns the polyhedron {scale x + shift: x in r}.
func rescale(r *polyhedron.Polyhedron, scale float64, shift []float64) *polyhedron.Polyhedron {
	if r.Rows() == 0 {
		return r
	}
	a := mat.NewDense(r.Rows(), r.Dim(), nil)
	b := make([]float64, r.Rows())
	for k := range b {
		c := r.Constraint(k)
		a.SetRow(k, c.A)
		b[k] = scale * c.B
		for j, s := range shift {
			b[k] += c.A[j] * s
		}
	}
	m, err := polyhedron.New(a, b, nil)
	if err != nil {
		panic("question: a change of units removed the interior of a region: " + err.Error())
	}
	return m
}

// dominance returns the phrases for comparing vectors or, if there is only one objective, numbers.
func dominance(p *explore.Problem) explore.Words {
	if p.D() == 1 {
		return explore.Words{}
	}
	return explore.Words{
		Ahead: " in some objective", Behind: " in every objective",
		Dominated: "dominated by %s, which is better by %s%s",
	}
}

// Explain implements explore.Explainer.
func (q Pareto) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return dominance(p).Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q Feasible) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return dominance(p).Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q FeasiblePareto) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	words := dominance(p)
	if p.Known != nil && p.D() > 1 {
		words.Behind = " wherever they differ" // known objectives such as prices may have equal values
	}
	if !q.Tolerant() {
		return words.Explain(p, i, r)
	}
	if r.Class == explore.Optimal && r.Slack < 0 {
		words.Slack = func(_ int, x, radius float64) string {
			return explore.Amount(x, radius) + ", which is tolerated"
		}
	}
	if r.Class == explore.Optimal && q.Tolerance != nil && !r.Estimated && r.Margin >= 0 && r.Margin < r.MarginRadius {
		words.Ahead += ", or behind by a difference that does not matter"
	}
	if r.Class == explore.Optimal && q.Slack != nil && r.Slack < r.SlackRadius {
		words.Spare = ", or outside by less than the slack"
	}
	// With a tolerance, a rejected item may be better than item By, but by no more than the
	// tolerance.
	if r.Class == explore.Dominated && r.By >= 0 && !r.Estimated && r.Margin < r.MarginRadius {
		const enough = ", within the tolerance"
		if r.Margin < 0 {
			return "", fmt.Sprintf("ahead of %s by %s%s%s", p.Item(r.By),
				explore.Amount(-r.Margin, r.MarginRadius), words.Ahead, enough)
		}
		return "", fmt.Sprintf("behind %s by %s%s, or ahead by a difference that does not matter",
			p.Item(r.By), explore.Amount(r.Margin, r.MarginRadius), words.Behind)
	}
	return words.Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q Best) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{}.Explain(p, i, r)
}

// Explain implements explore.Explainer.
func (q BestFeasible) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	const by = " in the weighted sum"
	return explore.Words{Ahead: by, Behind: by}.Explain(p, i, r)
}
