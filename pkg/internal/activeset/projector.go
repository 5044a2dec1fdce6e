// Package activeset projects points onto intersections of half-spaces, by an active-set method for
// quadratic programs. For another metric, or for another strictly convex quadratic function, change
// the coordinates.
//
//	var p activeset.Projector
//	p.Project(system, x0, 0) // p.X is the nearest point, p.Dist its distance from x0
package activeset

import (
	"math"
)

// A System consists of M inequalities a_k'x <= b_k in D unknowns, with ||a_k|| = 1.
type System struct {
	M, D int
	A    []float64 // M x D
	B    []float64 // M
	// Size[k] is the magnitude of the numbers that were added to compute b_k. Size distinguishes
	// rounding errors from true violations. If Size is nil, the magnitude for row k is |b_k|.
	Size []float64
}

// Row returns a_k, which must not be changed.
func (s *System) Row(k int) []float64 { return s.A[k*s.D : (k+1)*s.D] }

// An Outcome states how a projection ended.
type Outcome int8

// The following constants are the possible outcomes of a projection.
const (
	Solved     Outcome = iota // X is the projection
	Infeasible                // no point satisfies the active rows and the last violated row
	Stuck                     // the method took too many steps, which only rounding errors can cause
)

const (
	// dependent is a length: a row counts as linearly dependent on the active rows if its part
	// outside their span is shorter than dependent. After a second orthogonalisation, the error of
	// the part is a few times 1e-16. Treating a dependent row as independent causes errors, whereas
	// a larger tolerance costs nothing.
	dependent = 1e-12
	// satisfied is a tolerance: a row counts as satisfied if its violation is at most satisfied
	// times the magnitude of the numbers from which the violation was computed.
	satisfied = 64 * 0x1p-52
)

// A Projector projects points onto systems by the dual active-set method of Goldfarb and Idnani,
// with the identity as Hessian ("A numerically stable dual method for solving strictly convex
// quadratic programs", Mathematical Programming 27, 1983). The zero value is ready to use; a
// Projector keeps the memory that its largest system needs.
//
// The method starts from the given point, which is the projection if there are no rows. The method
// adds one violated row at a time, and drops rows whose multiplier would become negative. After
// each added row, X is the projection onto the active rows, and its distance from the given point
// has grown. Hence no active set occurs twice, and the method ends after finitely many steps. The
// active rows are linearly independent, so there are at most D active rows.
type Projector struct {
	Active []int     // the active rows, n <= D
	U      []float64 // multipliers of the active rows: X = x0 - sum_j U_j a_{Active_j}
	X      []float64 // the current point, finally the projection
	Dist   float64   // ||x0 - X||

	in []bool // whether a row is active

	// The matrix a of the n active rows is factorised as a' = Q'T, where Q has n orthonormal rows
	// of length D. The factor T is upper triangular with stride D; column j of T belongs to the
	// j-th active row.
	q, t []float64

	y []float64 // x0 - X in the basis Q

	z, c, r []float64 // part of a row outside the span of the active rows, part inside the span, and T^-1 c
}

// reset allocates memory for systems of the size of s and removes the active rows.
func (w *Projector) reset(s *System) {
	if cap(w.X) < s.D || cap(w.in) < s.M {
		d, m := s.D, s.M
		w.Active = make([]int, 0, d)
		w.in = make([]bool, m)
		f := make([]float64, 2*d*d+6*d)
		cut := func(n int) []float64 {
			v := f[:n:n]
			f = f[n:]
			return v
		}
		w.q, w.t = cut(d*d), cut(d*d)
		w.U, w.X, w.y, w.z, w.c, w.r = cut(d), cut(d), cut(d), cut(d), cut(d), cut(d)
	}
	for _, k := range w.Active {
		w.in[k] = false
	}
	w.Active = w.Active[:0]
	w.in = w.in[:s.M]
	w.X = w.X[:s.D]
	w.z = w.z[:s.D]
	w.Dist = 0
}

// Project projects x0, of length D, onto s and stores the projection in X. The first row that
// Project adds is row first or, if first is negative, the most violated row. The slice x0 must not
// be X, and is not changed.
func (w *Projector) Project(s *System, x0 []float64, first int) Outcome {
	w.reset(s)
	copy(w.X, x0)
	var size float64
	for _, v := range x0 {
		size += math.Abs(v)
	}
	p := first
	if p < 0 {
		p = w.mostViolated(s, size)
	}
	// The method usually takes about as many steps as the solution has active rows. The limit only
	// prevents endless loops that rounding could cause.
	for steps := 50 * (s.M + s.D + 2); p >= 0; steps-- {
		if steps == 0 {
			return Stuck
		}
		n := len(w.Active)
		ap := s.Row(p)
		length := w.split(ap)
		w.multipliers()

		// Along the dual direction, the multiplier of p grows by t, and the multipliers of the
		// active rows change by -t r. The first row whose multiplier becomes zero must leave the
		// active set.
		drop, t := -1, math.Inf(1)
		for j, rj := range w.r[:n] {
			if rj > 0 && w.U[j] < t*rj {
				drop, t = j, w.U[j]/rj
			}
		}
		if n < s.D && length > dependent {
			if full := (dot(ap, w.X) - s.B[p]) / (length * length); full <= t {
				w.add(s, p, length, x0)
				p = w.mostViolated(s, size+w.Dist)
				continue
			}
			axpy(-t, w.z, w.X)
		} else if drop < 0 {
			return Infeasible
		}
		for j, rj := range w.r[:n] {
			w.U[j] -= t * rj
		}
		w.drop(s, drop)
	}
	return Solved
}

// mostViolated returns the inactive row that X violates most, or -1. The argument size is the
// magnitude of the numbers that were added to compute X.
func (w *Projector) mostViolated(s *System, size float64) int {
	worst, at := 0.0, -1
	for k, b := range s.B {
		if w.in[k] {
			continue
		}
		v := dot(s.Row(k), w.X) - b
		if v <= worst {
			continue
		}
		own := math.Abs(b)
		if s.Size != nil {
			own = s.Size[k]
		}
		if v > satisfied*(own+size) {
			worst, at = v, k
		}
	}
	return at
}

// split writes a row as Q'c + z, where z is orthogonal to the active rows, and returns ||z||.
func (w *Projector) split(a []float64) float64 {
	n, d := len(w.Active), len(w.X)
	copy(w.z, a)
	for i := range n {
		w.c[i] = 0
	}
	// Two passes make z orthogonal to working precision (Giraud, Langou and Rozloznik, 2005).
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

// multipliers solves T r = c for the multipliers r.
func (w *Projector) multipliers() { w.back(w.r, w.c) }

func (w *Projector) back(dst, rhs []float64) {
	n, d := len(w.Active), len(w.X)
	for i := n - 1; i >= 0; i-- {
		v := rhs[i]
		for j := i + 1; j < n; j++ {
			v -= w.t[i*d+j] * dst[j]
		}
		dst[i] = v / w.t[i*d+i]
	}
}

// append makes row p the last of the active rows. Before append, the caller must have called split
// for row p.
func (w *Projector) append(p int, length float64) {
	n, d := len(w.Active), len(w.X)
	qn := w.q[n*d : (n+1)*d]
	for j, v := range w.z {
		qn[j] = v / length
	}
	for i, v := range w.c[:n] {
		w.t[i*d+n] = v
	}
	w.t[n*d+n] = length
	w.Active = append(w.Active, p)
	w.in[p] = true
}

// add makes row p active and moves X to the projection of x0 onto all active rows. add computes the
// projection from x0, not from the last X, so that rounding errors do not accumulate.
func (w *Projector) add(s *System, p int, length float64, x0 []float64) {
	w.append(p, length)
	n, d := len(w.Active), len(w.X)
	// The equations are T'y = a x0 - b, X = x0 - Q'y and T u = y, where a x <= b are the active
	// rows.
	var ss float64
	for j, k := range w.Active {
		v := dot(s.Row(k), x0) - s.B[k]
		for i := range j {
			v -= w.t[i*d+j] * w.y[i]
		}
		w.y[j] = v / w.t[j*d+j]
		ss += w.y[j] * w.y[j]
	}
	copy(w.X, x0)
	for i := range n {
		axpy(-w.y[i], w.q[i*d:(i+1)*d], w.X)
	}
	w.back(w.U, w.y)
	for j, v := range w.U[:n] {
		w.U[j] = max(v, 0) // only rounding can make the multiplier negative
	}
	w.Dist = math.Sqrt(ss)
}

// drop makes the j-th active row inactive, and updates the factorisation for the rows after it.
func (w *Projector) drop(s *System, j int) {
	w.in[w.Active[j]] = false
	later := w.Active[j+1:]
	copy(w.U[j:], w.U[j+1:len(w.Active)])
	w.Active = w.Active[:j]
	for _, k := range later { // append overwrites only those rows of later that were already read
		w.append(k, w.split(s.Row(k)))
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

func axpy(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}

// Hildreth computes the same projection as Project by coordinate ascent on the dual, which is
// Dykstra's method for half-spaces (Hildreth, "A quadratic programming procedure", Naval Research
// Logistics Quarterly 4, 1957). Hildreth converges for every nonempty set, but converges slowly if
// half-spaces meet at small angles. Hildreth is the fallback if rounding prevents the active-set
// method from ending. Hildreth allocates memory, and sets only X and Dist.
func (w *Projector) Hildreth(s *System, x0 []float64) {
	w.reset(s)
	copy(w.X, x0)
	u := make([]float64, s.M)
	size := math.Sqrt(dot(x0, x0))
	for range 100_000 {
		var change float64
		for k, b := range s.B {
			a := s.Row(k)
			step := max(dot(a, w.X)-b, -u[k])
			u[k] += step
			axpy(-step, a, w.X)
			change = max(change, math.Abs(step))
		}
		if change <= satisfied*size {
			break
		}
	}
	var ss float64
	for j, v := range x0 {
		ss += (v - w.X[j]) * (v - w.X[j])
	}
	w.Dist = math.Sqrt(ss)
}
