package policy

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/radius"
)

// goodArms is what policies share that look for all arms within epsilon of the best, without
// structure, by confidence intervals of means (Mason, Jain, Tripathy and Nowak 2020).
type goodArms struct {
	arms.Means
	sigma          float64
	factor, offset float64 // an arm is good if its mean is at least factor best - offset
	bonus          radius.Bonus
	low, high      []float64 // confidence intervals
	reasons        []explore.Reason
	over           bool
}

// start prepares for a problem.
func (g *goodArms) start(prob *explore.Problem, name string, delta float64, r radius.Radius) error {
	q, err := epsilonbest.Question(prob, name)
	if err != nil {
		return err
	}
	if err := prob.CheckLinear(); err != nil {
		return err
	}
	*g = goodArms{bonus: arms.Bind(r, prob, delta), sigma: prob.Sigma}
	g.factor, g.offset = q.Line()
	g.Init(prob)
	g.low, g.high = make([]float64, g.K), make([]float64, g.K)
	for i := range g.low {
		g.low[i], g.high[i] = -inf, inf
	}
	g.reasons = arms.Undecided(g.K)
	if g.over = g.K == 1; g.over {
		g.reasons[0].Class = explore.Optimal
	}
	return nil
}

// learn takes measurements and computes the intervals of all arms.
func (g *goodArms) learn(obs []explore.Batch) {
	g.Tell(obs)
	f, _ := g.bonus.Factors(g.Pulls)
	for i, n := range g.N {
		if n > 0 {
			r := f * g.bonus.Mean(n)
			g.low[i], g.high[i] = g.Mean[i]-r, g.Mean[i]+r
		}
	}
}

// threshold returns the least mean of a good arm if the largest is best.
func (g *goodArms) threshold(best float64) float64 { return g.factor*best - g.offset }

// leaders returns the two arms of set, nil for all, with the largest values; second is -1 for one
// arm.
func (g *goodArms) leaders(v []float64, set []bool) (first, second int) {
	first, second = -1, -1
	for i, x := range v {
		switch {
		case set != nil && !set[i]:
		case first < 0 || x > v[first]:
			first, second = i, first
		case second < 0 || x > v[second]:
			second = i
		}
	}
	return first, second
}

// decide classifies arm i against the arm by, which has the largest upper confidence bound of the
// others that may be best, and sure, the one with the largest lower one: kept if i is certainly
// good, rejected if it is certainly not.
func (g *goodArms) decide(i, by, sure int) explore.Class {
	r := &g.reasons[i]
	r.By = by
	if by < 0 { // nobody else may be the best
		r.Class = explore.Optimal
		return r.Class
	}
	r.Margin = g.Mean[i] - g.threshold(g.Mean[by])
	r.MarginRadius = (g.high[i] - g.low[i] + g.factor*(g.high[by]-g.low[by])) / 2
	switch {
	case g.low[i] >= g.threshold(g.high[by]):
		r.Class = explore.Optimal
	case sure != i && g.high[i] < g.threshold(g.low[sure]):
		r.Class, r.By = explore.Dominated, sure
		r.Margin = g.threshold(g.Mean[sure]) - g.Mean[i]
		r.MarginRadius = (g.high[i] - g.low[i] + g.factor*(g.high[sure]-g.low[sure])) / 2
	default:
		r.Class = explore.Undecided
	}
	return r.Class
}

// Answer returns the arms that are kept, and those that seem to be good of the undecided ones.
func (g *goodArms) Answer() explore.Answer {
	a := explore.Answer{Reasons: append([]explore.Reason(nil), g.reasons...)}
	best := math.Inf(-1)
	for _, v := range g.Mean {
		best = max(best, v)
	}
	for i, r := range g.reasons {
		if r.Class == explore.Optimal ||
			r.Class == explore.Undecided && g.Mean[i] >= g.threshold(best) {
			a.Items = append(a.Items, i)
		}
	}
	return a
}
