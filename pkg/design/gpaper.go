package design

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/lsq"
)

// trim reduces the support of w as far as the certificate allows, and returns
// the value.
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
