package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
	"github.com/purexp/purexp/pkg/radius"
)

// rewards returns the bounds on rewards that the setting r declares, one entry per objective, or
// nil if r is nil.
func rewards(r radius.Radius, prob *explore.Problem) ([]betting.Bounded, error) {
	if r == nil {
		return nil, nil
	}
	each, ok := r.(radius.Each)
	if ok && len(each) != prob.D() {
		return nil, fmt.Errorf("policy: Rewards has %d entries; expected one for each of %d objectives", len(each),
			prob.D())
	}
	all, known := make([]betting.Bounded, prob.D()), betting.Known(prob)
	for c := range all {
		if known[c] != nil {
			continue
		}
		of := r
		if ok {
			of = each[c]
		}
		b, ok := of.(radius.Bernoulli)
		if !ok {
			return nil, fmt.Errorf("policy: Rewards of %s is %v; expected radius.Bernoulli (for counts of "+
				"successes or bounded rewards), or nil", prob.Objective(c), of)
		}
		trials := math.Max(float64(b.Trials), 1)
		all[c] = betting.Bounded{Trials: trials, Length: 2 * prob.SigmaOf(c) * math.Sqrt(trials), Low: math.NaN()}
		if b.Centered {
			all[c].Low = -all[c].Length / 2
		}
	}
	return all, nil
}

// byRewards adds to a card the assumptions that the setting Rewards makes.
func byRewards(r radius.Radius, c explore.Card) explore.Card {
	if r == nil {
		return c
	}
	return byRadius(r, c)
}
