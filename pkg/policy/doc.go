// Package policy implements pure-exploration algorithms. Each policy is a type with the name that
// its paper uses, and implements [explore.Policy]. To use a policy, write a struct literal with its
// settings, and start it by [explore.Run] or [explore.NewSession]:
//
//	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, sampler, nil)
//
// [For] recommends a policy for a problem, and docs/methods.md has a table of all policies.
//
// A zero field selects the default that the field's comment states. A policy value makes one run at
// a time, and can be reused for further runs.
//
// Fixed-confidence policies stop by themselves. If the assumptions of a fixed-confidence policy
// hold, its answer is right with probability at least 1 - Delta. For default settings, a theorem
// supports the guarantee for each fixed-confidence policy except [PSIPS]. Most answers explain the
// class of every item by a reason: see [explore.Reason]. Fixed-budget policies have a Budget
// instead of Delta. Fixed-budget policies never exceed the budget, certify nothing and give no
// reasons.
//
// The package does not simulate rewards: policies see an [explore.Problem] and results, never the
// true means. Only reference methods such as [XYOracle] have true means among their settings.
package policy
