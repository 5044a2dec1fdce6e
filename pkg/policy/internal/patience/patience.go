// Package patience ends runs in which nothing ever becomes certain: two items are tied, or
// an item is on the boundary of the feasible region. It is for policies that ask for a few
// rewards a round and stop when they are certain.
//
//	dst = append(dst, explore.Pull{Arm: next, N: 1})
//	return patience.Extend(dst, from, pulls, prob, p) // more of the same, an error in the end
//
// After Long rewards the rounds get longer, so slowly that no run takes more than
// one part in Slow rewards more for it, and yet fast enough that Most rewards are
// reached after some tens of thousands of further rounds. That is sound for confidence
// intervals that hold at all times and whatever is measured. Phased policies, whose
// rounds grow anyway, give up in the same way.
package patience

import (
	"errors"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
)

// ErrUndecidable says that items are so close that a policy gives up telling
// them apart. A question that tolerates a small difference can be answered.
var ErrUndecidable = errors.New("policy: undecidable")

const (
	// Long is the number of rewards after which rounds get longer.
	Long = 1 << 20
	// Slow is the number of rounds in which what came after Long grows by a factor e.
	Slow = 1 << 10
	// Most is the number of rewards after which a policy gives up: differences of a
	// hundred-thousandth of the noise would have shown, and smaller ones may be those
	// of rounding.
	Most = min(1e12, math.MaxInt)
)

// Rewards returns how many rewards each of n pulls of a round asks for, after t
// rewards.
func Rewards(t, n int) int {
	if t <= Long {
		return 1
	}
	return 1 + (t-Long)/Slow/n
}

// An Answerer is a policy.
type Answerer interface{ Answer() explore.Answer }

// Extend lengthens the round of the pulls dst[from:], which are for one reward each,
// as is due after t rewards. None means that the policy stopped. It fails with
// ErrUndecidable if that should have happened long ago.
func Extend(dst []explore.Pull, from, t int, prob *explore.Problem, p Answerer) (
	[]explore.Pull, error) {
	if t <= Long || from == len(dst) {
		return dst, nil
	}
	if err := End(t, prob, p); err != nil {
		return dst[:from], err
	}
	n := Rewards(t, len(dst)-from)
	for i := from; i < len(dst); i++ {
		dst[i].N = n
	}
	return dst, nil
}

// End fails with ErrUndecidable if a policy that has not stopped after t rewards should
// have stopped long ago. Policies whose rounds grow anyway need no more than that.
func End(t int, prob *explore.Problem, p Answerer) error {
	if t < Most {
		return nil
	}
	return undecidable(prob, p.Answer(), t)
}

// undecidable says which item is known to be closest to a tie or to the boundary.
func undecidable(p *explore.Problem, a explore.Answer, t int) error {
	least, item, boundary := math.Inf(1), -1, false
	consider := func(i int, x, radius float64, edge bool) {
		if x = math.Abs(x) + radius; x < least {
			least, item, boundary = x, i, edge
		}
	}
	for i, r := range a.Reasons {
		if r.Class != explore.Undecided {
			continue
		}
		if r.Constraint >= 0 {
			consider(i, r.Slack, r.SlackRadius, true)
		}
		if r.By >= 0 {
			consider(i, r.Margin, r.MarginRadius, false)
		}
	}
	switch {
	case item < 0:
		return fmt.Errorf("%w after %.1g rewards", ErrUndecidable, float64(t))
	case boundary:
		r := a.Reasons[item]
		constraint := fmt.Sprint("constraint ", r.Constraint)
		if q, ok := p.Question.(explore.ConstraintNamer); ok {
			constraint = q.ConstraintName(r.Constraint)
		}
		return fmt.Errorf("%w: after %.1g rewards %s is within %.2g of the boundary of %s: if it "+
			"is on the boundary, move that by the smallest difference that matters",
			ErrUndecidable, float64(t), p.Item(item), least, constraint)
	}
	r := a.Reasons[item]
	return fmt.Errorf("%w: after %.1g rewards %s and %s are within %.2g of a tie: if they are "+
		"tied, leave one of them out, or ask a question with a tolerance (Epsilon) of the "+
		"smallest difference that matters", ErrUndecidable, float64(t), p.Item(item),
		p.Item(r.By), least)
}
