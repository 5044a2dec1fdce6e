package pareto

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Excess returns M(a,b),
//
//	M(a,b) = max_c (a_c - b_c),
//
// which is the largest amount by which a is better than b in one objective. Excess is positive if
// and only if b does not weakly dominate a. If Excess is not positive, b is better than a by at
// least -M(a,b) in every objective. The slices a and b must have the same length, which is at least
// 1.
//
// In the paper of Auer et al., M(i,j) is Excess(mu_i, mu_j) (Auer, Chiang, Ortner and Drugan,
// "Pareto front identification from stochastic bandit feedback", AISTATS 2016, section 3).
func Excess(a, b []float64) float64 {
	checkPair(a, b)
	return excess(a, b)
}

// Deficit returns m(a,b),
//
//	m(a,b) = min_c (b_c - a_c) = -M(a,b),
//
// which is the amount by which b is better than a in every objective. Deficit is positive if and
// only if b strictly dominates a. The slices a and b must have the same length, which is at least
// 1.
func Deficit(a, b []float64) float64 {
	checkPair(a, b)
	return deficit(a, b)
}

// Dominates reports whether a_c >= b_c for all objectives c and a != b, which is the Pareto
// relation. The slices a and b must have the same length, which is at least 1.
func Dominates(a, b []float64) bool {
	checkPair(a, b)
	return dominates(a, b)
}

func checkPair(a, b []float64) {
	if len(a) != len(b) {
		panic(panicShape)
	}
	if len(a) == 0 {
		panic(panicDim)
	}
}

func excess(a, b []float64) float64 {
	b = b[:len(a)]
	m := a[0] - b[0]
	for c := 1; c < len(a); c++ {
		if v := a[c] - b[c]; v > m || v != v {
			m = v
		}
	}
	return m
}

func deficit(a, b []float64) float64 {
	b = b[:len(a)]
	m := b[0] - a[0]
	for c := 1; c < len(a); c++ {
		if v := b[c] - a[c]; v < m || v != v {
			m = v
		}
	}
	return m
}

func covers(a, b []float64) bool {
	b = b[:len(a)]
	for c, v := range a {
		if !(v >= b[c]) {
			return false
		}
	}
	return true
}

func dominates(a, b []float64) bool { return covers(a, b) && !equal(a, b) }

func equal(a, b []float64) bool {
	b = b[:len(a)]
	for c, v := range a {
		if v != b[c] {
			return false
		}
	}
	return true
}

// A points value represents n rows of d numbers; row i begins at data[i*stride].
type points struct {
	data         []float64
	n, d, stride int
}

// view returns points that refer to the rows of mu, without copying.
func view(mu *mat.Dense) points {
	r := mu.RawMatrix()
	if r.Rows == 0 {
		return points{}
	}
	if r.Rows > math.MaxInt32 {
		panic(panicShape)
	}
	return points{data: r.Data, n: r.Rows, d: r.Cols, stride: r.Stride}
}

// raw returns points that refer to the rows in data, without copying.
func raw(data []float64, d int) points {
	if d < 1 {
		panic(panicDim)
	}
	n := len(data) / d
	if n*d != len(data) || n > math.MaxInt32 {
		panic(panicShape)
	}
	return points{data: data, n: n, d: d, stride: d}
}

func (x points) row(i int) []float64 {
	o := i * x.stride
	return x.data[o : o+x.d : o+x.d]
}

func (x points) checkAll() {
	for i := range x.n {
		checkRow(x.row(i))
	}
}

func (x points) checkSubset(subset []int) {
	for _, i := range subset {
		if uint(i) >= uint(x.n) {
			panic(panicIndex)
		}
		checkRow(x.row(i))
	}
}

func checkRow(p []float64) {
	for _, v := range p {
		if !finite(v) {
			panic(panicFinite)
		}
	}
}

// pack returns points with a copy of the given rows, in the given order.
func (x points) pack(rows []int) points {
	y := points{data: make([]float64, len(rows)*x.d), n: len(rows), d: x.d, stride: x.d}
	for k, i := range rows {
		copy(y.data[k*x.d:], x.row(i))
	}
	return y
}

// compare orders rows lexicographically, larger numbers first. A row is never dominated by a row
// that is later in the order of compare.
func (x points) compare(i, j int) int {
	a, b := x.row(i), x.row(j)
	for c, v := range a {
		if w := b[c]; v != w {
			if v > w {
				return -1
			}
			return 1
		}
	}
	return 0
}
