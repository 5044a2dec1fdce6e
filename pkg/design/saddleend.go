package design

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
)

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
	tol := cmp.Or(o.Tol, DefaultTol)
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
