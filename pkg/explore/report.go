package explore

import (
	"fmt"
	"math"
	"slices"
)

// Report takes results, in any order. After an error that wraps ErrUnexpected, ErrMismatch,
// ErrValue, ErrRange or ErrOffset nothing has changed: correct it and report again. A ticket that
// was told before with the same sum changes nothing. The result of a ticket that was given up is
// used if the policy is Open. Results after the end of the run are not used: the answer stands.
func (s *Session) Report(reports []Report) (r Receipt, err error) {
	if err := s.ByTickets(); err != nil {
		return r, err
	}
	for i := range reports {
		if err := s.checkReport(reports, i); err != nil {
			return r, err
		}
	}
	t := &s.tickets
	t.obs = t.obs[:0]
	for _, x := range reports {
		use := s.status == Running
		if x.Ticket > 0 {
			k := &t.all[x.Ticket-1]
			if k.state == ticketTold {
				r.Repeated++
				continue
			}
			use = use && (k.state == ticketPending || s.open != nil)
			if use && s.open == nil {
				k.round.add(k.slot, &x.Batch)
			}
			k.state, k.sum = ticketTold, slices.Clone(x.Sum)
			t.close(x.Ticket)
		} else {
			use = use && s.open != nil
		}
		if !use {
			t.unused[x.Arm] += x.N
			r.Unused = append(r.Unused, x)
			continue
		}
		r.Used += x.N
		t.obs = append(t.obs, x.Batch)
	}
	if s.open != nil {
		if len(t.obs) == 0 {
			return r, nil
		}
		if err := s.take(t.obs); err != nil {
			return r, err
		}
		return r, s.advance()
	}
	for s.status == Running && t.rounds[0].complete() {
		if err := s.take(t.rounds[0].obs); err != nil {
			return r, err
		}
		if t.rounds = t.rounds[1:]; len(t.rounds) == 0 {
			return r, s.advance()
		}
		if s.ahead.Over() { // what is out was not needed
			s.status = Stopped
			for _, left := range t.rounds {
				for _, b := range left.obs {
					t.unused[b.Arm] += b.N
				}
			}
			t.rounds = nil
		}
	}
	return r, nil
}

// mostRewards is the largest number of rewards of a report: sums of such do not overflow.
const mostRewards = min(1<<40, math.MaxInt)

// checkReport reports whether reports[i] can be told.
func (s *Session) checkReport(reports []Report, i int) error {
	x := &reports[i]
	where := func(err error) error {
		return fmt.Errorf("explore: report %d (%s): %w", i, s.prob.Arm(x.Arm), err)
	}
	var t *ticket // nil if there is none
	if x.Ticket != 0 {
		var err error
		if t, err = s.ticket(x.Ticket); err != nil {
			return err
		}
	}
	switch {
	case uint(x.Arm) >= uint(len(s.armPulls)):
		return fmt.Errorf("explore: report %d: unknown arm %d (there are arms 0 to %d): %w", i,
			x.Arm, len(s.armPulls)-1, ErrMismatch)
	case x.N < 1 || x.N > mostRewards:
		return where(fmt.Errorf("%d rewards; want 1 to %d: %w", x.N, mostRewards, ErrMismatch))
	}
	if err := s.prob.checkSum(&x.Batch); err != nil {
		return where(err)
	}
	switch {
	case t == nil:
		return nil
	case x.Arm != t.arm:
		return where(fmt.Errorf("ticket %d is for %s: %w", x.Ticket, s.prob.Arm(t.arm),
			ErrMismatch))
	case x.N != 1:
		return where(fmt.Errorf("%d rewards; ticket %d is for one: %w", x.N, x.Ticket,
			ErrMismatch))
	case t.state == ticketTold && !slices.Equal(t.sum, x.Sum):
		return where(fmt.Errorf("ticket %d was told before, as %v; what was told first stands: %w",
			x.Ticket, t.sum, ErrUnexpected))
	}
	for j := range reports[:i] {
		if y := &reports[j]; y.Ticket == x.Ticket && !slices.Equal(y.Sum, x.Sum) {
			return where(fmt.Errorf("ticket %d is there twice, with different values: %w",
				x.Ticket, ErrUnexpected))
		}
	}
	return nil
}
