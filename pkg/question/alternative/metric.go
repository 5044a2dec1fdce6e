package alternative

import (
	"math"
	"slices"
)

// This file is the metric of correlated objectives: lengths, and the shortest way
// for one member to fall below another. Everything is in units of standard
// deviations, so that the covariance is a matrix R of correlations and the metric
// is its inverse, the precision P.

// form returns z'P z for the precision P of the objectives.
func (r *BestResponse) form(z []float64) float64 {
	s := 0.
	for a, u := range z {
		if !r.correlated {
			s += u * u
			continue
		}
		for b, v := range z {
			s += u * v * r.precision[a*r.d+b]
		}
	}
	return s
}

// descend returns the squared length, in the metric of the precision P, of the
// shortest z with a - z <= b, which it leaves in dir: positive parts, if the
// objectives are not correlated.
//
// By duality z = R g for multipliers g >= 0 and correlations R, and g is 0 where
// z exceeds a - b: a linear complementarity problem, solved by Murty's least-index
// method, which ends because R is positive definite.
func (r *BestResponse) descend(a, b []float64) float64 {
	d, z := r.d, r.dir
	if !r.correlated {
		s := 0.
		for c, v := range a {
			z[c] = max(0, v-b[c])
			s += z[c] * z[c]
		}
		return s
	}
	r.sub = r.sub[:0]
	for {
		// g on the rows sub, in rhs; z = R g.
		for q, e := range r.sub {
			r.rhs[q] = a[e] - b[e]
			for t, f := range r.sub {
				r.chol[q*d+t] = r.corr[e*d+f]
			}
		}
		r.solve(len(r.sub))
		clear(z)
		for q, e := range r.sub {
			for c := range d {
				z[c] += r.corr[c*d+e] * r.rhs[q]
			}
		}
		flip, at, found := -1, 0, false
		for c := range d {
			q, in := slices.BinarySearch(r.sub, c)
			if in && r.rhs[q] < 0 || !in && z[c] < a[c]-b[c]-1e-13*(math.Abs(a[c])+math.Abs(b[c])) {
				flip, at, found = c, q, in
				break
			}
		}
		if flip < 0 {
			return max(0, r.form(z))
		}
		if found {
			r.sub = slices.Delete(r.sub, at, at+1)
		} else {
			r.sub = slices.Insert(r.sub, at, flip)
		}
	}
}

// factor overwrites the lower triangle of the leading n rows of chol, a positive
// definite matrix, with its Cholesky factor.
func (r *BestResponse) factor(n int) {
	l, d := r.chol, r.d
	for i := range n {
		for j := range i + 1 {
			s := l[i*d+j]
			for k := range j {
				s -= l[i*d+k] * l[j*d+k]
			}
			if i == j {
				l[i*d+i] = math.Sqrt(s)
			} else {
				l[i*d+j] = s / l[j*d+j]
			}
		}
	}
}

// forward solves L y = rhs for the factor L in chol, and backward L'y = rhs, both
// for n numbers and in place.
func (r *BestResponse) forward(y []float64) {
	l, d := r.chol, r.d
	for i := range y {
		for k := range i {
			y[i] -= l[i*d+k] * y[k]
		}
		y[i] /= l[i*d+i]
	}
}

func (r *BestResponse) backward(y []float64) {
	l, d := r.chol, r.d
	for i := len(y) - 1; i >= 0; i-- {
		for k := i + 1; k < len(y); k++ {
			y[i] -= l[k*d+i] * y[k]
		}
		y[i] /= l[i*d+i]
	}
}

// solve solves the positive definite system of the leading n rows of chol, whose
// lower triangle it overwrites, for rhs, which becomes the solution.
func (r *BestResponse) solve(n int) {
	r.factor(n)
	r.forward(r.rhs[:n])
	r.backward(r.rhs[:n])
}

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
