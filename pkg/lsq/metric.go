package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Metric is the norm y -> sqrt(y'A^-1 y) of an information matrix A, m x m. For noise of unit
// variance, the norm sqrt(y'A^-1 y) is the standard deviation of the estimate of y'theta. If A is
// singular, Metric uses the pseudo-inverse; Outside identifies directions for which the norm is
// then meaningless.
type Metric struct {
	m     int
	white []float64 // m x m: W with W'W = A^-1, lower triangular if A has full rank
	full  bool
	chol  mat.Cholesky
	l     mat.TriDense // the Cholesky factor of A, and later its inverse
	inv   mat.TriDense
	null  [][]float64 // orthonormal basis of the kernel of A, if A is neither regular nor diagonal
	diag  []float64   // diagonal of W if A is diagonal (arms without features), 0 in the kernel; white is then unused
	memo  []float64   // reused memory for diag
}

// NewMetric returns a Metric for vectors of m numbers. Call Factorize before any other method.
func NewMetric(m int) *Metric {
	return &Metric{m: m, white: make([]float64, m*m), memo: make([]float64, m)}
}

// Factorize factorises a symmetric positive semidefinite matrix A, m x m in row-major order, and
// reports whether it is regular. Factorize takes O(m^3) operations, or O(m^2) if A is diagonal.
func (e *Metric) Factorize(a []float64) (regular bool) {
	m := e.m
	e.null, e.diag = nil, nil
	if e.diagonal(a) {
		return e.full
	}
	sym := mat.NewSymDense(m, a)
	clear(e.white)
	e.full = e.chol.Factorize(sym) && e.chol.Cond() < 1e13
	if e.full {
		// The factor L satisfies A = L L', and W = L^-1.
		e.chol.LTo(&e.l)
		_ = e.inv.InverseTri(&e.l) // InverseTri warns of large condition numbers, which Cond excluded
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

// diagonal factorises a if a is diagonal, and reports whether a is diagonal.
func (e *Metric) diagonal(a []float64) bool {
	m := e.m
	for i := range m {
		for _, v := range a[i*m+i+1:][:m-i-1] {
			if v != 0 {
				return false
			}
		}
	}
	least, most := math.Inf(1), 0.
	for i := range m {
		least, most = min(least, a[i*m+i]), max(most, a[i*m+i])
	}
	if math.IsNaN(least) || math.IsInf(most, 1) {
		return false
	}
	e.diag, e.full = e.memo, least > 1e-13*most
	for i := range m {
		v := a[i*m+i]
		e.diag[i] = 0
		if e.full || v > 1e-12*most {
			e.diag[i] = 1 / math.Sqrt(v)
		}
	}
	return true
}

// Whiten sets dst to W y, for a matrix W with W'W = A^-1. The norm of the difference of two points
// is therefore the Euclidean distance between the whitened points.
func (e *Metric) Whiten(dst, y []float64) {
	if e.diag != nil {
		floats.MulTo(dst, e.diag, y)
		return
	}
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
	if e.diag != nil {
		for i, v := range e.diag {
			w := v * y[i]
			s += w * w
		}
		return s
	}
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

// Outside returns the length of the part of y outside the range of A, divided by the length of y.
func (e *Metric) Outside(y []float64) float64 {
	s := 0.
	if e.diag != nil && !e.full {
		for i, v := range e.diag {
			if v == 0 && y[i] != 0 {
				s = math.Hypot(s, y[i])
			}
		}
	}
	for _, v := range e.null {
		s = math.Hypot(s, floats.Dot(v, y))
	}
	if s == 0 {
		return 0
	}
	return s / floats.Norm(y, 2)
}

// LogDet returns log det A, or -Inf if A is singular.
func (e *Metric) LogDet() float64 {
	if !e.full {
		return math.Inf(-1)
	}
	sum := 0.
	for i := range e.m {
		v := e.white[i*e.m+i]
		if e.diag != nil {
			v = e.diag[i]
		}
		sum -= 2 * math.Log(v)
	}
	return sum
}

// Solve sets dst to A^-1 b, or to the solution of smallest norm if A is singular.
func (e *Metric) Solve(dst, b []float64) {
	clear(dst)
	if e.diag != nil {
		for i, v := range e.diag {
			dst[i] = v * b[i] * v
		}
		return
	}
	for i := range e.m {
		n := e.m
		if e.full {
			n = i + 1
		}
		w := e.white[i*e.m:][:n]
		floats.AddScaled(dst[:n], floats.Dot(w, b[:n]), w)
	}
}

// fewRows is the largest number of rows for which gonum's matrix product starts no goroutines, if
// the matrix has up to 192 columns.
const fewRows = 64

// MulRows sets dst to the product of a and b, where a has many rows and b has few columns. The
// result of MulRows has the same bits as that of blas64.Gemm. For every 64 rows, Gemm starts a
// goroutine and allocates memory; this overhead takes as long as the product itself.
func MulRows(dst, a, b blas64.General) {
	for i := 0; i < a.Rows; i += fewRows {
		n := min(fewRows, a.Rows-i)
		part := func(x blas64.General) blas64.General {
			return blas64.General{Rows: n, Cols: x.Cols, Stride: x.Stride, Data: x.Data[i*x.Stride:]}
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, part(a), b, 0, part(dst))
	}
}
