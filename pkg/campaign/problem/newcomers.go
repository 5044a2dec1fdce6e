package problem

import (
	"cmp"
	"slices"
)

// Shares of the error probability. Every candidate that is ever in the campaign has a share, so
// that joins and leaves do not affect the evidence on others, whether or not they depend on
// results.
//
// The intervals of the first m candidates, those at the start and, if candidates may join, a few
// newcomers, fail with probability at most (1 - f) delta: each has (1 - f) delta/m. The rest is for
// later newcomers: beyond m, 2 m, ... candidates, all intervals are those of a union over 2 m, 4 m,
// ... candidates with f/2 delta, f/4 delta, ... Intervals for a smaller error probability are
// wider, so some interval of the latest union fails with probability at most (1 - f) delta + f/2
// delta + ... < delta.
const (
	forLater = .1  // f if candidates may join
	forDrops = .05 // f otherwise
)

// expected returns m for k candidates at the start.
func expected(k int) int { return k + max(1, k/8) }

// share returns the share of the error probability of the current candidates.
func (c *Candidates) share() float64 {
	later := cmp.Or(c.Later, forLater)
	m, part := c.Shares, 1-later
	if m == 0 {
		return 1
	}
	for ever := max(c.Ever, len(c.Names)); m < ever; m *= 2 {
		later /= 2
		part = later
	}
	return part * float64(len(c.Names)) / float64(m)
}

// beginning returns the share of the error probability of a method that restarts with the current
// candidates. The shares of all starts sum to 1, so restarting gains nothing.
func (c *Candidates) beginning() float64 {
	if c.Begun == 0 {
		return 1 - c.Later
	}
	if c.Later == 0 {
		return 1
	}
	r := float64(c.Begun)
	return c.Later / (r * (r + 1))
}

// came counts a candidate that joins.
func (c *Candidates) came() {
	if c.Ever == 0 {
		c.Ever = len(c.Names)
	}
	c.Ever++
}

// went counts a candidate that leaves.
func (c *Candidates) went() {
	if c.Ever == 0 {
		c.Ever = len(c.Names)
	}
}

// Limits on candidates for methods whose work grows with the square of their number. docs/scale.md
// has the measurements: the comments give the processor time of `purexp campaign status` with one
// result each.
const (
	mostFittedCounts = 1000 // 6 s; Pareto sets by two objectives: 23 s
	mostFittedRanges = 3000 // 5 s
	mostParetoLinear = 5000 // 8 s, from 2.9 s with 3000; 10 000 did not end within 40 s
)

// Servable returns Errors if a new campaign has more candidates than it can serve within seconds.
// Existing campaigns continue.
func (p *Problem) Servable() error {
	most, why, how := MostCandidates, "", ""
	switch {
	case p.FixedBudget():
	case cmp.Or(p.Method.Radius, p.narrowest()) == RadiusFitted:
		most, why = mostFittedRanges, "the fitted intervals of counts and ranges compare all pairs"
		if slices.ContainsFunc(p.Objectives, func(o Objective) bool { return o.Noise.Counts != nil }) {
			most = mostFittedCounts
		}
		how = "set radius = \"mixture\" under [method], or leave candidates out"
	case p.Question.Find == FindPareto && p.Candidates.Features != nil:
		most, why = mostParetoLinear, "a Pareto set with features compares all pairs"
		how = "leave the features or candidates out"
	}
	if k := p.K(); k > most {
		return Errors{p.wrong("candidates", "%d; %s, and a campaign serves at most %d; %s", k, why, most, how)}
	}
	return nil
}
