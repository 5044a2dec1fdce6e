package constrained_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Uncertain returns the arm next to the boundary until the arm is measured often enough, and -1 afterwards.
func TestUncertain(t *testing.T) {
	region, err := polyhedron.New(mat.NewDense(1, 2, []float64{1, 0}), []float64{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: .1, Question: question.Feasible{Region: region}}
	var c constrained.State
	c.Init(p, region, arms.Bind(radius.Theory{}, p, .1))
	tell := func(n int, means ...float64) {
		var obs []explore.Batch
		for i, x := range means {
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: n}, Sum: []float64{float64(n) * x, 0}})
		}
		c.Observe(obs)
	}
	tell(100, -1, .05, 1)
	if got := c.Uncertain(); got != 1 {
		t.Errorf("arm %d; want the one next to the boundary", got)
	}
	if !slices.Equal(c.Feasibility.Inside, []bool{true, false, false}) {
		t.Errorf("inside %v", c.Feasibility.Inside)
	}
	tell(100_000, -1, .05, 1)
	if got := c.Uncertain(); got != -1 {
		t.Errorf("arm %d; want none after 100,000 rewards", got)
	}
}
