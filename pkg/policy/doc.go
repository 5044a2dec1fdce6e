// Package policy implements pure-exploration algorithms. Each policy is a type that is named as in
// its paper and implements [explore.Policy]. To use a policy, write a struct literal with its
// settings, and start it with [explore.Run] or [explore.NewSession]:
//
//	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, sampler, nil)
//
// [For] recommends a policy for a problem, and docs/methods.md has a table of all policies.
//
// A zero field selects the default that the field's comment states. A policy value supports one run
// at a time, and can be reused for later runs.
//
// Fixed-confidence policies stop by themselves. If the assumptions of a fixed-confidence policy
// hold, its answer is right with probability at least 1 - Delta. With default settings, the
// guarantee of each fixed-confidence policy except [PSIPS] is supported by a theorem. Most answers
// give a reason for the class of every item: see [explore.Reason]. Fixed-budget policies have a
// Budget instead of Delta. Fixed-budget policies never exceed the budget, certify nothing and give
// no reasons.
//
// The package does not simulate rewards: policies see an [explore.Problem] and results, never the
// true means. Only reference methods such as [XYOracle] have true means among their settings.
package policy
