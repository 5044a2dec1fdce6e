package policy

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
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
