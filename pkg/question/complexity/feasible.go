package complexity

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question/alternative"
)

// feasible returns T* of the feasible set.
func (g *game) feasible() (*TStar, error) {
	k, d := g.mu.Dims()
	s := &TStar{Weights: make([]float64, k), Hardest: alternative.None(), Exact: true}
	x := make([]float64, d)
	for i := range k {
		square, _ := g.response.Boundary(x, i)
		if square == 0 {
			return nil, fmt.Errorf("complexity: arm %d is on the boundary of the "+
				"feasible region: %w", i, ErrParetoTie)
		}
		s.Weights[i] = 2 / square
		if g.cost != nil {
			s.Weights[i] *= g.cost[i]
		}
	}
	s.Lower = floats.Sum(s.Weights)
	s.Upper = s.Lower
	if s.Lower == 0 { // there are no constraints
		for i := range s.Weights {
			s.Weights[i] = 1 / float64(k)
		}
		return s, nil
	}
	floats.Scale(1/s.Lower, s.Weights)
	// All alternatives cost the same: that of the arm which is pulled most.
	a := alternative.Alternative{Arm: floats.MaxIdx(s.Weights), By: -1,
		Means: mat.DenseCopyOf(g.mu)}
	_, a.Constraint = g.response.Boundary(x, a.Arm)
	a.Feasible = a.Constraint < 0
	a.Reason = a.Feasible
	a.Means.SetRow(a.Arm, x)
	s.Hardest = a
	return s, nil
}
