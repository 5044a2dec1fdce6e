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

// A saddle looks for the saddle point of sum_y q_y y'M(w)^-1 y, the least over
// designs w and the largest over mixtures q of a working set of directions.
//
// Any w and q give a certificate. With v_y = y'M(w)^-1 y and
// g_i = sum_y q_y (x_i'M(w)^-1 y)^2, no design has a value below
//
//	(sum_y q_y v_y)^2 / max_i g_i.
//
// For let L have the columns sqrt(q_y) y, and H = M(w)^-1 L. By Cauchy and
// Schwarz (tr L'H)^2 <= tr(L'M(w')^-1 L) tr(H'M(w')H) for every design w', the
// first factor is at most the value at w', and the second is a mean of the g_i.
// The bound holds for more directions than those in the working set, so they
// are generated when they are needed.
type saddle struct {
	k, m  int
	x     []float64 // k x m
	w     []float64 // k, sum 1
	spans []bool    // k: points that together span

	settled bool // the last look at all directions found none that was missing

	// The active points, which can have weight, and copies of their rows and weights.
	active []int
	xa, wa []float64

	// The working set.
	y   []float64 // len(q) x m
	q   []float64
	ids []Direction
	in  map[[2]int]bool

	a, white, c []float64 // m x m: M(w), W with W'W = M(w)^-1, sum q u u'
	u, wy       []float64 // M^-1 y, W y
	v           []float64
	g, ga       []float64 // k, len(active)
	tmp         []float64
	back        []int

	bestW, bestQ []float64
	bestIDs      []Direction
	value, lower float64
}

// directions are where a saddle gets its working set from.
type directions interface {
	// worst returns the largest y'W'Wy over all directions, and adds to the
	// working set those above level that it lacks.
	worst(s *saddle, level float64) float64
}

const (
	saddleIterations = 50000
	// negligible is the weight below which a direction counts as having none.
	negligible = 1e-12
	// newtonSteps is about the number that a solve takes.
	newtonSteps = 15
)

func newSaddle(x []float64, k, m int, spanning []int) *saddle {
	s := &saddle{
		k: k, m: m, x: x, w: make([]float64, k), spans: make([]bool, k), in: map[[2]int]bool{},
		a: make([]float64, m*m), white: make([]float64, m*m), c: make([]float64, m*m),
		g: make([]float64, k), bestW: make([]float64, k),
	}
	for _, i := range spanning {
		s.spans[i] = true
	}
	return s
}

// add puts a direction into the working set, unless it is there. Its share of
// the mixture is set by the caller of worst.
func (s *saddle) add(i, j int, y []float64) {
	key := [2]int{i, j}
	if s.in[key] {
		return
	}
	s.in[key] = true
	s.y, s.q, s.ids = append(s.y, y...), append(s.q, 0), append(s.ids, Direction{I: i, J: j})
}

// keep drops the directions for which ok is false.
func (s *saddle) keep(ok func(t int) bool) {
	n := 0
	for t := range s.q {
		if !ok(t) {
			delete(s.in, [2]int{s.ids[t].I, s.ids[t].J})
			continue
		}
		copy(s.y[n*s.m:][:s.m], s.y[t*s.m:][:s.m])
		s.q[n], s.ids[n] = s.q[t], s.ids[t]
		n++
	}
	s.y, s.q, s.ids = s.y[:n*s.m], s.q[:n], s.ids[:n]
}

// share gives the directions without a share of the mixture the same as the
// mean of the others, and makes the shares sum to 1.
func (s *saddle) share() {
	sum, none := 0., 0
	for _, q := range s.q {
		if sum += q; q == 0 {
			none++
		}
	}
	each := 1.
	if n := len(s.q) - none; n > 0 {
		each = sum / float64(n)
	}
	for t, q := range s.q {
		if q == 0 {
			s.q[t] = each
		}
	}
	floats.Scale(1/floats.Sum(s.q), s.q)
}

// start sets the weights to w, mixed with a little weight on all points because
// multiplicative steps never change a zero; nil is uniform.
func (s *saddle) start(w []float64) {
	const some = 0.05
	if w == nil {
		for i := range s.w {
			s.w[i] = 1 / float64(s.k)
		}
	} else {
		sum := floats.Sum(w)
		for i := range s.w {
			s.w[i] = (1-some)*w[i]/sum + some/float64(s.k)
		}
	}
	s.active = s.active[:0]
	for i := range s.k {
		s.active = append(s.active, i)
	}
	s.gather()
}

// gather copies the active rows and weights, scatter writes the weights back.
func (s *saddle) gather() {
	n := len(s.active)
	s.xa, s.wa, s.ga = grow(s.xa, n*s.m), grow(s.wa, n), grow(s.ga, n)
	for b, i := range s.active {
		copy(s.xa[b*s.m:][:s.m], s.x[i*s.m:][:s.m])
		s.wa[b] = s.w[i]
	}
}

func (s *saddle) scatter() {
	clear(s.w)
	for b, i := range s.active {
		s.w[i] = s.wa[b]
	}
}

// solve runs until the gap is at most o.Tol: first by multiplicative steps, and
// when these have cost as much as an interior-point method would, by that. It
// leaves the best weights, their value and the lower bound in s.
func (s *saddle) solve(o *Options, dirs directions) (iterations int, done bool) {
	r := &run{saddle: s, dirs: dirs, tol: o.Tol, limit: o.MaxIterations, watch: o.Watch}
	if r.tol == 0 {
		r.tol = DefaultTol
	}
	if r.limit == 0 {
		r.limit = saddleIterations
	}
	s.value, s.lower = math.Inf(1), 0
	s.factorize()
	s.check(dirs, 0)
	if !r.multiply() {
		in := interior{run: r}
		in.follow()
	}
	return r.iterations, s.value <= (1+r.tol)*s.lower
}

// A run is what a solver keeps track of.
type run struct {
	*saddle
	dirs       directions
	tol        float64
	limit      int
	iterations int
	watch      func(Bracket) bool
}

// evaluate computes the certificate of the weights and the mixture, which sum
// to 1, over all points and all directions, from v and g of the active ones, of
// which worst and most are the largest. It returns the value at the weights, and
// whether to stop.
func (r *run) evaluate(worst, most float64) (value float64, stop bool) {
	s := r.saddle
	if len(s.active) < s.k {
		most = s.revive(most)
	}
	mean := floats.Dot(s.q, s.v)
	if bound := mean * mean / most; bound > s.lower {
		s.lower = bound
		s.bestQ, s.bestIDs = append(s.bestQ[:0], s.q...), append(s.bestIDs[:0], s.ids...)
	}
	value = s.check(r.dirs, worst)
	if r.watch != nil &&
		!r.watch(Bracket{Iteration: r.iterations, Value: s.value, Lower: s.lower}) {
		return value, true
	}
	return value, s.value <= (1+r.tol)*s.lower || r.iterations >= r.limit
}

// multiply takes multiplicative steps. It returns false when Newton steps
// promise more.
func (r *run) multiply() (stop bool) {
	s := r.saddle
	within := 0.3 // gap on the working set at which all directions are looked at
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
		if worst <= (1+within)*max(mean*mean/most, s.lower) || since >= 50 ||
			r.iterations == r.limit {
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
				within *= 2 // directions were missing: the gap there meant little
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

// check evaluates the criterion at the weights, and generates directions.
func (s *saddle) check(dirs directions, level float64) float64 {
	value := dirs.worst(s, level)
	s.share()
	if value < s.value {
		s.value = value
		s.scatter()
		copy(s.bestW, s.w)
	}
	return value
}

// step multiplies the weights by sqrt(g), the power that never increases
// sum_y q_y v_y for fixed q (Yu, 2010), and drops points of no weight.
func (s *saddle) step(most float64) {
	sum := 0.
	for b, g := range s.ga {
		// A point that the working set has no use for may be needed later.
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

// useless says that a point can be dropped, with its weight and g relative to the
// largest. Points that span always stay, so that M(w) is regular.
func (s *saddle) useless(i int, w, g float64) bool {
	return (w < 10*negligible || w < 1e-4 && g < 0.5) && !s.spans[i]
}

// revive computes g at all points, returns the largest, and makes the points of
// the largest g active again, with a little weight.
func (s *saddle) revive(most float64) float64 {
	all := s.gradient(s.g, s.x)
	if all <= most {
		return most
	}
	// Active points have a g of at most most.
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

// factorize computes M(w) of the active points and W = L^-1 for M = L L'. If
// M is singular because of rounding, all points get a little weight.
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

const chunk = 128 // rows of a matrix product, few enough for gonum not to start goroutines

// information sets a to sum w_i x_i x_i'.
func (s *saddle) information(a, x, w []float64) {
	m := s.m
	clear(a)
	s.tmp = grow(s.tmp, chunk*m)
	for lo := 0; lo < len(w); lo += chunk {
		hi := min(lo+chunk, len(w))
		for b := lo; b < hi; b++ {
			floats.ScaleTo(s.tmp[(b-lo)*m:][:m], w[b], x[b*m:][:m])
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, rows(s.tmp, hi-lo, m), rows(x[lo*m:], hi-lo, m), 1,
			rows(a, m, m))
	}
}

// variances computes v and u = M^-1 y of the working set, and returns the
// largest v.
func (s *saddle) variances() float64 {
	m, n := s.m, len(s.q)
	s.u, s.wy, s.v = grow(s.u, n*m), grow(s.wy, n*m), grow(s.v, n)
	most := 0.
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		wy := rows(s.wy[lo*m:], hi-lo, m)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(s.y[lo*m:], hi-lo, m), rows(s.white, m, m), 0,
			wy)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, wy, rows(s.white, m, m), 0,
			rows(s.u[lo*m:], hi-lo, m))
		for t := lo; t < hi; t++ {
			r := s.wy[t*m:][:m]
			s.v[t] = floats.Dot(r, r)
			most = max(most, s.v[t])
		}
	}
	return most
}

// gradient sets g to sum_y q_y (x_i'u_y)^2 at the points x, and returns the
// largest.
func (s *saddle) gradient(g, x []float64) float64 {
	m := s.m
	s.information(s.c, s.u, s.q)
	most := 0.
	for lo := 0; lo < len(g); lo += chunk {
		hi := min(lo+chunk, len(g))
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, rows(x[lo*m:], hi-lo, m), rows(s.c, m, m), 0,
			rows(s.tmp, hi-lo, m))
		for b := lo; b < hi; b++ {
			// rounding can make it negative
			g[b] = max(0, floats.Dot(s.tmp[(b-lo)*m:][:m], x[b*m:][:m]))
			most = max(most, g[b])
		}
	}
	return most
}

func rows(data []float64, n, m int) blas64.General {
	return blas64.General{Rows: n, Cols: m, Stride: m, Data: data}
}

// inverseFactor sets w to L^-1, lower triangular, for a = L L', m x m, and
// overwrites a. It reports false if a is numerically singular.
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
		// Row i of L^-1 from the rows before it.
		row := w[i*m:][:m]
		for j := range i {
			floats.AddScaled(row[:j+1], -a[i*m+j], w[j*m:][:j+1])
		}
		floats.Scale(1/a[i*m+i], row[:i])
		row[i] = 1 / a[i*m+i]
	}
	return true
}

// trim reduces the support of the best weights: to at most m(m+1)/2 points if
// there are more, which costs nothing, and by small weights, as long as the value
// stays within 1 + tol of the lower bound. It returns the weights and their value.
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

// design makes a Design of what solve left.
func (s *saddle) design(o *Options, iterations int, done bool,
	value func(w []float64) float64) (*Design, error) {
	tol := o.Tol
	if tol == 0 {
		tol = DefaultTol
	}
	d := &Design{Lower: s.lower, Iterations: iterations}
	d.Weights, d.Value = s.trim(tol, value)
	d.Lower = min(d.Lower, d.Value) // it can be larger because of rounding
	d.Critical = critical(s.bestQ, s.bestIDs)
	if !done {
		return d, gapError(d, tol)
	}
	return d, nil
}

func gapError(d *Design, tol float64) error {
	return fmt.Errorf("design: %w: %.2g after %d iterations, %.2g wanted; "+
		"raise Tol or MaxIterations", ErrGap, d.Gap(), d.Iterations, tol)
}

// critical returns the directions with a weight that counts.
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
