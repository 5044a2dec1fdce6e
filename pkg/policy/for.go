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

// Circumstances describes conditions other than the problem that affect the choice of a policy. The
// zero value describes a simulation, or a laboratory that makes exactly the measurements that the
// policy requests.
type Circumstances struct {
	// Delta is the error probability; zero means DefaultDelta. If Budget is positive, Delta is
	// ignored.
	Delta float64
	// A positive Budget is the total number of measurements; the recommended policy then certifies
	// nothing.
	Budget int
	// If Plate is above 1, it is the number of measurements made together.
	Plate int
	// If AnySampling is true, results will include measurements that no policy requested, such as
	// data collected earlier: see explore.Sampling. AnySampling is not needed if requested results
	// arrive late, out of order, or not at all.
	AnySampling bool
	// If UnknownSigma is true, rewards are Gaussian with unknown standard deviation.
	UnknownSigma bool
	// Gaussian states that the noise is Gaussian or that it is independent across objectives.
	Gaussian bool
	// Radius is the confidence radius for policies that accept a radius; the noise must satisfy the
	// radius's assumptions. If Radius is nil, For recommends radius.Mixture, which is valid for all
	// sub-Gaussian noise of the scale in the problem. Radii for counts and bounded rewards are
	// narrower; see radius.Fitted.
	Radius radius.Radius
	// Norm bounds the Euclidean norm of the parameters of the linear model of each objective, in
	// reward units per unit of the features. A zero Norm means that no bound is known.
	Norm float64
	// MinSlope is the least slope of the mean as a function of the linear predictor, for problems
	// with a link: see LinFACTGLM.
	MinSlope float64
}

// A Recommendation is the policy recommended for a problem, with the reason for the choice.
type Recommendation struct {
	explore.Card
	Why string // the reason for the recommendation, in one or two sentences
	// Make returns a new policy of the recommended type, with settings for the circumstances.
	Make func() explore.Policy
}

// For returns the recommended policy for a problem. Among the policies that can answer the
// question, For chooses the policy that needed the fewest measurements in simulations: the arena
// (docs/arena.md) and the studies in pkg/study. For prefers methods that use features, unless there
// are few arms relative to the rank of the features.
//
// If no policy can answer the question, the error wraps explore.ErrQuestion; if the budget is too
// small, it wraps explore.ErrBudget.
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
			err = fmt.Errorf("policy: %s: undeclared assumption: %v; declare it in Circumstances: %w", card.Name,
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
	return Recommendation{}, fmt.Errorf("policy: no method answers %T for this problem: %w", p.Question, why)
}

// An option is a policy that For may recommend: a constructor and the reason to recommend it.
type option struct {
	make func(delta float64) explore.Describer
	why  string
}

// after inserts a pilot before the policy of an option, if the noise is unknown and the answer is
// to be certified. The make function of the new option returns nil for policies that accept only
// rewards of their own rounds, because these policies cannot use the pilot's rewards.
func (o option) after(c Circumstances) option {
	if !c.UnknownSigma || c.Budget > 0 {
		return o
	}
	return option{
		func(delta float64) explore.Describer {
			if _, open := o.make(delta).(explore.Asynchronous); !open {
				return nil
			}
			return &Piloted{New: func(delta float64) explore.Policy { return o.make(delta) }, Delta: delta}
		},
		"a pilot bounds the unknown noise; then " + o.why,
	}
}

// knownNotLinear reports whether the known means are not linear in the features. If known means are
// not linear, a method that treats known means as measurements would fit a wrong linear model and
// answer wrongly.
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
		// Each row of x contains the features of an arm whose value in the objective is known. The
		// columns of x span the vectors of values that are linear in the features.
		span := lsq.NewSpan(mat.DenseCopyOf(mat.NewDense(len(y), p.H(), x).T()))
		if span.Outside(y) > lsq.RankTolerance {
			return true
		}
	}
	return false
}

// options returns the policies that For may recommend, in order of preference. For skips policies
// that cannot answer the question.
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
		return append(c.bets(p, func(delta float64) explore.Describer {
			return &BettingFeasible{Delta: delta, Rewards: c.Radius}
		}), option{func(delta float64) explore.Describer {
			return &MDAPT{Delta: delta, Radius: c.radius()}
		}, "the method measures the arms nearest to the boundary most"})
	case question.BestFeasible:
		r := c.radius()
		if several(q.Weights, p.D()) {
			r = radius.Mixture{} // for sums of objectives, Mixture gives narrower intervals than other radii
		}
		return slices.Concat(c.feasible(p), []option{{func(delta float64) explore.Describer {
			return &TFLUCB{Delta: delta, Radius: r}
		}, "the method measures the arms that decide which arms are in the answer"}})
	}
	return nil
}

// several reports whether at least two objectives have nonzero weights. If the weights are nil,
// each objective has weight one.
func several(weights []float64, d int) bool {
	n := d
	for _, w := range weights {
		if w == 0 {
			n--
		}
	}
	return n > 1
}

// radius returns the radius to use in recommended policies that accept one, by default
// radius.Mixture.
func (c Circumstances) radius() radius.Radius {
	return cmp.Or[radius.Radius](c.Radius, radius.Mixture{})
}

// few reports whether there are few arms relative to the rank of the features. The half-widths of
// methods that use features grow with the rank. With few arms, methods that use features need more
// measurements than methods without features.
func few(p *explore.Problem) bool {
	if p.X == nil {
		return true
	}
	h := lsq.NewSpan(p.X).Rank()
	return h > 2 && p.K() < h*h
}

// either returns the options with and without features, in ascending order of the expected number
// of measurements.
func either(p *explore.Problem, with, without option) []option {
	switch {
	case p.Z != nil:
		return []option{with}
	case few(p):
		return []option{without, with}
	}
	return []option{with, without}
}

func (c Circumstances) best(p *explore.Problem) []option {
	if c.Budget > 0 {
		peace := option{func(float64) explore.Describer { return &PEACE{Budget: c.Budget} },
			"the number of measurements is fixed"}
		if p.Z != nil {
			peace.why += ", and items are not the arms"
			return []option{peace}
		}
		return []option{{func(float64) explore.Describer { return &ODLinBAI{Budget: c.Budget} },
			"the number of measurements is fixed; the method halves the candidates in a few rounds"}, peace}
	}
	const why = "the method measures the leader and its closest rival"
	linear := option{func(delta float64) explore.Describer { return &LinGapE{Delta: delta} },
		why + ", and uses features"}
	open := either(p, linear, option{func(delta float64) explore.Describer {
		if _, fits := c.Radius.(radius.Each); fits { // the policy uses empirical variances or the range of rewards
			return &APE{Delta: delta, Radius: c.Radius}
		}
		return &UGapE{Delta: delta, Radius: c.radius()}
	}, why})
	return append([]option{{
		func(delta float64) explore.Describer {
			return &BettingElimination{Delta: delta, Plate: c.Plate, Rewards: c.successes()}
		},
		"the method needs a seventh as many measurements as RAGE, LinGapE and FWS, and half as many as UGapE and " +
			"LUCB, with the same guarantee",
	}}, open...)
}

// successes returns the radius if it states that rewards are counts of successes or bounded
// rewards, and nil otherwise.
func (c Circumstances) successes() radius.Radius {
	if each, ok := c.Radius.(radius.Each); ok && len(each) == 1 {
		c.Radius = each[0]
	}
	if _, ok := c.Radius.(radius.Bernoulli); ok {
		return c.Radius
	}
	return nil
}

func (c Circumstances) good(p *explore.Problem) []option {
	switch {
	case c.Budget > 0:
		return []option{{func(float64) explore.Describer { return &BayesGap{Budget: c.Budget} },
			"the number of measurements is fixed"}}
	case p.Link != explore.Identity:
		return []option{{func(delta float64) explore.Describer {
			return &LinFACTGLM{Delta: delta, MinSlope: c.MinSlope}
		}, "means are a function of a linear predictor"}}
	}
	game := option{func(delta float64) explore.Describer { return &AllEpsilonGame{Delta: delta} },
		"the method uses features and is asymptotically optimal as delta goes to 0"}
	st2 := option{func(delta float64) explore.Describer { return &ST2{Delta: delta, Radius: c.radius()} },
		"the method needs the fewest measurements of all methods with confidence intervals and without features"}
	return append(c.bets(p, func(delta float64) explore.Describer {
		return &BettingAllEpsilon{Delta: delta, Rewards: c.Radius}
	}), either(p, game, st2)...)
}

func (c Circumstances) pareto(p *explore.Problem) []option {
	drops := option{func(float64) explore.Describer { return &EGESR{Budget: c.Budget} },
		"the number of measurements is fixed; the method drops the arms one by one"}
	switch {
	case c.Budget > 0 && p.X != nil:
		return []option{
			{func(float64) explore.Describer { return &GEGEFixedBudget{Budget: c.Budget} },
				"the number of measurements is fixed, and means are linear in the features"},
			{func(float64) explore.Describer { return &UniformBudget{Budget: c.Budget} },
				"the number of measurements is fixed and small"}, drops,
		}
	case c.Budget > 0:
		return []option{drops}
	case p.Changing:
		return []option{{
			func(delta float64) explore.Describer { return &PFIwR{Delta: delta, Norm: c.Norm / p.Sigma} },
			"features change from round to round",
		}}
	}
	open := either(p, option{func(delta float64) explore.Describer { return &Sparing{Delta: delta} },
		"means are linear in the features, and the method uses every result"},
		option{func(delta float64) explore.Describer { return &APE{Delta: delta, Radius: c.radius()} },
			"the method measures the arms whose membership in the answer is least certain"})
	return append(c.bets(p, func(delta float64) explore.Describer {
		return &BettingPareto{Delta: delta, Rewards: c.Radius}
	}), open...)
}

// feasible returns the options for feasible Pareto sets and for the best feasible items.
func (c Circumstances) feasible(p *explore.Problem) []option {
	if c.Budget > 0 {
		return nil
	}
	bets := c.bets(p, func(delta float64) explore.Describer {
		return &BettingFeasible{Delta: delta, Rewards: c.Radius}
	})
	if _, one := p.Question.(question.BestFeasible); one && p.Known == nil && c.Radius == nil {
		return bets
	}
	return append(bets, option{func(delta float64) explore.Describer {
		return &ECAPE{Delta: delta, Radius: c.radius()}
	}, "the method measures only what the answer and its reasons depend on"})
}

// mostPairs is the largest number of items for which For recommends methods that bet on all pairs
// of items. Betting on all pairs needs 100 MB for 1,000 items and would need 10 GB for 10,000.
const mostPairs = 1000

func (c Circumstances) bets(p *explore.Problem, new func(delta float64) explore.Describer) []option {
	if _, alone := p.Question.(question.Feasible); !alone && p.M() > mostPairs {
		return nil
	}
	if c.Budget > 0 || p.Known != nil && !(new(c.Delta).Card().Uses.Has(explore.UsesKnownValues) && columns(p.Known)) {
		return nil // the betting method can use the known values of an objective only if they are known for all arms
	}
	return []option{{new, "the method needs a sixth to two thirds fewer measurements than methods with confidence " +
		"intervals, with the same guarantee"}}
}

// columns reports whether each objective is known for all arms or for no arm.
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
