// Package explore is the vocabulary of pure exploration and its one run loop.
//
// A [Problem] is what may be known before the first measurement: the arms that
// can be measured, the scale of the noise, and the [Question] that is asked
// about the means. A [Policy] is an algorithm: it asks for pulls ("measure arm
// 3 twice"), is told the measurements, and stops with an [Answer] that carries
// a [Reason] for every item. A [Session] connects a policy with whoever
// measures, checks the protocol, counts and enforces limits. [Run] is a session
// fed by a [Sampler], that is, a simulation.
//
// The features of arms may change from round to round, and be seen before the
// pull: a [Contextual] policy is then told them, by Observe, before each Ask, and
// a [ContextSampler] draws them.
//
// Measurements travel as sufficient statistics: a [Batch] holds how many
// rewards of one arm were drawn and their sum. A policy is a deterministic
// function of (problem, its settings, its random source, what it was told).
//
// Letters used throughout: K arms, M items, d objectives (larger is better in
// each), h features, delta the error probability, N_i the pulls of arm i, t
// their total.
package explore
