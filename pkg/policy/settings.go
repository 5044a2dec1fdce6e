package policy

import (
	"cmp"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/radius"
)

// DefaultDelta is the error probability of a policy whose Delta is zero.
const DefaultDelta = 0.1

// ErrUndecidable says that items are so close that a policy gives up telling
// them apart: phased policies before a round that would be too long, sequential ones
// after 1e12 rewards, which their longer and longer rounds reach in about a million
// rounds. A question that tolerates a small difference can be answered.
var ErrUndecidable = patience.ErrUndecidable

// leastDelta is the least error probability, such that its share for one round, arm or pair does
// not underflow.
const leastDelta = 1e-100

// largestBudget is the largest budget of schedules that are computed in float64, which holds it
// exactly.
const largestBudget = min(1<<53, math.MaxInt)

// confidence resolves the settings that fixed-confidence policies share.
func confidence(delta float64, r radius.Radius) (float64, radius.Radius, error) {
	delta = cmp.Or(delta, DefaultDelta)
	if delta > 0 && delta < leastDelta {
		return 0, nil, fmt.Errorf("policy: Delta is %v; want an error probability of at least %v",
			delta, leastDelta)
	}
	if !(delta > 0 && delta < 1) {
		return 0, nil, fmt.Errorf("policy: Delta is %v; want an error probability between 0 and 1",
			delta)
	}
	r = orTheory(r)
	if v, ok := r.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return 0, nil, err
		}
	}
	return delta, r, nil
}

// orTheory resolves the default of most policies.
func orTheory(r radius.Radius) radius.Radius { return cmp.Or[radius.Radius](r, radius.Theory{}) }

// orKaufmannKoolen resolves the default of policies whose paper has radii like these.
func orKaufmannKoolen(r radius.Radius) radius.Radius {
	return cmp.Or[radius.Radius](r, radius.KaufmannKoolen{})
}

// inf is the minimum of the empty set.
var inf = math.Inf(1)

// startConstrained is Init of the policies that stop by the rule of constrained.State.
func startConstrained(c *constrained.State, prob *explore.Problem, delta float64,
	r radius.Radius) error {
	delta, r, err := confidence(delta, r)
	if err != nil {
		return err
	}
	region, err := constrained.Region(prob)
	if err != nil {
		return err
	}
	c.Init(prob, region, arms.Bind(r, prob, delta))
	return nil
}

// budgetError says that a budget is too small.
func budgetError(name string, budget, least int) error {
	return tooSmall{fmt.Sprintf("policy: %s.Budget is %d; this problem needs at least %d pulls",
		name, budget, least)}
}

// tooSmall is an explore.ErrBudget that says what is enough.
type tooSmall struct{ text string }

func (t tooSmall) Error() string { return t.text }
func (tooSmall) Unwrap() error   { return explore.ErrBudget }

// measurable fails unless the items are the arms.
func measurable(prob *explore.Problem, name string) error {
	if prob.Z != nil {
		return fmt.Errorf("policy: %s measures the items themselves; this problem has items "+
			"that are not its arms (Z): %w", name, explore.ErrQuestion)
	}
	return nil
}
