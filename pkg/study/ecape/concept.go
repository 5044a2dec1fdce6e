package ecape

import (
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/study"
)

// NearBoundary returns the instance of the paper's Fig. 1: arm 1 dominates arms 2 and 3, which are
// within epsilon of the boundary, 2 inside and 3 outside. Whether they are feasible does not
// matter, and costs 2 sigma_u^2/epsilon^2 each to find out. The paper states no means; these are
// ours.
func NearBoundary(epsilon float64) (*bandit.Instance, error) {
	const least = .4
	if !(epsilon > 0 && epsilon < least) {
		return nil, fmt.Errorf("ecape: epsilon is %v; want a distance between 0 and %v", epsilon,
			least)
	}
	region, err := polyhedron.AtLeast([]float64{least, 0}, objectives(2))
	if err != nil {
		return nil, err
	}
	inst, err := constrained("Fig. 1", region, means{notes: styleOf("Fig. 1"), mu: [][]float64{
		{.8, .8}, {least + epsilon, .45}, {least - epsilon, .3},
	}})
	if err == nil {
		inst.Problem.ArmNames = []string{"1", "2", "3"}
	}
	return inst, err
}

// Concept is what Fig. 1 says, as an experiment: as arms 2 and 3 move to the boundary, the
// two-stage method pays for their feasibility, and e-cAPE does not.
var Concept = study.Experiment{
	Name: "ecape/concept", Title: "Dominated arms near the boundary", Source: "Fig. 1",
	Axis: "1 over the distance to the boundary, 1/ε", Sizes: []int{5, 10, 20, 40},
	Delta: delta, Reps: 50,
	Instance: func(size, _ int) (*bandit.Instance, error) {
		return NearBoundary(1 / float64(size))
	},
	Methods: with(Printed, 0, trials...), Palette: trials,
}
