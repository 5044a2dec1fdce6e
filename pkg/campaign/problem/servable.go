package problem

import (
	"cmp"
	"slices"
)

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
		most, why, how = mostParetoLinear, "a Pareto set with features compares all pairs", "leave the features or candidates out"
	}
	if k := p.K(); k > most {
		return Errors{p.wrong("candidates", "%d; %s, and a campaign serves at most %d; %s", k, why, most, how)}
	}
	return nil
}
