// Package question has the questions that can be asked about the means of items: which is [Best],
// which are within epsilon of the best ([AllEpsilonBest]), which are in the [Pareto] set, and which
// keep constraints ([Feasible], [FeasiblePareto], [BestFeasible]).
//
// A question is part of the problem that a policy is given. Its Correct method scores an answer
// against the true means, which only a simulation knows:
//
//	q := question.Best{Epsilon: 0.1}
//	mu := mat.NewDense(3, 1, []float64{0.5, 0.9, 0.85})
//	q.Correct(mu, explore.Answer{Items: []int{2}}) // true: 0.85 is within 0.1 of 0.9
//
// Package question/complexity computes how many measurements an answer takes, and package
// question/alternative the closest means that have another answer.
package question

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
)

// Pareto asks for the Pareto set: the items that no other item dominates.
// Relaxations follow Kone, Kaufmann and Richert (NeurIPS 2023). The zero value
// asks for the exact set.
type Pareto struct {
	// Epsilon allows items that become non-dominated when Epsilon is added to
	// each of their objectives, in reward units; every optimal item must still
	// be there, unless Cover or AtMost says otherwise.
	Epsilon float64
	// Cover, if positive, allows an optimal item to be left out if some item
	// of the answer, with Cover added to each objective, dominates it; every
	// item of the answer must then be within Epsilon of optimal.
	Cover float64
	// AtMost, if positive, is enough items: an answer of at least AtMost items
	// that are all within Epsilon of optimal is right.
	AtMost int
}

// Title implements explore.Titled.
func (Pareto) Title() string { return "Pareto set" }

// GoString writes the question out in full, for logs that must tell one question
// from another.
func (q Pareto) GoString() string {
	return fmt.Sprintf("question.Pareto{Epsilon:%v, Cover:%v, AtMost:%d}", q.Epsilon, q.Cover,
		q.AtMost)
}

// Validate reports whether the relaxations make sense.
func (q Pareto) Validate(*explore.Problem) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"Pareto.Epsilon", q.Epsilon}, {"Pareto.Cover", q.Cover}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("%s is %v; want a difference in reward units, at least 0",
				f.name, f.value)
		}
	}
	if q.AtMost < 0 {
		return fmt.Errorf("Pareto.AtMost is %d; want a number of items, or 0", q.AtMost)
	}
	return nil
}

// AllowsUndecided reports whether a right answer may leave the status of items open.
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

// worst returns the largest amount by which an item of front other than i
// exceeds item i in every objective.
func worst(mu *mat.Dense, i int, front []int) float64 {
	w := 0.
	for _, j := range front {
		if j != i {
			w = max(w, pareto.Deficit(mu.RawRowView(i), mu.RawRowView(j)))
		}
	}
	return w
}
