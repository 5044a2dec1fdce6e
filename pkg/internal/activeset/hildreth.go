package activeset

import "math"

// Hildreth is Project by coordinate ascent on the dual (Hildreth, "A quadratic programming
// procedure", Naval Research Logistics Quarterly 4, 1957), which is Dykstra's method for
// half-spaces. It converges for every set with points, if slowly at small angles, and stands
// in for the active-set method in case that rounding keeps the latter from ending. It
// allocates, and finds X and Dist only.
func (w *Projector) Hildreth(s *System, x0 []float64) {
	w.reset(s)
	copy(w.X, x0)
	u := make([]float64, s.M)
	size := math.Sqrt(dot(x0, x0))
	for range 100_000 {
		var change float64
		for k, b := range s.B {
			a := s.Row(k)
			step := max(dot(a, w.X)-b, -u[k])
			u[k] += step
			axpy(-step, a, w.X)
			change = max(change, math.Abs(step))
		}
		if change <= satisfied*size {
			break
		}
	}
	var ss float64
	for j, v := range x0 {
		ss += (v - w.X[j]) * (v - w.X[j])
	}
	w.Dist = math.Sqrt(ss)
}
