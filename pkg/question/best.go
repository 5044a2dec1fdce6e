package question

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// Best asks for the best item of a single objective. The zero value asks for
// the best one exactly. Items with the same features, and exact ties, are
// answered together or by any of them.
type Best struct {
	// Epsilon is how far below the best item an answer may be, in reward units.
	Epsilon float64
}

// Title implements explore.Titled.
func (Best) Title() string { return "best item" }

// GoString writes the question out in full.
func (q Best) GoString() string { return fmt.Sprintf("question.Best{Epsilon:%v}", q.Epsilon) }

// AllowsUndecided reports whether a right answer may leave the status of items open:
// those that may be better than the answer, by at most Epsilon.
func (q Best) AllowsUndecided() bool { return q.Epsilon > 0 }

// OnPredictors implements explore.OnPredictors: a link grows, so that the item with the
// largest predictor has the largest mean.
func (q Best) OnPredictors() bool { return true }

// Validate reports whether the question fits p.
func (q Best) Validate(p *explore.Problem) error {
	if p.D() != 1 {
		return fmt.Errorf("Best: %d objectives; want one (for several, ask for the Pareto set)",
			p.D())
	}
	if !(q.Epsilon >= 0) || math.IsInf(q.Epsilon, 1) {
		return fmt.Errorf("Best.Epsilon is %v; want a difference in reward units, at least 0",
			q.Epsilon)
	}
	return nil
}

// Correct implements explore.Question.
func (q Best) Correct(mu *mat.Dense, a explore.Answer) bool {
	m, _ := mu.Dims()
	best := math.Inf(-1)
	for i := range m {
		best = max(best, mu.At(i, 0))
	}
	for _, i := range a.Items {
		if i < 0 || i >= m || mu.At(i, 0) < best-q.Epsilon {
			return false
		}
	}
	return len(a.Items) > 0
}

// Rescale returns the same question about an objective that is scale x + shift.
func (q Best) Rescale(scale float64, _ []float64) explore.Question {
	q.Epsilon *= scale
	return q
}
