package explore

import (
	"errors"
	"fmt"
	"slices"
)

// An OpenSession is one run of a policy by plates, or by several people and machines at once:
// More hands out tickets, one a measurement, as many as there is room for; Tell takes results as
// they come in, some tickets before others; Forget gives up those that never will.
//
//   - A policy that is [Open] chooses with regard to what is pending, learns from every result,
//     also from those that nobody asked for, and stops by what it learned.
//   - Any other policy has rounds, which are handed out in parts. The next round begins when all
//     of the last one is told; a ticket that is given up is handed out anew, with another number.
//     Results that the round did not ask for are reported, and not used: its guarantee is not
//     about them.
//
// A run is a deterministic function of the problem, the settings, the random source and the
// sequence of calls: repeating them restores a session. An OpenSession is not safe for
// concurrent use.
type OpenSession struct {
	policy Policy
	open   Open // nil if the policy has rounds
	prob   *Problem
	set    Settings

	tickets  []ticket // ticket t is tickets[t-1]
	pending  []int    // tickets, ascending
	total    int      // rewards that were used
	armPulls []int
	unused   []int // by arm: rewards that were told and not used
	plates   int
	tells    int
	status   Status
	answer   *Answer // at the end
	round    openRound

	pulls []Pull  // scratch
	obs   []Batch // scratch
}

// ticket is a measurement that was handed out.
type ticket struct {
	arm   int
	slot  int // of the pull in the round, if there are rounds
	state ticketState
	sum   []float64 // what was told
}

type ticketState byte

const (
	ticketPending ticketState = iota
	ticketForgotten
	ticketTold
)

// An Order asks for one reward of an arm. Tickets are numbered from 1.
type Order struct{ Ticket, Arm int }

// A Report is a result: one reward by its ticket, or with Ticket 0 rewards that nobody asked for,
// such as those of earlier work.
type Report struct {
	Ticket int
	Batch
}

// A Receipt says what became of reports.
type Receipt struct {
	Used     int      // rewards that the policy learned, or will when its round is complete
	Repeated int      // reports that were told before, with the same sum
	Unused   []Report // valid, but not used: not asked for, given up before, or after the end
}

// NewOpenSession checks prob and starts a run of p on it. A nil set means the zero Settings;
// MaxPulls limits what is handed out or told, and MaxRounds the number of calls of More that hand
// something out. Features that change are an error that wraps ErrContext: they belong to rounds.
func NewOpenSession(p Policy, prob *Problem, set *Settings) (*OpenSession, error) {
	if prob.Changing {
		return nil, fmt.Errorf("explore: %s: features change from round to round, and an open "+
			"session has none; use a Session: %w", Name(p), ErrContext)
	}
	resolved, err := begin(p, prob, set)
	if err != nil {
		return nil, err
	}
	s := &OpenSession{policy: p, prob: prob, set: resolved, armPulls: make([]int, prob.K()),
		unused: make([]int, prob.K())}
	s.open, _ = p.(Open)
	if err := s.advance(); err != nil {
		return nil, err
	}
	return s, nil
}

// UsesAll reports whether the policy learns from every result, asked for or not.
func (s *OpenSession) UsesAll() bool { return s.open != nil }

// Status says whether the run goes on, and why it has ended if not.
func (s *OpenSession) Status() Status { return s.status }

// Pending returns the tickets that are handed out and neither told nor given up, ascending.
func (s *OpenSession) Pending() []Order {
	orders := make([]Order, len(s.pending))
	for i, t := range s.pending {
		orders[i] = Order{t, s.tickets[t-1].arm}
	}
	return orders
}

// Unused returns how many rewards of each arm were told and not used.
func (s *OpenSession) Unused() []int { return slices.Clone(s.unused) }

// More hands out tickets for at most n measurements. None means that the run has ended, see
// Status, or that nothing is worth measuring before some of what is pending is told.
func (s *OpenSession) More(n int) ([]Order, error) {
	if n < 1 {
		return nil, fmt.Errorf("explore: room for %d measurements; ask for at least 1", n)
	}
	if s.status != Running {
		return nil, nil
	}
	switch left := s.set.MaxPulls - s.total - s.waiting(); {
	case s.set.MaxPulls > 0 && left < 1:
		if len(s.pending) == 0 {
			s.end(PullLimit)
		}
		return nil, nil
	case s.set.MaxPulls > 0:
		n = min(n, left)
	}
	if s.set.MaxRounds > 0 && s.plates >= s.set.MaxRounds {
		if len(s.pending) == 0 {
			s.end(RoundLimit)
		}
		return nil, nil
	}
	var orders []Order
	if s.open == nil {
		for slot, arm := range s.round.hand(n) {
			orders = append(orders, s.issue(arm, slot))
		}
	} else {
		pending := s.pulls[:0]
		for _, t := range s.pending {
			pending = append(pending, Pull{s.tickets[t-1].arm, 1})
		}
		s.pulls = pending
		pulls, err := s.open.More(nil, n, pending)
		if err == nil {
			err = s.possible(pulls, n)
		}
		if err != nil {
			s.end(Failure)
			return nil, fmt.Errorf("explore: %s: %w", Name(s.policy), err)
		}
		for _, p := range pulls {
			for range p.N {
				orders = append(orders, s.issue(p.Arm, 0))
			}
		}
	}
	if len(orders) > 0 {
		s.plates++
	}
	return orders, nil
}

// waiting returns the rewards that are pending or, of a round, told and not learned yet.
func (s *OpenSession) waiting() int { return len(s.pending) + s.round.told }

// possible checks what a policy asks for.
func (s *OpenSession) possible(pulls []Pull, most int) error {
	for _, p := range pulls {
		if uint(p.Arm) >= uint(len(s.armPulls)) || p.N < 1 || p.N > most {
			return fmt.Errorf("%d pulls of arm %d, with room for %d; there are arms 0 to %d: %w",
				p.N, p.Arm, most, len(s.armPulls)-1, ErrPolicy)
		}
		most -= p.N
	}
	return nil
}

// issue hands out a ticket.
func (s *OpenSession) issue(arm, slot int) Order {
	s.tickets = append(s.tickets, ticket{arm: arm, slot: slot})
	t := len(s.tickets)
	s.pending = append(s.pending, t)
	return Order{t, arm}
}

// Forget gives up tickets whose results will never come, for reasons that have nothing to do with
// their values. Giving up twice does nothing. After an error nothing has changed.
func (s *OpenSession) Forget(tickets ...int) error {
	for _, t := range tickets {
		switch {
		case t < 1 || t > len(s.tickets):
			return s.unknown(t)
		case s.tickets[t-1].state == ticketTold:
			return fmt.Errorf("explore: ticket %d (%s) was told, and cannot be given up: %w", t,
				s.prob.Arm(s.tickets[t-1].arm), ErrTold)
		}
	}
	for _, t := range tickets {
		if i := &s.tickets[t-1]; i.state == ticketPending {
			i.state = ticketForgotten
			s.settle(t)
			if s.open == nil && s.status == Running {
				s.round.due[i.slot]++
			}
		}
	}
	return nil
}

// settle takes a ticket off those that are pending.
func (s *OpenSession) settle(t int) {
	if at, there := slices.BinarySearch(s.pending, t); there {
		s.pending = slices.Delete(s.pending, at, at+1)
	}
}

func (s *OpenSession) unknown(t int) error {
	return fmt.Errorf("explore: ticket %d was not handed out; there are tickets 1 to %d: %w", t,
		len(s.tickets), ErrMismatch)
}

// Tell takes results, in any order. After an error that wraps ErrTold, ErrMismatch, ErrValue or
// ErrRange nothing has changed: correct it and tell again. A ticket that was told before with the
// same sum changes nothing. The result of a ticket that was given up is used if the policy is
// Open. Results after the end of the run are not used: the answer stands.
func (s *OpenSession) Tell(reports []Report) (Receipt, error) {
	var r Receipt
	for i := range reports {
		if err := s.check(reports, i); err != nil {
			return r, err
		}
	}
	s.obs = s.obs[:0]
	for _, x := range reports {
		use := s.status == Running
		if x.Ticket > 0 {
			t := &s.tickets[x.Ticket-1]
			if t.state == ticketTold {
				r.Repeated++
				continue
			}
			use = use && (t.state == ticketPending || s.open != nil)
			if use && s.open == nil {
				s.round.add(t.slot, &x.Batch)
			}
			t.state, t.sum = ticketTold, slices.Clone(x.Sum)
			s.settle(x.Ticket)
		} else {
			use = use && s.open != nil
		}
		if !use {
			s.unused[x.Arm] += x.N
			r.Unused = append(r.Unused, x)
			continue
		}
		r.Used += x.N
		s.obs = append(s.obs, x.Batch)
	}
	if len(s.obs) == 0 {
		return r, nil
	}
	if s.open != nil {
		return r, s.learn(s.obs, s.open.Learn)
	}
	if s.round.complete() {
		obs := s.round.obs
		s.round.told = 0
		return r, s.learn(obs, s.policy.Tell)
	}
	return r, nil
}

// mostRewards is the largest number of rewards of a report: sums of such do not overflow.
const mostRewards = 1 << 40

// check reports whether reports[i] can be told.
func (s *OpenSession) check(reports []Report, i int) error {
	x := &reports[i]
	where := func(err error) error {
		return fmt.Errorf("explore: report %d (%s): %w", i, s.prob.Arm(x.Arm), err)
	}
	switch {
	case x.Ticket < 0 || x.Ticket > len(s.tickets):
		return s.unknown(x.Ticket)
	case uint(x.Arm) >= uint(len(s.armPulls)):
		return fmt.Errorf("explore: report %d: unknown arm %d (there are arms 0 to %d): %w", i,
			x.Arm, len(s.armPulls)-1, ErrMismatch)
	case x.N < 1 || x.N > mostRewards:
		return where(fmt.Errorf("%d rewards; want 1 to %d: %w", x.N, mostRewards, ErrMismatch))
	}
	if err := s.prob.checkSum(&x.Batch); err != nil {
		return where(err)
	}
	if x.Ticket == 0 {
		return nil
	}
	t := &s.tickets[x.Ticket-1]
	switch {
	case x.Arm != t.arm:
		return where(fmt.Errorf("ticket %d is for %s: %w", x.Ticket, s.prob.Arm(t.arm),
			ErrMismatch))
	case x.N != 1:
		return where(fmt.Errorf("%d rewards; ticket %d is for one: %w", x.N, x.Ticket,
			ErrMismatch))
	case t.state == ticketTold && !slices.Equal(t.sum, x.Sum):
		return where(fmt.Errorf("ticket %d was told before, as %v; what was told first stands: %w",
			x.Ticket, t.sum, ErrTold))
	}
	for j := range reports[:i] {
		if y := &reports[j]; y.Ticket == x.Ticket && !slices.Equal(y.Sum, x.Sum) {
			return where(fmt.Errorf("ticket %d is there twice, with different values: %w",
				x.Ticket, ErrTold))
		}
	}
	return nil
}

// learn hands measurements to the policy, by its Learn or its Tell.
func (s *OpenSession) learn(obs []Batch, tell func([]Batch) error) error {
	s.tells++
	for _, b := range obs {
		s.total += b.N
		s.armPulls[b.Arm] += b.N
	}
	if err := tell(obs); err != nil {
		s.end(Failure)
		return fmt.Errorf("explore: %s: %w", Name(s.policy), err)
	}
	if s.set.Recorder != nil {
		e := Event{Round: s.tells, Pulls: s.total, Obs: obs, Policy: s.policy}
		if err := s.set.Recorder.Record(e); err != nil {
			s.end(Failure)
			return fmt.Errorf("explore: recorder: %w", err)
		}
	}
	return s.advance()
}

// advance finds out whether the policy has stopped, and begins its next round if it has any.
func (s *OpenSession) advance() (err error) {
	if s.open != nil {
		s.pulls, err = s.open.More(s.pulls[:0], 1, nil)
	} else if s.pulls, err = s.policy.Ask(s.pulls[:0]); err == nil {
		total := 0
		for _, p := range s.pulls {
			total += max(p.N, 0)
		}
		if err = s.possible(s.pulls, total); err == nil {
			s.round.begin(s.pulls, s.prob.D())
		}
	}
	switch {
	case err != nil:
		s.end(Failure)
		return fmt.Errorf("explore: %s: %w", Name(s.policy), err)
	case len(s.pulls) == 0:
		s.end(Stopped)
	}
	return nil
}

// end ends the run; what is pending makes no difference any more.
func (s *OpenSession) end(status Status) {
	a := s.policy.Answer()
	s.status, s.answer = status, &a
}

// Result returns the state of the run: final once Status is not Running, the best guess before.
// Pulls are rewards that were learned, Rounds the calls of More that handed out tickets.
func (s *OpenSession) Result() *Result {
	r := &Result{Status: s.status, Pulls: s.total, Rounds: s.plates,
		ArmPulls: slices.Clone(s.armPulls)}
	if s.answer != nil {
		r.Answer = *s.answer
	} else {
		r.Answer = s.policy.Answer()
	}
	if w, ok := s.policy.(Warner); ok {
		r.Warnings = slices.Clone(w.Warnings())
	}
	n := 0
	for _, u := range s.unused {
		n += u
	}
	if n > 0 {
		r.Warnings = append(r.Warnings, fmt.Errorf("explore: %d rewards were not used: %w", n,
			errUnused))
	}
	return r
}

var errUnused = errors.New("the policy's guarantee is about the rounds that it asked for and " +
	"no others, or they came after the end")
