package design

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// factorize computes M(w) of the active points and W = L^-1 for M = L L'. If
// M is singular because of rounding, all points get a little weight.
func (s *saddle) factorize() {
	m := s.m
	s.information(s.a, s.xa, s.wa)
	for little := 1e-13; !inverseFactor(s.white, s.a, m); little *= 10 {
		if little > 1 {
			panic(panicFinite)
		}
		s.information(s.a, s.xa, s.wa)
		trace := 0.
		for i := range m {
			trace += s.a[i*m+i]
		}
		for i := range m {
			s.a[i*m+i] += little * trace
		}
	}
}

const chunk = 128 // rows of a matrix product, few enough for gonum not to start goroutines

// information sets a to sum w_i x_i x_i'.
func (s *saddle) information(a, x, w []float64) {
	m := s.m
	clear(a)
	s.tmp = grow(s.tmp, chunk*m)
	for lo := 0; lo < len(w); lo += chunk {
		hi := min(lo+chunk, len(w))
		for b := lo; b < hi; b++ {
			floats.ScaleTo(s.tmp[(b-lo)*m:][:m], w[b], x[b*m:][:m])
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, rows(s.tmp, hi-lo, m), rows(x[lo*m:], hi-lo, m), 1,
			rows(a, m, m))
	}
}

// variances computes v and u = M^-1 y of the working set, and returns the
// largest v.
func (s *saddle) variances() float64 {
	m, n := s.m, len(s.q)
	s.u, s.wy, s.v = grow(s.u, n*m), grow(s.wy, n*m), grow(s.v, n)
	most := 0.
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		wy := rows(s.wy[lo*m:], hi-lo, m)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(s.y[lo*m:], hi-lo, m), rows(s.white, m, m), 0,
			wy)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, wy, rows(s.white, m, m), 0,
			rows(s.u[lo*m:], hi-lo, m))
		for t := lo; t < hi; t++ {
			r := s.wy[t*m:][:m]
			s.v[t] = floats.Dot(r, r)
			most = max(most, s.v[t])
		}
	}
	return most
}

// gradient sets g to sum_y q_y (x_i'u_y)^2 at the points x, and returns the
// largest.
func (s *saddle) gradient(g, x []float64) float64 {
	m := s.m
	s.information(s.c, s.u, s.q)
	most := 0.
	for lo := 0; lo < len(g); lo += chunk {
		hi := min(lo+chunk, len(g))
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, rows(x[lo*m:], hi-lo, m), rows(s.c, m, m), 0,
			rows(s.tmp, hi-lo, m))
		for b := lo; b < hi; b++ {
			// rounding can make it negative
			g[b] = max(0, floats.Dot(s.tmp[(b-lo)*m:][:m], x[b*m:][:m]))
			most = max(most, g[b])
		}
	}
	return most
}

func rows(data []float64, n, m int) blas64.General {
	return blas64.General{Rows: n, Cols: m, Stride: m, Data: data}
}

// inverseFactor sets w to L^-1, lower triangular, for a = L L', m x m, and
// overwrites a. It reports false if a is numerically singular.
func inverseFactor(w, a []float64, m int) bool {
	for j := range m {
		diagonal := a[j*m+j]
		d := diagonal - floats.Dot(a[j*m:][:j], a[j*m:][:j])
		if !(d > 1e-14*diagonal) {
			return false
		}
		d = math.Sqrt(d)
		a[j*m+j] = d
		for i := j + 1; i < m; i++ {
			a[i*m+j] = (a[i*m+j] - floats.Dot(a[i*m:][:j], a[j*m:][:j])) / d
		}
	}
	clear(w)
	for i := range m {
		// Row i of L^-1 from the rows before it.
		row := w[i*m:][:m]
		for j := range i {
			floats.AddScaled(row[:j+1], -a[i*m+j], w[j*m:][:j+1])
		}
		floats.Scale(1/a[i*m+i], row[:i])
		row[i] = 1 / a[i*m+i]
	}
	return true
}
