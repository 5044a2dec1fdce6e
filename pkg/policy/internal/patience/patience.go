// Package patience ends runs that cannot become certain, because two items are tied or an item is
// on the boundary of a region. The package is for policies that request few rewards per round and
// stop when they are certain.
//
//	dst = append(dst, explore.Pull{Arm: next, N: 1})
//	return patience.Extend(dst, from, pulls, prob, p) // longer rounds, in the end an error
//
// After Long rewards, Extend makes rounds longer and longer. Rounds grow so slowly that the number
// of rewards of a run increases by at most the fraction 1/Slow. Nevertheless, the number of rewards
// reaches Most after tens of thousands of further rounds. Longer rounds are valid if confidence
// intervals hold at all times and for any sampling rule. Policies with phases, whose rounds grow by
// themselves, need only End.
package patience

import (
	"errors"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
)

// ErrUndecidable reports that items are too close for a policy to decide between them. A question
// with a tolerance avoids ErrUndecidable.
var ErrUndecidable = errors.New("policy: undecidable")

const (
	// Long is the number of rewards after which rounds become longer.
	Long = 1 << 20
	// Slow is the number of rounds in which the number of rewards beyond Long grows by about a
	// factor of e.
	Slow = 1 << 10
	// Most is the number of rewards after which a policy gives up. With Most rewards, differences
	// of 1e-5 of the noise would have been detected; smaller differences may be rounding errors.
	Most = min(1e12, math.MaxInt)
)

// Rewards returns the number of rewards per pull, for a round of n pulls that begins after t
// rewards.
func Rewards(t, n int) int {
	if t <= Long {
		return 1
	}
	return 1 + (t-Long)/Slow/n
}

// An Answerer is a policy that has a current answer.
type Answerer interface{ Answer() explore.Answer }

// Extend increases the number of rewards of the pulls dst[from:], each of one reward, to the number
// that is due after t rewards. If dst[from:] is empty, the policy has stopped. Extend returns
// ErrUndecidable after Most rewards.
func Extend(dst []explore.Pull, from, t int, prob *explore.Problem, p Answerer) ([]explore.Pull, error) {
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

// End returns ErrUndecidable if a policy has not stopped after t >= Most rewards. Policies whose
// rounds grow by themselves need only End.
func End(t int, prob *explore.Problem, p Answerer) error {
	if t < Most {
		return nil
	}
	return undecidable(prob, p.Answer(), t)
}

// undecidable returns the error for a policy with answer a; it names the item that is provably
// closest to a tie or to the boundary.
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
		return fmt.Errorf("%w: after %.1g rewards %s is within %.2g of the boundary of %s; if it "+
			"is on the boundary, move the boundary by the smallest difference that matters",
			ErrUndecidable, float64(t), p.Item(item), least, constraint)
	}
	r := a.Reasons[item]
	return fmt.Errorf("%w: after %.1g rewards %s and %s are within %.2g of a tie; if they are tied, leave out one of "+
		"them, or set the tolerance of the question (Epsilon) to the smallest difference that "+
		"matters", ErrUndecidable, float64(t), p.Item(item),
		p.Item(r.By), least)
}
