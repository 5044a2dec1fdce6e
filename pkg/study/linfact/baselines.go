package linfact

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are the names of the methods with which the paper compares LinFACT.
// Methods for the top m arms receive the expected number of epsilon-best arms as m. Methods for
// thresholds receive the expected threshold. Methods with "told" in their names are oracles, which
// receive the true number or threshold.
const (
	BayesGap       = "BayesGap"
	KGCB           = "KGCB"
	LinGIFA        = "LinGIFA"
	MLinGapE       = "m-LinGapE"
	LazyTTS        = "Lazy TTS"
	LinGIFAOracle  = "LinGIFA, told m"
	MLinGapEOracle = "m-LinGapE, told m"
	LazyTTSOracle  = "Lazy TTS, told the threshold"
)

// budgeted names the methods that make a fixed number of pulls.
var budgeted = []string{BayesGap, KGCB}

// Published is the name of the constants that baselines have in the experiments of their own
// papers. The published constants are the threshold log((1 + log t)/delta) and the regularisation
// of Reda et al., without a guarantee.
const Published = "published"

const (
	// Budget is the minimum of 2,000 and the mean number of pulls of LinFACT-G in the setting. The
	// mean is above 7,000 in all settings, so the minimum is always 2,000.
	Budget = 2000
	// GiveUp is the number of pulls after which Lazy TTS is stopped. If the mean of an arm is close
	// or equal to the given threshold, Lazy TTS might otherwise never stop.
	GiveUp = 50_000
)

// slowRuns is the number of runs on each draw for slow methods and constants.
const slowRuns = 10

// baselines are the methods of section 7.1 other than the paper's own methods.
var baselines = []study.Method{
	{Name: BayesGap, New: func(study.Task) explore.Policy {
		return &policy.BayesGap{Budget: Budget}
	}},
	{Name: KGCB, New: func(study.Task) explore.Policy { return &policy.KGCB{Budget: Budget} }},
	linGIFA(LinGIFA, Published, expected), linGIFA(LinGIFA, Theory, expected),
	mLinGapE(MLinGapE, Published, expected), mLinGapE(MLinGapE, Theory, expected),
	lazyTTS(LazyTTS, Published, expectedLevel), lazyTTS(LazyTTS, Theory, expectedLevel),
}

// oracles are baselines that know the true number of epsilon-best arms or the true threshold, which
// are unknown in practice.
var oracles = []study.Method{
	linGIFA(LinGIFAOracle, Published, trueCount), mLinGapE(MLinGapEOracle, Published, trueCount),
	lazyTTS(LazyTTSOracle, Published, trueLevel),
}

// aim returns m, the number of arms to return, and the tolerated difference from the m-th best arm.
type aim func(t study.Task) (m int, tolerance float64)

// expected returns the number of arms and the tolerance that the paper gives to methods for the top
// m arms. The tolerance is epsilon in all settings. If arms m and m + 1 are tied, as in static
// settings, methods for the top m arms stop only if the tolerance is positive.
func expected(t study.Task) (int, float64) { return expectedGood, tolerances[t.Size] }

// trueCount returns the true number of epsilon-best arms, and a tolerance of 0.
func trueCount(t study.Task) (int, float64) { return len(right(t)), 0 }

// linGIFA returns LinGIFA with the given constants. With the published constants, the squared norm
// of theta has the weight sigma^2/400.
func linGIFA(name, constants string, of aim) study.Method {
	p := &policy.LinGIFA{}
	if constants == Published {
		p.Threshold, p.Reg = policy.Heuristic{}, 1./400
	}
	return published(study.NewMethod(name, constants, p, func(p *policy.LinGIFA, t study.Task) {
		p.M, p.Epsilon = of(t)
	}))
}

// mLinGapE returns m-LinGapE with the given constants. With the published constants, the squared
// norm of theta has the weight 1.
func mLinGapE(name, constants string, of aim) study.Method {
	p := &policy.MLinGapE{}
	if constants == Published {
		p.Threshold, p.Reg = policy.Heuristic{}, 1
	}
	return published(study.NewMethod(name, constants, p, func(p *policy.MLinGapE, t study.Task) {
		p.M, p.Epsilon = of(t)
	}))
}

// expectedLevel returns the threshold that the paper gives to methods for thresholds.
func expectedLevel(t study.Task) float64 {
	if static(t.Size) {
		return half
	}
	return expectedThreshold
}

// trueLevel returns the true threshold of the instance.
func trueLevel(t study.Task) float64 {
	return t.Instance.Problem.Question.(question.AllEpsilonBest).Threshold(mat.Max(t.Instance.Truth()))
}

// lazyTTS returns lazy track-and-stop for the threshold that the function level returns.
func lazyTTS(name, constants string, level func(study.Task) float64) study.Method {
	p := &policy.LazyThreshold{}
	if constants == Published {
		p.Threshold = policy.Heuristic{}
	}
	m := study.NewMethod(name, constants, p, func(p *policy.LazyThreshold, t study.Task) {
		p.Level = level(t)
	})
	m.MaxPulls, m.Each = GiveUp, slowRuns
	m = published(m)
	if m.TableOnly {
		m.Each = slowRuns / 2
	}
	return m
}

// published returns method m. If m has other constants than Published, the returned method has
// fewer runs and is omitted from figures.
func published(m study.Method) study.Method {
	if m.Constants != Published {
		m.TableOnly, m.Each = true, slowRuns
	}
	return m
}

// The following constants are the names of methods that are not in the paper: an asymptotically
// optimal method, and methods that do not use features.
const (
	Game         = "all-epsilon game"
	TrackAndStop = "track-and-stop, no features"
	ST2          = "(ST)^2, no features"
	EAST         = "EAST, no features"
	FAREAST      = "FAREAST, no features"
)

// games returns the asymptotically optimal method twice: with a proven stopping threshold, and with
// the published threshold.
func games() []study.Method {
	game := func(constants string, threshold policy.Threshold) study.Method {
		m := study.NewMethod(Game, constants, &policy.AllEpsilonGame{Threshold: threshold, Batch: .01})
		m.Each, m.TableOnly = slowRuns, constants != Theory
		return m
	}
	return []study.Method{game(Theory, nil), game(Published, policy.Heuristic{})}
}

// featureFree are methods that do not use features.
var featureFree = []study.Method{
	study.NewMethod(TrackAndStop, Theory, &policy.AllEpsilonTrackAndStop{}),
	study.NewMethod(ST2, Theory, &policy.ST2{}),
	study.NewMethod(EAST, Theory, &policy.EAST{}),
	study.NewMethod(FAREAST, Theory, &policy.FAREAST{}),
}

// gStatic follows the same G-optimal design in all rounds.
var gStatic = study.NewMethod(GStatic, Theory, &policy.GStatic{})

// The following constants are the names of the methods.
const (
	LinFACTG  = "LinFACT-G"
	LinFACTXY = "LinFACT-XY"
	GStatic   = "G-static" // G-static is not in the paper
	// The following methods are those of section 5.
	MIS           = "LinFACT-MIS"
	MISOrthogonal = "LinFACT-MIS orthogonal"
	MISPrinted    = "LinFACT-MIS, radius (35)"
	MISUnchanged  = "LinFACT-MIS, Theorem 5.1"
	Features      = "LinFACT-G, one feature an arm"
	// The following method is that of section 6.
	GLM = "LinFACT-GLM"
)

// The following names state which constants LinFACT uses. Theory means constants that a theorem
// supports: the defaults of the policies, but with union bounds over all arms. Printed means the
// constants that the paper prints: the rules of Algorithm 3, and in (21) the dimension d of the
// problem instead of the rank of the active arms.
const (
	Theory  = "theory"
	Printed = "paper"
)

// fact returns LinFACT with the given design and constants.
func fact(name string, design policy.LinFACTDesign, constants string) study.Method {
	p := &policy.LinFACT{Design: design, Union: policy.PhaseUnionAll}
	if constants != Theory {
		p.Decisions = policy.LinFACTPrinted
	}
	if constants == Printed && design == policy.LinFACTG {
		p.Budget = policy.LinFACTAmbient
	}
	return study.NewMethod(name, constants, p)
}

// own contains the methods of the paper, each with all of its constants.
var own = []study.Method{
	fact(LinFACTG, policy.LinFACTG, Theory), fact(LinFACTG, policy.LinFACTG, Printed),
	fact(LinFACTXY, policy.LinFACTXY, Theory), fact(LinFACTXY, policy.LinFACTXY, Printed),
}
