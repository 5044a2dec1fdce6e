package question_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

func ExampleBestFeasible() {
	region, err := polyhedron.AtLeast([]float64{math.Inf(-1), 0.40}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	// the most effective dose that is safe
	q := question.BestFeasible{Region: region, Weights: []float64{1, 0}}
	mu := mat.NewDense(3, 2, []float64{.360, .420, .465, .535, .537, .390})
	fmt.Println(q)
	fmt.Println(q.Right(mu), q.Correct(mu, explore.Answer{Items: []int{2}}))
	// Output:
	// best feasible item by weights [1 0] in {x in R^2 : safety >= 0.4}
	// [1] false
}
