package question_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// rows returns the matrix with these rows.
func rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

func items(i ...int) explore.Answer { return explore.Answer{Items: i} }

func ExampleFeasible() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	mu := mat.NewDense(2, 2, []float64{.465, .535, .537, .390})
	q := question.Feasible{Region: region}
	fmt.Println(q.Correct(mu, explore.Answer{Items: []int{0}}),
		q.Correct(mu, explore.Answer{Items: []int{0, 1}}))
	// Output: true false
}

func ExamplePareto() {
	mu := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.9, -0.1})
	exact, relaxed := question.Pareto{}, question.Pareto{Epsilon: 0.2}
	a := explore.Answer{Items: []int{0, 1, 2}} // arm 2 is 0.1 short of optimal
	fmt.Println(exact.Correct(mu, a), relaxed.Correct(mu, a))
	// Output: false true
}

func ExampleFeasiblePareto() {
	region, err := polyhedron.AtLeast([]float64{0.40, 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	q := question.FeasiblePareto{Region: region}
	// Rates of five arms of a trial. Arm 0 is infeasible and dominated by arm 3, which
	// may be the reason too.
	mu := mat.NewDense(5, 2, []float64{.360, .420, .340, .481, .469, .388, .465, .535, .537, .390})
	t := q.Truth(mu)
	fmt.Println("optimal:", t.Optimal)
	a := explore.Answer{Items: []int{3}, Reasons: make([]explore.Reason, 5)}
	for i := range a.Reasons {
		a.Reasons[i].Class = explore.Infeasible
	}
	a.Reasons[3].Class = explore.Optimal
	fmt.Println(q.Correct(mu, a))
	a.Reasons[0].Class = explore.Dominated
	fmt.Println(q.Correct(mu, a))
	a.Reasons[4].Class = explore.Dominated
	fmt.Println(q.Correct(mu, a))
	// Output:
	// optimal: [false false false true false]
	// true
	// true
	// false
}
