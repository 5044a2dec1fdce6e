package polyhedron

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

// Project stores the point of P nearest to x in dst and returns dst. If dst is nil a new slice is
// allocated; otherwise it must have length d and may be x. A point of P is its own projection.
func (p *Polyhedron) Project(dst, x []float64) []float64 {
	var ws Workspace
	return p.ProjectWith(&ws, dst, x)
}

// ProjectWith is Project with the scratch memory of ws.
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

// easy stores the projection in dst and returns true if it needs no solver: for points of P, and for boxes. A point that is not finite has no projection: it gives
// NaN.
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

// A Workspace holds the scratch memory of projections. The zero value is ready to use; it grows to
// the largest set that it has been used with. One workspace serves any number of
// polyhedra, but only one goroutine at a time.
type Workspace struct {
	qp activeset.Projector
}

// project leaves the projection of x onto s in w.qp, trying the row first before others. The set
// must have points.
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
