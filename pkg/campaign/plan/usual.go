package plan

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Usual is the conventional design, for comparison with the plan: every candidate gets the same
// number of replicates, planned in advance. Each of its one-sided z tests has an equal share of
// delta (Bonferroni).
type Usual struct {
	// Replicates is the number of measurements of each candidate, and Measurements is the total
	// number. With Replicates measurements, the tests give the right answer with probability Power
	// if the guesses are right.
	Replicates   int     `json:"replicates"`
	Measurements int     `json:"measurements"`
	Power        float64 `json:"power"`
	// Tests describes the one-sided tests of the conventional design in words. Level is delta
	// divided by the number of tests.
	Tests string  `json:"tests"`
	Share int     `json:"share"`
	Level float64 `json:"level"`
}

const (
	// usualPower is 0.9, to match the 90 % quantile that plans report.
	usualPower = .9
	// mostReplicates is the largest number of replicates tried.
	mostReplicates = mostMeasurements
)

// usualDesign returns the conventional design for the question of c under the means of l.
// usualDesign returns nil if no standard test exists, as for Pareto sets, or if no number of
// replicates suffices.
//
// For "feasible", each of the K candidates is tested against each of its m bounds, at level
// delta/(K m). A candidate counts as inside the bounds if all its tests show it inside, and as
// outside if at least one test shows it outside. For "best" by one objective, candidate j is the
// answer if tests show j inside all m bounds, and each other candidate outside a bound or worse
// than j. For the question "best", tests have level delta/(K - 1 + m). An answer j can be wrong in
// two ways. If j is outside a bound, a test wrongly shows j inside this bound: one error for each
// such j. If j is inside all bounds, the tests wrongly show the best candidate worse than j (one
// error for each such j) or outside a bound (m errors). In total, at most K - 1 + m errors at this
// level are possible.
func usualDesign(c *problem.Compiled, l *law) *Usual {
	d := design{p: c.Source, l: l, of: -1, noise: distuv.UnitNormal}
	k := d.p.K()
	if c.Budget > 0 || d.p.Constraints != nil {
		return nil
	}
	for j := range d.p.Objectives {
		o := &d.p.Objectives[j]
		bounds := 0
		for _, b := range []*float64{o.AtLeast, o.AtMost} {
			if b != nil {
				bounds++
			}
		}
		d.bounds += bounds
		if o.Known {
			return nil
		}
		if o.Goal == problem.Bounded || d.p.Question.Find == problem.FindFeasible {
			continue
		}
		if d.of >= 0 || bounds > 0 {
			return nil // the usual design has no test that compares several objectives
		}
		d.of = j
	}
	u := &Usual{Power: usualPower}
	switch {
	case d.p.Question.Find == problem.FindFeasible:
		u.Tests, u.Share = "of each candidate against each bound", k*d.bounds
	case d.p.Question.Find != problem.FindBest || d.of < 0 || k < 2:
		return nil
	case d.bounds == 0:
		u.Tests, u.Share = "of the best candidate against each other candidate", k-1
	default:
		u.Tests, u.Share = "of the best candidate against each other candidate, and of "+
			"each candidate against each bound", k-1+d.bounds
	}
	u.Level = d.p.Question.Delta / float64(u.Share)
	d.c = d.noise.Quantile(1 - u.Level)
	n := 1
	for d.power(n) < usualPower {
		if n *= 2; n > mostReplicates {
			return nil
		}
	}
	for low := n / 2; n-low > 1; { // invariant: n replicates suffice, low replicates do not
		if m := (low + n) / 2; d.power(m) < usualPower {
			low = m
		} else {
			n = m
		}
	}
	u.Replicates, u.Measurements = n, n*k
	return u
}

// design is the conventional design. Its tests reject at a distance of more than c standard errors.
type design struct {
	p      *problem.Problem
	l      *law
	of     int // index of the compared objective, or -1
	bounds int
	c      float64
	noise  distuv.Normal
}

// power returns the probability of the right answer with n replicates of each candidate.
func (d *design) power(n int) float64 {
	k := d.p.K()
	inside := make([]float64, k)  // probability that a candidate is shown to be inside all bounds
	outside := make([]float64, k) // probability that a candidate is shown to be outside a bound
	best := -1
	for i := range k {
		var in bool
		if in, inside[i], outside[i] = d.bounded(i, n); in && d.of >= 0 && (best < 0 || d.mean(i) > d.mean(best)) {
			best = i
		}
	}
	all := 1.0
	if best < 0 {
		for i := range k { // each candidate is either inside or outside its bounds
			all *= max(inside[i], outside[i])
		}
		return all
	}
	s := d.error(best, d.of, n)
	tolerance := d.p.Objectives[d.of].Value(d.p.Objectives[d.of].Tolerance)
	errors, leads := make([]float64, k), make([]float64, k)
	for i := range k {
		e := d.error(i, d.of, n)
		errors[i], leads[i] = e, d.mean(best)-d.mean(i)+tolerance-d.c*math.Hypot(s, e)
	}
	// Given the error z of the estimated mean of the best candidate, in standard errors, the
	// comparisons with different candidates are independent.
	given := func(z float64) float64 {
		p := d.noise.Prob(z)
		for i := range k {
			if i != best {
				p *= 1 - (1-outside[i])*d.noise.CDF(-(leads[i]+z*s)/errors[i])
			}
		}
		return p
	}
	return inside[best] * quad.Fixed(given, -8, 8, 100, nil, 0)
}

// bounded reports whether candidate i is inside all bounds. bounded also returns the probabilities
// that tests with n replicates show that the candidate is inside or, if it is not, outside.
func (d *design) bounded(i, n int) (in bool, inside, outside float64) {
	in, inside, outside = true, 1, 1
	for j := range d.p.Objectives {
		o := &d.p.Objectives[j]
		mean, e := d.l.user.At(i, j), d.error(i, j, n)
		both := 1.0
		for side, bound := range map[float64]*float64{1: o.AtLeast, -1: o.AtMost} {
			if bound == nil {
				continue
			}
			spare := side * (mean - o.Value(*bound)) / e
			both -= 1 - d.noise.CDF(spare-d.c)
			if spare < 0 {
				in = false
				outside *= 1 - d.noise.CDF(-spare-d.c)
			}
		}
		inside *= max(both, 0)
	}
	if in {
		return true, inside, 0
	}
	return false, 0, 1 - outside
}

// mean returns the mean by which the question compares candidate i, with the sign changed if
// smaller values are better.
func (d *design) mean(i int) float64 {
	if d.p.Objectives[d.of].Goal == problem.Minimise {
		return -d.l.user.At(i, d.of)
	}
	return d.l.user.At(i, d.of)
}

// error returns the standard error of the mean of n measurements of objective j of candidate i.
func (d *design) error(i, j, n int) float64 {
	v := d.l.noise[j].variance(d.l.user.At(i, j)) / float64(d.p.Each()) // variance of the noise of one reward
	return math.Sqrt(max(v, 1e-24) / float64(n))
}
