package goodenough

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Asked reports whether the problem p, or a radius that adapts to rewards, calls for a State.
func Asked(p *explore.Problem, r radius.Radius) bool {
	bonus := r.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: 1, NormSigma: 1, Delta: .1})
	_, local := bonus.(radius.Local)
	if _, adapts := bonus.(radius.Adaptive); adapts || local || p.Known != nil || p.Sigmas != nil {
		return true
	}
	q, ok := p.Question.(question.FeasiblePareto)
	return ok && q.Tolerant()
}

// A row is a constraint a'x <= b with its slack, divided by the length of a.
type row struct {
	a     []float64
	b     float64
	slack float64
	scale float64 // of the noise of a'x, relative to Problem.Sigma
	of    int     // its number in the region
}

// read stores tolerances and constraints of the question of p.
func (s *State) read(p *explore.Problem) error {
	s.tol = append(s.tol[:0], make([]float64, s.d)...)
	s.rows = s.rows[:0]
	s.scale = append(s.scale[:0], make([]float64, s.d)...)
	for c := range s.scale {
		s.scale[c] = p.SigmaOf(c) / p.Sigma
	}
	if p.Z == nil {
		switch q := p.Question.(type) {
		case question.FeasiblePareto:
			copy(s.tol, q.Tolerance)
			s.constrain(q.Region, q.Slack)
			return nil
		case question.Pareto:
			// What is enough in both ways is enough in either; a smaller number of
			// items is not looked for.
			for c := range s.tol {
				s.tol[c] = math.Min(q.Epsilon, q.Cover)
			}
			return nil
		}
	}
	return fmt.Errorf("policy: %T; want question.FeasiblePareto or question.Pareto about "+
		"the arms: %w", p.Question, explore.ErrQuestion)
}

// constrain stores the constraints of region.
func (s *State) constrain(region *polyhedron.Polyhedron, slack []float64) {
	for k := range region.Rows() {
		c := region.Constraint(k)
		r := row{a: slices.Clone(c.A), b: c.B, of: k}
		if slack != nil {
			r.slack = slack[k]
		}
		length := floats.Norm(c.A, 2)
		if length == 0 {
			continue // 0 <= b, which is true of every region that is not empty
		}
		floats.Scale(1/length, r.a)
		r.b /= length
		r.slack /= length
		for j, a := range r.a {
			r.scale = math.Hypot(r.scale, a*s.scale[j])
		}
		s.rows = append(s.rows, r)
	}
}
