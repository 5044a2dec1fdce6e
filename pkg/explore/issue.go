package explore

import (
	"fmt"
	"slices"
)

// Issue hands out tickets for the given arms, one each, as More did in a run that is restored from
// its record. The policy is not asked: an [Open] one learns from whatever is told, and chooses by
// what is pending. Of a policy with rounds, the arms must be due in the current round; otherwise
// the error wraps ErrMismatch, and nothing has changed.
func (s *OpenSession) Issue(arms ...int) ([]Order, error) {
	for _, arm := range arms {
		if uint(arm) >= uint(len(s.armPulls)) {
			return nil, fmt.Errorf("explore: unknown arm %d (there are arms 0 to %d): %w", arm,
				len(s.armPulls)-1, ErrMismatch)
		}
	}
	if s.status != Running {
		return nil, fmt.Errorf("explore: the run has ended (%v): %w", s.status, ErrMismatch)
	}
	slots := make([]int, len(arms))
	if s.open == nil {
		due := slices.Clone(s.round.due)
		for i, arm := range arms {
			slot := slices.IndexFunc(s.round.obs, func(b Batch) bool { return b.Arm == arm })
			for slot >= 0 && due[slot] == 0 {
				next := slices.IndexFunc(s.round.obs[slot+1:],
					func(b Batch) bool { return b.Arm == arm })
				if next < 0 {
					slot = -1
				} else {
					slot += 1 + next
				}
			}
			if slot < 0 {
				return nil, fmt.Errorf("explore: the round does not ask for %s: %w",
					s.prob.Arm(arm), ErrMismatch)
			}
			due[slot]--
			slots[i] = slot
		}
		s.round.due = due
	}
	orders := make([]Order, len(arms))
	for i, arm := range arms {
		orders[i] = s.issue(arm, slots[i])
	}
	if len(orders) > 0 {
		s.plates++
	}
	return orders, nil
}
