package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Circumstances are what decides about the method for a problem, besides the problem. The zero
// value is a simulation, or a laboratory that measures what it is asked for.
type Circumstances struct {
	// Delta is the error probability. Zero means DefaultDelta. It does not count with a Budget.
	Delta float64
	// Budget, if positive, is how many measurements there are in all. Nothing is then certified.
	Budget int
	// Plate, if above 1, is how many measurements are made at a time.
	Plate int
	// AnySampling says that results are to count that no policy asked for, such as data that somebody else collected:
	// see explore.Sampling. Results that come late, in any order or not at all need nothing of the kind: rounds can
	// overlap.
	AnySampling bool
	// UnknownSigma says that nobody knows how noisy the rewards are, which are Gaussian.
	UnknownSigma bool
	// Gaussian says that rewards are Gaussian, or their objectives independent.
	Gaussian bool
	// Radius is that of policies which have a choice, whose assumptions about the noise hold. Nil
	// means radius.Mixture, for any noise; counts and bounded rewards have narrower ones, see
	// radius.Fitted.
	Radius radius.Radius
	// Norm bounds the Euclidean norm of the parameters of the linear model of each objective, in
	// reward units per unit of the features. Zero means that nobody knows one.
	Norm float64
	// MinSlope is the least slope of the mean as a function of the linear predictor, for problems
	// with a link: see LinFACTGLM.
	MinSlope float64
}

// A Recommendation is the policy to take.
type Recommendation struct {
	explore.Card
	Why string // in words: a sentence or two
	// Make returns the policy with settings for the circumstances.
	Make func() explore.Policy
}

// For returns the recommended policy for a problem: of those that can answer its question in
// these circumstances the one that takes the fewest measurements, by the evidence of the arena
// (docs/arena.md) and the studies. Structure counts by itself: a problem with features gets
// a method that uses them.
//
// It is an error that wraps explore.ErrQuestion if no policy answers the question, and one that
// wraps explore.ErrBudget if the budget is too small.
func For(p *explore.Problem, c Circumstances) (Recommendation, error) {
	if err := p.Validate(); err != nil {
		return Recommendation{}, err
	}
	if _, _, err := confidence(c.Delta, nil); err != nil {
		return Recommendation{}, err
	}
	declared := &explore.Declaration{Problem: p, Gaussian: c.Gaussian || c.UnknownSigma,
		Independent: c.Gaussian, Bounded: c.Radius != nil}
	nonlinear := knownNotLinear(p)
	var why error
	for _, o := range options(p, c) {
		o := o.after(c)
		made := o.make(c.Delta)
		if made == nil {
			continue
		}
		card := made.Card()
		if c.Budget > 0 && card.Kind != explore.FixedBudget ||
			c.AnySampling && card.Evidence != explore.AnySampling && c.Budget == 0 ||
			nonlinear && card.Uses.Has(explore.UsesFeatures) && !card.Uses.Has(explore.UsesKnownValues) {
			continue
		}
		err := made.Init(p, rand.NewPCG(0, 0))
		if missing := card.Lacks(declared); err == nil && c.Budget == 0 && len(missing) > 0 {
			err = fmt.Errorf("policy: %s needs the %v, which nobody states: %w", card.Name,
				missing[0], explore.ErrQuestion)
		}
		switch {
		case err == nil:
			return Recommendation{card, o.why, func() explore.Policy { return o.make(c.Delta) }}, nil
		case errors.Is(err, explore.ErrBudget):
			return Recommendation{}, err
		case why == nil:
			why = err
		}
	}
	if why == nil || c.Budget > 0 {
		why = explore.ErrQuestion
	}
	return Recommendation{}, fmt.Errorf("policy: no method for %T in these circumstances: %w", p.Question, why)
}

// An option is a policy that may be recommended, for an error probability, and why.
type option struct {
	make func(delta float64) explore.Carded
	why  string
}

// after returns the option after a pilot, where the noise is unknown and an answer is certified: nothing else bounds
// the noise. A policy that takes no rewards but those of its own rounds cannot take those of a pilot: make returns nil.
func (o option) after(c Circumstances) option {
	if !c.UnknownSigma || c.Budget > 0 {
		return o
	}
	return option{
		func(delta float64) explore.Carded {
			if _, open := o.make(delta).(explore.Open); !open {
				return nil
			}
			return &Piloted{New: func(delta float64) explore.Policy { return o.make(delta) }, Delta: delta}
		},
		"a pilot bounds the noise, which nobody knows; then " + o.why,
	}
}

// knownNotLinear reports whether means that are known are not linear in the features: a method that takes them for
// measurements would fit them by a linear model, and answer wrongly.
func knownNotLinear(p *explore.Problem) bool {
	if p.X == nil || p.Known == nil {
		return false
	}
	for c := range p.D() {
		var x, y []float64
		for i := range p.K() {
			if v := p.Known.At(i, c); !math.IsNaN(v) {
				x, y = append(x, p.X.RawRowView(i)...), append(y, v)
			}
		}
		size := 0.
		for _, v := range y {
			size = max(size, math.Abs(v))
		}
		if size == 0 {
			continue
		}
		// In the span of the columns of x: the features of the arms of which this objective is known.
		span := lsq.NewSpan(mat.DenseCopyOf(mat.NewDense(len(y), p.H(), x).T()))
		if span.Outside(y) > lsq.RankTolerance {
			return true
		}
	}
	return false
}

// options are policies in the order in which they are recommended. Those that cannot answer the
// question are passed over.
func options(p *explore.Problem, c Circumstances) []option {
	switch q := p.Question.(type) {
	case question.Best:
		return c.best(p)
	case question.AllEpsilonBest:
		return c.good(p)
	case question.Pareto:
		return c.pareto(p)
	case question.FeasiblePareto:
		return c.feasible(p)
	case question.Feasible:
		return append(c.bets(p, func(delta float64) explore.Carded {
			return &BettingFeasible{Delta: delta, Rewards: c.Radius}
		}), option{func(delta float64) explore.Carded {
			return &MDAPT{Delta: delta, Radius: c.radius()}
		}, "it measures the arms nearest to the boundary most"})
	case question.BestFeasible:
		r := c.radius()
		if several(q.Weights, p.D()) {
			r = radius.Mixture{} // of the sum, where others add up the radii of objectives
		}
		return slices.Concat(c.feasible(p), []option{{func(delta float64) explore.Carded {
			return &TFLUCB{Delta: delta, Radius: r}
		}, "it asks for what tells the answer from the arms that might replace it"}})
	}
	return nil
}

// several reports whether more than one objective has a weight; nil is one for each.
func several(weights []float64, d int) bool {
	n := d
	for _, w := range weights {
		if w == 0 {
			n--
		}
	}
	return n > 1
}

// radius returns the radius of policies that have a choice.
func (c Circumstances) radius() radius.Radius {
	return cmp.Or[radius.Radius](c.Radius, radius.Mixture{})
}

// few reports whether arms are so few for their features that methods with intervals, which use them, take more
// measurements than those that learn of each arm from its own: their half-widths grow with the rank.
func few(p *explore.Problem) bool {
	if p.X == nil {
		return true
	}
	h := lsq.NewSpan(p.X).Rank()
	return h > 2 && p.K() < h*h
}

// either returns the option that uses features and the one that does not, the one first that takes fewer measurements.
func either(p *explore.Problem, with, without option) []option {
	switch {
	case p.Z != nil:
		return []option{with}
	case few(p):
		return []option{without, with}
	}
	return []option{with, without}
}

// best are the options for the best item.
func (c Circumstances) best(p *explore.Problem) []option {
	if c.Budget > 0 {
		peace := option{func(float64) explore.Carded { return &PEACE{Budget: c.Budget} },
			"the number of measurements is fixed"}
		if p.Z != nil {
			peace.why += ", and items are not the arms"
			return []option{peace}
		}
		return []option{{func(float64) explore.Carded { return &ODLinBAI{Budget: c.Budget} },
			"the number of measurements is fixed; it halves the candidates in a few rounds"}, peace}
	}
	const why = "it asks for what tells the leader from its closest rival"
	linear := option{func(delta float64) explore.Carded { return &LinGapE{Delta: delta} }, why + ", and uses features"}
	open := either(p, linear, option{func(delta float64) explore.Carded {
		if _, fits := c.Radius.(radius.Each); fits { // half-widths by the spread of rewards
			return &APE{Delta: delta, Radius: c.Radius}
		}
		return &UGapE{Delta: delta, Radius: c.radius()}
	}, why})
	return append([]option{{
		func(delta float64) explore.Carded {
			return &BettingElimination{Delta: delta, Plate: c.Plate, Rewards: c.successes()}
		},
		"it takes a seventh of the measurements of RAGE, LinGapE and FWS, and half of those of UGapE " +
			"and LUCB, with the same guarantee",
	}}, open...)
}

// successes is the radius, if it says that rewards are successes or have bounds.
func (c Circumstances) successes() radius.Radius {
	if each, ok := c.Radius.(radius.Each); ok && len(each) == 1 {
		c.Radius = each[0]
	}
	if _, ok := c.Radius.(radius.Bernoulli); ok {
		return c.Radius
	}
	return nil
}

// good are the options for all epsilon-best items.
func (c Circumstances) good(p *explore.Problem) []option {
	switch {
	case c.Budget > 0:
		return []option{{func(float64) explore.Carded { return &BayesGap{Budget: c.Budget} },
			"the number of measurements is fixed"}}
	case p.Link != explore.Identity:
		return []option{{func(delta float64) explore.Carded {
			return &LinFACTGLM{Delta: delta, MinSlope: c.MinSlope}
		}, "means are a function of a linear predictor"}}
	}
	game := option{func(delta float64) explore.Carded { return &AllEpsilonGame{Delta: delta} },
		"it uses features, and tends to the fewest measurements possible as delta gets small"}
	st2 := option{func(delta float64) explore.Carded { return &ST2{Delta: delta, Radius: c.radius()} },
		"it takes the fewest measurements of those with intervals that learn of each arm from its own"}
	return append(c.bets(p, func(delta float64) explore.Carded {
		return &BettingAllEpsilon{Delta: delta, Rewards: c.Radius}
	}), either(p, game, st2)...)
}

// pareto are the options for Pareto sets.
func (c Circumstances) pareto(p *explore.Problem) []option {
	drops := option{func(float64) explore.Carded { return &EGESR{Budget: c.Budget} },
		"the number of measurements is fixed; it drops the arms one by one"}
	switch {
	case c.Budget > 0 && p.X != nil:
		return []option{
			{func(float64) explore.Carded { return &GEGEFixedBudget{Budget: c.Budget} },
				"the number of measurements is fixed, and means are linear in the features"},
			{func(float64) explore.Carded { return &UniformBudget{Budget: c.Budget} },
				"the number of measurements is fixed and small"}, drops,
		}
	case c.Budget > 0:
		return []option{drops}
	case p.Changing:
		return []option{{
			func(delta float64) explore.Carded { return &PFIwR{Delta: delta, Norm: c.Norm / p.Sigma} },
			"features change from round to round",
		}}
	}
	open := either(p, option{func(delta float64) explore.Carded { return &Sparing{Delta: delta} },
		"means are linear in the features, and it uses these and every result"},
		option{func(delta float64) explore.Carded { return &APE{Delta: delta, Radius: c.radius()} },
			"it measures the arms whose membership is least certain"})
	return append(c.bets(p, func(delta float64) explore.Carded {
		return &BettingPareto{Delta: delta, Rewards: c.Radius}
	}), open...)
}

// feasible are the options for feasible Pareto sets, and for the best feasible items.
func (c Circumstances) feasible(p *explore.Problem) []option {
	if c.Budget > 0 {
		return nil
	}
	bets := c.bets(p, func(delta float64) explore.Carded {
		return &BettingFeasible{Delta: delta, Rewards: c.Radius}
	})
	if _, one := p.Question.(question.BestFeasible); one && p.Known == nil && c.Radius == nil {
		return bets
	}
	return append(bets, option{func(delta float64) explore.Carded {
		return &ECAPE{Delta: delta, Radius: c.radius()}
	}, "it asks only for what the answer and its reasons depend on"})
}

// mostPairs is the largest number of items for which methods that bet on all pairs of them are options: of 1000 they
// take 100 MB, of 10 000 it would be 10 GB.
const mostPairs = 1000

// bets are the options for methods that bet on rounds.
func (c Circumstances) bets(p *explore.Problem, new func(delta float64) explore.Carded) []option {
	if _, alone := p.Question.(question.Feasible); !alone && p.M() > mostPairs {
		return nil
	}
	if c.Budget > 0 || p.Known != nil &&
		!(new(c.Delta).Card().Uses.Has(explore.UsesKnownValues) && columns(p.Known)) {
		return nil // it has no use for these
	}
	return []option{{new, "it takes a sixth to two thirds fewer measurements than methods with " +
		"confidence intervals, with the same guarantee"}}
}

// columns reports whether of each objective all values are known, or none.
func columns(known *mat.Dense) bool {
	k, d := known.Dims()
	for c := range d {
		measured := 0
		for _, v := range mat.Col(nil, c, known) {
			if math.IsNaN(v) {
				measured++
			}
		}
		if measured%k > 0 {
			return false
		}
	}
	return true
}
