package problem

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
)

// A ValueError says that a value cannot be a measurement.
type ValueError struct {
	Objective string
	Text      string
}

// Error returns "objective: text".
func (e *ValueError) Error() string { return e.Objective + ": " + e.Text }

// Limits returns the least and the largest mean that measurements of objective i can have, in the
// user's units; infinite where nobody said.
func (c *Compiled) Limits(i int) (lo, hi float64) {
	o := &c.Source.Objectives[i]
	lo, hi = o.limits()
	return o.Rate(lo), o.Rate(hi)
}

// In appends the reward of one measurement of a candidate to dst: one entry an objective. Values
// are results as they are told, one for each objective that is measured, in the order of
// Problem.Measured; what is known of the candidate is added. Values that cannot be are a
// [*ValueError].
func (c *Compiled) In(dst []float64, arm int, values []float64) ([]float64, error) {
	next := 0
	for i := range c.Scales {
		if o := &c.Source.Objectives[i]; o.Known {
			dst = append(dst, c.Scales[i].In(o.Exact[arm]))
			continue
		}
		if next == len(values) {
			return dst, fmt.Errorf("problem: %d values; want one for each of the %d objectives "+
				"that are measured", len(values), len(c.Source.Measured()))
		}
		v := values[next]
		next++
		if err := c.Check(i, v); err != nil {
			return dst, err
		}
		dst = append(dst, c.Scales[i].Told(v))
	}
	if next < len(values) {
		return dst, fmt.Errorf("problem: %d values; want one for each of the %d objectives that "+
			"are measured", len(values), next)
	}
	return dst, nil
}

// Batch returns one measurement of a candidate as policies are told it, with the squares that
// adaptive radii need; see Learn.
func (c *Compiled) Batch(arm int, values []float64) (explore.Batch, error) {
	sum, n, err := c.Learn(nil, arm, values, 0)
	if err != nil {
		return explore.Batch{}, err
	}
	return explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: sum, Squares: c.Squares(sum, n)}, nil
}

// Check returns a *ValueError if v cannot be a measurement of objective i.
func (c *Compiled) Check(i int, v float64) error {
	o := &c.Source.Objectives[i]
	if err := o.Check(v); err != nil {
		return err
	}
	if math.Abs(c.Scales[i].Told(v)) > explore.LargestRatio {
		return &ValueError{o.Name, fmt.Sprintf("%v%s is more than %.0e times the noise from %v, where rounding "+
			"replaces the noise; mend the slip, or state values from a nearer origin", v, c.Scales[i].suffix(),
			explore.LargestRatio, c.Scales[i].Center)}
	}
	return nil
}

// Check returns a *ValueError if v cannot be a measurement of o, whatever its noise is found to be.
func (o *Objective) Check(v float64) error {
	bad := func(format string, args ...any) error {
		return &ValueError{o.Name, fmt.Sprintf(format, args...)}
	}
	lo, hi := o.limits()
	switch {
	case math.IsNaN(v) || math.Abs(v) > largest:
		return bad("%v; want a number of at most %v in size", v, float64(largest))
	case v < lo || v > hi:
		hint := "mend the slip, or widen the limits of the problem"
		if -v >= lo && -v <= hi {
			hint = "is the sign wrong?"
		}
		return bad("%v%s is outside %v to %v; %s", v, Scale{Unit: o.Unit}.suffix(), lo, hi, hint)
	case o.Noise.Counts != nil && v != math.Trunc(v):
		return bad("%v; want a whole number of successes of %d trials", v, *o.Noise.Counts)
	}
	return nil
}

// suffix is the unit after a space, or nothing: what follows a number.
func (s Scale) suffix() string {
	if s.Unit == "" {
		return ""
	}
	return " " + s.Unit
}

// Out returns the values in the user's units of rewards, or of means of rewards, one an objective;
// those of candidate arm that are known as they are.
func (c *Compiled) Out(dst []float64, arm int, rewards []float64) []float64 {
	for i, s := range c.Scales {
		if o := &c.Source.Objectives[i]; o.Known {
			dst = append(dst, o.Exact[arm])
		} else {
			dst = append(dst, s.Out(rewards[i]))
		}
	}
	return dst
}

// Rewards returns the standardised value of objective i of candidates with the given values in the
// user's unit.
func (c *Compiled) Rewards(i int, values []float64) []float64 {
	r := make([]float64, len(values))
	for j, v := range values {
		r[j] = c.Scales[i].In(v)
	}
	return r
}
