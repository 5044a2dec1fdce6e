package constrained

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// margins are distances of means to the boundary of a region. A constraint on values that are known
// of all arms, such as a price, needs no measurement: an arm keeps it or does not, for certain, also
// on the boundary.
type margins struct {
	region *polyhedron.Polyhedron // the constraints that measurements tell of
	row    []int                  // by constraint of region: that of the question
	broken []int                  // by arm: the constraint on known values that it misses most, or -1
	missed []float64              // by arm: by how much, a distance
}

// rounding is the relative error that values on the boundary may have: people write decimals.
const rounding = 1e-12

func (m *margins) init(p *explore.Problem, region *polyhedron.Polyhedron) {
	*m = margins{region: region}
	if p.Known == nil {
		return
	}
	m.broken, m.missed = make([]int, p.K()), make([]float64, p.K())
	for i := range m.broken {
		m.broken[i] = -1
	}
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
		m.region, _ = polyhedron.New(mat.NewDense(rows, p.D(), a), b, nil) // it contains region
	}
}

// noisy returns w with 0 for the objectives that are known of all arms.
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

// judge notes which arms miss constraint k, and reports whether it is about known values alone.
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

// of is [polyhedron.Polyhedron.MarginWith] of arm i with the given mean; eta is +Inf if the arm
// misses a constraint on known values.
func (m *margins) of(ws *polyhedron.Workspace, i int, mean []float64) (inside bool, eta float64,
	constraint int) {
	if m.broken != nil && m.broken[i] >= 0 {
		return false, math.Inf(1), m.broken[i]
	}
	inside, eta, constraint = m.region.MarginWith(ws, mean)
	if m.broken != nil && constraint >= 0 {
		constraint = m.row[constraint]
	}
	return inside, eta, constraint
}

// explain corrects the part of the reason for arm i that concerns feasibility: what is missed by
// known values is known.
func (m *margins) explain(r *explore.Reason, i int) {
	if m.broken != nil && m.broken[i] >= 0 {
		r.Slack, r.SlackRadius = -m.missed[i], 0
	}
}
