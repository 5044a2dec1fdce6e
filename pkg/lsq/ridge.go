package lsq

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Ridge is a ridge regression of d objectives on points that arrive one by one
// and need not come from a known set: for A = sum n x x' and B = sum x r' it solves
// (A + reg I) theta = B, for any reg at any time. Noise has unit variance.
//
// A point costs O(m^2) and a solution O(m^3/3 + m^2 d) for m features, which allocate
// nothing.
type Ridge struct {
	m, d   int
	n      float64
	a      []float64 // m x m: the lower triangle of A
	b      []float64 // d x m
	l      []float64 // m x m: the lower Cholesky factor of A + reg I; inverses on its diagonal
	theta  []float64 // d x m
	logDet float64
	u      []float64 // m
}

// NewRidge returns an empty regression of m features and d objectives.
func NewRidge(m, d int) *Ridge {
	return &Ridge{
		m: m, d: d, a: make([]float64, m*m), b: make([]float64, m*d), l: make([]float64, m*m),
		theta: make([]float64, m*d), u: make([]float64, m),
	}
}

// Reset forgets all points.
func (r *Ridge) Reset() {
	r.n = 0
	clear(r.a)
	clear(r.b)
	clear(r.theta)
}

// Add adds n rewards of a point x that sum to sum, one number an objective. N need
// not be whole. A nil sum adds what x says about theta, and no rewards: of none.
func (r *Ridge) Add(x []float64, n float64, sum []float64) {
	if len(x) != r.m || sum != nil && len(sum) != r.d {
		panic(panicLength)
	}
	r.n += n
	for i, v := range x {
		if v == 0 {
			continue
		}
		row, w := r.a[i*r.m:][:i+1], n*v
		for j, y := range x[:len(row)] {
			row[j] += w * y
		}
	}
	for c, y := range sum {
		b := r.b[c*r.m:][:len(x)]
		for i, v := range x {
			b[i] += y * v
		}
	}
}

// N returns the number of rewards.
func (r *Ridge) N() float64 { return r.n }

// Solve computes the estimate with the weight reg of the squared norm of theta. It
// reports whether there is a unique one, as there is for positive reg; if not, the
// estimate before stays.
func (r *Ridge) Solve(reg float64) (unique bool) {
	if !r.factorize(reg) {
		return false
	}
	copy(r.theta, r.b)
	for c := range r.d {
		r.solve(r.theta[c*r.m:][:r.m])
	}
	return true
}

// factorize computes the Cholesky factor of A + reg I.
func (r *Ridge) factorize(reg float64) bool {
	m := r.m
	det, logDet := 1., 0.
	for i := range m {
		li := r.l[i*m:][:i+1]
		copy(li, r.a[i*m:][:i+1])
		own := li[i] + reg
		pivot := own
		for j := range i {
			lj := r.l[j*m:][:j+1]
			s := li[j]
			left := li[:j]
			for c, v := range lj[:len(left)] {
				s -= left[c] * v
			}
			s *= lj[j]
			li[j] = s
			pivot -= s * s
		}
		if !(pivot > dependent*own) {
			return false
		}
		// A logarithm costs as much as a row: take that of a product.
		if next := det * pivot; next > 1e-200 && next < 1e200 {
			det = next
		} else {
			logDet += math.Log(det) + math.Log(pivot)
			det = 1
		}
		li[i] = 1 / math.Sqrt(pivot)
	}
	r.logDet = logDet + math.Log(det)
	return true
}

// solve replaces y, m numbers, by (A + reg I)^-1 y.
func (r *Ridge) solve(y []float64) {
	m := r.m
	for i := range y {
		li := r.l[i*m:][:i+1]
		s := y[i]
		before := y[:i]
		for j, v := range li[:len(before)] {
			s -= v * before[j]
		}
		y[i] = s * li[i]
	}
	for i := m - 1; i >= 0; i-- {
		li := r.l[i*m:][:i+1]
		s := y[i] * li[i]
		y[i] = s
		before := y[:i]
		for j, v := range li[:len(before)] {
			before[j] -= v * s
		}
	}
}

// Theta returns the estimate, m x d. The matrix is a copy.
func (r *Ridge) Theta() *mat.Dense { return mat.DenseCopyOf(mat.NewDense(r.d, r.m, r.theta).T()) }

// Means stores the estimated means at x, d numbers, in dst.
func (r *Ridge) Means(dst, x []float64) {
	for c := range dst {
		theta, s := r.theta[c*r.m:][:len(x)], 0.
		for i, v := range x {
			s += v * theta[i]
		}
		dst[c] = s
	}
}

// LogDet returns log det(A + reg I) for the reg of the last Solve.
func (r *Ridge) LogDet() float64 { return r.logDet }

// Squared returns y'(A + reg I)^-1 y for the reg of the last Solve, in O(m^2).
func (r *Ridge) Squared(y []float64) float64 {
	sum := 0.
	for i, v := range y {
		li := r.l[i*r.m:][:i+1]
		before := r.u[:i]
		for j, w := range li[:len(before)] {
			v -= w * before[j]
		}
		r.u[i] = v * li[i]
		sum += r.u[i] * r.u[i]
	}
	return sum
}
