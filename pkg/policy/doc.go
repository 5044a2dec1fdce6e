// Package policy holds the algorithms, a file each or each few that are kin, named as in their paper. A policy is a
// struct of settings that [explore.Run] starts:
//
//	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, sampler, nil)
//
// docs/methods.md has a table of them: question, kind, guarantee, and which measurements it allows
// ([explore.Sampling]).
//
// Fixed-confidence policies stop by themselves, and their answer is right with
// probability at least 1 - Delta with the default settings, which are those of a
// theorem. Their answers explain themselves: see [explore.Reason].
// Fixed-budget policies have a Budget instead of Delta; they never exceed it,
// and certify nothing.
//
// A policy is a struct literal. Its exported fields are settings whose zero
// values are the defaults stated with them; [explore.Run] and
// [explore.NewSession] start it. A policy value makes one run at a time and may
// be used again for the next.
package policy
