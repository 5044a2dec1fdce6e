package live

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// BoundRequest requests the lower bound and the right answer for an instance.
type BoundRequest struct {
	Instance Instance `json:"instance"`
	Delta    float64  `json:"delta"`
}

// Bound is a lower bound on the mean number of measurements of every method whose answer is correct
// with probability at least 1 - delta on every instance.
type Bound struct {
	// Name is "T*", "psi*" or "Gamma*", or empty if no bound is known. Value is the lower bound in
	// pulls, and Weights are the optimal proportions of pulls.
	Name    string   `json:"name"`
	Value   Number   `json:"value"`
	Weights []Number `json:"weights,omitempty"`
	// About describes limitations of the bound, or explains why no bound is known.
	About string `json:"about,omitempty"`
	// Means are the true means, and Classes are the correct classes of the arms.
	Means   [][]Number `json:"means"`
	Classes []string   `json:"classes"`
}

func bound(q *BoundRequest, _ Tell) (*Bound, error) {
	if !(q.Delta > 0 && q.Delta < 1) {
		return nil, fmt.Errorf("delta is %v; expected a number between 0 and 1", q.Delta)
	}
	in, err := q.Instance.build()
	if err != nil {
		return nil, err
	}
	return lowerBound(in, q.Delta)
}

// lowerBound computes the bound for an instance.
func lowerBound(in *bandit.Instance, delta float64) (*Bound, error) {
	p := in.Problem
	b := &Bound{Means: table(in.Truth()), Classes: classesOf(in)}
	switch q := p.Question.(type) {
	case question.Best, question.AllEpsilonBest:
	default:
		if p.X != nil && lsq.NewSpan(p.X).Rank() < p.K() {
			b.About = "No bound is computed for Pareto sets of linear models with fewer features than arms."
			return b, nil
		}
		if e, ok := q.(question.Pareto); ok && e.Epsilon > 0 {
			b.About = "No bound is computed, because no bound is known for a Pareto set with a tolerance."
			return b, nil
		}
		if _, rates := in.Law.(*bandit.Bernoulli); rates {
			b.About = "The bound is for Gaussian noise of standard deviation 0.5; with successes and " +
				"failures, fewer measurements may suffice."
		}
	}
	s, err := complexity.LowerBound(p, in.Truth(), slices.Repeat([]float64{p.Sigma * p.Sigma}, p.D()))
	if err != nil {
		for _, tie := range []error{complexity.ErrTie, complexity.ErrParetoTie, question.ErrThreshold} {
			if errors.Is(err, tie) { // the answer still has the means and classes
				b.About = "No number of measurements is enough: " + err.Error() + "."
				return b, nil
			}
		}
		return nil, err
	}
	b.Name, b.Value, b.Weights = s.Name, Number(s.Pulls(delta)), numbers(s.Weights)
	return b, nil
}

// table converts a matrix to a list of rows.
func table(a *mat.Dense) [][]Number {
	n, _ := a.Dims()
	rows := make([][]Number, n)
	for i := range rows {
		rows[i] = numbers(a.RawRowView(i))
	}
	return rows
}

// classesOf returns the correct classes of the items; if best items are tied, the first of them
// counts as best. If an item is both infeasible and dominated, classesOf returns "infeasible",
// because infeasible items are easy to recognise in a plot.
func classesOf(in *bandit.Instance) (names []string) {
	for _, class := range question.Classes(in.Problem.Question, in.Truth()) {
		names = append(names, class.String())
	}
	return names
}
