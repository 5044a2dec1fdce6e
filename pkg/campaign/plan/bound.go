package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// A Bound says how many measurements an answer takes at least, if the guesses are right.
type Bound struct {
	// Measurements is the mean number that no method that is right with probability 1 - delta,
	// whatever the means, can be below: the characteristic time for Gaussian noise of the standard
	// deviation that is simulated, times kl(delta, 1 - delta). It is 0 if none is known, as for
	// counts and ranges, or nothing need be measured.
	Measurements float64 `json:"measurements"`
	// Cost is the same for what the measurements cost, in the unit of the problem; 0 without costs, or if
	// it is not known.
	Cost float64 `json:"cost,omitempty"`
	// Tie says that no number is enough: candidates tie, or one is on a bound.
	Tie bool `json:"tie,omitempty"`
	// Source says what it is, or why there is none.
	Source string `json:"source"`
	// Shares are the proportions in which an oracle would measure the candidates; nil if unknown.
	Shares []float64 `json:"shares,omitempty"`
}

// mostArms is the largest number of candidates for which a characteristic time is computed.
const mostArms = 100

// lower is the function lower, once for all rows that ask the same of the same means: a bound is of
// the question, whichever method answers it and however large a plate is.
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

// lower returns the bound for c if the means of rewards are those of l.
func lower(c *problem.Compiled, l *law) Bound {
	if c.Problem.Costs == nil {
		return lowerOf(c.Problem, c, l)
	}
	free := *c.Problem
	free.Costs = nil
	b := lowerOf(&free, c, l)
	if b.Measurements > 0 && b.Source == time {
		b.Cost = lowerOf(c.Problem, c, l).Measurements
	}
	return b
}

const time = "characteristic time"

// lowerOf returns the bound for p, of the cost in place of the measurements if that has costs.
func lowerOf(p *explore.Problem, c *problem.Compiled, l *law) Bound {
	none := func(why string) Bound { return Bound{Source: "none: " + why} }
	k, d := l.mean.Dims()
	if k > mostArms {
		return none("too many candidates to compute it")
	}
	for i := range d {
		// A measurement of .2 that could be at most .001 tells more than a Gaussian one of the same
		// variance: a characteristic time of Gaussian noise is no bound.
		if n := l.noise[i]; n.bounded && !c.Source.Objectives[i].Known {
			return none("none is known for counts and ranges")
		}
	}
	delta := c.Source.Question.Delta
	switch p.Question.(type) {
	case question.AllEpsilonBest, question.Best:
	default:
		if p.X != nil {
			return none("none is known for linear models and more than one objective")
		}
	}
	exact := *p
	switch q := p.Question.(type) {
	case question.Best:
		if p.X == nil {
			return none("none is known")
		}
		if q.Epsilon > 0 && !separate(p.X) {
			return none("none is known with features and a tolerance")
		}
		if q.Epsilon > 0 {
			return tolerant(question.FeasiblePareto{Region: polyhedron.Whole(1),
				Tolerance: []float64{q.Epsilon}}, c, l)
		}
	case question.Pareto:
		if q.AtMost > 0 && d > 1 {
			return none("none is known for some of the candidates")
		}
		if q != (question.Pareto{}) {
			return tolerant(question.FeasiblePareto{Region: polyhedron.Whole(d),
				Tolerance: slices.Repeat([]float64{max(q.Epsilon, q.Cover)}, d)}, c, l)
		}
	case question.Feasible:
		if p.Known != nil {
			return none("none is known where some values are known exactly")
		}
	case question.FeasiblePareto:
		if q.Tolerant() || p.Known != nil {
			return tolerant(q, c, l)
		}
		exact.Question = question.FeasiblePareto{Region: q.Region, SetOnly: true}
	case question.BestFeasible:
		t, err := complexity.NewBestFeasible(q, l.mean, l.variances(), p.Known, 0)
		return searched(t, err, delta, "means with another answer")
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
		return none("it could not be computed")
	}
	return Bound{Measurements: b.Pulls(delta), Source: time, Shares: b.Weights}
}

// tolerant returns the bound for a question with several right answers, or with values that are
// known.
func tolerant(q question.FeasiblePareto, c *problem.Compiled, l *law) Bound {
	t, err := complexity.NewTolerant(q, l.mean, l.variances(), c.Problem.Known, 0)
	return searched(t, err, c.Source.Question.Delta, "means that make every right answer wrong")
}

// searched returns the bound that a search for means has found.
func searched(t *complexity.Tolerant, err error, delta float64, source string) Bound {
	switch {
	case errors.Is(err, complexity.ErrParetoTie):
		return Bound{Tie: true, Source: "two candidates tie, or one is on a bound"}
	case err != nil:
		return Bound{Source: "none: it could not be computed"}
	case t.Lower == 0:
		return Bound{Source: "some answer is right whatever is measured"}
	}
	return Bound{Measurements: t.LowerBound(delta), Shares: t.Weights, Source: source}
}

// variances are those of all objectives.
func (l *law) variances() []float64 {
	_, d := l.mean.Dims()
	v := make([]float64, d)
	for c := range v {
		v[c] = l.variance(c)
	}
	return v
}

// separate reports whether each candidate has a feature of its own, so that none tells of another.
func separate(x *mat.Dense) bool {
	k, h := x.Dims()
	eye := mat.NewDiagDense(h, slices.Repeat([]float64{1}, h))
	return k == h && mat.Equal(x, eye)
}

// variance returns the least variance of rewards of objective c over candidates: the bound has one
// variance for all.
func (l *law) variance(c int) float64 {
	k, _ := l.mean.Dims()
	least := math.Inf(1)
	for i := range k {
		least = min(least, l.noise[c].variance(l.user.At(i, c)))
	}
	s := l.c.Scales[c].PerReward
	return max(least/(s*s), 1e-9)
}
