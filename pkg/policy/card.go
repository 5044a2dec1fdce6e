package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// certifiesIf is CertifiesSet, with settings for which a theorem holds.
func certifiesIf(theorem bool) explore.Certificate {
	if theorem {
		return explore.CertifiesSet
	}
	return explore.CertifiesNothing
}

// byRadius completes the card of a policy with what its radius needs. Norms need more of the noise
// than pairs and means do: policies that use them have explore.IndependentObjectives among their
// needs.
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

// linearBest completes the card of a policy that finds the best item of a linear model.
func linearBest(c explore.Card) explore.Card {
	c.Answers, c.Needs = []explore.Question{question.Best{}}, []explore.Need{explore.SubGaussian{}, explore.Linear{}}
	c.Uses = explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations
	return c
}

// tolerantUses are what the policies of package goodenough use.
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

// proved reports whether a theorem supports a threshold; nil is the default.
func proved(t Threshold) bool {
	switch t := t.(type) {
	case nil, SelfNormalized:
		return true
	case MixtureMartingales:
		return !t.Printed
	}
	return false
}

// withNorm completes the card of a policy that relies on a bound on the norm of the parameters with
// some settings.
func withNorm(relies bool, norm float64, c explore.Card) explore.Card {
	if relies {
		c.Needs = append(c.Needs, explore.Norm{Bound: norm})
	}
	return c
}

// label is the name of a policy with its settings, for tables, files and saved campaigns: those
// that it always has in parentheses, then the others, unless they are usual.
//
//	GEGE (delta 0.1, theory), scale 2, design mirror descent
func label(name, always string, options ...string) string {
	return name + " (" + always + ")" + strings.Join(options, "")
}

// withDelta is for the parentheses of a label: the error probability and the choice of constants,
// if the policy has one.
func withDelta(delta float64, constants ...any) string {
	s := fmt.Sprintf("delta %.10g", cmp.Or(delta, DefaultDelta)) // not every digit of a difference
	for _, c := range constants {
		s += fmt.Sprintf(", %v", c)
	}
	return s
}

// withBudget is for the parentheses of a label.
func withBudget(budget int) string { return fmt.Sprintf("budget %d", budget) }

// setting is what a label says of a setting, in a format of its value or in plain words: nothing
// where it is zero or one of the usual values, which mean the same.
func setting[T comparable](format string, value T, usual ...T) string {
	var zero T
	switch {
	case value == zero || slices.Contains(usual, value):
		return ""
	case strings.Contains(format, "%"):
		return fmt.Sprintf(", "+format, value)
	}
	return ", " + format
}

// stopping is the setting of a threshold.
func stopping(t, usual Threshold) string { return setting("threshold %v", t, usual) }

// word returns the word for a value of an enumeration, that of the first for none of them.
func word(value int, words ...string) string {
	if value < 0 || value >= len(words) {
		value = 0
	}
	return words[value]
}

// Catalogue returns what makes the policies of this package, each with its default settings. What
// there is to say of a policy is on its card. The table of docs/methods.md is made of
// them: see TestTables.
func Catalogue() []func() explore.Carded {
	return []func() explore.Carded{
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

// entry returns a policy with its default settings.
func entry[T any, P interface {
	*T
	explore.Carded
}]() explore.Carded {
	return P(new(T))
}
