package plan

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// A Bound says how many measurements an answer takes at least, if the guesses are right.
type Bound struct {
	// Measurements is the mean number that no method that is right with probability 1 - delta,
	// whatever the means, can be below, for Gaussian noise of the standard deviation that is
	// simulated. It is 0 if none is known for the question.
	Measurements float64 `json:"measurements"`
	// Tie says that no number is enough: candidates tie, or one is on a bound.
	Tie bool `json:"tie,omitempty"`
	// Source says what it is, or why there is none.
	Source string `json:"source"`
	// Shares are the proportions in which an oracle would measure the candidates; nil if unknown.
	Shares []float64 `json:"shares,omitempty"`
}

// mostArms is the largest number of candidates for which a characteristic time is computed.
const mostArms = 100

// lower returns the bound for c if the means of rewards are those of l.
func lower(c *problem.Compiled, l *law) Bound {
	const time = "characteristic time"
	none := func(why string) Bound { return Bound{Source: "none: " + why} }
	k, d := l.mean.Dims()
	if k > mostArms {
		return none("too many candidates to compute it")
	}
	cov := mat.NewDiagDense(d, nil)
	for i := range d {
		cov.SetDiag(i, l.variance(i))
	}
	p := c.Problem
	delta := c.Source.Question.Delta
	switch q := p.Question.(type) {
	case question.AllEpsilonBest:
		g, err := complexity.NewGammaStar(p, mat.Col(nil, 0, l.mean), 1e-2)
		if errors.Is(err, question.ErrThreshold) {
			return Bound{Tie: true, Source: "a candidate is on the threshold"}
		}
		if err != nil {
			return none("it could not be computed")
		}
		return Bound{Measurements: g.LowerBound(delta) * cov.At(0, 0), Source: time,
			Shares: g.Weights}
	case question.Best:
		if q.Epsilon > 0 {
			return none("none is known with a tolerance")
		}
		if p.X == nil {
			return none("none is known")
		}
		star, err := complexity.NewPsiStar(p, mat.Col(nil, 0, l.mean), nil)
		if errors.Is(err, complexity.ErrTie) {
			return Bound{Tie: true, Source: "two candidates are equally good"}
		}
		if err != nil {
			return none("it could not be computed")
		}
		return Bound{Measurements: star.LowerBound(delta) * cov.At(0, 0), Source: time,
			Shares: star.Weights}
	}
	if p.X != nil {
		return none("none is known for linear models and more than one objective")
	}
	if p.Known != nil {
		return none("none is known where some values are known exactly")
	}
	exact, tolerant := exactly(p.Question)
	if exact == nil {
		return none("none is known for this question")
	}
	if tolerant {
		return none("none is known with a tolerance or a slack")
	}
	star, err := complexity.NewTStar(exact, l.mean, cov, 1e-2)
	switch {
	case errors.Is(err, complexity.ErrParetoTie):
		return Bound{Tie: true, Source: "two candidates tie, or one is on a bound"}
	case err != nil && star == nil:
		return none("it could not be computed")
	}
	return Bound{Measurements: star.LowerBound(delta), Source: time, Shares: star.Weights}
}

// variance returns the variance of rewards of objective c, the least over candidates, of which the
// bound is one for all.
func (l *law) variance(c int) float64 {
	k, _ := l.mean.Dims()
	least := math.Inf(1)
	for i := range k {
		least = min(least, l.noise[c].variance(l.user.At(i, c)))
	}
	s := l.c.Scales[c].PerReward
	return max(least/(s*s), 1e-9)
}

// exactly returns the question without tolerances whose answer is the set of q, nil if there is
// none, and whether q has a tolerance.
func exactly(q explore.Question) (exact explore.Question, tolerant bool) {
	switch q := q.(type) {
	case question.Pareto:
		return question.Pareto{}, q != question.Pareto{}
	case question.Feasible:
		return q, false
	case question.FeasiblePareto:
		return question.FeasiblePareto{Region: q.Region, SetOnly: true}, q.Tolerant()
	}
	return nil, false
}
