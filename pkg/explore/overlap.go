package explore

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
