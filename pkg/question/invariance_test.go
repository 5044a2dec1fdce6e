package question_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// The right class of an item is of its own mean and those of feasible ones: what is outside is
// infeasible, also where it is dominated.
func TestClasses(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	mu := mat.NewDense(6, 2, []float64{1, 2, 2, 1, 1, 1, 3, -1, -1, -1, 2, 1})
	got := question.FeasiblePareto{Region: region}.Truth(mu).Classes()
	want := []explore.Class{explore.Optimal, explore.Optimal, explore.Dominated, explore.Infeasible,
		explore.Infeasible, explore.Optimal}
	if !slices.Equal(got, want) {
		t.Errorf("classes %v; want %v", got, want)
	}
}
