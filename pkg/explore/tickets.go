package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// tickets holds the measurements that a session has handed out, with their states.
type tickets struct {
	all     []ticket // ticket t is all[t-1]
	pending []int    // pending tickets, ascending
	rounds  []*round // incomplete rounds, starting with the oldest; nil for policies without rounds
	settled []*round // settled rounds
	besides []Batch  // unsolicited rewards by arm, if rounds overlap
	unused  []int    // number of rewards of each arm that were reported but not used
	plates  int      // number of calls that handed out tickets
	obs     []Batch  // scratch
}

// A ticket is one measurement that was handed out.
type ticket struct {
	arm   int
	round *round // nil if the policy has no rounds
	slot  int    // index of the pull in the round
	state ticketState
	sum   []float64 // the reported reward, by objective
}

type ticketState byte

const (
	ticketPending ticketState = iota
	ticketForgotten
	ticketTold
)

// An Order requests one reward of an arm. Tickets have consecutive numbers from 1.
type Order struct{ Ticket, Arm int }

// A Report is the result of one ticket, which is one reward. If Ticket is 0, the Report is a result
// that was not requested, such as rewards from earlier work.
type Report struct {
	Ticket int
	Batch
}

// A Receipt counts reports by their effect.
type Receipt struct {
	Used     int // rewards that the policy has learned, or will learn when the round is complete
	Repeated int // number of reports repeated with the same sum
	// Valid reports that are not used: unsolicited results, results of tickets that were given up,
	// results of rounds that were not needed, and results after the end of the run.
	Unused []Report
}

// ByTickets selects the mode in which a session hands out tickets for measurements. More, Issue,
// Report, Announce and Begin call ByTickets. If ByTickets returns an error, or if Status is not
// Running afterwards, the policy requests no measurements.
//
//   - An [Asynchronous] policy takes pending tickets into account and learns from every result,
//     including unsolicited results. Pending tickets never make the policy stop.
//   - Any other policy works in rounds, whose measurements are handed out one by one. The next
//     round starts when the last round is fully reported or, for an [Overlapping] policy, when the
//     last round is fully handed out. If a ticket is given up, the session hands out a new ticket
//     with a new number. The guarantee does not cover unsolicited results; an Overlapping policy
//     uses them only to choose what to measure.
//
// MaxPulls limits the number of pulls handed out or reported, and MaxRounds limits the number of
// calls that hand out tickets; More enforces both limits. If features change between rounds, the
// error wraps ErrContext, because features belong to rounds.
func (s *Session) ByTickets() error {
	switch {
	case s.byTickets:
		return nil
	case s.waiting || s.rounds > 0 || s.status != Running:
		return fmt.Errorf("explore: this session uses rounds, not tickets; call Ask and Tell: %w", ErrMismatch)
	case s.prob.Changing:
		return fmt.Errorf("explore: %s: features change from round to round, so tickets are not "+
			"possible; call Ask and Tell: %w", Name(s.policy), ErrContext)
	}
	s.byTickets = true
	s.tickets.unused = make([]int, len(s.armPulls))
	if s.open, _ = s.policy.(Asynchronous); s.open == nil {
		s.ahead, _ = s.policy.(Overlapping)
	}
	return s.advance()
}

// advance checks whether the policy has stopped; if not, advance starts the policy's next round.
func (s *Session) advance() error {
	if len(s.tickets.besides) > 0 && !s.ahead.Over() {
		if more, err := s.plan(); more || err != nil {
			return err
		}
	}
	if err := s.next(); err != nil {
		return err
	}
	if s.tickets.rounds = nil; s.open == nil && s.status == Running {
		s.tickets.rounds = []*round{newRound(s.pulls, s.prob.D())}
	}
	return nil
}

// plan lets the policy plan the next round while other rounds are incomplete, and reports whether
// the policy has planned a round.
func (s *Session) plan() (bool, error) {
	if s.ahead == nil || s.status != Running {
		return false, nil
	}
	_, out := s.Phases()
	var pulls []Pull
	err := s.ahead.Imagine(out, s.tickets.besides, func(enough int) {
		if enough == 0 {
			// Errors of Ask are ignored, because pending results may decide a question that is
			// undecidable without them.
			pulls, _ = s.policy.Ask(nil)
		}
	})
	if err == nil {
		_, err = s.count(pulls, math.MaxInt-s.total)
	}
	if err != nil {
		return false, s.fail(s.rounds+1, err)
	}
	if len(pulls) > 0 {
		s.tickets.rounds = append(s.tickets.rounds, newRound(pulls, s.prob.D()))
	}
	return len(pulls) > 0, nil
}

// UsesAll reports whether the session learns from every result, requested or not. Only sessions by
// tickets with an [Asynchronous] policy learn from every result.
func (s *Session) UsesAll() bool { return s.open != nil }

// Pending returns the tickets that are neither reported nor given up, in ascending order.
func (s *Session) Pending() []Order {
	orders := make([]Order, len(s.tickets.pending))
	for i, t := range s.tickets.pending {
		orders[i] = Order{t, s.tickets.all[t-1].arm}
	}
	return orders
}

// Unused returns for each arm the number of reported rewards that were not used.
func (s *Session) Unused() []int { return slices.Clone(s.tickets.unused) }

// More hands out tickets for at most n measurements. More returns no tickets if the run has ended
// (see Status), if a limit is reached, or if no measurement is useful before pending results arrive.
func (s *Session) More(n int) ([]Order, error) {
	if n < 1 {
		return nil, fmt.Errorf("explore: %d measurements requested; expected at least 1", n)
	}
	if err := s.ByTickets(); err != nil {
		return nil, err
	}
	if s.status != Running {
		return nil, nil
	}
	t := &s.tickets
	taken := s.total + len(t.pending)
	for _, r := range t.rounds {
		taken += r.unlearned
	}
	if limit := s.limit(taken+1, t.plates+1); limit != Running {
		if len(t.pending) == 0 {
			s.status = limit
		}
		return nil, nil
	}
	if s.set.MaxPulls > 0 {
		n = min(n, s.set.MaxPulls-taken)
	}
	var orders []Order
	if s.open == nil {
		for at := 0; len(orders) < n; at++ {
			if at == len(t.rounds) {
				more, err := s.plan()
				if err != nil {
					return nil, err
				}
				if !more {
					break
				}
			}
			// Tickets alternate between arms, so that a plate or day does not have only one arm.
			r := t.rounds[at]
			for left := slices.Max(r.due); left > 0 && len(orders) < n; left-- {
				for slot := range r.due {
					if r.due[slot] > 0 && len(orders) < n {
						r.due[slot]--
						orders = append(orders, t.issue(r.obs[slot].Arm, r, slot))
					}
				}
			}
		}
	} else {
		pending := s.pulls[:0]
		for _, i := range t.pending {
			pending = append(pending, Pull{t.all[i-1].arm, 1})
		}
		s.pulls = pending
		pulls, err := s.open.More(nil, n, pending)
		if err == nil {
			_, err = s.count(pulls, n)
		}
		if err != nil {
			return nil, s.fail(s.rounds+1, err)
		}
		for _, p := range pulls {
			for range p.N {
				orders = append(orders, t.issue(p.Arm, nil, 0))
			}
		}
	}
	t.plates += min(len(orders), 1)
	return orders, nil
}

// issue hands out a ticket for one measurement of an arm.
func (t *tickets) issue(arm int, r *round, slot int) Order {
	t.all = append(t.all, ticket{arm: arm, round: r, slot: slot})
	n := len(t.all)
	t.pending = append(t.pending, n)
	return Order{n, arm}
}

// close removes ticket n, which was reported or given up, from the pending tickets.
func (t *tickets) close(n int) {
	if at, there := slices.BinarySearch(t.pending, n); there {
		t.pending = slices.Delete(t.pending, at, at+1)
	}
}

// Issue hands out tickets for the given arms, one ticket each, to repeat a call of More in a
// recorded run. Issue does not let the policy choose the arms. For a policy with rounds, the
// current round must request the arms; if rounds overlap, a later round may request them instead.
// If no current or later round requests the arms, Issue hands out no tickets, and the error wraps
// ErrMismatch.
func (s *Session) Issue(arms ...int) ([]Order, error) {
	if err := s.ByTickets(); err != nil {
		return nil, err
	}
	for _, arm := range arms {
		if uint(arm) >= uint(len(s.armPulls)) {
			return nil, fmt.Errorf("explore: unknown arm %d; expected 0 to %d: %w", arm, len(s.armPulls)-1, ErrMismatch)
		}
	}
	if s.status != Running {
		return nil, fmt.Errorf("explore: the run has ended (%v): %w", s.status, ErrMismatch)
	}
	t := &s.tickets
	rounds, slots := make([]*round, len(arms)), make([]int, len(arms))
	for i, arm := range arms {
		if s.open != nil {
			break
		}
		var err error
		if rounds[i], slots[i], err = s.due(arm); rounds[i] == nil {
			for j, r := range rounds[:i] {
				r.due[slots[j]]++
			}
			return nil, err
		}
		rounds[i].due[slots[i]]--
	}
	orders := make([]Order, len(arms))
	for i, arm := range arms {
		orders[i] = t.issue(arm, rounds[i], slots[i])
	}
	t.plates += min(len(orders), 1)
	return orders, nil
}

// due returns the first round and slot that request an arm. due plans a new round only when all
// tickets of the planned rounds have been handed out.
func (s *Session) due(arm int) (*round, int, error) {
	for at := 0; ; at++ {
		if at == len(s.tickets.rounds) {
			if more, err := s.plan(); err != nil || !more {
				return nil, 0, errors.Join(err, fmt.Errorf("explore: the current round does not request %s: %w",
					s.prob.Arm(arm), ErrMismatch))
			}
		}
		r := s.tickets.rounds[at]
		if slot := r.slot(arm); slot >= 0 {
			return r, slot, nil
		}
		if slices.Max(r.due) > 0 {
			return nil, 0, fmt.Errorf("explore: the current round does not request %s: "+
				"%w", s.prob.Arm(arm), ErrMismatch)
		}
	}
}

// Forget gives up tickets whose results will never arrive. The reason why a result never arrives
// must not depend on the value of the result. Forgetting a ticket twice has no effect. If Forget
// returns an error, the session is unchanged.
func (s *Session) Forget(tickets ...int) error {
	for _, n := range tickets {
		t, err := s.ticket(n)
		if err != nil {
			return err
		}
		if t.state == ticketTold {
			return fmt.Errorf("explore: ticket %d (%s) was already reported and cannot be given up: %w", n,
				s.prob.Arm(t.arm), ErrUnexpected)
		}
	}
	for _, n := range tickets {
		if t, _ := s.ticket(n); t.state == ticketPending {
			t.state = ticketForgotten
			s.tickets.close(n)
			if s.open == nil && s.status == Running {
				t.round.due[t.slot]++
			}
		}
	}
	return nil
}

// ticket returns ticket n, or an error if n is not the number of a ticket.
func (s *Session) ticket(n int) (*ticket, error) {
	if all := s.tickets.all; n > 0 && n <= len(all) {
		return &all[n-1], nil
	}
	return nil, fmt.Errorf("explore: ticket %d was not handed out; expected 1 to %d: %w", n,
		len(s.tickets.all), ErrMismatch)
}

// Report accepts results in any order. If Report returns an error that wraps ErrUnexpected,
// ErrMismatch, ErrValue, ErrRange or ErrOffset, the session is unchanged. The caller can correct
// the reports and call Report again. Repeating a report with the same sum changes nothing. An
// Asynchronous policy also learns from results of tickets that were given up. Results that arrive
// after the end of the run are not used, so the answer does not change.
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
	var used []Report
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
			if use && s.ahead != nil {
				if err := s.besides(&x.Batch); err != nil {
					return r, err
				}
			}
			use = use && s.open != nil
		}
		if !use {
			t.unused[x.Arm] += x.N
			r.Unused = append(r.Unused, x)
			continue
		}
		r.Used += x.N
		t.obs, used = append(t.obs, x.Batch), append(used, x)
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
		if s.ahead != nil {
			t.settled = append(t.settled, t.rounds[0])
		}
		if t.rounds = t.rounds[1:]; len(t.rounds) == 0 {
			return r, s.advance()
		}
		if s.ahead.Over() { // the run has ended without the pending results
			s.status = Stopped
			for _, left := range t.rounds {
				for _, b := range left.obs {
					t.unused[b.Arm] += b.N
				}
			}
			for _, x := range used {
				if slices.Contains(t.rounds, t.all[x.Ticket-1].round) {
					r.Used, r.Unused = r.Used-x.N, append(r.Unused, x)
				}
			}
			t.rounds = nil
		}
	}
	return r, nil
}

// mostRewards is the largest number of rewards in a report; it prevents overflow of sums.
const mostRewards = min(1<<40, math.MaxInt)

func (s *Session) checkReport(reports []Report, i int) error {
	x := &reports[i]
	where := func(err error) error {
		return fmt.Errorf("explore: report %d (%s): %w", i, s.prob.Arm(x.Arm), err)
	}
	var t *ticket // t is nil for unsolicited rewards
	if x.Ticket != 0 {
		var err error
		if t, err = s.ticket(x.Ticket); err != nil {
			return err
		}
	}
	switch {
	case uint(x.Arm) >= uint(len(s.armPulls)):
		return fmt.Errorf("explore: report %d: unknown arm %d; expected 0 to %d: %w", i,
			x.Arm, len(s.armPulls)-1, ErrMismatch)
	case x.N < 1 || x.N > mostRewards:
		return where(fmt.Errorf("%d rewards; expected 1 to %d: %w", x.N, mostRewards, ErrMismatch))
	}
	if err := s.prob.CheckBatch(&x.Batch); err != nil {
		return where(err)
	}
	switch {
	case t == nil:
		return nil
	case x.Arm != t.arm:
		return where(fmt.Errorf("ticket %d is for %s: %w", x.Ticket, s.prob.Arm(t.arm), ErrMismatch))
	case x.N != 1:
		return where(fmt.Errorf("%d rewards; expected one for ticket %d: %w", x.N, x.Ticket, ErrMismatch))
	case t.state == ticketTold && !slices.Equal(t.sum, x.Sum):
		return where(fmt.Errorf("ticket %d was already reported, with the value %v; the first report counts: %w",
			x.Ticket, t.sum, ErrUnexpected))
	}
	for j := range reports[:i] {
		if y := &reports[j]; y.Ticket == x.Ticket && !slices.Equal(y.Sum, x.Sum) {
			return where(fmt.Errorf("ticket %d is reported twice with different values; leave out one report: %w",
				x.Ticket, ErrUnexpected))
		}
	}
	return nil
}
