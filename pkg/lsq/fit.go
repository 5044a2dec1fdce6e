package lsq

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Fit is a least-squares fit from batches: Add them, Solve, and read. The
// rewards have d objectives that share the features, and unit variance; for
// variance sigma^2 multiply variances by it.
type Fit struct {
	// Metric is that of the information matrix, after Solve: Squared(y) is the
	// variance of the estimated mean at y.
	*Metric

	d, n  int
	a     []float64 // m x m: sum of n x x'
	b     []float64 // m x d: sum of x r'
	theta []float64 // m x d
	wb    []float64
}

// NewFit returns an empty fit of m features and d objectives.
func NewFit(m, d int) *Fit {
	return &Fit{Metric: NewMetric(m), d: d, a: make([]float64, m*m), b: make([]float64, m*d),
		theta: make([]float64, m*d), wb: make([]float64, m*d)}
}

// Reset forgets all batches.
func (f *Fit) Reset() {
	f.n = 0
	clear(f.a)
	clear(f.b)
}

// Add adds n rewards of a point x that sum to sum, one number an objective.
func (f *Fit) Add(x []float64, n int, sum []float64) {
	f.n += n
	for i, v := range x {
		if v != 0 { // arms without features have one that is not
			floats.AddScaled(f.a[i*f.m:][:f.m], float64(n)*v, x)
			floats.AddScaled(f.b[i*f.d:][:f.d], v, sum)
		}
	}
}

// N returns the number of rewards.
func (f *Fit) N() int { return f.n }

// Solve computes the estimate from what was added so far. It reports whether the
// points span all directions; if not, the estimate is that of least norm, and
// it means something only for directions with Outside near 0.
func (f *Fit) Solve() (spans bool) {
	f.Factorize(f.a)
	f.Estimate()
	return f.full
}

// Reward adds to the rewards of a point x, whose number Add was told.
func (f *Fit) Reward(x, sum []float64) {
	for i, v := range x {
		if v != 0 {
			floats.AddScaled(f.b[i*f.d:][:f.d], v, sum)
		}
	}
}

// Estimate computes the estimate once more after Reward: Solve, as long as nothing was added.
func (f *Fit) Estimate() {
	if f.diag != nil {
		for i, v := range f.diag {
			for c := range f.d {
				f.theta[i*f.d+c] = v * (v * f.b[i*f.d+c])
			}
		}
		return
	}
	general := func(rows int, data []float64) blas64.General {
		return blas64.General{Rows: rows, Cols: len(data) / rows, Stride: len(data) / rows,
			Data: data}
	}
	w, b := general(f.m, f.white), general(f.m, f.b)
	wb, theta := general(f.m, f.wb), general(f.m, f.theta)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, w, b, 0, wb)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, w, wb, 0, theta)
}

// Theta returns the estimate, m x d. The matrix shares memory with f.
func (f *Fit) Theta() *mat.Dense { return mat.NewDense(f.m, f.d, f.theta) }

// Mean returns the estimated mean of objective c at y.
func (f *Fit) Mean(y []float64, c int) float64 {
	s := 0.
	for i, v := range y {
		s += v * f.theta[i*f.d+c]
	}
	return s
}
