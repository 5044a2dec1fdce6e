package goodenough

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Asked reports whether the problem p, or a radius that adapts to rewards, calls for a State.
func Asked(p *explore.Problem, r radius.Radius) bool {
	bonus := r.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: 1, NormSigma: 1, Delta: .1})
	if _, fitted := bonus.(radius.Fitted); fitted || p.Known != nil || p.Sigmas != nil {
		return true
	}
	switch q := p.Question.(type) {
	case question.FeasiblePareto:
		return q.Tolerant()
	case question.BestFeasible:
		return true
	}
	return false
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
	s.compared, s.weight = s.compared[:0], 1
	for c := range s.tol {
		s.compared = append(s.compared, c)
	}
	if p.Z == nil {
		switch q := p.Question.(type) {
		case question.FeasiblePareto:
			copy(s.tol, q.Tolerance)
			s.constrain(q.Region, q.Slack)
			return nil
		case question.BestFeasible:
			if c := single(q, s.d); c >= 0 && !tied(p.Known, c) {
				s.compared = append(s.compared[:0], c)
				if q.Weights != nil {
					s.weight = q.Weights[c]
				}
				s.constrain(q.Region, nil)
				return nil
			}
		case question.Pareto:
			// What is enough in both ways is enough in either; a smaller number of
			// items is not looked for.
			for c := range s.tol {
				s.tol[c] = math.Min(q.Epsilon, q.Cover)
			}
			return nil
		}
	}
	return fmt.Errorf("policy: %T; want question.FeasiblePareto, question.Pareto, or "+
		"question.BestFeasible by one objective, about the arms: %w", p.Question,
		explore.ErrQuestion)
}

// single returns the objective of which more is better, if there is one and one item is asked for;
// otherwise -1.
func single(q question.BestFeasible, d int) int {
	at := -1
	for c := range d {
		switch w := q.Weights; {
		case w != nil && w[c] == 0:
		case at >= 0 || w != nil && w[c] < 0:
			return -1
		default:
			at = c
		}
	}
	if q.Items() > 1 {
		return -1
	}
	return at
}

// tied reports whether values of objective c that are known are the same for two arms: either may
// then be the answer, and not both.
func tied(known *mat.Dense, c int) bool {
	if known == nil {
		return false
	}
	seen := map[float64]bool{}
	for i := range known.RawMatrix().Rows {
		x := known.At(i, c)
		if seen[x] {
			return true
		}
		seen[x] = !math.IsNaN(x)
	}
	return false
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
