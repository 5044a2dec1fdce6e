package constrained

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// margins computes the distances of means from the boundary of a region. A constraint on values
// that are known for all arms, such as prices, needs no measurement. Whether an arm satisfies a
// constraint on known values is certain, even on the boundary.
type margins struct {
	region *polyhedron.Polyhedron // constraints that depend on measurements
	row    []int                  // by constraint of region: the number of the constraint in the question
	broken []int                  // by arm: the most violated constraint on known values, or -1
	missed []float64              // by arm: the distance by which the arm violates the constraint in broken
}

// rounding is the relative error by which known values may violate a constraint, because inputs are
// rounded decimals.
const rounding = 1e-12

func (m *margins) init(p *explore.Problem, region *polyhedron.Polyhedron) {
	*m = margins{region: region}
	if p.Known == nil {
		return
	}
	m.broken, m.missed = slices.Repeat([]int{-1}, p.K()), make([]float64, p.K())
	var a, b []float64
	for k := range region.Rows() {
		c := region.Constraint(k)
		if m.judge(p.Known, k, &c) {
			continue
		}
		m.row = append(m.row, k)
		a, b = append(a, c.A...), append(b, c.B)
	}
	switch rows := len(m.row); rows {
	case region.Rows():
	case 0:
		m.region = polyhedron.Whole(p.D())
	default:
		// New returns no error, because a nonempty set remains nonempty if constraints are removed.
		m.region, _ = polyhedron.New(mat.NewDense(rows, p.D(), a), b, nil)
	}
}

// noisy returns a copy of the weights w, in which objectives that are known for all arms have
// weight 0.
func noisy(known *mat.Dense, w []float64) []float64 {
	w = slices.Clone(w)
	if known == nil {
		return w
	}
	for j := range w {
		if !slices.ContainsFunc(mat.Col(nil, j, known), math.IsNaN) {
			w[j] = 0
		}
	}
	return w
}

// judge records the arms that violate constraint k, and reports whether k involves only known
// values.
func (m *margins) judge(known *mat.Dense, k int, c *polyhedron.Constraint) bool {
	if floats.Norm(noisy(known, c.A), 1) > 0 {
		return false
	}
	norm := floats.Norm(c.A, 2)
	for i := range m.broken {
		over, size := -c.B, math.Abs(c.B)
		for j, w := range c.A {
			if w != 0 {
				over += w * known.At(i, j)
				size += math.Abs(w * known.At(i, j))
			}
		}
		if over /= norm; over > rounding*size/norm && over > m.missed[i] {
			m.broken[i], m.missed[i] = k, over
		}
	}
	return true
}

// of returns [polyhedron.Polyhedron.MarginWith] for arm i with the given mean. If the arm violates
// a constraint on known values, the distance is +Inf.
func (m *margins) of(ws *polyhedron.Workspace, i int, mean []float64) (inside bool, eta float64, constraint int) {
	if m.broken != nil && m.broken[i] >= 0 {
		return false, math.Inf(1), m.broken[i]
	}
	inside, eta, constraint = m.region.MarginWith(ws, mean)
	if m.broken != nil && constraint >= 0 {
		constraint = m.row[constraint]
	}
	return inside, eta, constraint
}

// explain corrects the slack in the reason for arm i: if the arm violates a constraint on known
// values, the slack is exact and has no radius.
func (m *margins) explain(r *explore.Reason, i int) {
	if m.broken != nil && m.broken[i] >= 0 {
		r.Slack, r.SlackRadius = -m.missed[i], 0
	}
}

// Weighted is the state of policies for question.BestFeasible: for each arm, the estimates, the
// position relative to the region, and the weighted sum.
type Weighted struct {
	arms.Means
	Region *polyhedron.Polyhedron // the region without constraints on known values
	Work   polyhedron.Workspace
	Weight []float64 // d: w
	Norm   float64   // ||w||_2
	Noisy  float64   // norm of the weights of objectives that are not known for all arms
	Count  int       // m, the number of items in the answer

	Inside []bool    // muhat_i in P
	Eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // index of the closest constraint, or of the most violated constraint
	Value  []float64 // w'muhat_i

	margins margins
	noisy   []float64 // the weights w, with 0 for known objectives; length d
}

// Init prepares the state s for a run on the problem prob. Init returns an error unless the
// question is question.BestFeasible and the items are the arms.
func (s *Weighted) Init(prob *explore.Problem) error {
	q, ok := prob.Question.(question.BestFeasible)
	if !ok || prob.Z != nil {
		return arms.WrongQuestion(prob, "question.BestFeasible")
	}
	s.Means.Init(prob)
	s.margins.init(prob, q.Region)
	s.Region, s.Count = s.margins.region, q.Items()
	s.Weight = memory.Zeroed(s.Weight, s.D)
	for c := range s.Weight {
		s.Weight[c] = 1
	}
	copy(s.Weight, q.Weights)
	s.Norm = floats.Norm(s.Weight, 2)
	if s.noisy = noisy(prob.Known, s.Weight); floats.Norm(s.noisy, 2) == 0 {
		s.noisy = s.Weight
	}
	s.Noisy = floats.Norm(s.noisy, 2)
	s.Inside, s.Eta = memory.Zeroed(s.Inside, s.K), memory.Zeroed(s.Eta, s.K)
	s.facet, s.Value = memory.Zeroed(s.facet, s.K), memory.Zeroed(s.Value, s.K)
	return nil
}

// Tell adds measurements to the state.
func (s *Weighted) Tell(obs []explore.Batch) {
	s.Means.Tell(obs)
	for b := range obs {
		i := obs[b].Arm
		s.Inside[i], s.Eta[i], s.facet[i] = s.margins.of(&s.Work, i, s.Row(i))
		s.Value[i] = floats.Dot(s.Weight, s.Row(i))
	}
}

// Reason returns a reason for arm i with the class Undecided and the arm's slack, whose half-width
// is radius.
func (s *Weighted) Reason(i int, radius float64) explore.Reason {
	r := explore.Reason{By: -1, Constraint: s.facet[i], Slack: s.Eta[i], SlackRadius: radius}
	if !s.Inside[i] {
		r.Slack = -r.Slack
	}
	s.margins.explain(&r, i)
	return r
}

// Scale returns the sub-Gaussian scale of w'X for a reward X. The returned scale is the smaller of
// two bounds: the first is the scale of a projection times the length of w, and the second is the
// sum of |w_c| sigma, which holds for any correlation between objectives.
func (s *Weighted) Scale(prob *explore.Problem) float64 {
	return math.Min(s.Noisy*prob.SigmaU(), floats.Norm(s.noisy, 1)*prob.Sigma)
}
