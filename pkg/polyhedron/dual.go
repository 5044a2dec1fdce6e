package polyhedron

import "math"

// A system is a list of m inequalities a_k'x <= b_k in d unknowns with ||a_k|| = 1.
type system struct {
	m, d int
	a    []float64 // m x d
	b    []float64 // m
}

func (s *system) row(k int) []float64 { return s.a[k*s.d : (k+1)*s.d] }

// An outcome says how the active-set method ended.
type outcome int8

const (
	solved     outcome = iota // x is the projection
	infeasible                // the active rows and the row last tried have no point in common
	stuck                     // too many steps, which only rounding can cause
)

const (
	// A row whose part outside the span of the active rows is shorter than this is taken to
	// depend on them. Computed with a second orthogonalisation that part is known to a few
	// 1e-16; a row kept in spite of being dependent would do harm, whereas the larger value costs nothing.
	dependent = 1e-12
	// Rows are satisfied when they are violated by at most this times the size of the numbers
	// that were subtracted to find out.
	satisfied = 64 * 0x1p-52
)

// A dual projects points by the dual active-set method of Goldfarb and Idnani, "A numerically
// stable dual method for solving strictly convex quadratic programs", Mathematical Programming 27
// (1983), for the identity as Hessian.
//
// It starts from the point itself, which is optimal for no rows at all, and adds a violated row at
// a time, dropping rows whose multiplier would become negative. After every row added, x is
// the projection onto the active rows alone, and its distance has grown: no active set comes
// twice, so the method is finite. The active rows are linearly independent, so there are at most d.
type dual struct {
	act []int     // the active rows, n <= d
	u   []float64 // their multipliers: x = x0 - sum_j u_j a_{act_j}
	in  []bool    // whether a row is active

	// The factorisation [a_act] = Q T: n orthonormal rows of length d, and the upper triangle T,
	// column j for the j-th active row, stored with stride d.
	q, t []float64

	x    []float64 // the current point
	y    []float64 // x0 - x in the basis Q
	dist float64   // ||x0 - x||

	z, c, r []float64 // the part of a row outside of the span, its part inside, T^{-1} c
	last    int       // the row being tried
}

// reset makes room for systems of the size of s and forgets the active rows.
func (w *dual) reset(s *system) {
	if cap(w.x) < s.d || cap(w.in) < s.m {
		d, m := s.d, s.m
		w.act = make([]int, 0, d)
		w.in = make([]bool, m)
		f := make([]float64, 2*d*d+6*d)
		cut := func(n int) []float64 {
			v := f[:n:n]
			f = f[n:]
			return v
		}
		w.q, w.t = cut(d*d), cut(d*d)
		w.u, w.x, w.y, w.z, w.c, w.r = cut(d), cut(d), cut(d), cut(d), cut(d), cut(d)
	}
	for _, k := range w.act {
		w.in[k] = false
	}
	w.act = w.act[:0]
	w.in = w.in[:s.m]
	w.x = w.x[:s.d]
	w.z = w.z[:s.d]
	w.dist = 0
}

// project leaves in w.x the projection of x0 onto s. The row first is tried first; if it is negative
// the most violated one is. x0 must not be w.x.
func (w *dual) project(s *system, x0 []float64, first int) outcome {
	w.reset(s)
	copy(w.x, x0)
	var size float64
	for _, v := range x0 {
		size += math.Abs(v)
	}
	p := first
	if p < 0 {
		p = w.mostViolated(s, size)
	}
	// Problems of this package take about as many steps as active rows; the limit is only there
	// so that rounding cannot make it run for ever.
	for steps := 50 * (s.m + s.d + 2); p >= 0; steps-- {
		if steps == 0 {
			return stuck
		}
		w.last = p
		n := len(w.act)
		ap := s.row(p)
		length := w.split(ap)
		w.multipliers()

		// Along the dual direction the multiplier of p grows by t and those of the active rows
		// change by -t r. The first to become zero has to leave.
		drop, t := -1, math.Inf(1)
		for j, rj := range w.r[:n] {
			if rj > 0 && w.u[j] < t*rj {
				drop, t = j, w.u[j]/rj
			}
		}
		if n < s.d && length > dependent {
			if full := (dot(ap, w.x) - s.b[p]) / (length * length); full <= t {
				w.add(s, p, length, x0)
				p = w.mostViolated(s, size+w.dist)
				continue
			}
			axpy(-t, w.z, w.x)
		} else if drop < 0 {
			return infeasible
		}
		for j, rj := range w.r[:n] {
			w.u[j] -= t * rj
		}
		w.drop(s, drop)
	}
	return solved
}

// mostViolated returns the inactive row that x violates most, or -1 if there is none. Numbers of the
// given size were added to get x.
func (w *dual) mostViolated(s *system, size float64) int {
	worst, at := 0.0, -1
	for k, b := range s.b {
		if w.in[k] {
			continue
		}
		v := dot(s.row(k), w.x) - b
		if v > worst && v > satisfied*(math.Abs(b)+size) {
			worst, at = v, k
		}
	}
	return at
}

// split writes a row as Q'c + z with z orthogonal to the active rows and returns ||z||.
func (w *dual) split(a []float64) float64 {
	n, d := len(w.act), len(w.x)
	copy(w.z, a)
	for i := range n {
		w.c[i] = 0
	}
	// Twice is enough to make z orthogonal to working precision (Giraud, Langou and Rozloznik 2005).
	for range 2 {
		for i := range n {
			qi := w.q[i*d : (i+1)*d]
			v := dot(qi, w.z)
			w.c[i] += v
			axpy(-v, qi, w.z)
		}
		if n == 0 {
			break
		}
	}
	return math.Sqrt(dot(w.z, w.z))
}

// multipliers solves T r = c.
func (w *dual) multipliers() { w.back(w.r, w.c) }

// back solves T dst = rhs for the active rows.
func (w *dual) back(dst, rhs []float64) {
	n, d := len(w.act), len(w.x)
	for i := n - 1; i >= 0; i-- {
		v := rhs[i]
		for j := i + 1; j < n; j++ {
			v -= w.t[i*d+j] * dst[j]
		}
		dst[i] = v / w.t[i*d+i]
	}
}

// append makes row p, which split has just split, the last active row.
func (w *dual) append(p int, length float64) {
	n, d := len(w.act), len(w.x)
	qn := w.q[n*d : (n+1)*d]
	for j, v := range w.z {
		qn[j] = v / length
	}
	for i, v := range w.c[:n] {
		w.t[i*d+n] = v
	}
	w.t[n*d+n] = length
	w.act = append(w.act, p)
	w.in[p] = true
}

// add makes row p active and moves x to the projection of x0 onto all active rows. The
// projection is computed from x0, not from the last x, so that rounding does not build up.
func (w *dual) add(s *system, p int, length float64, x0 []float64) {
	w.append(p, length)
	n, d := len(w.act), len(w.x)
	// T'y = a_act x0 - b, x = x0 - Q'y, T u = y.
	var ss float64
	for j, k := range w.act {
		v := dot(s.row(k), x0) - s.b[k]
		for i := range j {
			v -= w.t[i*d+j] * w.y[i]
		}
		w.y[j] = v / w.t[j*d+j]
		ss += w.y[j] * w.y[j]
	}
	copy(w.x, x0)
	for i := range n {
		axpy(-w.y[i], w.q[i*d:(i+1)*d], w.x)
	}
	w.back(w.u, w.y)
	for j, v := range w.u[:n] {
		w.u[j] = max(v, 0) // a negative multiplier is rounding here
	}
	w.dist = math.Sqrt(ss)
}

// drop makes the j-th active row inactive and factorises the ones after it anew.
func (w *dual) drop(s *system, j int) {
	w.in[w.act[j]] = false
	later := w.act[j+1:]
	copy(w.u[j:], w.u[j+1:len(w.act)])
	w.act = w.act[:j]
	for _, k := range later { // append writes where later has been read
		w.append(k, w.split(s.row(k)))
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// axpy adds alpha x to y.
func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}
