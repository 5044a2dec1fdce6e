package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// multiply takes multiplicative steps. multiply returns false when Newton steps are likely to be
// faster.
func (r *run) multiply() (stop bool) {
	s := r.saddle
	within := 0.3 // gap on the working set below which all directions are evaluated
	since, eta, spent := 0, 2., 0.
	for r.iterations < r.limit {
		r.iterations++
		s.factorize()
		worst := s.variances()
		for t, v := range s.v {
			s.q[t] = max(s.q[t]*math.Pow(v/worst, eta), 1e-300)
		}
		floats.Scale(1/floats.Sum(s.q), s.q)
		mean := floats.Dot(s.q, s.v)
		most := s.gradient(s.ga, s.xa)
		since++
		if worst <= (1+within)*max(mean*mean/most, s.lower) || since >= 50 || r.iterations == r.limit {
			since = 0
			value, stop := r.evaluate(worst, most)
			if stop {
				return true
			}
			gap := s.value/s.lower - 1
			if gap < 0.05 {
				eta = 8
			}
			s.settled = value <= worst*(1+r.tol/8)
			if !s.settled {
				within *= 2 // some directions were missing, so the gap was unreliable
			}
			within = max(r.tol/2, min(within, gap)/2)
			most = floats.Max(s.ga)
		}
		s.step(most)
		n, t, m := len(s.active), len(s.q), s.m
		spent += float64(n+t) * float64(m) * float64(m+8)
		size := m*(m+1) + 32
		if spent > newtonSteps*newtonCost(min(n, size), min(t, size), m) && r.iterations >= 20 {
			return false
		}
	}
	return true
}

// step multiplies the weights by sqrt(g), which never increases sum_y q_y v_y for fixed q (Yu,
// 2010). step then drops points with negligible weight.
func (s *saddle) step(most float64) {
	sum := 0.
	for b, g := range s.ga {
		// A point that is useless for the current working set may be needed for a larger set.
		s.wa[b] = max(s.wa[b]*math.Sqrt(g/most), negligible)
		sum += s.wa[b]
	}
	floats.Scale(1/sum, s.wa)
	if !s.settled {
		return
	}
	drop := 0
	top := floats.Max(s.wa)
	for b, w := range s.wa {
		if s.useless(s.active[b], w/top, s.ga[b]/most) {
			drop++
		}
	}
	if drop*8 < len(s.active) {
		return
	}
	n := 0
	for b, i := range s.active {
		if s.useless(i, s.wa[b]/top, s.ga[b]/most) {
			continue
		}
		s.active[n], s.wa[n], s.ga[n] = i, s.wa[b], s.ga[b]
		copy(s.xa[n*s.m:][:s.m], s.xa[b*s.m:][:s.m])
		n++
	}
	s.active, s.wa, s.ga, s.xa = s.active[:n], s.wa[:n], s.ga[:n], s.xa[:n*s.m]
	floats.Scale(1/floats.Sum(s.wa), s.wa)
}

// useless reports whether a point can be dropped, given its weight w and its value of g, each
// relative to the largest value. Spanning points always stay, so M(w) is regular.
func (s *saddle) useless(i int, w, g float64) bool {
	return (w < 10*negligible || w < 1e-4 && g < 0.5) && !s.spans[i]
}

// revive computes g at all points and returns the largest value. revive
// reactivates the points with the largest g, with a small weight.
func (s *saddle) revive(most float64) float64 {
	all := s.gradient(s.g, s.x)
	if all <= most {
		return most
	}
	// At the active points, g is at most equal to the argument most.
	s.back = s.back[:0]
	for i, g := range s.g {
		if g > most*(1+1e-9) {
			s.back = append(s.back, i)
		}
	}
	slices.SortFunc(s.back, func(i, j int) int { return cmp.Or(cmp.Compare(s.g[j], s.g[i]), i-j) })
	little := 1e-3 / float64(len(s.active))
	s.scatter()
	for _, i := range s.back[:min(len(s.back), generated(s.m))] {
		s.active = append(s.active, i)
		s.w[i] = little
	}
	slices.Sort(s.active)
	s.gather()
	floats.Scale(1/floats.Sum(s.wa), s.wa)
	for b, i := range s.active {
		s.ga[b] = s.g[i]
	}
	s.factorize()
	return all
}

// trim reduces the number of support points of the best weights, and returns the new weights and
// their value. Reducing the support to at most m(m+1)/2 points never worsens the value. trim then
// drops small weights, unless the value would exceed 1 + tol times the lower bound.
func (s *saddle) trim(tol float64, value func(w []float64) float64) (w []float64, v float64) {
	w = slices.Clone(s.bestW)
	v = value(w)
	limit := max(v, (1+tol)*s.lower)
	try := slices.Clone(w)
	if s.thin(try) {
		if u := value(try); u <= limit {
			v = u
			copy(w, try)
		}
	}
	for _, share := range [...]float64{1e-1, 3e-2, 1e-2, 1e-3, 1e-5} {
		least, dropped := share*floats.Max(w), false
		for i, u := range w {
			try[i] = u
			if u > 0 && u < least {
				try[i], dropped = 0, true
			}
		}
		if !dropped {
			break
		}
		floats.Scale(1/floats.Sum(try), try)
		if u := value(try); u <= limit {
			return try, u
		}
	}
	return w, v
}

// design converts the result of solve to a Design.
func (s *saddle) design(o *Options, iterations int, done bool, value func(w []float64) float64) (*Design, error) {
	tol := cmp.Or(o.Tol, DefaultTol)
	d := &Design{Lower: s.lower, Iterations: iterations}
	d.Weights, d.Value = s.trim(tol, value)
	d.Lower = min(d.Lower, d.Value) // rounding may make the lower bound larger than the value
	d.Critical = critical(s.bestQ, s.bestIDs)
	if !done {
		return d, gapError(d, tol)
	}
	return d, nil
}

func gapError(d *Design, tol float64) error {
	return fmt.Errorf("design: %w: the gap is %.2g after %d iterations; expected %.2g; "+
		"raise Tol or MaxIterations", ErrGap, d.Gap(), d.Iterations, tol)
}

func critical(q []float64, ids []Direction) []Direction {
	if len(q) == 0 {
		return nil
	}
	var c []Direction
	top, sum := floats.Max(q), 0.
	for t, w := range q {
		if w >= 1e-3*top {
			c = append(c, Direction{I: ids[t].I, J: ids[t].J, Weight: w})
			sum += w
		}
	}
	for t := range c {
		c[t].Weight /= sum
	}
	slices.SortFunc(c, func(a, b Direction) int {
		if a.I != b.I {
			return a.I - b.I
		}
		return a.J - b.J
	})
	return c
}

// factorize computes M(w) of the active points and W = L^-1 for M = L L'. If rounding makes M
// singular, factorize adds a small multiple of the identity.
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

const chunk = 128 // number of rows in a matrix product, few enough that gonum starts no goroutines

func (s *saddle) information(a, x, w []float64) {
	m := s.m
	clear(a)
	s.tmp = grow(s.tmp, chunk*m)
	for lo := 0; lo < len(w); lo += chunk {
		hi := min(lo+chunk, len(w))
		for b := lo; b < hi; b++ {
			floats.ScaleTo(s.tmp[(b-lo)*m:][:m], w[b], x[b*m:][:m])
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, rows(s.tmp, hi-lo, m), rows(x[lo*m:], hi-lo, m), 1, rows(a, m, m))
	}
}

// variances computes v and u = M^-1 y for each direction of the working set, and returns the
// largest v.
func (s *saddle) variances() float64 {
	m, n := s.m, len(s.q)
	s.u, s.wy, s.v = grow(s.u, n*m), grow(s.wy, n*m), grow(s.v, n)
	most := 0.
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		wy := rows(s.wy[lo*m:], hi-lo, m)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(s.y[lo*m:], hi-lo, m), rows(s.white, m, m), 0, wy)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, wy, rows(s.white, m, m), 0, rows(s.u[lo*m:], hi-lo, m))
		for t := lo; t < hi; t++ {
			r := s.wy[t*m:][:m]
			s.v[t] = floats.Dot(r, r)
			most = max(most, s.v[t])
		}
	}
	return most
}

// gradient sets g to sum_y q_y (x_i'u_y)^2 at the points x, and returns the largest value.
func (s *saddle) gradient(g, x []float64) float64 {
	m := s.m
	s.information(s.c, s.u, s.q)
	most := 0.
	for lo := 0; lo < len(g); lo += chunk {
		hi := min(lo+chunk, len(g))
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, rows(x[lo*m:], hi-lo, m), rows(s.c, m, m), 0, rows(s.tmp, hi-lo, m))
		for b := lo; b < hi; b++ {
			// Rounding may make a value of g slightly negative.
			g[b] = max(0, floats.Dot(s.tmp[(b-lo)*m:][:m], x[b*m:][:m]))
			most = max(most, g[b])
		}
	}
	return most
}

func rows(data []float64, n, m int) blas64.General {
	return blas64.General{Rows: n, Cols: m, Stride: m, Data: data}
}

// inverseFactor computes the Cholesky factor L of the m x m matrix a, and stores L^-1 in w.
// inverseFactor overwrites a. inverseFactor returns false if a is numerically singular.
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
		// Row i of L^-1 follows from the previous rows.
		row := w[i*m:][:m]
		for j := range i {
			floats.AddScaled(row[:j+1], -a[i*m+j], w[j*m:][:j+1])
		}
		floats.Scale(1/a[i*m+i], row[:i])
		row[i] = 1 / a[i*m+i]
	}
	return true
}
