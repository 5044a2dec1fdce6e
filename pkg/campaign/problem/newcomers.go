package problem

import (
	"cmp"
	"slices"
)

// The following constants divide the error probability among candidates that join and leave. Every
// candidate that is ever in the campaign has its own share of delta. If a candidate joins or
// leaves, the evidence on other candidates remains valid, even if the change was a reaction to
// results.
//
// The first m candidates are the initial candidates and, if candidates may join, a few newcomers.
// Each of the first m candidates has the share (1 - f) delta/m, so their intervals fail with
// probability at most (1 - f) delta. The remaining f delta is for later newcomers. With more than m
// candidates, all intervals have shares for 2 m candidates, which sum to f/2 delta. With more than
// 2 m candidates, the intervals have shares for 4 m candidates, which sum to f/4 delta, and so on.
// Intervals with a smaller error probability are wider, and therefore contain the earlier
// intervals. Therefore, the probability that any interval ever fails is at most (1 - f) delta + f/2
// delta + ... < delta.
const (
	forLater = .1  // value of f if candidates may join
	forDrops = .05 // value of f if candidates may not join
)

// expected returns the number m of candidates for which shares are planned, given k initial
// candidates.
func expected(k int) int { return k + max(1, k/8) }

// share returns the sum of the shares of delta of the current candidates.
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

// beginning returns the share of delta for a method that restarts with the current candidates. The
// shares of all restarts sum to at most 1, so restarts cannot increase the error probability. Only
// in campaigns of older versions, with Later = 0, does each restart have the share 1.
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

func (c *Candidates) came() {
	c.Ever = cmp.Or(c.Ever, len(c.Names)) + 1
}

// went counts a candidate that leaves the campaign.
func (c *Candidates) went() { c.Ever = cmp.Or(c.Ever, len(c.Names)) }

// The following constants limit the number of candidates for methods whose work grows with the
// square of the number of candidates. Next to each limit is the processor time of `purexp campaign
// status` with one result for each candidate; docs/scale.md describes the measurements.
const (
	mostFittedCounts = 1000 // the status takes 6 s, or 23 s for Pareto sets of two objectives
	mostFittedRanges = 3000 // the status takes 5 s
	mostParetoLinear = 5000 // the status takes 8 s, and more than 40 s for 10 000 candidates
)

// Servable returns Errors if a new campaign has more candidates than purexp can serve within
// seconds; existing campaigns may continue.
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
		most, why = mostParetoLinear, "finding a Pareto set with features compares all pairs of candidates"
		how = "leave the features or candidates out"
	}
	if k := p.K(); k > most {
		return Errors{p.wrong("candidates", "%d; expected at most %d, because %s; %s", k, most, why, how)}
	}
	return nil
}
