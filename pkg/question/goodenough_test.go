package question_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// An item that is infeasible beats nobody.
func TestEnoughInfeasibleBeatsNobody(t *testing.T) {
	box, err := polyhedron.Box([]float64{0, 0}, []float64{1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: box, Tolerance: []float64{.1, .1}}
	a := explore.Answer{Items: []int{0}, Reasons: []explore.Reason{{Class: explore.Optimal},
		{Class: explore.Infeasible}}}
	if !q.Correct(rows([]float64{.5, .5}, []float64{2, 2}), a) {
		t.Error("the only feasible item is not in the answer")
	}
}

// With a slack alone two items that are equal do not beat each other.
func TestEqualItemsWithSlack(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: region, Slack: []float64{.1, .1}}
	mu := mat.NewDense(3, 2, []float64{1, 2, 1, 2, .5, .5})
	both := explore.Answer{Items: []int{0, 1}, Reasons: []explore.Reason{{Class: explore.Optimal}, {Class: explore.Optimal},
		{Class: explore.Dominated, By: 0}}}
	if !q.Correct(mu, both) {
		t.Error("both of two equal items are in the answer, and that is called wrong")
	}
}
