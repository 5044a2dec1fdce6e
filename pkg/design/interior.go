package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// An interior is the state of a primal-dual interior-point method for this package's saddle points.
// The solver changes from multiplicative steps to the interior-point method when multiplicative
// steps have become slow. Without the constraint that the weights sum to 1, the design problem
// becomes
//
//	min sum_i w_i  subject to  v_y(w) = y'M(w)^-1 y <= 1,  w >= 0.
//
// The problem is convex and has the optimal value of the design problem, because v_y(c w) =
// v_y(w)/c. With multipliers p of the directions and z of the points, and with slacks s_y = 1 -
// v_y, the central path satisfies
//
//	1 - g_i(p) - z_i = 0,  p_y s_y = mu,  w_i z_i = mu.
//
// A Newton step solves (B + A diag(p/s) A' + diag(z/w)) dw = A(mu/s) + mu/w - 1. Here, A_iy =
// (x_i'u_y)^2, u_y = M^-1 y, B_ij = 2 (x_i'M^-1 x_j)(x_i'C x_j) and C = sum p_y u_y u_y'. The
// multipliers p, scaled to sum to 1, are a mixture of directions, which certifies each iterate (see
// saddle). In the embedded saddle, wa holds w, whose sum is not constrained, and q holds p.
type interior struct {
	*run
	z, slack, dw, dp, dz, before []float64
	h, p, xc                     []float64 // n x n, n x T, n x m
	order                        []int
}

// newtonCost estimates the floating-point operations of a Newton step with n
// points and t directions.
func newtonCost(n, t, m int) float64 {
	return float64(n) * float64(n) * (float64(n)/3 + float64(t) + 4*float64(m))
}

// restrict keeps only the most important points and directions, somewhat more than an optimal
// design may need. Omitted points and directions return if they are needed.
func (s *interior) restrict() {
	limit := s.m*(s.m+1) + 32
	if n := len(s.active); n > limit {
		s.order = grow(s.order, n)
		for b := range s.order {
			s.order[b] = b
		}
		slices.SortFunc(s.order, func(a, b int) int { return cmp.Or(cmp.Compare(s.wa[b], s.wa[a]), a-b) })
		for at, b := range s.order[limit:] { // spanning points always stay in the set
			if s.spans[s.active[b]] {
				for c := limit - 1; c >= 0; c-- {
					if !s.spans[s.active[s.order[c]]] {
						s.order[c], s.order[limit+at] = b, s.order[c]
						break
					}
				}
			}
		}
		kept := s.order[:limit]
		slices.Sort(kept)
		for n, b := range kept {
			s.active[n], s.wa[n] = s.active[b], s.wa[b]
			copy(s.xa[n*s.m:][:s.m], s.xa[b*s.m:][:s.m])
		}
		s.active, s.wa, s.ga, s.xa = s.active[:limit], s.wa[:limit], s.ga[:limit], s.xa[:limit*s.m]
	}
	if n := len(s.q); n > limit {
		s.order = grow(s.order, n)
		for t := range s.order {
			s.order[t] = t
		}
		slices.SortFunc(s.order, func(a, b int) int { return cmp.Or(cmp.Compare(s.q[b], s.q[a]), a-b) })
		least := s.q[s.order[limit-1]]
		s.filter(func(t int) bool { return s.q[t] >= least })
	}
}

// center moves the iterate near the central path, for the given initial relative gap, and returns
// the path parameter mu.
func (s *interior) center(gap float64) (mu float64) {
	gap = min(max(gap, 1e-7), 1)
	floats.Scale(1/floats.Sum(s.wa), s.wa)
	s.factorize()
	worst := s.variances()
	floats.Scale(worst*(1+gap), s.wa)
	s.factorize()
	s.variances()
	most := s.gradient(s.ga, s.xa)
	floats.Scale(1/(most*(1+gap/2)), s.q)
	floats.Scale(1/(most*(1+gap/2)), s.ga)
	n, t := len(s.wa), len(s.q)
	mu = gap * floats.Sum(s.wa) / float64(n+t)
	s.z, s.slack = grow(s.z, n), grow(s.slack, t)
	for b, g := range s.ga {
		s.z[b] = max(1-g, 0.1*mu/s.wa[b])
		s.wa[b] = max(s.wa[b], 0.1*mu/s.z[b])
	}
	for y, v := range s.v {
		s.slack[y] = 1 - v
		s.q[y] = max(s.q[y], 0.1*mu/s.slack[y])
	}
	return mu
}

// newton takes one Newton step towards the point of the central path with parameter mu. Before
// newton, call factorize, variances and gradient at the iterate. newton returns the length of the
// step, or 0 if no step is possible.
func (s *interior) newton(mu float64) float64 {
	n, t := len(s.wa), len(s.q)
	s.dw, s.dp, s.dz = grow(s.dw, n), grow(s.dp, t), grow(s.dz, n)
	tri, ok := lapack64.Potrf(s.normal(mu))
	if !ok {
		return 0
	}
	lapack64.Potrs(tri, blas64.General{Rows: n, Cols: 1, Stride: 1, Data: s.dw})
	length := s.directions(mu)
	if length = s.shorten(length); length == 0 {
		return 0
	}
	for y, v := range s.v {
		s.slack[y] = 1 - v
		s.q[y] += length * s.dp[y]
	}
	floats.AddScaled(s.z, length, s.dz)
	// Linearized complementarity can be inaccurate, because the constraints are curved.
	for y, c := range s.slack {
		s.q[y] = min(max(s.q[y], 1e-3*mu/c), 1e3*mu/c)
	}
	return length
}

// normal returns the matrix of a Newton step, and stores the right-hand side in dw. normal also
// stores sqrt(p/s) in dp, and the matrix A diag(sqrt(p/s)) in the field p.
func (s *interior) normal(mu float64) blas64.Symmetric {
	n, t, m := len(s.wa), len(s.q), s.m
	s.h, s.p, s.xc = grow(s.h, n*n), grow(s.p, n*t), grow(s.xc, n*m)
	x, xc, p := rows(s.xa, n, m), rows(s.xc, n, m), rows(s.p, n, t)
	normal := blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: s.h}

	// B is the elementwise product of X M^-1 X' and 2 X C X'.
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, rows(s.white, m, m), 0, xc)
	blas64.Syrk(blas.NoTrans, 2, xc, 0, normal)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, x, rows(s.c, m, m), 0, xc)
	for b := range n {
		row, own := s.h[b*n:][:b+1], s.xc[b*m:][:m]
		for c := range row {
			row[c] *= floats.Dot(own, s.xa[c*m:][:m])
		}
	}
	// The matrix p holds A diag(sqrt(p/s)), with the multipliers p of the type comment.
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, rows(s.u, t, m), 0, p)
	for y := range t {
		s.dp[y] = math.Sqrt(s.q[y] / s.slack[y])
	}
	for b := range n {
		row := s.p[b*t:][:t]
		r := mu/s.wa[b] - 1
		for y, v := range row {
			v *= v
			r += v * mu / s.slack[y]
			row[y] = v * s.dp[y]
		}
		s.dw[b] = r
	}
	blas64.Syrk(blas.NoTrans, 1, p, 1, normal)
	for b := range n {
		s.h[b*n+b] += s.z[b] / s.wa[b]
	}
	return normal
}

// directions computes the steps dz and dp of the multipliers that belong to dw; call normal first.
// directions returns the largest step length, at most 1, for which weights and multipliers stay
// positive.
func (s *interior) directions(mu float64) float64 {
	t := len(s.q)
	length := 1.
	for b, d := range s.dw {
		s.dz[b] = (mu-s.z[b]*d)/s.wa[b] - s.z[b]
		if d < 0 {
			length = min(length, -0.98*s.wa[b]/d)
		}
		if d := s.dz[b]; d < 0 {
			length = min(length, -0.98*s.z[b]/d)
		}
	}
	clear(s.wy[:t])
	for b, d := range s.dw {
		floats.AddScaled(s.wy[:t], d, s.p[b*t:][:t])
	}
	for y := range t {
		// Up to this point, dp contains sqrt(p/s), the factors of the columns of A.
		ds := 0.
		if s.dp[y] > 0 {
			ds = s.wy[y] / s.dp[y]
		}
		d := (mu-s.q[y]*ds)/s.slack[y] - s.q[y]
		if d < 0 {
			length = min(length, -0.98*s.q[y]/d)
		}
		s.dp[y] = d
	}
	return length
}

// shorten moves the weights along dw. Because slacks are not linear in the weights, shorten reduces
// the step until all slacks stay positive. shorten returns the length of the step. If no step is
// possible, shorten restores the weights and returns 0.
func (s *interior) shorten(length float64) float64 {
	s.before = grow(s.before, len(s.wa))
	copy(s.before, s.wa)
	for ; length > 1e-6; length *= 0.6 {
		floats.AddScaledTo(s.wa, s.before, length, s.dw)
		s.factorize()
		s.variances()
		if s.inside() {
			return length
		}
	}
	copy(s.wa, s.before)
	s.factorize()
	s.variances()
	return 0
}

// inside reports whether each slack is at least a hundredth of its value before the step.
func (s *interior) inside() bool {
	for y, v := range s.v {
		if 1-v < 0.01*s.slack[y] {
			return false
		}
	}
	return true
}

// path follows the central path for the working points and directions until their gap is at most
// within, no step is possible, or the limit on iterations is reached.
func (s *interior) path(mu, within float64) (iterations int, bound float64) {
	s.factorize()
	s.variances()
	const most = 60 // many more iterations than are needed
	for iterations = 1; iterations < min(most, s.limit-s.iterations); iterations++ {
		g := s.gradient(s.ga, s.xa)
		total := floats.Dot(s.q, s.v)
		bound = total * total / (floats.Sum(s.q) * g)
		value := floats.Max(s.v) * floats.Sum(s.wa)
		if value <= (1+within)*bound {
			break
		}
		length := s.newton(mu)
		if length == 0 {
			break
		}
		average := (floats.Dot(s.wa, s.z) + floats.Dot(s.q, s.slack)) / float64(len(s.wa)+len(s.q))
		switch {
		case length > 0.8:
			mu = 0.1 * average
		case length > 0.3:
			mu = 0.3 * average
		default:
			mu = 0.8 * average
		}
	}
	return iterations, bound
}

// follow solves the problem on growing sets of points and directions until the gap over all points
// and directions is small enough.
func (in *interior) follow() {
	s := in.saddle
	in.restrict()
	gap, stalled := s.value/s.lower-1, 0
	for in.iterations < in.limit && stalled < 20 {
		mu := in.center(gap)
		n, _ := in.path(mu, max(in.tol/4, min(0.02, gap/8)))
		in.iterations += n
		floats.Scale(1/floats.Sum(s.wa), s.wa)
		floats.Scale(1/floats.Sum(s.q), s.q)
		s.factorize()
		worst := s.variances()
		before := s.value / s.lower
		value, stop := in.evaluate(worst, s.gradient(s.ga, s.xa))
		if stop {
			return
		}
		gap = value/s.lower - 1
		if s.value/s.lower > 1+0.9*(before-1) {
			stalled++
		}
	}
}
