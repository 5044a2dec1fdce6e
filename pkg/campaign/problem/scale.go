package problem

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
)

// Scale converts values of the objective Name between results, means in the user's Unit, and
// standardised rewards. Results and means differ only for counts, whose means are rates.
type Scale struct {
	Name, Unit string
	// Center is the result that corresponds to a reward of 0. PerReward is the change of the result
	// per unit of reward; it is positive if larger results are better.
	Center, PerReward float64
	// Trials is the number of trials in a count. Trials is 0 if results are not counts, or if each
	// trial is a reward.
	Trials float64
}

// Told converts a result of one reward to the reward.
func (s Scale) Told(result float64) float64 { return (result - s.Center) / s.PerReward }

// In converts a mean in the user's unit to a reward.
func (s Scale) In(mean float64) float64 {
	if s.Trials > 0 {
		mean *= s.Trials
	}
	return s.Told(mean)
}

// Out converts a mean reward to a mean in the user's unit.
func (s Scale) Out(reward float64) float64 { return s.rate(s.Center + s.PerReward*reward) }

// Size converts a difference of rewards, or a half-width, to the user's unit; the returned value is
// not negative.
func (s Scale) Size(difference float64) float64 { return s.rate(math.Abs(s.PerReward * difference)) }

func (s Scale) rate(result float64) float64 {
	if s.Trials > 0 {
		return result / s.Trials
	}
	return result
}

// Sigma returns the sub-Gaussian scale of the objective's noise, in the unit of results, or 0 for
// known values.
func (o *Objective) Sigma() float64 {
	n := o.Noise
	switch {
	case o.Known:
		return 0
	case n.SD != nil:
		return *n.SD
	case n.Range != nil:
		return (n.Range[1] - n.Range[0]) / 2 // the scale of a range, by Hoeffding's lemma
	case n.Counts != nil:
		return math.Sqrt(float64(*n.Counts)) / 2 // the scale of a sum of independent trials with values in {0, 1}
	case n.Pilot != nil && n.Pilot.Rewards > 0:
		if len(o.Values) != 2 {
			return math.NaN()
		}
		return (o.Values[1] - o.Values[0]) / 6 // an arbitrary scale until the pilot ends
	case n.Pilot != nil:
		return n.Pilot.Bound()
	}
	return math.NaN()
}

// Bound returns an upper confidence bound on the standard deviation of Gaussian noise,
//
//	SD sqrt(DF / q),
//
// where q is the Delta quantile of the chi-square distribution with DF degrees of freedom. The true
// standard deviation exceeds the returned bound with probability Delta.
func (q *NoisePilot) Bound() float64 {
	chi := distuv.ChiSquared{K: float64(q.DF)}
	return q.SD * math.Sqrt(float64(q.DF)/chi.Quantile(q.Delta))
}

func (o *Objective) limits() (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	if len(o.Values) == 2 {
		lo, hi = o.Values[0], o.Values[1]
	}
	switch {
	case len(o.Noise.Range) == 2:
		lo, hi = max(lo, o.Noise.Range[0]), min(hi, o.Noise.Range[1])
	case o.Noise.Counts != nil:
		lo, hi = max(lo, 0), min(hi, float64(*o.Noise.Counts))
	}
	return lo, hi
}

// scale returns the conversions of an objective between results, means and rewards.
func (o *Objective) scale() Scale {
	s := Scale{Name: o.Name, Unit: o.Unit, PerReward: o.Sigma()}
	if o.Noise.Counts != nil {
		s.Unit, s.Trials = "", o.trials() // the rates of counts have no unit
	}
	if o.Noise.Evaluable != "" { // a reward is a single trial
		s.PerReward, s.Trials = .5, 0
	}
	if o.Known {
		s.PerReward = spread(o.Exact)
	}
	if lo, hi := o.limits(); !math.IsInf(lo, 0) && !math.IsInf(hi, 0) {
		s.Center = lo + (hi-lo)/2
	}
	if o.Noise.Evaluable != "" {
		s.Center = .5
	}
	if o.better() < 0 {
		s.PerReward = -s.PerReward
	}
	return s
}

// better returns 1 if larger values are better and -1 if smaller values are better. For objectives
// with the goal "bounded", the side of the bound decides the sign.
func (o *Objective) better() float64 {
	if o.Goal == Minimise || o.Goal == Bounded && o.AtMost != nil && o.AtLeast == nil {
		return -1
	}
	return 1
}

// spread returns a scale for known values: the difference between the largest and the smallest
// value, or 1 if all are equal.
func spread(x []float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	if !(hi > lo) {
		return 1
	}
	return hi - lo
}

// ValueError reports a value that is not a valid measurement. Objective is the name of the
// objective, and Text says what is wrong and how to fix it.
type ValueError struct {
	Objective string
	Text      string
}

// Error returns "objective: text".
func (e *ValueError) Error() string { return e.Objective + ": " + e.Text }

// Limits returns the smallest and the largest possible mean of objective i, in the user's units;
// unknown limits are infinite.
func (c *Compiled) Limits(i int) (lo, hi float64) {
	o := &c.Source.Objectives[i]
	lo, hi = o.limits()
	return o.Rate(lo), o.Rate(hi)
}

// In appends the reward of one measurement of a candidate to dst; see Learn.
func (c *Compiled) In(dst []float64, arm int, values []float64) ([]float64, error) {
	dst, _, err := c.Learn(dst, arm, values, 0, 0)
	return dst, err
}

// Batch returns one measurement of a candidate in the form for policies, with the sums of squares
// that adaptive radii need; see Learn.
func (c *Compiled) Batch(arm int, values []float64) (explore.Batch, error) {
	sum, n, err := c.Learn(nil, arm, values, 0, 0)
	if err != nil {
		return explore.Batch{}, err
	}
	return explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: sum, Squares: c.Squares(sum, n)}, nil
}

// Check returns a *ValueError if v is not a valid measurement of objective i, or a valid summary of
// several measurements; see Objective.Check.
func (c *Compiled) Check(i int, v float64, summed int) error {
	o := &c.Source.Objectives[i]
	if err := o.Check(v, summed); err != nil {
		return err
	}
	if o.Noise.Counts != nil {
		v /= float64(max(summed, 1))
	}
	if math.Abs(c.Scales[i].Told(v)) > explore.LargestRatio {
		return &ValueError{o.Name, fmt.Sprintf("%v%s is more than %.0e times the noise away from %v, so rounding "+
			"exceeds the noise; correct the value, or state values relative to a nearer "+
			"origin", v, c.Scales[i].suffix(),
			explore.LargestRatio, c.Scales[i].Center)}
	}
	return nil
}

// Check returns a *ValueError if v is not a valid measurement of o for any distribution of the
// noise. If summed is not 0, v must be a valid summary of that many measurements: their mean or, for
// counts, their total.
func (o *Objective) Check(v float64, summed int) error {
	bad := func(format string, args ...any) error {
		return &ValueError{o.Name, fmt.Sprintf(format, args...)}
	}
	lo, hi := o.limits()
	n := max(summed, 1)
	if o.Noise.Counts != nil {
		lo, hi = lo*float64(n), hi*float64(n)
	}
	switch {
	case math.IsNaN(v) || math.Abs(v) > largest:
		return bad("%v; expected a number of magnitude at most %v", v, float64(largest))
	case v < lo || v > hi:
		hint := "correct the value, or widen the limits of the problem"
		if -v >= lo && -v <= hi {
			hint = "is the sign wrong?"
		}
		return bad("%v%s is outside %v to %v; %s", v, Scale{Unit: o.Unit}.suffix(), lo, hi, hint)
	case o.Noise.Counts != nil && v != math.Trunc(v):
		return bad("%v; expected a whole number of successes in %d trials", v, *o.Noise.Counts*n)
	}
	return nil
}

// suffix returns a space and the unit, or "" without a unit.
func (s Scale) suffix() string {
	if s.Unit == "" {
		return ""
	}
	return " " + s.Unit
}
