package polyhedron

import "github.com/purexp/purexp/pkg/internal/activeset"

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
