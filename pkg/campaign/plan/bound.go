package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// Bound is a lower bound on the number of measurements if the guessed means are true.
type Bound struct {
	// Measurements is a lower bound on the mean number of measurements of every method that is
	// right with probability 1 - delta for all possible means. The bound is the characteristic time
	// for Gaussian noise with the simulated standard deviation, times the binary relative entropy
	// kl(delta, 1 - delta). Measurements is 0 if no bound is known, as for counts and ranges, or if
	// the question needs no measurements.
	Measurements float64 `json:"measurements"`
	// Cost is a lower bound on the mean cost, in the cost unit of the problem; 0 means that the
	// bound is unknown or the problem has no costs.
	Cost float64 `json:"cost,omitempty"`
	// If Tie is true, no number of measurements suffices, because candidates are tied or the mean
	// of a candidate equals a bound of the question.
	Tie bool `json:"tie,omitempty"`
	// Source names the origin of the bound, or explains why the bound is missing.
	Source string `json:"source"`
	// Shares are the optimal proportions of measurements by candidate, computed from the guessed
	// means; nil means unknown.
	Shares []float64 `json:"shares,omitempty"`
}

// mostArms is the largest number of candidates for which a characteristic time is computed.
const mostArms = 100

// lower returns the bound. The bound does not depend on the method or the plate, so rows with the
// same question and means share one computation.
func (s *study) lower(c *problem.Compiled, l *law) Bound {
	key := fmt.Sprintf("%#v %v %v %v %t", c.Problem.Question, c.Source.Question.Delta,
		l.mean.RawMatrix().Data, l.variances(), c.Problem.X != nil)
	b, ok := s.bounds[key]
	if !ok {
		b = lower(c, l)
		if s.bounds == nil {
			s.bounds = map[string]Bound{}
		}
		s.bounds[key] = b
	}
	return b
}

// lower returns the lower bound for problem c if the mean rewards are those of l.
func lower(c *problem.Compiled, l *law) Bound {
	if c.Problem.Costs == nil {
		return lowerOf(c.Problem, c, l)
	}
	free := *c.Problem
	free.Costs = nil
	b := lowerOf(&free, c, l)
	if b.Measurements > 0 && b.Source == exactTime {
		b.Cost = lowerOf(c.Problem, c, l).Measurements
	}
	return b
}

const exactTime = "characteristic time"

// lowerOf returns the lower bound for p on the number of measurements or, if p has costs, on the
// cost.
func lowerOf(p *explore.Problem, c *problem.Compiled, l *law) Bound {
	none := func(why string) Bound { return Bound{Source: "none: " + why} }
	k, d := l.mean.Dims()
	if k > mostArms {
		return none("too many candidates to compute a bound")
	}
	for i := range d {
		// With bounded rewards, a question can be easier than with Gaussian rewards of the same
		// variance. For bounded rewards, the characteristic time of Gaussian noise is therefore no
		// lower bound.
		if n := l.noise[i]; n.bounded && !c.Source.Objectives[i].Known {
			return none("no bound is known for counts and ranges")
		}
	}
	delta := c.Source.Question.Delta
	switch p.Question.(type) {
	case question.AllEpsilonBest, question.Best:
	default:
		if p.X != nil {
			return none("no bound is known for this question with a linear model")
		}
	}
	exact := *p
	switch q := p.Question.(type) {
	case question.Best:
		if q.Epsilon > 0 {
			return none("no bound is known for questions with a tolerance")
		}
	case question.Pareto:
		if q.AtMost > 0 && d > 1 {
			return none("no bound is known for a subset of the Pareto set")
		}
		if q != (question.Pareto{}) {
			return none("no bound is known for questions with a tolerance")
		}
	case question.Feasible:
		if p.Known != nil {
			return none("no bound is known if some values are known exactly")
		}
	case question.FeasiblePareto:
		if q.Tolerant() || p.Known != nil {
			return none("no bound is known if there is a tolerance, or if some values are known exactly")
		}
		exact.Question = question.FeasiblePareto{Region: q.Region, SetOnly: true}
	case question.BestFeasible:
		return none("no bound is known for the best candidate that satisfies bounds")
	}
	b, err := complexity.LowerBound(&exact, l.mean, l.variances())
	switch {
	case errors.Is(err, question.ErrThreshold):
		return Bound{Tie: true, Source: "a candidate is on the threshold"}
	case errors.Is(err, complexity.ErrTie):
		return Bound{Tie: true, Source: "two candidates are equally good"}
	case errors.Is(err, complexity.ErrParetoTie):
		return Bound{Tie: true, Source: "two candidates tie, or one is on a bound"}
	case err != nil:
		return none("the bound could not be computed")
	}
	return Bound{Measurements: b.Pulls(delta), Source: exactTime, Shares: b.Weights}
}

// variances returns, for each objective, the smallest variance over candidates; see variance.
func (l *law) variances() []float64 {
	_, d := l.mean.Dims()
	v := make([]float64, d)
	for c := range v {
		v[c] = l.variance(c)
	}
	return v
}

// variance returns the smallest variance of rewards of objective c over all candidates, because the
// bound assumes one variance for all candidates.
func (l *law) variance(c int) float64 {
	k, _ := l.mean.Dims()
	least := math.Inf(1)
	for i := range k {
		least = min(least, l.noise[c].variance(l.user.At(i, c)))
	}
	s := l.c.Scales[c].PerReward
	return max(least/(s*s), 1e-9)
}
