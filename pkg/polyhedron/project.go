package polyhedron

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

// Project stores the point of P nearest to x in dst and returns dst. If dst is nil, Project
// allocates a slice; otherwise, dst must have length d and may be x itself. A point of P is its own
// projection.
func (p *Polyhedron) Project(dst, x []float64) []float64 {
	var ws Workspace
	return p.ProjectWith(&ws, dst, x)
}

// ProjectWith returns the same projection as Project, using the scratch memory of ws.
func (p *Polyhedron) ProjectWith(ws *Workspace, dst, x []float64) []float64 {
	dst = p.destination(dst)
	i, slack := p.least(x)
	if p.easy(dst, x, i, slack) {
		return dst
	}
	if p.shape == halfSpace {
		copy(dst, x)
		floats.AddScaled(dst, slack, p.unit.Row(i))
		return dst
	}
	ws.project(&p.unit, x, i)
	copy(dst, ws.qp.X)
	return dst
}

func (p *Polyhedron) destination(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, p.d)
	}
	if len(dst) != p.d {
		panic(panicShape)
	}
	return dst
}

// If no solver is needed (for points of P, and for boxes), easy stores the projection in dst and
// returns true. If a coordinate is not finite, easy stores NaN.
func (p *Polyhedron) easy(dst, x []float64, i int, slack float64) bool {
	switch {
	case math.IsNaN(slack):
		for j := range dst {
			dst[j] = math.NaN()
		}
	case i < 0 || slack >= 0:
		copy(dst, x)
	case p.shape == box:
		for j, v := range x {
			dst[j] = min(max(v, p.lo[j]), p.hi[j])
		}
	default:
		return false
	}
	return true
}

// A Workspace holds the scratch memory of projections. The zero value is ready to use; the memory
// of a Workspace grows to the largest set. A Workspace can be used for any number of polyhedra, but
// only by one goroutine at a time.
type Workspace struct {
	qp activeset.Projector
}

// project computes the projection of x onto s in w.qp. The computation starts with the row of index
// first. The system s must not be empty.
func (w *Workspace) project(s *activeset.System, x []float64, first int) {
	if w.qp.Project(s, x, first) != activeset.Solved {
		w.qp.Hildreth(s, x)
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// least returns the row with the smallest slack, and this slack as a distance. The slack is
// negative if x is outside P, and NaN if x is not finite. If P has no rows, least returns -1 and
// +Inf.
func (p *Polyhedron) least(x []float64) (i int, slack float64) {
	d := p.d
	if len(x) != d {
		panic(panicShape)
	}
	i, slack = -1, math.Inf(1)
	a := p.a
	inv := p.inv[:len(p.b)]
	for k, b := range p.b {
		var s float64
		for j, v := range a[:len(x)] {
			s += v * x[j]
		}
		a = a[len(x):]
		s = (b - s) * inv[k]
		if s < slack {
			i, slack = k, s
		} else if s != s {
			return k, s
		}
	}
	return i, slack
}

// Contains reports whether a_k'x <= b_k for all k, without tolerance. The point x must have length
// d and finite entries.
func (p *Polyhedron) Contains(x []float64) bool {
	_, slack := p.least(x)
	return slack >= 0
}

// Distance returns the distance of x to P, which is 0 if x is in P.
func (p *Polyhedron) Distance(x []float64) float64 {
	var ws Workspace
	return p.DistanceWith(&ws, x)
}

// DistanceWith returns the same value as Distance, using the scratch memory of ws.
func (p *Polyhedron) DistanceWith(ws *Workspace, x []float64) float64 {
	i, slack := p.least(x)
	if slack >= 0 {
		return 0
	}
	return p.distance(ws, x, i, slack)
}

// Margin returns whether x is in P, its distance eta from the boundary of P, and a constraint. If x
// is in P, eta is the distance to the complement of P, and the constraint is the nearest face. If x
// is not in P, eta is the distance to P, and the constraint is the most violated constraint. If P
// has no constraints, Margin returns true, +Inf, -1.
//
// On either side of the boundary, eta is a 1-Lipschitz function of x in the Euclidean norm. If a
// coordinate is NaN, Margin returns false and NaN.
func (p *Polyhedron) Margin(x []float64) (inside bool, eta float64, constraint int) {
	var ws Workspace
	return p.MarginWith(&ws, x)
}

// MarginWith returns the same values as Margin, using the scratch memory of ws.
func (p *Polyhedron) MarginWith(ws *Workspace, x []float64) (inside bool, eta float64, constraint int) {
	i, slack := p.least(x)
	if i < 0 {
		return true, slack, -1
	}
	if slack >= 0 {
		return true, slack, p.row[i]
	}
	return false, p.distance(ws, x, i, slack), p.row[i]
}

// distance returns the distance to P of a point outside P. The argument i is the index of the row
// with the smallest slack.
func (p *Polyhedron) distance(ws *Workspace, x []float64, i int, slack float64) float64 {
	if math.IsNaN(slack) {
		return slack
	}
	switch p.shape {
	case halfSpace:
		return -slack
	case box:
		var ss float64
		for j, v := range x {
			if lo := p.lo[j]; v < lo {
				ss += (lo - v) * (lo - v)
			} else if hi := p.hi[j]; v > hi {
				ss += (v - hi) * (v - hi)
			}
		}
		return max(math.Sqrt(ss), -slack)
	}
	ws.project(&p.unit, x, i)
	// Because of rounding, the distance could be slightly below the lower bound from a single row;
	// distance then returns the bound.
	return max(ws.qp.Dist, -slack)
}
