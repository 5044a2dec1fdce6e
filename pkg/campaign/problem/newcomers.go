package problem

import (
	"cmp"
	"slices"
)

// How the error probability is shared among candidates, those to come included. All that ever are in
// the campaign have a part, so that whoever comes or goes takes nothing from the evidence on others,
// and it makes no difference whether that was because of what was measured.
//
// Intervals of the first m candidates, that is of those at the beginning and, where candidates may join, a few
// newcomers, fail with probability (1 - f) delta at most: each has (1 - f) delta/m. The rest is for more of them: when
// there have been more than m, more than 2 m and so on, all intervals are those of a union over 2 m, 4 m, ...
// candidates with f/2 delta, f/4 delta, ... Intervals of a smaller error probability are wider, so that no interval of
// the latest union fails but with probability (1 - f) delta + f/2 delta + ... < delta.
const (
	forLater = .1  // f where candidates may join
	forDrops = .05 // f elsewhere
)

// expected returns m for k candidates at the beginning.
func expected(k int) int { return k + max(1, k/8) }

// share returns the part of the error probability that the candidates that there are now have.
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

// beginning returns the part of the error probability that a method has which begins anew with the candidates that
// there are now: all beginnings together have 1, so that stopping to begin anew does not pay.
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

// came notes that a candidate comes.
func (c *Candidates) came() {
	if c.Ever == 0 {
		c.Ever = len(c.Names)
	}
	c.Ever++
}

// went notes that a candidate goes.
func (c *Candidates) went() {
	if c.Ever == 0 {
		c.Ever = len(c.Names)
	}
}

// Most candidates of a campaign, where its arithmetic grows with the square of their number. docs/scale.md has the
// measurements: with one result each, `purexp campaign status` took the processor time on the right.
const (
	mostFittedCounts = 1000 // 6 s; Pareto sets by two objectives: 23 s
	mostFittedRanges = 3000 // 5 s
	mostParetoLinear = 5000 // 8 s, from 2.9 s with 3000; 10 000 did not end within 40 s
)

// Servable returns Errors if a new campaign has more candidates than it can serve within seconds. Campaigns that were
// begun go on.
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
