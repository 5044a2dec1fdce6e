package problem

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Scale translates one objective between results as they are told, means in the user's unit, and
// standardised rewards. The first two are the same, but where results count successes: means are then
// rates.
type Scale struct {
	Name, Unit string
	// Center and PerReward are the result of the reward 0, and the change of it from a reward to the
	// next whole one: positive if larger is better, negative if smaller is.
	Center, PerReward float64
	// Trials is the number of trials of a result that counts successes; 0 for others, and where a
	// reward is one trial, as some may not be evaluable.
	Trials float64
}

// Told returns the reward of a result.
func (s Scale) Told(result float64) float64 { return (result - s.Center) / s.PerReward }

// In returns the reward for a mean in the user's unit.
func (s Scale) In(mean float64) float64 {
	if s.Trials > 0 {
		mean *= s.Trials
	}
	return s.Told(mean)
}

// Out returns the mean in the user's unit of a mean of rewards.
func (s Scale) Out(reward float64) float64 { return s.rate(s.Center + s.PerReward*reward) }

// Size returns a difference of rewards, or the half-width of an interval, in the user's unit and
// without a sign.
func (s Scale) Size(difference float64) float64 { return s.rate(math.Abs(s.PerReward * difference)) }

// rate returns what results amount to in the unit of means.
func (s Scale) rate(result float64) float64 {
	if s.Trials > 0 {
		return result / s.Trials
	}
	return result
}

// Sigma returns the scale of the noise of results of an objective: the sub-Gaussian scale that
// policies are given. It is 0 if the values are known.
func (o *Objective) Sigma() float64 {
	n := o.Noise
	switch {
	case o.Known:
		return 0
	case n.SD != nil:
		return *n.SD
	case n.Range != nil:
		return (n.Range[1] - n.Range[0]) / 2 // Hoeffding's lemma
	case n.Counts != nil:
		return math.Sqrt(float64(*n.Counts)) / 2 // a sum of independent trials in {0, 1}
	case n.Pilot != nil && n.Pilot.Rewards > 0:
		if len(o.Values) != 2 {
			return math.NaN()
		}
		return (o.Values[1] - o.Values[0]) / 6 // a unit; the pilot will say
	case n.Pilot != nil:
		return n.Pilot.Bound()
	}
	return math.NaN()
}

// Bound returns the upper confidence bound on the standard deviation of Gaussian noise,
//
//	SD sqrt(DF / q),
//
// where q is the quantile of Delta of a chi-square law with DF degrees of freedom: the true one is
// above it with probability Delta, whatever it is.
func (q *NoisePilot) Bound() float64 {
	chi := distuv.ChiSquared{K: float64(q.DF)}
	return q.SD * math.Sqrt(float64(q.DF)/chi.Quantile(q.Delta))
}

// limits returns the least and the largest possible result.
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

// scale returns the translation of an objective.
func (o *Objective) scale() Scale {
	s := Scale{Name: o.Name, Unit: o.Unit, PerReward: o.Sigma()}
	if o.Noise.Counts != nil {
		s.Unit, s.Trials = "", o.trials() // rates have no unit
	}
	if o.Noise.Evaluable != "" { // a reward is one trial
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

// better is 1 if larger is better, -1 if smaller is. For objectives that are only bounded that is
// what the bound says.
func (o *Objective) better() float64 {
	if o.Goal == Minimise || o.Goal == Bounded && o.AtMost != nil && o.AtLeast == nil {
		return -1
	}
	return 1
}

// spread is a scale for values that are known: the distance of the least and the largest, 1 if they
// are all the same.
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
