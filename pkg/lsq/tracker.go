package lsq

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// A Tracker is a least-squares fit that is updated after every reward, for policies that pull one
// arm at a time. A Tracker maintains V = reg I + sum n_k x_k x_k', its inverse W, and the estimate
// theta = W sum x r. A Tracker also maintains the estimated means of items, the variances of their
// differences from a chosen item, and the leverages of arms.
//
// Adding a reward takes O(m^2 + (K + n) m) operations for K arms, n items and m features, by the
// Sherman-Morrison formula. After NewTracker, no method allocates memory. The inverse is
// recomputed, in O((K + n) m^2 + m^3), before rounding errors matter.
//
// As in [Fit], rewards have unit variance; for variance sigma^2, multiply variances by sigma^2.
type Tracker struct {
	k, n, m int
	x, z    blas64.General // arms, K x m; items, n x m
	same    bool           // whether the items are the arms
	reg     float64

	weight []float64 // K: n_k
	b      []float64 // m: sum x r
	solved bool
	since  int // number of rank-one updates since the last factorisation

	w      blas64.General // m x m, both triangles
	chol   blas64.Symmetric
	logDet float64
	theta  []float64 // m

	mean     []float64 // n: z_i'theta
	own      []float64 // n: z_i'W z_i; the same slice as leverage if the items are the arms
	leverage []float64 // K: x_k'W x_k
	leader   int       // the item to which spread refers, or -1
	spread   []float64 // n: (z_i - z_leader)'W(z_i - z_leader)

	u, y   []float64 // m
	xu, zu []float64 // K, n
	xw, zw blas64.General
}

const (
	// refresh is the number of rank-one updates after which the inverse is recomputed. After this
	// many updates, rounding errors are about refresh times 2^-53.
	refresh = 512
	// leap is the largest factor by which an update may reduce a variance without a recomputation.
	// Each factor of 10 in leap costs a digit of accuracy.
	leap = 1e4
	// If previous features explain more than 1 - dependent of a feature's information, V counts as
	// singular.
	dependent = 1e-13
	// The variance of a difference of items is computed from their variances only if its ratio to
	// the sum of the two variances is above blurred.
	blurred = 1e-6
)

// The following constants are panic messages for errors of the calling code.
const (
	panicColumns  = "lsq: arms and items differ in the number of features"
	panicReg      = "lsq: the regularisation is negative"
	panicUnsolved = "lsq: Tracker used before a successful Solve"
	panicLength   = "lsq: a slice has the wrong length"
	panicWeight   = "lsq: a batch with a negative number of rewards"
	panicFinite   = "lsq: the information matrix is not finite"
	panicZero     = "lsq: all points are zero; there are no coordinates"
)

// NewTracker returns a Tracker without rewards for the arms x (K x m) and the items z (n x m), with
// one row per arm or item. The matrices x and z must not change while the Tracker is in use. The
// argument reg is the weight of the squared norm of theta in the least-squares problem. If reg is
// 0, the arms must span all m dimensions (see [Span]). NewTracker panics if the numbers of columns
// differ or reg is negative. If z is nil, the items are the arms.
func NewTracker(x, z *mat.Dense, reg float64) *Tracker {
	if z == nil {
		z = x
	}
	k, m := x.Dims()
	n, mz := z.Dims()
	if m != mz {
		panic(panicColumns)
	}
	if !(reg >= 0) {
		panic(panicReg)
	}
	general := func(r, c int) blas64.General {
		return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
	}
	t := &Tracker{
		k: k, n: n, m: m, x: x.RawMatrix(), z: z.RawMatrix(), same: x == z, reg: reg,
		weight: make([]float64, k), b: make([]float64, m),
		w:     general(m, m),
		chol:  blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: make([]float64, m*m)},
		theta: make([]float64, m), mean: make([]float64, n),
		own: make([]float64, n), spread: make([]float64, n),
		u: make([]float64, m), y: make([]float64, m), xu: make([]float64, k), zw: general(n, m),
	}
	t.xw, t.leverage, t.zu = t.zw, t.own, t.xu
	if !t.same {
		t.xw, t.leverage, t.zu = general(k, m), make([]float64, k), make([]float64, n)
	}
	t.Reset()
	return t
}

// Reset removes all rewards.
func (t *Tracker) Reset() {
	clear(t.weight)
	clear(t.b)
	t.solved, t.since, t.leader = false, 0, -1
}

// Add adds n rewards of an arm, whose sum is sum. Before Solve, Add only collects rewards; after
// Solve, it updates all estimates and variances. The number n may be fractional: if rewards have
// different precisions, n is in units of 1/variance.
func (t *Tracker) Add(arm int, n, sum float64) {
	if !(n >= 0) {
		panic(panicWeight)
	}
	x := t.arm(arm)
	t.weight[arm] += n
	floats.AddScaled(t.b, sum, x)
	if !t.solved || n == 0 {
		return
	}
	t.multiply(t.u, x)
	s := n * floats.Dot(x, t.u)
	if t.since++; t.since >= refresh || !(s >= 0 && s < leap) {
		if t.factorize() {
			return
		}
	}
	q := 1 + max(s, 0)
	step := (sum - n*floats.Dot(x, t.theta)) / q
	blas64.Gemv(blas.NoTrans, 1, t.x, vector(t.u), 0, vector(t.xu))
	if !t.same {
		blas64.Gemv(blas.NoTrans, 1, t.z, vector(t.u), 0, vector(t.zu))
	}
	blas64.Ger(-n/q, vector(t.u), vector(t.u), t.w)
	floats.AddScaled(t.theta, step, t.u)
	floats.AddScaled(t.mean, step, t.zu)
	t.logDet += math.Log(q)
	c := n / q
	for k, v := range t.xu {
		t.leverage[k] -= c * v * v
	}
	if !t.same {
		for i, v := range t.zu {
			t.own[i] -= c * v * v
		}
	}
	if t.leader >= 0 {
		base := t.zu[t.leader]
		for i, v := range t.zu {
			v -= base
			t.spread[i] -= c * v * v
		}
	}
}

// Solve computes all estimates and variances from the rewards so far. Solve reports whether the
// estimate is unique. The estimate is not unique if reg is 0 and the arms with rewards do not span
// all directions. The caller can then add rewards and call Solve again.
func (t *Tracker) Solve() (unique bool) {
	if t.solved = t.factorize(); !t.solved {
		t.leader = -1
	}
	return t.solved
}

// factorize computes all estimates and variances, unless V is singular.
func (t *Tracker) factorize() bool {
	m, a := t.m, t.chol.Data
	clear(a)
	for i := range m {
		a[i*m+i] = t.reg
	}
	for k, n := range t.weight {
		if n > 0 {
			blas64.Syr(n, vector(t.arm(k)), t.chol)
		}
	}
	for i := range m { // the factor overwrites the diagonal
		t.u[i] = a[i*m+i]
	}
	tri, ok := lapack64.Potrf(t.chol)
	if !ok {
		return false
	}
	logDet := 0.
	for i := range m {
		d := a[i*m+i]
		if !(d*d > dependent*t.u[i]) {
			return false
		}
		logDet += 2 * math.Log(d)
	}
	inv, ok := lapack64.Potri(tri)
	if !ok {
		return false
	}
	for i := range m {
		for j := range i + 1 {
			t.w.Data[i*m+j] = inv.Data[i*m+j]
			t.w.Data[j*m+i] = inv.Data[i*m+j]
		}
	}
	t.since, t.logDet = 0, logDet
	t.multiply(t.theta, t.b)
	blas64.Gemv(blas.NoTrans, 1, t.z, vector(t.theta), 0, vector(t.mean))
	t.squares(t.own, t.z, t.zw)
	if !t.same {
		t.squares(t.leverage, t.x, t.xw)
	}
	if t.leader >= 0 {
		t.measure(t.leader)
	}
	return true
}

// squares sets dst to r'W r for each row r of a. The matrix aw is scratch memory of the same shape.
func (t *Tracker) squares(dst []float64, a, aw blas64.General) {
	MulRows(aw, a, t.w)
	for i := range dst {
		dst[i] = floats.Dot(a.Data[i*a.Stride:][:t.m], aw.Data[i*aw.Stride:][:t.m])
	}
}

// measure computes the variances of the differences between each item and item b.
func (t *Tracker) measure(b int) {
	t.leader = b
	t.multiply(t.u, t.item(b))
	blas64.Gemv(blas.NoTrans, 1, t.z, vector(t.u), 0, vector(t.spread))
	for i, cross := range t.spread {
		size := t.own[i] + t.own[b]
		t.spread[i] = size - 2*cross
		if !(t.spread[i] > blurred*size) {
			floats.SubTo(t.y, t.item(i), t.item(b))
			t.spread[i] = t.Squared(t.y)
		}
	}
}

// Weights returns n_k, the number of rewards of each arm. The returned slice belongs to the Tracker
// and changes with each reward; do not modify it.
func (t *Tracker) Weights() []float64 { return t.weight }

// Means returns z_i'theta, the estimated means of the n items. The returned slice belongs to the
// Tracker and changes with each reward.
func (t *Tracker) Means() []float64 {
	t.check()
	return t.mean
}

// Mean returns y'theta, the estimated mean at the point y.
func (t *Tracker) Mean(y []float64) float64 {
	t.check()
	if len(y) != t.m {
		panic(panicLength)
	}
	return floats.Dot(t.theta, y)
}

// Best returns the item with the largest estimated mean; if several items are tied, Best returns
// the first.
func (t *Tracker) Best() int {
	t.check()
	return floats.MaxIdx(t.mean)
}

// LogDet returns log det V.
func (t *Tracker) LogDet() float64 {
	t.check()
	return t.logDet
}

// Leverages returns x_k'W x_k, the variance of the estimated mean, for each of the K arms. The
// returned slice belongs to the Tracker and changes with each reward.
func (t *Tracker) Leverages() []float64 {
	t.check()
	return t.leverage
}

// Against returns (z_i - z_b)'W(z_i - z_b), the variance of the estimated difference from item b,
// for each of the n items. For the same b as in the last call, the variances are already up to
// date; another b costs O(m^2 + n m). The returned slice belongs to the Tracker and changes with
// each reward.
func (t *Tracker) Against(b int) []float64 {
	t.check()
	if b != t.leader {
		t.measure(b)
	}
	return t.spread
}

// Squared returns y'W y, the variance of the estimate of y'theta, in O(m^2).
func (t *Tracker) Squared(y []float64) float64 {
	if len(y) != t.m {
		panic(panicLength)
	}
	s := 0.
	for i, v := range y {
		s += v * floats.Dot(t.w.Data[i*t.m:][:t.m], y)
	}
	return s
}

// Covariances sets dst, K numbers, to x_k'W y: for each arm, the covariance between the estimates
// of its mean and of y'theta. Covariances costs O(m^2 + K m).
func (t *Tracker) Covariances(dst, y []float64) {
	t.check()
	if len(dst) != t.k || len(y) != t.m {
		panic(panicLength)
	}
	t.multiply(t.u, y)
	blas64.Gemv(blas.NoTrans, 1, t.x, vector(t.u), 0, vector(dst))
}

// Gains sets dst, K numbers, to (x_k'W y)^2/(1 + x_k'W x_k): for each arm, the reduction of the
// variance of the estimate of y'theta by one more reward. Gains costs O(m^2 + K m).
func (t *Tracker) Gains(dst, y []float64) {
	t.Covariances(dst, y)
	for k, v := range dst {
		dst[k] = v * v / (1 + t.leverage[k])
	}
}

func (t *Tracker) multiply(dst, y []float64) {
	blas64.Gemv(blas.NoTrans, 1, t.w, vector(y), 0, vector(dst))
}

func (t *Tracker) check() {
	if !t.solved {
		panic(panicUnsolved)
	}
}

func (t *Tracker) arm(k int) []float64  { return t.x.Data[k*t.x.Stride:][:t.m] }
func (t *Tracker) item(i int) []float64 { return t.z.Data[i*t.z.Stride:][:t.m] }

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
