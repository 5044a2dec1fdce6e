package linear

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// A Belief computes least squares or ridge regression; after every reward, it updates the
// covariances of all pairs of arms. For noise of variance 1, the covariances are C = X V^-1 X' with
// V = reg I + sum n_k x_k x_k'. Here x_k is row k of X, the features of arm k, and n_k is its
// number of rewards. If reg is positive, a Belief is a Gaussian belief about the means with the
// prior theta ~ N(0, I/reg). A Belief suits policies that compare all pairs of arms, or that
// predict the effect of a reward of each arm on all arms.
//
// For K arms with m features, a reward takes O(K^2) operations, whatever m is, and allocates no
// memory. To limit rounding errors, all values are recomputed from time to time, in O(K m^2 + K^2
// m) operations.
type Belief struct {
	K, m   int
	x      blas64.General // K x m
	reg    float64
	Weight []float64      // number of rewards, by arm
	sum    []float64      // sum of rewards, by arm
	Mean   []float64      // estimates, by arm
	Cov    blas64.General // K x K: C
	LogDet float64        // log det V
	Solved bool
	since  int // number of updates since all values were recomputed

	v     blas64.Symmetric // m x m, then its Cholesky factor
	u     blas64.General   // K x m: whitened arms
	theta []float64
	col   []float64 // K: scratch
}

// beliefRefresh is the number of updates after which all values are recomputed.
const beliefRefresh = 512

// NewBelief returns a Belief without rewards about arms with features x; x must not change. If reg
// is 0, the arms must span all dimensions.
func NewBelief(x *mat.Dense, reg float64) *Belief {
	k, m := x.Dims()
	general := func(r, c int) blas64.General {
		return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
	}
	v := func(n int) []float64 { return make([]float64, n) }
	return &Belief{K: k, m: m, x: x.RawMatrix(), reg: reg, Weight: v(k), sum: v(k), Mean: v(k),
		Cov: general(k, k), u: general(k, m), theta: v(m), col: v(k),
		v: blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: v(m * m)}}
}

// Add adds n rewards of an arm, with the given sum. Before the first Solve, Add only stores the
// rewards.
func (b *Belief) Add(arm int, n, sum float64) {
	b.Weight[arm] += n
	b.sum[arm] += sum
	if !b.Solved {
		return
	}
	if b.since++; b.since >= beliefRefresh && b.Solve() {
		return
	}
	copy(b.col, b.Row(arm))
	q := 1 + n*b.col[arm]
	floats.AddScaled(b.Mean, (sum-n*b.Mean[arm])/q, b.col)
	for i, c := range b.col {
		floats.AddScaled(b.Row(i), -n*c/q, b.col)
	}
	b.LogDet += math.Log(q)
}

// Solve recomputes all values from the rewards so far. Solve reports whether the estimate is
// unique.
func (b *Belief) Solve() (unique bool) {
	a, m := b.v.Data, b.m
	clear(a)
	for i := range m {
		a[i*m+i] = b.reg
	}
	clear(b.theta)
	for k, n := range b.Weight {
		if n > 0 {
			x := b.arm(k)
			blas64.Syr(n, vector(x), b.v)
			floats.AddScaled(b.theta, b.sum[k], x)
		}
	}
	l, ok := lapack64.Potrf(b.v)
	if !ok {
		return false
	}
	b.LogDet = 0
	for i := range m {
		b.LogDet += 2 * math.Log(a[i*m+i])
	}
	blas64.Trsv(blas.NoTrans, l, vector(b.theta))
	blas64.Trsv(blas.Trans, l, vector(b.theta))
	blas64.Gemv(blas.NoTrans, 1, b.x, vector(b.theta), 0, vector(b.Mean))
	copy(b.u.Data, b.x.Data)
	blas64.Trsm(blas.Right, blas.Trans, 1, l, b.u)
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, b.u, b.u, 0, b.Cov)
	b.Solved, b.since = true, 0
	return true
}

func (b *Belief) arm(k int) []float64 { return b.x.Data[k*b.x.Stride:][:b.m] }

// Dim returns the number of features.
func (b *Belief) Dim() int { return b.m }

// Row returns the covariances of arm i with all arms, K numbers.
func (b *Belief) Row(i int) []float64 { return b.Cov.Data[i*b.K:][:b.K] }

// Gain returns the amount by which one more reward of arm k reduces the variance of the difference
// of arms i and j.
func (b *Belief) Gain(k, i, j int) float64 {
	row := b.Row(k)
	d := row[i] - row[j]
	return d * d / (1 + row[k])
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// A Gradient computes knowledge gradients. A knowledge gradient is the expected maximum of several
// linear functions of a standard Gaussian variable, minus the largest of their expectations
// (Frazier, Powell and Dayanik 2009). The zero value of Gradient is ready to use. A Gradient reuses
// its memory from call to call.
type Gradient struct {
	order []int
	log   []float64 // logarithms of the terms
}

// Log returns log(E max_i (a_i + scale b_i Z) - max_i a_i) for Z ~ N(0, 1), or -Inf if all b_i are
// equal. Log computes only with logarithms, so that tiny values do not underflow.
//
// Log finds the lines on the upper envelope by a method that resembles quickhull. A line whose
// slope is between the slopes of two other lines is on the envelope only if it lies above their
// crossing point. For K lines, Log takes O(K) operations if few lines are on the envelope, and at
// worst O(K^2).
func (g *Gradient) Log(a, b []float64, scale float64) float64 {
	low, high := 0, 0
	for i, v := range b {
		if v < b[low] || v == b[low] && a[i] > a[low] {
			low = i
		}
		if v > b[high] || v == b[high] && a[i] > a[high] {
			high = i
		}
	}
	if !(b[low] < b[high]) {
		return math.Inf(-1)
	}
	g.log, g.order = g.log[:0], g.order[:0]
	z, v := cross(a, b, low, high)
	for i, s := range b {
		if a[i]+s*z > v {
			g.order = append(g.order, i)
		}
	}
	g.hull(a, b, scale, low, high, 0)
	// Finally, return the logarithm of the sum of exp(g.log).
	most := math.Inf(-1)
	for _, l := range g.log {
		most = max(most, l)
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.
	for _, l := range g.log {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
}

// cross returns the point at which lines i and j cross, and the value of both lines at this point.
func cross(a, b []float64, i, j int) (z, value float64) {
	z = (a[i] - a[j]) / (b[j] - b[i])
	return z, a[i] + b[i]*z
}

// hull adds the terms of those lines on the envelope whose slopes are between the slopes of lines
// low and high. The candidates are the lines in g.order[start:]; hull removes them.
func (g *Gradient) hull(a, b []float64, scale float64, low, high, start int) {
	z, v := cross(a, b, low, high)
	// The margin allows for rounding errors: a line that only touches a corner is not on the
	// envelope.
	top, most := -1, v+1e-14*(math.Abs(a[low])+math.Abs(a[high]))
	for _, i := range g.order[start:] {
		if u := a[i] + b[i]*z; u > most && b[i] > b[low] && b[i] < b[high] {
			top, most = i, u
		}
	}
	if top < 0 {
		g.order = g.order[:start]
		// The term for a corner is scale (b_high - b_low) f(-|c|), where c is the value of Z at
		// which the lines low and high cross, and f(z) = phi(z) + z Phi(z).
		g.log = append(g.log, math.Log((b[high]-b[low])*scale)+logLoss(-math.Abs(z)/scale))
		return
	}
	end := len(g.order)
	for _, side := range [2][2]int{{low, top}, {top, high}} {
		z, v := cross(a, b, side[0], side[1])
		for _, i := range g.order[start:end] {
			if b[i] > b[side[0]] && b[i] < b[side[1]] && a[i]+b[i]*z > v {
				g.order = append(g.order, i)
			}
		}
		g.hull(a, b, scale, side[0], side[1], end)
	}
	g.order = g.order[:start]
}

// logLoss returns log(phi(z) + z Phi(z)) for z <= 0.
func logLoss(z float64) float64 {
	logPhi := -z*z/2 - math.Log(2*math.Pi)/2
	if z < -25 { // use the asymptotic series, because the two terms nearly cancel
		z2 := z * z
		return logPhi - math.Log(z2) + math.Log1p(-3/z2+15/(z2*z2)-105/(z2*z2*z2))
	}
	return math.Log(math.Exp(logPhi) + z*math.Erfc(-z/math.Sqrt2)/2)
}
