package pareto_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
)

// mu holds the means of four arms in two objectives; larger is better.
var mu = mat.NewDense(4, 2, []float64{
	1, 0,
	0, 1,
	0.5, -0.25,
	-1, -1,
})

func ExampleSet() {
	fmt.Println(pareto.Set(mu))
	// Output: [0 1]
}

func ExampleGaps() {
	// Arm 0 is optimal, and is better than arm 2 by at least 0.25 in both objectives.
	fmt.Println(pareto.Gaps(mu))
	// Output: [0.25 0.75 0.25 1]
}

func ExampleExcess() {
	a, b := []float64{1, 1}, []float64{0.5, 3}
	fmt.Println(pareto.Excess(a, b), pareto.Excess(b, a))
	// Output: 0.5 2
}

func ExampleDeficit() {
	// The second point is better by at least 0.5 in every objective.
	fmt.Println(pareto.Deficit([]float64{1, 1}, []float64{1.5, 3}))
	// Output: 0.5
}

func ExampleDominates() {
	a, b := []float64{1, 2}, []float64{1, 1}
	fmt.Println(pareto.Dominates(a, b), pareto.Dominates(b, a))
	// Output: true false
}

func ExampleRegrets() {
	// Arm 0 is better than arm 3 by at least 1 in both objectives, so the regret of arm 3 is 1. Likewise, the regret
	// of arm 2 is 0.25.
	fmt.Println(pareto.Regrets(mu))
	// Output: [0 0 0.25 1]
}
