package polyhedron

import "math"

// hildreth projects x0 onto s by coordinate ascent on the dual (Hildreth, "A quadratic programming
// procedure", Naval Research Logistics Quarterly 4, 1957), which is Dykstra's method for
// half-spaces. It converges for every set with points, if slowly at small angles, and stands in for
// the active-set method in case that rounding keeps the latter from ending. It allocates. The
// projection is left in w.x and the distance in w.dist.
func (w *dual) hildreth(s *system, x0 []float64) {
	w.reset(s)
	copy(w.x, x0)
	u := make([]float64, s.m)
	size := math.Sqrt(dot(x0, x0))
	for range 100_000 {
		var change float64
		for k, b := range s.b {
			a := s.row(k)
			step := max(dot(a, w.x)-b, -u[k])
			u[k] += step
			axpy(-step, a, w.x)
			change = max(change, math.Abs(step))
		}
		if change <= satisfied*size {
			break
		}
	}
	var ss float64
	for j, v := range x0 {
		ss += (v - w.x[j]) * (v - w.x[j])
	}
	w.dist = math.Sqrt(ss)
}
