package design

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// allDirections is the largest number of directions for which the solver starts with all directions
// instead of adding them when needed.
const allDirections = 256

// If at most the fraction outsideTolerance of a direction is outside the range of a singular
// information matrix, this fraction is attributed to rounding.
const outsideTolerance = 1e-6

// An XYCriterion is the largest variance of the estimates in given directions. NewXY creates an
// XYCriterion.
type XYCriterion struct {
	pointSet
	y     []float64 // n x m, coordinates of the nonzero directions
	rows  []int     // n: indices of the nonzero directions
	v, wy []float64
	by    []int
}

// NewXY returns the criterion max_j y_j'M(w)^-1 y_j for the points x, K x h, and the directions y,
// n x h, one per row. The lengths of directions matter: if each y_j is divided by a gap, the value
// is the hardness of a best-arm problem (Soare, Lazaric and Munos, 2014; Fiez et al., 2019). The
// criterion ignores zero directions. If a direction is outside the span of the points, the error is
// a *SpanError. NewXY panics if x and y differ in the number of columns.
func NewXY(x, y *mat.Dense) (*XYCriterion, error) {
	g, err := pointSetFor(x, y, "directions")
	if err != nil {
		return nil, err
	}
	c := &XYCriterion{pointSet: g}
	n, _ := y.Dims()
	for j := range n {
		row := y.RawRowView(j)
		if floats.Norm(row, math.Inf(1)) == 0 {
			continue
		}
		if out := g.span.Outside(row); out > lsq.RankTolerance {
			return nil, &SpanError{I: j, J: -1, Outside: out}
		}
		c.rows = append(c.rows, j)
	}
	if len(c.rows) > 0 {
		all := c.coordinates(y)
		for _, j := range c.rows {
			c.y = append(c.y, all[j*c.m:][:c.m]...)
		}
	}
	return c, nil
}

// Value implements Criterion. A call of Value takes O(s m^2 + m^3 + n m^2) operations for s points
// of positive weight.
func (c *XYCriterion) Value(w []float64) float64 {
	regular := c.factorize(w)
	return c.largest(regular)
}

func (c *XYCriterion) largest(regular bool) float64 {
	if len(c.rows) == 0 {
		return 0
	}
	if !regular {
		for j := range c.rows {
			if c.metric.Outside(c.y[j*c.m:][:c.m]) > outsideTolerance {
				return math.Inf(1)
			}
		}
	}
	most := 0.
	for j := range c.rows {
		most = max(most, c.metric.Squared(c.y[j*c.m:][:c.m]))
	}
	return most
}

// worst implements directions.
func (c *XYCriterion) worst(s *saddle, level float64) float64 {
	n, m := len(c.rows), c.m
	if n <= allDirections && len(s.q) < n {
		for j := range n {
			s.add(c.rows[j], -1, c.y[j*m:][:m])
		}
	}
	c.v, c.wy = grow(c.v, n), grow(c.wy, chunk*m)
	most := 0.
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows(c.y[lo*m:], hi-lo, m), rows(s.white, m, m), 0,
			rows(c.wy, hi-lo, m))
		for j := lo; j < hi; j++ {
			r := c.wy[(j-lo)*m:][:m]
			c.v[j] = floats.Dot(r, r)
			most = max(most, c.v[j])
		}
	}
	if len(s.q) < n {
		c.by = c.by[:0]
		for j, v := range c.v {
			if v > level && v >= nearWorst*most {
				c.by = append(c.by, j)
			}
		}
		slices.SortFunc(c.by, func(a, b int) int { return cmp.Or(cmp.Compare(c.v[b], c.v[a]), a-b) })
		for _, j := range c.by[:min(len(c.by), generated(m))] {
			s.add(c.rows[j], -1, c.y[j*m:][:m])
		}
	}
	return most
}

// Directions with at least this fraction of the largest variance are added together with the worst
// direction.
const nearWorst = 0.9

// generated returns the largest number of directions that are added at once.
func generated(m int) int { return 64 + 8*m }

// Solve implements Criterion. Solve finds a saddle point of designs and mixtures of directions,
// first by multiplicative steps on both and then by an interior-point method. Solve adds directions
// to the problem only when they are needed. At most m(m+1)/2 points have positive weight, except in
// very high dimensions. For a single direction, Solve computes the exact solution by linear
// programming (Elfving, 1952).
func (c *XYCriterion) Solve(o *Options) (*Design, error) {
	o = cmp.Or(o, &Options{})
	if o.Start != nil && len(o.Start) != c.k {
		panic(panicWeights)
	}
	if err := noMirror(o); err != nil {
		return nil, err
	}
	if len(c.rows) == 0 {
		return c.trivial(), nil
	}
	if o.Method == FrankWolfePaper {
		return c.paper(o, func(met *lsq.Metric) ([]float64, float64) {
			at, most := 0, -1.
			for j := range c.rows {
				if v := met.Squared(c.y[j*c.m:][:c.m]); v > most {
					at, most = j, v
				}
			}
			return c.y[at*c.m:][:c.m], most
		}, c)
	}
	if len(c.rows) == 1 {
		return c.single(o, c.y, Direction{I: c.rows[0], J: -1, Weight: 1})
	}
	s := newSaddle(c.x, c.k, c.m, c.points)
	s.start(o.Start)
	iterations, done := s.solve(o, c)
	return s.design(o, iterations, done, c.Value)
}

// K returns the number of points.
func (c *pointSet) K() int { return c.k }

// Rank returns the dimension of the span of the points.
func (c *pointSet) Rank() int { return c.m }

// factorize computes the metric of the design w, and reports whether the metric is regular.
func (c *pointSet) factorize(w []float64) bool {
	if len(w) != c.k {
		panic(panicWeights)
	}
	if c.m == 0 {
		return true
	}
	clear(c.a)
	for i, u := range w {
		if u > 0 {
			x := c.x[i*c.m:][:c.m]
			for r, v := range x {
				floats.AddScaled(c.a[r*c.m:][:c.m], u*v, x)
			}
		}
	}
	return c.metric.Factorize(c.a)
}

// trivial returns the design for a problem without directions.
func (c *pointSet) trivial() *Design {
	d := &Design{Weights: make([]float64, c.k)}
	on := c.points
	if len(on) == 0 { // if all points are zero, the design is uniform
		on = []int{0}
	}
	for _, i := range on {
		d.Weights[i] = 1 / float64(len(on))
	}
	return d
}

// single returns the design for one direction.
func (c *pointSet) single(o *Options, y []float64, dir Direction) (*Design, error) {
	one, err := NewC(mat.NewDense(c.k, c.m, c.x), y)
	if err != nil {
		return nil, err
	}
	d, err := one.Solve(o)
	if d != nil {
		d.Critical = []Direction{dir}
	}
	return d, err
}

// paper runs the Frank-Wolfe iteration of the RAGE paper. The iteration has no certificate of its
// own: a bound from a single direction is weak if several directions have the largest variance.
// Therefore, paper computes the lower bound with a saddle, which solves the problem up to a gap of
// DefaultTol.
func (c *pointSet) paper(o *Options, worst func(met *lsq.Metric) ([]float64, float64), dirs interface {
	directions
	Value(w []float64) float64
}) (*Design, error) {
	w, iterations := frankWolfe(c.k, c.m, c.x, worst, o)
	d := &Design{Weights: w, Value: dirs.Value(w), Iterations: iterations}
	s := newSaddle(c.x, c.k, c.m, c.points)
	s.start(w)
	s.solve(&Options{}, dirs)
	d.Lower = min(s.lower, d.Value) // rounding may make the lower bound larger than the value
	d.Critical = critical(s.bestQ, s.bestIDs)
	tol := cmp.Or(o.Tol, DefaultTol)
	if !(d.Gap() <= tol) {
		return d, gapError(d, tol)
	}
	return d, nil
}

// finite returns an error if an element of a is not finite.
func finite(what string, a *mat.Dense) error {
	n, _ := a.Dims()
	for i := range n {
		for j, v := range a.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return notFinite(what, i, j, v)
			}
		}
	}
	return nil
}

// A StarCriterion is the largest variance of scaled differences between one item, the center, and
// other items: scale_i (z_center - z_i). Center, items and scales may change between calls of
// Solve, which starts from the final state of the previous Solve. NewStar creates a StarCriterion.
type StarCriterion struct {
	XYCriterion
	z []float64 // coordinates of all items relative to the first, rows of length m

	saddle   *saddle // saddle of the last Solve, kept to reuse its memory
	last     []float64
	critical []Direction
}

// NewStar returns the criterion for the points x, K x h, and the items z, n x h, one per row. If z
// is nil, the items are the points x. Before the first call of Set, the criterion has no
// directions. If a difference of items is outside the span of the points, the error is a
// *SpanError. NewStar panics if x and z differ in the number of columns.
func NewStar(x, z *mat.Dense) (*StarCriterion, error) {
	p, err := NewPairs(x, z)
	if err != nil {
		return nil, err
	}
	return &StarCriterion{XYCriterion: XYCriterion{pointSet: p.pointSet}, z: p.z}, nil
}

// Set selects the differences between the center and the given items, each multiplied by its scale.
// The arguments center and items are row numbers of the original z; there is one scale per item.
// Set omits the center itself, and items with scale 0. In a Design of a StarCriterion, the field I
// of a direction is the index of the item.
func (c *StarCriterion) Set(center int, items []int, scale []float64) {
	c.rows, c.y = c.rows[:0], grow(c.y, len(items)*c.m)[:0]
	from := c.z[center*c.m:][:c.m]
	for a, i := range items {
		if i == center || scale[a] == 0 {
			continue
		}
		c.rows = append(c.rows, i)
		n := len(c.y)
		c.y = c.y[:n+c.m]
		floats.SubTo(c.y[n:], from, c.z[i*c.m:][:c.m])
		floats.Scale(scale[a], c.y[n:])
	}
}

// Solve implements Criterion with the method of XYCriterion.
func (c *StarCriterion) Solve(o *Options) (*Design, error) {
	o = cmp.Or(o, &Options{})
	if len(c.rows) < 2 || o.Start != nil || len(c.last) == 0 || o.Method != Certified {
		d, err := c.XYCriterion.Solve(o)
		c.remember(d)
		return d, err
	}
	if c.saddle == nil {
		c.saddle = newSaddle(c.x, c.k, c.m, c.points)
	}
	s := c.saddle
	s.resume(c.last)
	for _, dir := range c.critical {
		if j, ok := slices.BinarySearch(c.rows, dir.I); ok {
			s.add(dir.I, -1, c.y[j*c.m:][:c.m])
			s.q[len(s.q)-1] = dir.Weight
		}
	}
	iterations, done := s.solve(o, c)
	d, err := s.design(o, iterations, done, c.Value)
	c.remember(d)
	return d, err
}

func (c *StarCriterion) remember(d *Design) {
	if d != nil {
		c.last = append(c.last[:0], d.Weights...)
		c.critical = append(c.critical[:0], d.Critical...)
	}
}
