package alternative

import "math"

// rounding is the violation of a constraint, relative to the numbers that it is
// computed from, that counts as none.
const rounding = 1e-14

// project moves x to the point of the region that is nearest in the metric of the
// positive definite matrix L L' whose factor L is in chol. It reports false, and does
// nothing, if x is in the region up to rounding.
//
// The step s = L'(x - x0) is the shortest one that meets a'x <= b, that is, (L^-1 a)'s <=
// b - a'x0: a projection of 0 in the Euclidean metric. (A Polyhedron is not used for it,
// because the metric changes with every step of Newton's method.)
func (r *BestResponse) project(x []float64) bool {
	f, d := r.region, r.d
	if f.contains(x) {
		return false
	}
	for l, b := range f.b {
		row := f.rows.Row(l)
		v, size := -b, math.Abs(b)
		for c, a := range f.a[l*d:][:d] {
			row[c] = a
			v += a * x[c]
			size += math.Abs(a * x[c])
		}
		r.forward(row)
		length := 0.
		for _, a := range row {
			length += a * a
		}
		length = math.Sqrt(length)
		for c := range row {
			row[c] /= length
		}
		f.rows.B[l], f.rows.Size[l] = -v/length, size/length
	}
	// The region has an interior, so that only rounding can exclude a constraint, or need
	// more than a few steps: then the point reached is as good as it gets.
	f.qp.Project(&f.rows, f.origin, -1)
	r.backward(f.qp.X)
	for c, v := range f.qp.X {
		x[c] += v
	}
	return true
}
