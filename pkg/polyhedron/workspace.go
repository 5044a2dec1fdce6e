package polyhedron

// A Workspace holds the scratch memory of projections. The zero value is ready to use; it grows to
// the largest set that it has been used with. One workspace serves any number of
// polyhedra, but only one goroutine at a time.
type Workspace struct {
	qp dual

	// For weighted projections: the rows, the point and the root of the weights, all rescaled.
	scaled system
	x, s   []float64
}

// project leaves the projection of x onto s in w.qp, trying the row first before others. The set
// must have points.
func (w *Workspace) project(s *system, x []float64, first int) {
	if w.qp.project(s, x, first) != solved {
		w.qp.hildreth(s, x)
	}
}
