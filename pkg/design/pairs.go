package design

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A PairsCriterion is the largest variance of an estimated difference of two items. NewPairs
// creates a PairsCriterion.
type PairsCriterion struct {
	pointSet
	z     []float64 // coordinates of all items relative to the first, rows of length m
	total int       // number of all items
	items []int     // items in use
	zi    []float64 // coordinates of the items in use

	white, tri []float64 // whitened items, and the transposed whitening matrix
	far        far
	by         []int
	y          []float64

	// last and critical are the final state of the previous Solve, from which the next Solve starts.
	last     []float64
	critical []Direction
}

// NewPairs returns the criterion max_ij (z_i - z_j)'M(w)^-1 (z_i - z_j) for the points x, K x h,
// and the items z, n x h, one per row. If z is nil, the items are the points x. The criterion is
// the transductive criterion of Fiez et al. (2019); for z = x, it is XY-optimality (Soare, Lazaric
// and Munos, 2014). If a difference of items is outside the span of the points, the error is a
// *SpanError; the items themselves may be outside of the span. NewPairs panics if x and z differ in
// the number of columns.
func NewPairs(x, z *mat.Dense) (*PairsCriterion, error) {
	if z == nil {
		z = x
	}
	g, err := pointSetFor(x, z, "items")
	if err != nil {
		return nil, err
	}
	c := &PairsCriterion{pointSet: g}
	n, h := z.Dims()
	// Subtracting the first item preserves the digits of differences even if all items share a
	// large component.
	diff := mat.NewDense(n, h, nil)
	size := 0.
	for i := range n {
		size = max(size, floats.Norm(z.RawRowView(i), math.Inf(1)))
	}
	for i := 1; i < n; i++ {
		row := diff.RawRowView(i)
		floats.SubTo(row, z.RawRowView(i), z.RawRowView(0))
		if floats.Norm(row, math.Inf(1)) <= 1e-15*size {
			clear(row)
			continue
		}
		if out := g.span.Outside(row); out > lsq.RankTolerance {
			return nil, &SpanError{I: 0, J: i, Outside: out}
		}
	}
	c.total = n
	if c.m > 0 {
		c.z = c.coordinates(diff)
	}
	c.items = make([]int, 0, n)
	for i := range n {
		c.items = append(c.items, i)
	}
	c.gather()
	return c, nil
}

// Keep restricts the criterion to some items, given as row numbers of the original z in ascending
// order. The next Solve starts from the final state of the previous Solve. Keep panics if items is
// empty, not ascending, or out of range.
func (c *PairsCriterion) Keep(items []int) {
	if len(items) == 0 {
		panic(panicItems)
	}
	for a, i := range items {
		if i < 0 || i >= c.total || a > 0 && i <= items[a-1] {
			panic(panicItems)
		}
	}
	c.items = append(c.items[:0], items...)
	c.gather()
}

func (c *PairsCriterion) gather() {
	c.zi = grow(c.zi, len(c.items)*c.m)
	for a, i := range c.items {
		copy(c.zi[a*c.m:][:c.m], c.z[i*c.m:][:c.m])
	}
}

// Value implements Criterion. A call of Value takes O(s m^2 + m^3 + n m^2) operations for s points
// of positive weight and n items, plus the time to find the diameter of the whitened items. Finding
// the diameter costs at worst O(n^2 m), and usually far less.
func (c *PairsCriterion) Value(w []float64) float64 {
	regular := c.factorize(w)
	n, m := len(c.items), c.m
	if m == 0 || n == 1 {
		return 0
	}
	c.y = grow(c.y, m)
	if !regular {
		for a := 1; a < n; a++ {
			floats.SubTo(c.y, c.zi[a*m:][:m], c.zi[:m])
			if floats.Norm(c.y, 2) > 0 && c.metric.Outside(c.y) > outsideTolerance {
				return math.Inf(1)
			}
		}
	}
	c.whitenBy(c.metric)
	c.far.load(c.white, n, m)
	v, _, _ := c.far.farthest()
	return v
}

// whitenBy multiplies the items by the whitening matrix of a metric.
func (c *PairsCriterion) whitenBy(met *lsq.Metric) {
	m := c.m
	c.y, c.tri = grow(c.y, m), grow(c.tri, m*m)
	for r := range m { // rows of the transposed whitening matrix
		clear(c.y)
		c.y[r] = 1
		met.Whiten(c.tri[r*m:][:m], c.y)
	}
	c.whiten(blas.NoTrans, c.tri)
}

// whiten sets c.white to the product of the items with by, or with by' if trans is blas.Trans.
func (c *PairsCriterion) whiten(trans blas.Transpose, by []float64) {
	n, m := len(c.items), c.m
	c.white = grow(c.white, n*m)
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		blas64.Gemm(blas.NoTrans, trans, 1, rows(c.zi[lo*m:], hi-lo, m), rows(by, m, m), 0,
			rows(c.white[lo*m:], hi-lo, m))
	}
}

// worst implements directions. For each item, worst considers only the difference from the farthest
// item, because similar differences would add little information.
func (c *PairsCriterion) worst(s *saddle, level float64) float64 {
	n, m := len(c.items), c.m
	c.whiten(blas.Trans, s.white)
	c.far.load(c.white, n, m)
	most := c.far.partners(nearWorst)
	c.by = c.by[:0]
	for a, b := range c.far.partner {
		if b >= 0 && c.far.reach[a] > level && !(c.far.partner[b] == a && b < a) {
			c.by = append(c.by, a)
		}
	}
	slices.SortFunc(c.by, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.far.reach[b], c.far.reach[a]), a-b)
	})
	limit := generated(m)
	for limit < len(c.by) && c.far.reach[c.by[limit]] > most*(1-1e-9) {
		limit++ // otherwise, the order of the items would break ties
	}
	for _, a := range c.by[:min(len(c.by), limit)] {
		c.add(s, c.far.order[a], c.far.order[c.far.partner[a]])
	}
	return most
}

// add adds the difference of two selected items to the working set.
func (c *PairsCriterion) add(s *saddle, a, b int) {
	if a > b {
		a, b = b, a
	}
	c.y = grow(c.y, c.m)
	floats.SubTo(c.y, c.zi[a*c.m:][:c.m], c.zi[b*c.m:][:c.m])
	s.add(c.items[a], c.items[b], c.y)
}

// Solve implements Criterion. Solve finds a saddle point of designs and mixtures of pairs, first by
// multiplicative steps on both and then by an interior-point method. Solve adds the directions of
// pairs to the problem only when they are needed. Solve starts from the final state of the previous
// Solve. At most m(m+1)/2 points have positive weight, except in very high dimensions. If only two
// items are different, Solve uses linear programming and is exact (Elfving, 1952).
func (c *PairsCriterion) Solve(o *Options) (*Design, error) {
	o = cmp.Or(o, &Options{})
	if err := noMirror(o); err != nil {
		return nil, err
	}
	i, j, several := c.distinct()
	if j < 0 {
		return c.trivial(), nil
	}
	if o.Method == FrankWolfePaper {
		return c.paper(o, c.farthest, c)
	}
	if !several {
		c.y = grow(c.y, c.m)
		floats.SubTo(c.y, c.zi[i*c.m:][:c.m], c.zi[j*c.m:][:c.m])
		d, err := c.single(o, slices.Clone(c.y), Direction{I: c.items[i], J: c.items[j], Weight: 1})
		if d != nil {
			c.last = append(c.last[:0], d.Weights...)
		}
		return d, err
	}
	s := newSaddle(c.x, c.k, c.m, c.points)
	s.start(c.last)
	for _, d := range c.critical {
		a, ok := slices.BinarySearch(c.items, d.I)
		b, too := slices.BinarySearch(c.items, d.J)
		if ok && too {
			c.add(s, a, b)
			s.q[len(s.q)-1] = d.Weight
		}
	}
	iterations, done := s.solve(o, c)
	d, err := s.design(o, iterations, done, c.Value)
	c.last, c.critical = append(c.last[:0], d.Weights...), append(c.critical[:0], d.Critical...)
	return d, err
}

// distinct returns two different items among the selected items, and whether some selected item
// differs from both. If all items are equal, j is -1.
func (c *PairsCriterion) distinct() (i, j int, several bool) {
	j = -1
	for a := 1; a < len(c.items); a++ {
		z := c.zi[a*c.m:][:c.m]
		if slices.Equal(z, c.zi[:c.m]) {
			continue
		}
		if j < 0 {
			j = a
		} else if !slices.Equal(z, c.zi[j*c.m:][:c.m]) {
			return 0, j, true
		}
	}
	return 0, j, false
}

// farthest returns the difference of two items whose estimate has the largest variance, and this
// variance.
func (c *PairsCriterion) farthest(met *lsq.Metric) ([]float64, float64) {
	n, m := len(c.items), c.m
	c.whitenBy(met)
	c.far.load(c.white, n, m)
	v, a, b := c.far.farthest()
	y := make([]float64, m)
	floats.SubTo(y, c.zi[a*m:][:m], c.zi[b*m:][:m])
	return y, v
}

func notFinite(what string, i, j int, v float64) error {
	return fmt.Errorf("design: the number in row %d, column %d of the %s is %v; "+
		"remove the row or enter a finite number", i, j, what, v)
}
