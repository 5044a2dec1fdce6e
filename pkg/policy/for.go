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
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Circumstances are what decides about the method for a problem, besides the problem. The zero
// value is a simulation, or a laboratory that hands in each round as a whole.
type Circumstances struct {
	// Delta is the error probability. Zero means DefaultDelta. It does not count with a Budget.
	Delta float64
	// Budget, if positive, is how many measurements there are in all. Nothing is then certified.
	Budget int
	// Plate, if above 1, is how many measurements are made at a time.
	Plate int
	// AnySampling says that measurements come late or never, or that there are more than those
	// asked for, and that all are to count: see explore.Sampling.
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
	var why error
	for _, option := range options(p, c) {
		candidate := option.make()
		card := candidate.Card()
		if c.Budget > 0 && card.Kind != explore.FixedBudget ||
			c.AnySampling && card.Evidence != explore.AnySampling && c.Budget == 0 {
			continue
		}
		err := candidate.Init(p, rand.NewPCG(0, 0))
		if missing := card.Lacks(declared); err == nil && c.Budget == 0 && len(missing) > 0 {
			err = fmt.Errorf("policy: %s needs the %v, which nobody states: %w", card.Name,
				missing[0], explore.ErrQuestion)
		}
		switch {
		case err == nil:
			return Recommendation{card, option.why, func() explore.Policy { return option.make() }},
				nil
		case errors.Is(err, explore.ErrBudget):
			return Recommendation{}, err
		case why == nil:
			why = err
		}
	}
	if why == nil || c.Budget > 0 {
		why = explore.ErrQuestion
	}
	return Recommendation{}, fmt.Errorf("policy: no method for %T in these circumstances: %w",
		p.Question, why)
}

// An option is a policy that may be recommended, and why.
type option struct {
	make func() explore.Carded
	why  string
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
		bets := c.bets(p, func() explore.Carded { return &BettingFeasible{Delta: c.Delta, Rewards: c.Radius} })
		return append(bets, c.piloted(func(delta float64) explore.Carded {
			return &MDAPT{Delta: delta, Radius: c.radius()}
		}, "it measures the arms nearest to the boundary most")...)
	case question.BestFeasible:
		bets := c.bets(p, func() explore.Carded { return &BettingFeasible{Delta: c.Delta, Rewards: c.Radius} })
		r := c.radius()
		if several(q.Weights, p.D()) {
			r = radius.Mixture{} // of the sum, where others add up the radii of objectives
		}
		return slices.Concat(bets, c.reasoned(p), c.piloted(func(delta float64) explore.Carded {
			return &TFLUCB{Delta: delta, Radius: r}
		}, "it asks for what tells the answer from the arms that might replace it, and takes a third to a half of the "+
			"measurements of ConstrainedTopTwo"))
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

// piloted are a policy or, where the noise is unknown, the policy after a pilot.
func (c Circumstances) piloted(new func(delta float64) explore.Carded, why string) []option {
	if !c.UnknownSigma {
		return []option{{func() explore.Carded { return new(c.Delta) }, why}}
	}
	after := func(delta float64) explore.Policy { return new(delta) }
	return []option{{
		func() explore.Carded { return &Piloted{New: after, Delta: c.Delta} },
		"a pilot bounds the noise, which nobody knows; then " + why,
	}}
}

// radius returns the radius of policies that have a choice.
func (c Circumstances) radius() radius.Radius {
	return cmp.Or[radius.Radius](c.Radius, radius.Mixture{})
}

// best are the options for the best item.
func (c Circumstances) best(p *explore.Problem) []option {
	switch {
	case c.Budget > 0 && p.Z != nil:
		return []option{{func() explore.Carded { return &PEACE{Budget: c.Budget} },
			"the number of measurements is fixed, and items are not the arms"}}
	case c.Budget > 0:
		return []option{
			{func() explore.Carded { return &ODLinBAI{Budget: c.Budget} },
				"the number of measurements is fixed; it halves the candidates in a few rounds"},
			{func() explore.Carded { return &PEACE{Budget: c.Budget} },
				"the number of measurements is fixed"},
		}
	}
	open := func(delta float64) explore.Carded { return &LinGapE{Delta: delta} }
	fewer := "a seventh"
	if p.X == nil && p.Z == nil {
		open = func(delta float64) explore.Carded {
			return &UGapE{Delta: delta, Radius: c.radius()}
		}
		fewer = "half"
	}
	if c.UnknownSigma {
		return c.piloted(open, "it asks for what tells the leader from its closest rival")
	}
	return append([]option{{
		func() explore.Carded {
			return &BettingElimination{Delta: c.Delta, Plate: c.Plate}
		},
		"it takes a seventh of the measurements of RAGE, LinGapE and FWS, and half of those of UGapE " +
			"and LUCB, with the same guarantee; " +
			"its rounds have to be complete before the next one",
	}}, c.piloted(open, "it uses every result, asked for or not, late or not; where rounds can be "+
		"completed, BettingElimination takes "+fewer+" of its measurements")...)
}

// good are the options for all epsilon-best items.
func (c Circumstances) good(p *explore.Problem) []option {
	switch {
	case c.Budget > 0:
		return []option{{func() explore.Carded { return &BayesGap{Budget: c.Budget} },
			"the number of measurements is fixed"}}
	case p.Link != explore.Identity:
		return []option{{func() explore.Carded {
			return &LinFACTGLM{Delta: c.Delta, MinSlope: c.MinSlope}
		}, "means are a function of a linear predictor"}}
	}
	game := c.piloted(
		func(delta float64) explore.Carded { return &AllEpsilonGame{Delta: delta} },
		"it takes the fewest measurements in the arena, and tends to the fewest possible as delta "+
			"gets small")
	bets := c.bets(p, func() explore.Carded { return &BettingAllEpsilon{Delta: c.Delta, Rewards: c.Radius} })
	if p.X != nil {
		return append(bets, game...)
	}
	st2 := c.piloted(func(delta float64) explore.Carded {
		return &ST2{Delta: delta, Radius: c.radius()}
	}, "arms have no features, and it takes the fewest measurements of those with intervals")
	return slices.Concat(bets, st2, game)
}

// pareto are the options for Pareto sets.
func (c Circumstances) pareto(p *explore.Problem) []option {
	linear := p.X != nil
	switch {
	case c.Budget > 0 && linear:
		return []option{
			{func() explore.Carded { return &GEGEFixedBudget{Budget: c.Budget} },
				"the number of measurements is fixed, and means are linear in the features"},
			{func() explore.Carded { return &UniformBudget{Budget: c.Budget} },
				"the number of measurements is fixed and small"},
		}
	case c.Budget > 0:
		return []option{
			{func() explore.Carded { return &EGESR{Budget: c.Budget} },
				"the number of measurements is fixed; it drops the arms one by one"},
		}
	case p.Changing && !c.UnknownSigma:
		return []option{{
			func() explore.Carded { return &PFIwR{Delta: c.Delta, Norm: c.Norm / p.Sigma} },
			"features change from round to round",
		}}
	case p.Changing:
		return nil // a norm in units of noise that nobody knows
	}
	ape := c.piloted(func(delta float64) explore.Carded {
		return &APE{Delta: delta, Radius: c.radius()}
	}, "it measures the arms whose membership is least certain")
	bets := c.bets(p, func() explore.Carded { return &BettingPareto{Delta: c.Delta, Rewards: c.Radius} })
	if !linear {
		return append(bets, ape...)
	}
	return slices.Concat(bets, []option{{func() explore.Carded { return &Sparing{Delta: c.Delta} },
		"means are linear in the features, and it uses these and every result"},
		{func() explore.Carded { return &GEGEFixedConfidence{Delta: c.Delta} },
			"means are linear in the features of many arms"}}, ape)
}

// feasible are the options for feasible Pareto sets.
func (c Circumstances) feasible(p *explore.Problem) []option {
	if c.Budget > 0 {
		return nil
	}
	return slices.Concat(c.bets(p, func() explore.Carded {
		return &BettingFeasible{Delta: c.Delta, Rewards: c.Radius}
	}), c.reasoned(p))
}

// reasoned is e-cAPE.
func (c Circumstances) reasoned(p *explore.Problem) []option {
	if _, one := p.Question.(question.BestFeasible); one && p.Known == nil && c.Radius == nil {
		return nil
	}
	return c.piloted(func(delta float64) explore.Carded {
		return &ECAPE{Delta: delta, Radius: c.radius()}
	}, "it asks only for what the answer and its reasons hang on")
}

// bets are the options for methods that bet on rounds, which have to be complete.
func (c Circumstances) bets(p *explore.Problem, new func() explore.Carded) []option {
	_, best := p.Question.(question.Best)
	if c.Budget > 0 || c.UnknownSigma || best && c.Radius != nil || p.Known != nil &&
		!(new().Card().Uses.Has(explore.UsesKnownValues) && columns(p.Known)) {
		return nil // it has no use for these
	}
	return []option{{new, "it takes a sixth to two thirds fewer measurements than methods with " +
		"confidence intervals, with the same guarantee; its rounds have to be complete before the " +
		"next one"}}
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
