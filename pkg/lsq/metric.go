package lsq

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Metric is the norm y -> sqrt(y'A^-1 y) of an information matrix A, m x m:
// for unit noise, the standard deviation of the estimate of y'theta. If A is
// singular, it is that of the pseudo-inverse, and Outside tells which directions
// it is meaningless for.
type Metric struct {
	m     int
	white []float64 // m x m: W with W'W = A^-1, lower triangular if full
	full  bool
	chol  mat.Cholesky
	l     mat.TriDense // the factor of A, then its inverse
	inv   mat.TriDense
	null  [][]float64 // orthonormal basis of the kernel of A, if not full
}

// NewMetric returns a Metric of m dimensions that waits for Factorize.
func NewMetric(m int) *Metric { return &Metric{m: m, white: make([]float64, m*m)} }

// Factorize takes a symmetric positive semidefinite matrix A, m x m in row-major
// order, and reports whether it is regular. O(m^3).
func (e *Metric) Factorize(a []float64) (regular bool) {
	m := e.m
	sym := mat.NewSymDense(m, a)
	e.null = nil
	clear(e.white)
	e.full = e.chol.Factorize(sym) && e.chol.Cond() < 1e13
	if e.full {
		// A = L L', W = L^-1.
		e.chol.LTo(&e.l)
		_ = e.inv.InverseTri(&e.l) // warns of large condition numbers, which were checked
		raw := e.inv.RawTriangular()
		for i := range m {
			copy(e.white[i*m:][:i+1], raw.Data[i*raw.Stride:])
		}
		return true
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		panic(panicFinite)
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values(nil)
	for i, l := range values {
		if l > 1e-12*values[m-1] {
			for j := range m {
				e.white[i*m+j] = v.At(j, i) / math.Sqrt(l)
			}
		} else {
			e.null = append(e.null, mat.Col(nil, i, &v))
		}
	}
	return false
}

// Whiten sets dst to W y, for W'W = A^-1: distances between whitened points are
// norms of their differences.
func (e *Metric) Whiten(dst, y []float64) {
	for i := range dst {
		n := e.m
		if e.full {
			n = i + 1
		}
		dst[i] = floats.Dot(e.white[i*e.m:][:n], y[:n])
	}
}

// Squared returns y'A^-1 y.
func (e *Metric) Squared(y []float64) float64 {
	s := 0.
	for i := range e.m {
		n := e.m
		if e.full {
			n = i + 1
		}
		w := floats.Dot(e.white[i*e.m:][:n], y[:n])
		s += w * w
	}
	return s
}

// Outside returns the part of y outside the range of A, as a fraction of y
// between 0 and 1.
func (e *Metric) Outside(y []float64) float64 {
	s := 0.
	for _, v := range e.null {
		s = math.Hypot(s, floats.Dot(v, y))
	}
	if s == 0 {
		return 0
	}
	return s / floats.Norm(y, 2)
}

// LogDet returns log det A, -Inf if A is singular.
func (e *Metric) LogDet() float64 {
	if !e.full {
		return math.Inf(-1)
	}
	sum := 0.
	for i := range e.m {
		sum -= 2 * math.Log(e.white[i*e.m+i])
	}
	return sum
}

// Solve sets dst to A^-1 b, or to the solution of least norm if A is singular.
func (e *Metric) Solve(dst, b []float64) {
	clear(dst)
	for i := range e.m {
		n := e.m
		if e.full {
			n = i + 1
		}
		w := e.white[i*e.m:][:n]
		floats.AddScaled(dst[:n], floats.Dot(w, b[:n]), w)
	}
}
