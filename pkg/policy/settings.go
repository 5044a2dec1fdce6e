package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/goodenough"
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

// leastDelta is the least error probability: what rounds, arms and pairs divide of it
// is a number, too.
const leastDelta = 1e-100

// largestBudget is the largest budget of schedules that are reckoned in real numbers.
const largestBudget = 1 << 53

// confidence resolves the settings that fixed-confidence policies share.
func confidence(delta float64, r radius.Radius) (float64, radius.Radius, error) {
	if delta == 0 {
		delta = DefaultDelta
	}
	if delta > 0 && delta < leastDelta {
		return 0, nil, fmt.Errorf("policy: Delta is %v; want an error probability of at least %v",
			delta, leastDelta)
	}
	if !(delta > 0 && delta < 1) {
		return 0, nil, fmt.Errorf("policy: Delta is %v; want an error probability between 0 and 1",
			delta)
	}
	if r == nil {
		r = radius.Theory{}
	}
	if v, ok := r.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return 0, nil, err
		}
	}
	return delta, r, nil
}

// describe is the name of a policy with settings, for tables and files.
func describe(name string, delta float64, r radius.Radius) string {
	if delta == 0 {
		delta = DefaultDelta
	}
	if r == nil {
		r = radius.Theory{}
	}
	return fmt.Sprintf("%s (delta %v, %v)", name, delta, r)
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

// lenient returns what is known of the arms where the answer to prob need not be exact or not
// everything need be measured, starting with nothing: nil where neither is so. It reuses memory of
// old.
func lenient(old *goodenough.State, prob *explore.Problem, delta float64, r radius.Radius) (
	*goodenough.State, error) {
	delta, r, err := confidence(delta, r)
	if err != nil || !goodenough.Asked(prob, r) {
		return nil, err
	}
	if old == nil {
		old = new(goodenough.State)
	}
	return old, old.Init(prob, r, delta)
}

// mirrored returns a copy of from, nil for nil, that shares nothing that changes. It reuses memory
// of own.
func mirrored(own, from *goodenough.State) *goodenough.State {
	if from == nil {
		return nil
	}
	if own == nil {
		own = new(goodenough.State)
	}
	own.Follow(from)
	return own
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

// linearName is the name of a policy with its error probability.
func linearName(name string, delta float64) string {
	if delta == 0 {
		delta = DefaultDelta
	}
	return fmt.Sprintf("%s (delta %v)", name, delta)
}

// growthName says that the growth of phases is not the usual one.
func growthName(growth, usual float64) string {
	if growth == 0 || growth == usual {
		return ""
	}
	return fmt.Sprintf(", growth %v", growth)
}

// designName says that designs are not certified.
func designName(m design.Method) string {
	if m == design.Certified {
		return ""
	}
	return ", design " + m.String()
}

// drawName says that arms are drawn from a design.
func drawName(draw bool) string {
	if draw {
		return ", arms drawn"
	}
	return ""
}
