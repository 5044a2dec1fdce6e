package lsq

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A Ridge is a ridge regression of d objectives; points are added one by one and need not belong to
// a known set. Let A = sum n x x' and B = sum x r', where r is the sum of the n rewards at x. A
// Ridge solves (A + reg I) theta = B, for any reg at any time. Variances returned by a Ridge assume
// noise of unit variance.
//
// With m features, Add costs O(m^2) and Solve costs O(m^3/3 + m^2 d). Neither Add nor Solve
// allocates memory.
type Ridge struct {
	m, d   int
	n      float64
	a      []float64 // m x m: the lower triangle of A
	b      []float64 // d x m
	l      []float64 // m x m: the lower Cholesky factor of A + reg I, with inverses on its diagonal
	theta  []float64 // d x m
	logDet float64
	u      []float64 // m
}

// NewRidge returns an empty regression for m features and d objectives.
func NewRidge(m, d int) *Ridge {
	return &Ridge{
		m: m, d: d, a: make([]float64, m*m), b: make([]float64, m*d), l: make([]float64, m*m),
		theta: make([]float64, m*d), u: make([]float64, m),
	}
}

// Reset removes all points.
func (r *Ridge) Reset() {
	r.n = 0
	clear(r.a)
	clear(r.b)
	clear(r.theta)
}

// Add adds n rewards at the point x; sum contains the sum of the rewards in each objective.
// The number n may be fractional. If sum is nil, Add only adds the information of x, without
// rewards.
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

// N returns the number of rewards added so far.
func (r *Ridge) N() float64 { return r.n }

// Solve computes the estimate, where reg is the weight of the squared norm of theta. Solve reports
// whether the estimate is unique, which is always true for positive reg. If the estimate is not
// unique, Solve keeps the previous estimate.
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
		// Logarithms are expensive, so take the logarithm of products of several factors.
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

// solve replaces y, which has m numbers, by (A + reg I)^-1 y.
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

// Theta returns a copy of the estimate, m x d.
func (r *Ridge) Theta() *mat.Dense { return mat.DenseCopyOf(mat.NewDense(r.d, r.m, r.theta).T()) }

// Means stores the d estimated means at the point x in dst.
func (r *Ridge) Means(dst, x []float64) {
	for c := range dst {
		theta, s := r.theta[c*r.m:][:len(x)], 0.
		for i, v := range x {
			s += v * theta[i]
		}
		dst[c] = s
	}
}

// LogDet returns log det(A + reg I), with the value of reg in the last call of Solve.
func (r *Ridge) LogDet() float64 { return r.logDet }

// Squared returns y'(A + reg I)^-1 y, with the value of reg in the last call of Solve, in O(m^2).
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

// A Fit is a least-squares fit from batches: call Add for each batch, then Solve, then read the
// estimates. The rewards have d objectives, which depend on the same features and have unit
// variance. For rewards of variance sigma^2, multiply the returned variances by sigma^2.
type Fit struct {
	// After Solve, Metric is the metric of the information matrix: Squared(y) is the variance of the
	// estimated mean at y.
	*Metric

	d, n  int
	a     []float64 // m x m: sum of n x x'
	b     []float64 // m x d: sum of x r'
	theta []float64 // m x d
	wb    []float64
}

// NewFit returns an empty fit for m features and d objectives.
func NewFit(m, d int) *Fit {
	return &Fit{Metric: NewMetric(m), d: d, a: make([]float64, m*m), b: make([]float64, m*d),
		theta: make([]float64, m*d), wb: make([]float64, m*d)}
}

// Reset removes all batches.
func (f *Fit) Reset() {
	f.n = 0
	clear(f.a)
	clear(f.b)
}

// Add adds n rewards at the point x; sum contains the sum of the rewards in each objective.
func (f *Fit) Add(x []float64, n int, sum []float64) {
	f.n += n
	for i, v := range x {
		if v != 0 { // without features, only one entry of x is not 0
			floats.AddScaled(f.a[i*f.m:][:f.m], float64(n)*v, x)
			floats.AddScaled(f.b[i*f.d:][:f.d], v, sum)
		}
	}
}

// N returns the number of rewards added so far.
func (f *Fit) N() int { return f.n }

// Solve computes the estimate from all batches. Solve reports whether the points span all
// directions. If they do not, the estimate is the one of smallest norm; use it only for directions
// with Outside near 0.
func (f *Fit) Solve() (spans bool) {
	f.Factorize(f.a)
	f.Estimate()
	return f.full
}

// Reward adds sum to the sum of rewards at the point x. Reward does not count these rewards: before
// Reward, call Add with their number and a sum of 0.
func (f *Fit) Reward(x, sum []float64) {
	for i, v := range x {
		if v != 0 {
			floats.AddScaled(f.b[i*f.d:][:f.d], v, sum)
		}
	}
}

// Estimate computes the estimate again, after calls of Reward. Estimate reuses the factorisation of
// the last Solve, so it is valid only if Add has not been called since.
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
		return blas64.General{Rows: rows, Cols: len(data) / rows, Stride: len(data) / rows, Data: data}
	}
	w, b := general(f.m, f.white), general(f.m, f.b)
	wb, theta := general(f.m, f.wb), general(f.m, f.theta)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, w, b, 0, wb)
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, w, wb, 0, theta)
}

// Theta returns the estimate, m x d. The returned matrix shares memory with f.
func (f *Fit) Theta() *mat.Dense { return mat.NewDense(f.m, f.d, f.theta) }

// Mean returns the estimated mean of objective c at the point y.
func (f *Fit) Mean(y []float64, c int) float64 {
	s := 0.
	for i, v := range y {
		s += v * f.theta[i*f.d+c]
	}
	return s
}

// A DoublyRobust is the doubly robust estimator of the PFIwR paper (Kim, Iyengar and Zeevi, "Pareto
// Front Identification with Regret Minimization", section 4.1), but with independent
// pseudo-actions. A DoublyRobust regresses imputed rewards on the contexts of all arms, not only of
// the pulled arms.
//
// Each round has two pseudo-actions, each of which is the pulled arm with probability p. If the
// first pseudo-action is the pulled arm, the reward enters theta-IPW, the inverse-probability
// estimate (equation (8) of the paper), with weight 1/p. If the second pseudo-action is the pulled
// arm, the reward Y of the pulled arm is imputed as Y/p + (1 - 1/p) x'theta-IPW. All other rewards
// are imputed as the prediction x'theta-IPW (9). The estimate is the ridge regression of imputed
// rewards on the contexts of all arms. In some rounds, noise U is added to the contexts of arms
// that were not pulled (10).
//
// As printed, (8) and (9) share one pseudo-action, which is drawn until it is the pulled arm. With
// a shared pseudo-action, the imputed rewards are on average equal to the predictions of theta-IPW,
// so the estimate is theta-IPW itself. The printed estimator therefore equals a Ridge of the pulled
// arms, with p times the weight of the squared norm (see TestCollapse). With two independent
// pseudo-actions, the estimate differs from theta-IPW. Contrary to the paper, the estimate cannot
// use more information than the rewards of the pulled arms: contexts without rewards carry no
// information about theta.
//
// Add costs O(K m^2) for K arms and m features, and Solve costs O(m^3).
type DoublyRobust struct {
	p     float64
	rnd   *rand.Rand
	first *Ridge // rounds in which the first pseudo-action is the pulled arm
	again *Ridge // rounds in which the second pseudo-action is the pulled arm
	all   *Ridge // rewards imputed for the contexts of all arms
	x     []float64
}

// NewDoublyRobust returns an estimator for m features and d objectives that has no rewards yet. The
// argument p, between 0 and 1, is the probability that a pseudo-action is the pulled arm. The
// source src provides the random draws of the estimator.
func NewDoublyRobust(m, d int, p float64, src rand.Source) *DoublyRobust {
	if !(p > 0 && p < 1) {
		panic(panicProbability)
	}
	return &DoublyRobust{
		p: p, rnd: rand.New(src), first: NewRidge(m, d), again: NewRidge(m, d), all: NewRidge(m, d),
		x: make([]float64, m),
	}
}

const panicProbability = "lsq: a probability that is not between 0 and 1"

// Add adds a round: the contexts of k arms (k x m numbers), the pulled arm, and its reward. If
// noisy is true, an independent uniform draw from the unit ball is added to the context of each arm
// that was not pulled.
func (r *DoublyRobust) Add(contexts []float64, arm int, reward []float64, noisy bool) {
	m := r.all.m
	pulled := contexts[arm*m:][:m]
	if r.rnd.Float64() < r.p {
		r.first.Add(pulled, 1, reward)
	}
	if r.rnd.Float64() < r.p {
		r.again.Add(pulled, 1, reward)
	}
	for k := 0; k < len(contexts)/m; k++ {
		copy(r.x, contexts[k*m:][:m])
		if noisy && k != arm {
			addBall(r.x, r.all.u, r.rnd)
		}
		r.all.Add(r.x, 1, nil)
	}
}

// Solve computes the estimate, where reg is the weight of the squared norm of theta in (8) and
// (10). Solve reports whether the estimate is unique, which is always true for positive reg.
func (r *DoublyRobust) Solve(reg float64) (unique bool) {
	if !r.first.Solve(r.p*reg) || !r.all.factorize(reg) {
		return false
	}
	// The estimate is theta = (V + reg I)^-1 (V theta-IPW + (b - A theta-IPW)/p), where A and b
	// belong to r.again, and V is the matrix A of r.all.
	to, ipw := r.all.theta, r.first.theta
	copy(to, r.again.b)
	r.again.subtract(to, ipw)
	for i := range to {
		to[i] /= -r.p
	}
	r.all.subtract(to, ipw)
	for i := range to {
		to[i] = -to[i]
	}
	for c := range r.all.d {
		r.all.solve(to[c*r.all.m:][:r.all.m])
	}
	return true
}

func (r *Ridge) subtract(y, theta []float64) {
	m := r.m
	for c := range r.d {
		to, from := y[c*m:][:m], theta[c*m:][:m]
		for i := range m {
			for j, v := range from {
				to[i] -= r.a[max(i, j)*m+min(i, j)] * v
			}
		}
	}
}

// Means stores the d estimated means at the point x in dst.
func (r *DoublyRobust) Means(dst, x []float64) { r.all.Means(dst, x) }

// addBall adds a uniform draw from the unit ball to x. The slice u is scratch memory of the same
// length.
func addBall(x, u []float64, rnd *rand.Rand) {
	// In a uniform draw from a ball, the direction is that of a normal vector, and the m-th power
	// of the distance from the centre is uniform.
	square := 0.
	for square == 0 { // almost always needs one iteration
		for j := range u {
			u[j] = rnd.NormFloat64()
			square += u[j] * u[j]
		}
	}
	r := math.Pow(rnd.Float64(), 1/float64(len(x))) / math.Sqrt(square)
	for j, v := range u {
		x[j] += r * v
	}
}
