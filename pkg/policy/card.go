package policy

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// certifiesIf returns CertifiesSet if theorem is true and CertifiesNothing otherwise.
func certifiesIf(theorem bool) explore.Certificate {
	if theorem {
		return explore.CertifiesSet
	}
	return explore.CertifiesNothing
}

// byRadius adds to the card of a policy the assumptions of its radius. Radii of norms assume more
// about the noise than radii of means and pairs. The card of a policy that uses norms must have
// explore.IndependentObjectives among its needs.
func byRadius(r radius.Radius, c explore.Card) explore.Card {
	holds := radius.Nominal
	if h, ok := r.(radius.Holder); ok {
		holds = h.Holds()
	}
	switch holds {
	case radius.Nominal:
		c.Certifies = explore.CertifiesNothing
	case radius.GaussianOrIndependent:
		if slices.Contains(c.Needs, explore.Need(explore.IndependentObjectives{})) {
			c.Needs = append(c.Needs, explore.Gaussian{OrIndependent: true})
		}
	case radius.Bounded:
		c.Needs = append(c.Needs, explore.Bounded{})
	}
	return c
}

// linearBest sets the common fields in the cards of policies that find the best item of a linear
// model.
func linearBest(c explore.Card) explore.Card {
	c.Answers, c.Needs = []explore.Question{question.Best{}}, []explore.Need{explore.SubGaussian{}, explore.Linear{}}
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations
	return c
}

// tolerantUses returns the parts of a problem that policies based on package goodenough use if
// their radius is r.
func tolerantUses(r radius.Radius) explore.Uses {
	uses := explore.UsesTolerances | explore.UsesSlacks | explore.UsesKnownValues |
		explore.UsesScales
	if r != nil {
		params := radius.Params{Arms: 1, Objectives: 1, Sigma: 1, NormSigma: 1, Delta: .1}
		if b, ok := r.Bind(params).(radius.Fitted); ok && b.Squares() {
			uses |= explore.UsesSquares
		}
	}
	return uses
}

// proved reports whether a theorem for linear models supports the stopping threshold t. If t is nil,
// proved considers the default threshold.
func proved(t Threshold) bool {
	_, ok := t.(SelfNormalized)
	return ok || t == nil
}

// provedForArms is a version of proved for arms without features, for which a theorem also supports
// MixtureMartingales.
func provedForArms(t Threshold) bool {
	m, ok := t.(MixtureMartingales)
	return ok && !m.Printed || proved(t)
}

// withNorm adds a bound on the norm of the parameters to the needs of a card if relies is true.
func withNorm(relies bool, norm float64, c explore.Card) explore.Card {
	if relies {
		c.Needs = append(c.Needs, explore.Norm{Bound: norm})
	}
	return c
}

// word returns the word for a value of an enumeration type. For an unknown value, word returns the
// first word.
func word(value int, words ...string) string {
	if value < 0 || value >= len(words) {
		value = 0
	}
	return words[value]
}

// Catalogue returns constructors for all policies of this package, except Piloted, which wraps
// another policy. The constructed policies have default settings. TestTables generates the tables
// of docs/methods.md from the cards of these policies.
func Catalogue() []func() explore.Describer {
	return []func() explore.Describer{
		entry[ECAPE],
		entry[TwoStage],
		entry[ConstrainedRacing],
		entry[Uniform],
		entry[GameCPSI],
		entry[ParetoTrackAndStop],
		entry[MDAPT],
		entry[TFLUCB],
		entry[APE],
		entry[GEGEFixedConfidence],
		entry[GEGEFixedBudget],
		entry[EGESR],
		entry[EGESH],
		entry[UniformBudget],
		entry[AuerRacing],
		entry[PAL],
		entry[PFIwR],
		entry[Sparing],
		entry[PSIPS],
		entry[RAGE],
		entry[BettingElimination],
		entry[BettingPareto],
		entry[BettingFeasible],
		entry[BettingAllEpsilon],
		entry[XYStatic],
		entry[XYOracle],
		entry[XYAdaptive],
		entry[GAllocation],
		entry[ALBA],
		entry[LinGapE],
		entry[LinGame],
		entry[LazyTrackAndStop],
		entry[FWS],
		entry[ODLinBAI],
		entry[GSE],
		entry[PEACE],
		entry[LinFACT],
		entry[LinFACTMIS],
		entry[LinFACTGLM],
		entry[AllEpsilonGame],
		entry[GStatic],
		entry[LinGIFA],
		entry[MLinGapE],
		entry[LazyThreshold],
		entry[BayesGap],
		entry[KGCB],
		entry[ST2],
		entry[EAST],
		entry[FAREAST],
		entry[AllEpsilonTrackAndStop],
		entry[LUCB],
		entry[UGapE],
	}
}

// entry returns a new policy of type T with default settings.
func entry[T any, P interface {
	*T
	explore.Describer
}]() explore.Describer {
	return P(new(T))
}
