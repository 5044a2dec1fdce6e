package constrained

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Region returns the feasible region of a Pareto question about the
// arms of p: all of space if there are no constraints.
func Region(p *explore.Problem) (*polyhedron.Polyhedron, error) {
	if p.Z == nil {
		switch q := p.Question.(type) {
		case question.FeasiblePareto:
			return q.Region, nil
		case question.Pareto: // the exact set answers every relaxation
			return polyhedron.Whole(p.D()), nil
		}
	}
	return nil, fmt.Errorf("policy: %T; want question.FeasiblePareto or question.Pareto about "+
		"the arms: %w", p.Question, explore.ErrQuestion)
}
