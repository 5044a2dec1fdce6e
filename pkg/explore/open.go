package explore

// An Open policy can be asked for more while measurements are pending, and told measurements in
// any order, also unsolicited ones: from a plate with a failed well, from several machines, from
// last year. More and Learn take the place of Ask and Tell; which of the two pairs a
// run uses is decided by its first call after Init. A [Session] by tickets keeps track of what
// is pending and checks what goes in.
//
// Stopping looks at what was learned only. What is pending counts for the choice alone, as if it
// were done and had confirmed the estimates, so that a plate is not filled with one arm.
//
// # Why the guarantee holds
//
// The guarantee of such a policy is that of intervals, or of a likelihood ratio, that hold with
// probability at least 1 - Delta for all arms and all counts at once. Let F_s be what was known
// after s results came in: who asked for what, what failed, what came when, and every value. If
// the value of the next result, given F_s and that it is this measurement of this arm that comes
// in next, has the mean of its arm and noise that is sub-Gaussian of scale Sigma, then the sums
// of noise are martingales, the same as when measurements are made one after the other, and the
// bounds, which are about such martingales, hold at every s. The event on which they hold has
// probability at least 1 - Delta whatever the choice of arms was based on: the policy's rules,
// guesses about pending results, a chemist's taste. On that event an answer given whenever the
// stopping rule holds is right. Neither the order, nor delays, nor plates, nor missing results,
// nor additional ones have a part in the argument.
//
// # When it does not
//
//   - A result fails, is late, or is left out because of its value: a detector that overflows, a
//     reaction that is given up since it looks bad, a replicate that is deleted as an outlier,
//     fast results told before slow ones where speed depends on the value. What comes in is then
//     biased, and no bound knows it. Report such results at the limit of the range, or measure
//     something that is not censored.
//   - The decision to tell additional measurements depends on their own values: last year's good
//     results, but not the bad ones. Tell all or none.
//   - A measurement is told twice, or one value as several: an average of three wells is one
//     reward of less noise, not three.
//   - Rewards of one batch share noise (a plate effect): they are not independent given the past.
//   - Conditions changed, so that additional measurements have another mean or more noise.
//
// What suffers in any case is efficiency: bounds on the number of measurements are about the
// policy's own choice with every result at hand.
type Open interface {
	Policy
	// More appends to dst pulls for at most n further rewards, given that pending ones were
	// asked for and not learned yet. It changes nothing: it depends on what was learned and on
	// what is pending. No pulls means that the run has ended if nothing is pending; if
	// something is, that it may end when that is learned, and that nothing else is worth
	// asking for before.
	More(dst []Pull, n int, pending []Pull) ([]Pull, error)
	// Learn takes measurements, several of which may be of the same arm, and finds out whether
	// the run has ended. The policy must not keep obs or the slices in it. After the
	// end it learns nothing.
	Learn(obs []Batch) error
}
