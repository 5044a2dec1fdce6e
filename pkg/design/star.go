package design

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A StarCriterion is the largest variance of scaled differences of items from one of them, the
// center: scale_i (z_center - z_i). Center, items and scales may change, and Solve starts from the
// end of the last one. Make one with NewStar.
type StarCriterion struct {
	XYCriterion
	z []float64 // coordinates of all items relative to the first, rows of length m

	saddle   *saddle // of the last Solve, for its memory
	last     []float64
	critical []Direction
}

var _ Criterion = (*StarCriterion)(nil)

// NewStar returns the criterion for the points x, K x h, and the items z, n x h, one a row; a nil
// z means x. There are no directions before Set. Differences of items have to be in the span of
// the points; if one is not, the error is a *SpanError. NewStar panics if x and z differ in the
// number of columns.
func NewStar(x, z *mat.Dense) (*StarCriterion, error) {
	p, err := NewPairs(x, z)
	if err != nil {
		return nil, err
	}
	return &StarCriterion{XYCriterion: XYCriterion{ground: p.ground}, z: p.z}, nil
}

// Set makes the criterion that of the differences of the items from the center, numbers of rows
// of the original z, times scale, one number an item. The center is left out, as are items whose
// scale is 0. Directions of a Design have the item's number as their I.
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

// Solve implements Criterion, as XYCriterion does.
func (c *StarCriterion) Solve(o *Options) (*Design, error) {
	if o == nil {
		o = &Options{}
	}
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
