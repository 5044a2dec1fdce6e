package explore

import "slices"

// A Phase is a round that was asked for and is not told whole.
type Phase struct {
	Pulls []Pull
	Told  []Batch // by pull: what came of it so far, with N from 0
}

// An Overlapping policy has rounds, and can plan the next one while earlier ones are out: where
// results come late, measurements fail, or several machines measure. A [Session] by tickets with
// Settings.Overlap hands out its rounds.
//
// # Why the guarantee holds
//
// Only the pulls of a round are fixed when it is planned. Rounds are told in the order in which they
// were planned, each when it is complete, and what a round decides about is computed from the rounds
// before it: an estimate, or the stakes of a bet, as if it had been planned after these. Its noise is
// independent of all that was known when it was planned, however early its results come in, so that
// what is proved for rounds that do not overlap holds for these. Settlement waits for all of a round:
// it does not matter why a result is late, and nothing is selected. Failures must not depend on
// values; what fails is measured again in the same round. docs/betting.md has the proof.
type Overlapping interface {
	Policy
	// Ahead appends the pulls of the next round, while those of out are not told whole, the oldest first. It
	// changes nothing: neither what is told later nor the answer depends on it. No pulls mean that
	// nothing is worth measuring before some of what is out is told. Tell then takes the rounds in this order.
	Ahead(dst []Pull, out []Phase) ([]Pull, error)
	// Over reports whether the run has ended: whether Ask would return no pulls.
	Over() bool
}

// Phases returns how many rounds of a policy that overlap were told, and those that are not told whole, the oldest first;
// none by rounds, and for other policies.
func (s *Session) Phases() (told int, out []Phase) {
	if s.ahead == nil {
		return 0, nil
	}
	for _, r := range s.tickets.rounds {
		p := Phase{Told: r.obs}
		for slot, b := range r.obs {
			p.Pulls = append(p.Pulls, Pull{b.Arm, r.want[slot]})
		}
		out = append(out, p)
	}
	return s.rounds, out
}

// Begin plans a round with the pulls that it had in a run that is restored from its record; rounds are numbered from 1. One of
// which something is handed out stays as it is, as do those before the last one.
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
	case number == last && slices.Equal(t.rounds[len(t.rounds)-1].due, t.rounds[len(t.rounds)-1].want):
		t.rounds[len(t.rounds)-1] = newRound(pulls, s.prob.D())
	}
	return nil
}
