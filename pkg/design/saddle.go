package design

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
)

// A saddle computes a saddle point of sum_y q_y y'M(w)^-1 y in w and q. The function is minimized
// over designs w, and maximized over mixtures q of a working set of directions.
//
// Any design w and mixture q together give a certificate. Let v_y = y'M(w)^-1 y and g_i = sum_y q_y
// (x_i'M(w)^-1 y)^2; then no design has a value below
//
//	(sum_y q_y v_y)^2 / max_i g_i.
//
// Proof: let L have the columns sqrt(q_y) y, and H = M(w)^-1 L. By Cauchy-Schwarz, (tr L'H)^2 <=
// tr(L'M(w')^-1 L) tr(H'M(w')H) for every design w'. The first factor is at most the value of the
// criterion at w', and the second factor is a mean of the g_i. The bound also holds for supersets
// of the working set, so missing directions can be added when they are needed.
type saddle struct {
	k, m  int
	x     []float64 // k x m
	w     []float64 // k, sum 1
	spans []bool    // k: spanning points

	settled bool // whether the last evaluation of all directions found no missing direction

	// active contains the points that may have weight, with copies of their coordinates and
	// weights.
	active []int
	xa, wa []float64

	// The following fields describe the working set of directions.
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

// directions adds directions to the working set of a saddle.
type directions interface {
	// worst returns the largest y'W'Wy over all directions y. worst also adds missing directions
	// whose value exceeds level to the working set.
	worst(s *saddle, level float64) float64
}

const (
	saddleIterations = 50000
	// negligible is the weight below which a direction counts as unused.
	negligible = 1e-12
	// newtonSteps is the typical number of Newton steps until convergence.
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

// add adds a direction to the working set, unless it is already there. The new direction has weight
// 0 in the mixture until share sets its weight.
func (s *saddle) add(i, j int, y []float64) {
	key := [2]int{i, j}
	if s.in[key] {
		return
	}
	s.in[key] = true
	s.y, s.q, s.ids = append(s.y, y...), append(s.q, 0), append(s.ids, Direction{I: i, J: j})
}

func (s *saddle) filter(ok func(t int) bool) {
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

// share gives each direction without a weight the mean weight of the other directions, and scales
// the weights to sum to 1.
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

// start sets the weights to w plus a small weight on all points, because multiplicative steps never
// change a zero weight. If w is nil, start uses uniform weights.
func (s *saddle) start(w []float64) {
	const some = 0.05
	if len(w) == 0 {
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

// resume sets the weights to w, the solution of a similar problem, plus a small weight on the
// spanning points. The solver activates other points when it needs them. resume also empties the
// working set.
func (s *saddle) resume(w []float64) {
	const some = 0.05
	clear(s.in)
	s.y, s.q, s.ids, s.settled = s.y[:0], s.q[:0], s.ids[:0], false
	sum := floats.Sum(w)
	s.active = s.active[:0]
	for i, v := range w {
		s.w[i] = (1 - some) * v / sum
		if s.spans[i] {
			s.w[i] += some / float64(s.m)
		}
		if s.w[i] > 0 {
			s.active = append(s.active, i)
		}
	}
	s.gather()
}

// gather copies the rows and weights of the active points; scatter copies the weights back.
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

// solve runs until the gap is at most o.Tol. solve begins with multiplicative steps, and changes to
// the interior-point method when these steps have cost as much as the interior-point method would.
// solve stores the best weights, their value and the lower bound in s.
func (s *saddle) solve(o *Options, dirs directions) (iterations int, done bool) {
	r := &run{saddle: s, dirs: dirs, tol: o.Tol, limit: o.MaxIterations, watch: o.Watch}
	r.tol = cmp.Or(r.tol, DefaultTol)
	r.limit = cmp.Or(r.limit, saddleIterations)
	s.value, s.lower = math.Inf(1), 0
	s.factorize()
	s.check(dirs, 0)
	if !r.multiply() {
		in := interior{run: r}
		in.follow()
	}
	return r.iterations, s.value <= (1+r.tol)*s.lower
}

// A run is the state of one call of solve.
type run struct {
	*saddle
	dirs       directions
	tol        float64
	limit      int
	iterations int
	watch      func(Bracket) bool
}

// evaluate computes the certificate of the weights and the mixture over all points and all
// directions. The weights must sum to 1, and so must the mixture. The argument worst is the largest
// v of the active directions, and most is the largest g of the active points. evaluate returns the
// value at the weights, and whether to stop.
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
	if r.watch != nil && !r.watch(Bracket{Iteration: r.iterations, Value: s.value, Lower: s.lower}) {
		return value, true
	}
	return value, s.value <= (1+r.tol)*s.lower || r.iterations >= r.limit
}

// check evaluates the criterion at the weights, and adds directions to the working set.
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
