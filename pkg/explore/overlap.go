package explore

import (
	"cmp"
	"fmt"
	"slices"
)

// A Phase is a planned round whose results the policy has not processed yet.
type Phase struct {
	Pulls []Pull  // requested pulls
	Told  []Batch // results so far, by pull; N is 0 for a pull without results
}

// An Overlapping policy works in rounds, and can plan the next round while results of earlier
// rounds are missing. Overlapping rounds are useful with late results, failed measurements or
// several machines. A [Session] by tickets distributes the measurements of overlapping rounds.
//
// # Why the guarantee holds
//
// Planning a round fixes only the pulls of the round. The policy settles (processes) rounds in the
// order of planning, as soon as all earlier rounds and the round itself are complete. All other
// decisions about a round, such as estimates or the stakes of a bet, are made at settlement, from
// earlier rounds only. The noise of a round is independent of everything known when the round was
// planned, so the proof for non-overlapping rounds applies. Settlement waits for the whole round,
// so it does not matter why a result is late. Failures must not depend on the values of results; a
// failed measurement is repeated within its round. Unsolicited results affect only which arms are
// measured. The proof for overlapping rounds is in docs/betting.md.
type Overlapping interface {
	Policy
	// Imagine puts the policy into the state that it would have after the open rounds, calls the
	// function "then", and restores the present state. The argument out lists the open rounds, oldest
	// first; Imagine assumes that their results equal the present estimates. The argument unsolicited
	// has one batch for each arm, with results that the policy did not request; the imagined
	// estimates include these results. The argument enough of the function "then" is the number of
	// open rounds after which the run would end, or 0 if the run would not end. The function "then"
	// may call Ask to plan a further round. Later, Tell receives all rounds in the order of planning.
	Imagine(out []Phase, unsolicited []Batch, then func(enough int)) error
	// Over reports whether the run has ended, so that Ask would return no pulls.
	Over() bool
}

// Phases returns the number of settled rounds of an overlapping policy, and the rounds that are not
// settled, oldest first. Phases returns no rounds for sessions in rounds mode, and for policies
// that do not overlap rounds.
func (s *Session) Phases() (told int, out []Phase) {
	if s.ahead == nil {
		return 0, nil
	}
	for _, r := range s.tickets.rounds {
		out = append(out, r.phase())
	}
	return s.rounds, out
}

// Settled returns the settled rounds of an overlapping policy, oldest first.
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

// Guess returns the expected answer given all reported results, including results that the policy
// has not processed yet. For policies that do not overlap rounds, and after the end of a run, Guess
// returns the policy's answer. Unlike a final Result, a guess is not certified.
func (s *Session) Guess() (a Answer) {
	if s.ahead != nil && s.status == Running {
		_, out := s.Phases()
		if s.ahead.Imagine(out, s.tickets.besides, func(int) { a = s.policy.Answer() }) == nil {
			return a
		}
	}
	return s.policy.Answer()
}

// Awaited returns the pending tickets, in ascending order, whose results would end the run if the
// results equaled the present estimates. Awaited returns no tickets if the pending results would
// not end the run, or if the policy does not overlap rounds.
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

// besides records rewards that were not requested. If the last planned round has no tickets yet,
// besides discards this round. If no other round is open, besides plans a new round.
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

// withdraw removes the last round, unless a ticket of this round has been handed out or the round
// is the first of the run. withdraw returns true if it has removed a round.
func (s *Session) withdraw() bool {
	rounds := s.tickets.rounds
	n := len(rounds) - 1
	if s.rounds+n < 1 || n < 0 || !rounds[n].untouched() {
		return false
	}
	s.tickets.rounds = rounds[:n]
	return true
}

// Announce hands out tickets for measurements that the caller has chosen, one ticket for each of
// the given arms. For an Overlapping policy, announced measurements form a round that the policy
// processes like its own rounds, because the measurements are chosen in advance. An [Asynchronous]
// policy learns from all results; for such a policy, Announce is the same as Issue. For all other
// policies, Announce hands out no tickets and returns an error that wraps ErrMismatch.
func (s *Session) Announce(arms ...int) ([]Order, error) {
	if err := s.ByTickets(); err != nil {
		return nil, err
	}
	if s.ahead == nil && s.open == nil {
		return nil, fmt.Errorf("explore: the guarantee of %s covers only measurements that the policy requests; call "+
			"More: %w", Name(s.policy), ErrMismatch)
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

// Begin repeats the planning of a recorded round: the round with the given number, from 1, gets the
// given pulls. If the round is the last round and has no tickets yet, its pulls are replaced. Any
// other existing round stays unchanged. Begin has no effect if the policy does not overlap rounds.
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
