package goodenough

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// pair returns the half-width for the difference of two unknown values of arms i and j in the same
// objective, in units of the noise scale. If half-widths depend on more than the numbers of
// rewards, pair returns +Inf.
func (s *State) pair(i, j int) float64 {
	if s.fitted != nil || s.N[i] == 0 || s.N[j] == 0 {
		return inf
	}
	return s.factor * s.bonus.Pair(s.term[i], s.term[j])
}

// half returns the half-width for the difference of arms i and j in objective c. The caller must
// pass the result of pair(i, j) as the argument both.
func (s *State) half(i, j, c int, both float64) float64 {
	a, b := i*s.d+c, j*s.d+c
	switch {
	case s.known[a] || s.known[b] || s.N[i] == 0 || s.N[j] == 0:
		return s.factor * (s.width[a] + s.width[b])
	case s.fitted == nil:
		return both * s.scale[c]
	}
	if len(s.apart) == 0 {
		return s.factor * s.fitted.Apart(c, s.seen(i, c), s.seen(j, c)) * s.scale[c]
	}
	at := &s.apart[(i*s.K+j)*s.d+c]
	if math.IsNaN(*at) {
		*at = s.fitted.Apart(c, s.seen(i, c), s.seen(j, c)) * s.scale[c]
		s.apart[(j*s.K+i)*s.d+c] = *at
	}
	return s.factor * *at
}

// The following functions measure evidence in units of each objective's noise scale.

// Spared returns the evidence that arm j does not beat arm i. Arm j beats arm i if j still
// dominates i after the tolerances are subtracted from the means of j. If the evidence is at least
// 0, it is certain that j does not beat i.
//
// If both values in an objective are known and j is better by exactly the tolerance, Spared ignores
// this objective: j beats i if j is better by more than the tolerance in all objectives that are
// not ignored. If all objectives are ignored, neither of the two arms beats the other.
func (s *State) Spared(i, j int) float64 {
	most, decided := -inf, false
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v := s.Mean[i*s.d+c] - s.Mean[j*s.d+c] + tol
		if s.known[i*s.d+c] && s.known[j*s.d+c] {
			if v != 0 {
				decided = true
				most = max(most, v/s.scale[c])
			}
			continue
		}
		decided = true
		most = max(most, (v-s.half(i, j, c, both))/s.scale[c])
	}
	if !decided {
		return inf
	}
	return most
}

// covers returns the evidence that arm j can replace arm i in the answer, that is, j is worse by at
// most the tolerance in every objective. For each objective, covers adds the tolerance and sign
// times the half-width to the estimated difference; the evidence is the smallest of these sums.
// With sign -1, evidence of at least 0 makes it certain that j can replace i.
func (s *State) covers(i, j int, sign float64) float64 {
	least := inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v := s.Mean[j*s.d+c] - s.Mean[i*s.d+c] + tol
		if s.known[i*s.d+c] && s.known[j*s.d+c] {
			if v < 0 {
				return -inf
			}
			continue
		}
		least = math.Min(least, (v+sign*s.half(i, j, c, both))/s.scale[c])
	}
	return least
}

// hope returns an upper confidence bound on the largest amount by which arm i is better than arm j
// in an objective, in units of the noise.
func (s *State) hope(i, j int) float64 {
	most := -inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		v := s.Mean[i*s.d+c] - s.Mean[j*s.d+c]
		most = max(most, (v+s.half(i, j, c, both))/s.scale[c])
	}
	return most
}

// ahead returns the estimated amount by which arm i is better than j, with its half-width. The
// amount refers to the objective with the largest evidence that arm j does not beat arm i.
func (s *State) ahead(i, j int) (m, half float64) {
	most := -inf
	half = inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		tol := s.tol[c]
		v, h := s.Mean[i*s.d+c]-s.Mean[j*s.d+c], s.half(i, j, c, both)
		if h == 0 && v+tol == 0 {
			continue // the objective is ignored, as in Spared
		}
		if e := (v + tol - h) / s.scale[c]; e > most {
			most, m, half = e, v, h
		}
	}
	return m, half
}

// behind returns the smallest estimated amount, over objectives, by which arm j is better than i,
// and the largest half-width. behind ignores objectives in which both values are known and equal.
func (s *State) behind(i, j int) (m, half float64) {
	m = inf
	both := s.pair(i, j)
	for _, c := range s.compared {
		a, b := i*s.d+c, j*s.d+c
		if s.known[a] && s.known[b] && s.Mean[a] == s.Mean[b] {
			continue
		}
		m = math.Min(m, s.Mean[b]-s.Mean[a])
		half = max(half, s.half(i, j, c, both))
	}
	if m == inf {
		return 0, 0
	}
	return m, half
}

// Asked reports whether a policy must use a State instead of the published rules, because the
// problem p requires a State or because the radius r adapts to rewards.
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

// A row is a constraint a'x <= b with its slack, both divided by the length of a.
type row struct {
	a     []float64
	b     float64
	slack float64
	scale float64 // scale of the noise of a'x, relative to Problem.Sigma
	of    int     // index of the constraint in the region
}

// read stores the tolerances and constraints in the question of p.
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
			// The tolerance is the smaller of Epsilon and Cover, so that the answer is correct
			// under either relaxation. The field AtMost of the question is ignored.
			for c := range s.tol {
				s.tol[c] = math.Min(q.Epsilon, q.Cover)
			}
			return nil
		}
	}
	return arms.WrongQuestion(p, "question.FeasiblePareto, question.Pareto, or question.BestFeasible with one "+
		"weighted objective")
}

// single returns the only objective with nonzero weight, if the weight is positive and the answer
// is one item. Otherwise, single returns -1.
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

// tied reports whether any two arms have the same known value in objective c. With equal known values,
// either of the two arms may be the answer, but not both.
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

func (s *State) constrain(region *polyhedron.Polyhedron, slack []float64) {
	for k := range region.Rows() {
		c := region.Constraint(k)
		r := row{a: slices.Clone(c.A), b: c.B, of: k}
		if slack != nil {
			r.slack = slack[k]
		}
		length := floats.Norm(c.A, 2)
		if length == 0 {
			continue // the constraint 0 <= b holds for every nonempty region
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
