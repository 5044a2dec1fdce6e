package explore

import (
	"cmp"
	"fmt"
	"slices"
)

// A Phase is a round that was asked for and is not told whole.
type Phase struct {
	Pulls []Pull
	Told  []Batch // by pull: what came of it so far, with N from 0
}

// An Overlapping policy has rounds, and can plan the next one while earlier ones are out: where
// results come late, measurements fail, or several machines measure. A [Session] by tickets hands out its rounds.
//
// # Why the guarantee holds
//
// Only the pulls of a round are fixed when it is planned. Rounds are told in the order in which they
// were planned, each when it is complete, and what a round decides about is computed from the rounds
// before it: an estimate, or the stakes of a bet, as if it had been planned after these. Its noise is
// independent of all that was known when it was planned, however early its results come in, so that
// what is proved for rounds that do not overlap holds for these. Settlement waits for all of a round:
// it does not matter why a result is late, and nothing is selected. Failures must not depend on
// values; what fails is measured again in the same round. Results besides the rounds say where to measure, and nothing
// else depends on them. docs/betting.md has the proof.
type Overlapping interface {
	Policy
	// Imagine calls then with the policy as it would be if the rounds of out, the oldest first, turned out as expected
	// with what was told of them, and its estimates knew of besides, other results, a batch an arm. Enough is the
	// number of rounds after which the run would be over, 0 if it would not. It changes nothing: neither what is told
	// later nor the answer depends on it. Tell then takes the rounds in this order, as planned by Ask while then was
	// called.
	Imagine(out []Phase, besides []Batch, then func(enough int)) error
	// Over reports whether the run has ended: whether Ask would return no pulls.
	Over() bool
}

// Phases returns how many rounds of a policy that overlap were told, and those that are not told whole, the oldest
// first; none by rounds, and for other policies.
func (s *Session) Phases() (told int, out []Phase) {
	if s.ahead == nil {
		return 0, nil
	}
	for _, r := range s.tickets.rounds {
		out = append(out, r.phase())
	}
	return s.rounds, out
}

// Settled returns the rounds that were told, where rounds overlap.
func (s *Session) Settled() (list []Phase) {
	for _, r := range s.tickets.settled {
		list = append(list, r.phase())
	}
	return list
}

func (r *round) phase() Phase {
	p := Phase{Told: r.obs}
	for slot, b := range r.obs {
		p.Pulls = append(p.Pulls, Pull{b.Arm, r.want[slot]})
	}
	return p
}

// Guess returns the answer to expect from all that was reported, told to the policy or not; for policies whose rounds
// do not overlap, and after the end, its answer. Nothing of it is certified: see Result.
func (s *Session) Guess() (a Answer) {
	if s.ahead != nil && s.status == Running {
		_, out := s.Phases()
		if s.ahead.Imagine(out, s.tickets.besides, func(int) { a = s.policy.Answer() }) == nil {
			return a
		}
	}
	return s.policy.Answer()
}

// Awaited returns the pending tickets, ascending, that are enough to end the run if their results turn out as expected;
// none if that takes more than is handed out, or where rounds do not overlap.
func (s *Session) Awaited() (list []int) {
	if s.ahead == nil || s.status != Running || len(s.tickets.pending) == 0 {
		return nil
	}
	var rounds []*round
	_, out := s.Phases()
	if s.ahead.Imagine(out, nil, func(enough int) { rounds = s.tickets.rounds[:enough] }) != nil {
		return nil
	}
	if slices.ContainsFunc(rounds, func(r *round) bool { return slices.Max(r.due) > 0 }) {
		return nil
	}
	for _, n := range s.tickets.pending {
		if slices.Contains(rounds, s.tickets.all[n-1].round) {
			list = append(list, n)
		}
	}
	return list
}

// besides notes rewards that no round asked for, and plans the next round anew if nothing of it is handed out.
func (s *Session) besides(b *Batch) error {
	list := &s.tickets.besides
	at := slices.IndexFunc(*list, func(old Batch) bool { return old.Arm == b.Arm })
	if at < 0 {
		at = len(*list)
		*list = append(*list, Batch{Pull: Pull{b.Arm, 0}, Sum: make([]float64, s.prob.D())})
	}
	old := &(*list)[at]
	old.N += b.N
	for c, v := range b.Sum {
		old.Sum[c] += v
	}
	if !s.withdraw() || len(s.tickets.rounds) > 0 {
		return nil
	}
	return s.advance()
}

// withdraw takes back the last round if nothing of it is handed out, and reports whether it did. The first round of a
// run stays.
func (s *Session) withdraw() bool {
	rounds := s.tickets.rounds
	n := len(rounds) - 1
	if s.rounds+n < 1 || n < 0 || !rounds[n].untouched() {
		return false
	}
	s.tickets.rounds = rounds[:n]
	return true
}

// Announce hands out tickets for measurements of arms, one each, that whoever measures has chosen. Of an Overlapping
// policy they are a round of their own: it pays bets like any other, since it was known before it was measured. A
// policy that is [Open] learns from all results in any case. Otherwise the error wraps ErrMismatch, and nothing is
// handed out.
func (s *Session) Announce(arms ...int) ([]Order, error) {
	if err := s.ByTickets(); err != nil {
		return nil, err
	}
	if s.ahead == nil && s.open == nil {
		return nil, fmt.Errorf("explore: the guarantee of %s is about the measurements that it asks for: %w",
			Name(s.policy), ErrMismatch)
	}
	if s.ahead == nil || s.status != Running {
		return s.Issue(arms...)
	}
	var pulls []Pull
	for _, arm := range slices.Sorted(slices.Values(arms)) {
		if n := len(pulls) - 1; n >= 0 && pulls[n].Arm == arm {
			pulls[n].N++
		} else {
			pulls = append(pulls, Pull{arm, 1})
		}
	}
	if _, err := s.count(pulls, mostRewards); err != nil || len(pulls) == 0 {
		return nil, fmt.Errorf("explore: announced: %w", cmp.Or(err, ErrMismatch))
	}
	s.withdraw()
	r := newRound(pulls, s.prob.D())
	clear(r.due)
	s.tickets.rounds = append(s.tickets.rounds, r)
	orders := make([]Order, len(arms))
	for i, arm := range arms {
		orders[i] = s.tickets.issue(arm, r, slices.IndexFunc(pulls, func(p Pull) bool { return p.Arm == arm }))
	}
	s.tickets.plates++
	return orders, nil
}

// Begin plans a round with the pulls that it had in a run that is restored from its record; rounds are numbered from 1.
// One of which something is handed out stays as it is, as do those before the last one.
func (s *Session) Begin(number int, pulls []Pull) error {
	if err := s.ByTickets(); err != nil || s.ahead == nil || s.status != Running {
		return err
	}
	if _, err := s.count(pulls, mostRewards); err != nil {
		return err
	}
	t := &s.tickets
	switch last := s.rounds + len(t.rounds); {
	case number > last:
		t.rounds = append(t.rounds, newRound(pulls, s.prob.D()))
	case number == last && t.rounds[len(t.rounds)-1].untouched():
		t.rounds[len(t.rounds)-1] = newRound(pulls, s.prob.D())
	}
	return nil
}
