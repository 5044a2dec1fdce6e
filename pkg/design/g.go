package design

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// The following constants control the solver for G.
const (
	gRefresh = 256   // number of steps after which the inverse is recomputed
	gDelete  = 32    // number of steps between attempts to delete points
	gNewton  = 64    // least number of steps between Newton steps
	gLittle  = 1e-14 // weights below gLittle become zero
	gDrop    = 1e-5  // weights below gDrop, relative to the largest weight, are dropped at the end
)

// A GCriterion is the largest variance of the estimates at the points themselves. NewG creates a
// GCriterion. Solve may be called repeatedly and reuses memory.
type GCriterion struct {
	pointSet
	white, scan, d []float64 // m x m; 2 x chunk x m; K: variances at all points

	active       []int // points whose weights the steps change
	z, w, v      []float64
	inverse, row []float64
	g            []float64
}

// NewG returns the criterion max_i x_i'M(w)^-1 x_i for the points x, K x h, one point per row. The
// least possible value is the rank of x; a design attains it exactly if the design maximises the
// determinant of M(w) (Kiefer and Wolfowitz, 1960). NewG returns an error if all points are zero or
// a number is not finite. NewG takes O(K h m) operations for rank m.
func NewG(x *mat.Dense) (*GCriterion, error) {
	g, err := newPointSet(x)
	if err != nil {
		return nil, err
	}
	if g.m == 0 {
		return nil, errors.New("design: all points are zero, and there is nothing to estimate; add a nonzero point")
	}
	return &GCriterion{pointSet: g}, nil
}

// Value implements Criterion. A call of Value takes O(K m^2) operations.
func (c *GCriterion) Value(w []float64) float64 {
	if len(w) != c.k {
		panic(panicWeights)
	}
	m := c.m
	clear(c.a)
	for i, u := range w {
		if u > 0 {
			addOuter(c.a, u, c.x[i*m:][:m])
		}
	}
	c.white = grow(c.white, m*m)
	if !inverseFactor(c.white, c.a, m) {
		return math.Inf(1)
	}
	most := 0.
	c.variances(nil, func(_ int, d float64) { most = max(most, d) })
	return most
}

// variances calls see with x_i'M^-1 x_i for each point in list, or for all points if list is nil.
// The inverse of M is W'W, where W is the matrix in the field white.
func (c *GCriterion) variances(list []int, see func(i int, d float64)) {
	m, n := c.m, len(list)
	if list == nil {
		n = c.k
	}
	c.scan = grow(c.scan, 2*chunk*m)
	gathered, wx := c.scan[:chunk*m], c.scan[chunk*m:]
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		from := gathered
		if list == nil {
			from = c.x[lo*m:]
		} else {
			for b := lo; b < hi; b++ {
				copy(gathered[(b-lo)*m:][:m], c.x[list[b]*m:][:m])
			}
		}
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(from, hi-lo, m), rows(c.white, m, m), 0, rows(wx, hi-lo, m))
		for b := lo; b < hi; b++ {
			r := wx[(b-lo)*m:][:m]
			i := b
			if list != nil {
				i = list[b]
			}
			see(i, floats.Dot(r, r))
		}
	}
}

// Solve implements Criterion. Solve works on a small set of active points. On the active points,
// Solve takes Wolfe-Atwood steps (Todd and Yildirim, 2007): towards the point of largest variance,
// or away from the point of least variance. Solve also takes some Newton steps. When the design is
// nearly optimal for the active points, Solve evaluates all points and activates those with too
// large a variance. The initial active points are spanning points (Kumar and Yildirim, 2005).
// Points that provably have no weight in any optimal design are deleted (Harman and Pronzato,
// 2007). In every iteration, the lower bound is the rank of the points.
//
// Each step on the active points counts as an iteration. Watch is called after each evaluation of
// all points. The returned design has at most m(m+1)/2 points, except in very high dimensions. A
// step costs O(n m) for n active points, where n is of order m^2; an evaluation of all points costs
// O(K m^2).
func (c *GCriterion) Solve(o *Options) (*Design, error) {
	o = cmp.Or(o, &Options{})
	tol := cmp.Or(o.Tol, DefaultTol)
	switch o.Method {
	case FrankWolfePaper:
		return c.paper(o, tol)
	case MirrorDescent:
		return c.mirror(o, tol)
	}
	limit := cmp.Or(o.MaxIterations, 1<<30)
	s := &gSolve{c: c, tol: tol, limit: limit, best: make([]float64, c.k), value: math.Inf(1)}
	for i := range c.k {
		s.alive = append(s.alive, i)
	}
	c.start()
	s.solve(o.Watch)
	d := &Design{Weights: s.best, Iterations: s.iterations, Lower: float64(c.m)}
	d.Value = max(c.trim(d.Weights, s.value, tol), d.Lower) // rounding may make the value smaller than Lower
	if !(d.Gap() <= tol) {
		return d, gapError(d, tol)
	}
	return d, nil
}

// A gSolve is the state of one call of Solve.
type gSolve struct {
	c          *GCriterion
	tol        float64
	limit      int
	iterations int
	alive      []int // points that are not deleted
	violate    []int
	best       []float64 // best weights of all points so far
	value      float64   // value of best
}

// solve alternates between steps on the active points and evaluations of all points, until the gap
// is at most the tolerance.
func (s *gSolve) solve(watch func(Bracket) bool) {
	c, m := s.c, float64(s.c.m)
	room := max(256, 24*c.m) // number of points that may become active at once
	inner, stuck := 0.5, 0
	for round := 0; ; round++ {
		if round > 0 || c.k <= room {
			if c.k <= room && round == 0 {
				c.enter(s.alive)
			}
			s.iterations += c.steps(inner, s.limit-s.iterations)
		}
		c.refresh()
		c.d = grow(c.d, c.k)
		look := s.alive
		if len(look) == c.k {
			look = nil
		}
		value := 0.
		c.variances(look, func(i int, d float64) { c.d[i], value = d, max(value, d) })
		if look != nil && value <= (1+s.tol)*m {
			// The certificate of the design must hold for all points.
			c.variances(nil, func(i int, d float64) { c.d[i], value = d, max(value, d) })
			if value > (1+s.tol)*m {
				s.alive = s.alive[:0]
				for i := range c.k {
					s.alive = append(s.alive, i)
				}
			}
		}
		if value < s.value*(1-1e-12) {
			stuck = 0
		} else {
			stuck++
		}
		if value < s.value {
			s.value = value
			clear(s.best)
			for b, i := range c.active {
				s.best[i] += c.w[b]
			}
		}
		if watch != nil && !watch(Bracket{Iteration: s.iterations, Value: max(s.value, m), Lower: m}) ||
			value <= (1+s.tol)*m || s.iterations >= s.limit || stuck >= 50 {
			return
		}
		s.remove(value)
		gap := value/m - 1
		inner = max(s.tol/2, min(inner, gap)/8)
		s.recruit(room, value)
	}
}

// remove deletes points that have no weight in any optimal design.
func (s *gSolve) remove(value float64) {
	least := deletable(value, s.c.m)
	if least <= 0 {
		return
	}
	n := 0
	for _, i := range s.alive {
		if s.c.d[i] >= least {
			s.alive[n] = i
			n++
		}
	}
	s.alive = s.alive[:n]
}

// deletable returns a threshold: points with a smaller variance have no weight in any optimal
// design, given the largest variance value (Harman and Pronzato, 2007, theorem 1, with e = value -
// rank).
func deletable(value float64, rank int) float64 {
	m := float64(rank)
	e := max(0, value-m)
	return m*(1+e/2-math.Sqrt(e*(4+e-4/m))/2) - 1e-9*m // the last term is a margin for rounding errors
}

// recruit activates points whose variance is too large. If too many points qualify, half of the
// activated points are those with the largest variances. The other half is spread evenly over all
// qualifying points, so that not all activated points are close together.
func (s *gSolve) recruit(room int, value float64) {
	c := s.c
	c.pack()
	m := float64(c.m)
	within := min(1+s.tol/4, (1+value/m)/2) * m
	s.violate = s.violate[:0]
	for _, i := range s.alive {
		if c.d[i] > within {
			s.violate = append(s.violate, i)
		}
	}
	if n := len(s.violate); n > room {
		by := func(i, j int) int { return cmp.Or(cmp.Compare(c.d[j], c.d[i]), i-j) }
		some := make([]int, 0, room)
		for b := range room / 2 {
			some = append(some, s.violate[b*n/(room/2)])
		}
		// The largest variances are found without sorting: points above a sampled quantile are
		// selected, possibly several times as many as needed.
		sample := make([]float64, 0, 1024)
		for b := range 1024 {
			sample = append(sample, c.d[s.violate[b*n/1024]])
		}
		slices.Sort(sample)
		least := sample[max(0, 1023-1024*2*room/n-8)]
		top := s.violate[:0]
		for _, i := range s.violate {
			if c.d[i] >= least {
				top = append(top, i)
			}
		}
		slices.SortFunc(top, by)
		s.violate = append(some, top[:min(len(top), room/2)]...)
	}
	c.enter(s.violate)
}

// trim reduces the number of support points of w as far as the certificate allows, and returns the
// new value.
func (c *GCriterion) trim(w []float64, value, tol float64) float64 {
	limit := max(value, (1+tol)*float64(c.m))
	try := func(change func(w []float64) bool) {
		changed := slices.Clone(w)
		if !change(changed) {
			return
		}
		if v := c.Value(changed); v <= limit {
			copy(w, changed)
			value = v
		}
	}
	try((&saddle{m: c.m, x: c.x}).thin)
	try(func(w []float64) (dropped bool) {
		least := gDrop * floats.Max(w)
		for i, u := range w {
			if u > 0 && u < least {
				w[i], dropped = 0, true
			}
		}
		floats.Scale(1/floats.Sum(w), w)
		return dropped
	})
	return value
}

// paper runs the Frank-Wolfe iteration of the RAGE paper.
func (c *GCriterion) paper(o *Options, tol float64) (*Design, error) {
	y := make([]float64, c.m)
	c.row, c.white = grow(c.row, c.m), grow(c.white, c.m*c.m)
	w, iterations := frankWolfe(c.k, c.m, c.x, func(met *lsq.Metric) ([]float64, float64) {
		for r := range c.m {
			clear(y)
			y[r] = 1
			met.Whiten(c.row, y)
			for q, v := range c.row {
				c.white[q*c.m+r] = v
			}
		}
		at, most := 0, -1.
		c.variances(nil, func(i int, d float64) {
			if d > most {
				at, most = i, d
			}
		})
		return c.x[at*c.m:][:c.m], most
	}, o)
	d := &Design{Weights: w, Iterations: iterations, Lower: float64(c.m)}
	d.Value = max(c.Value(w), d.Lower)
	if !(d.Gap() <= tol) {
		return d, gapError(d, tol)
	}
	return d, nil
}
