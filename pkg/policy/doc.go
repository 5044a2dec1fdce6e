// Package policy implements pure-exploration algorithms. Each policy is a type that is named as in
// its paper and implements [explore.Policy]. A policy is created as a struct literal of settings,
// and started by [explore.Run] or [explore.NewSession]:
//
//	result, err := explore.Run(&policy.ECAPE{Delta: 0.05}, problem, sampler, nil)
//
// [For] recommends a policy for a problem, and docs/methods.md has a table of all policies.
//
// The zero value of each exported field selects the default stated in its comment. A policy value
// makes one run at a time and can be reused for the next run.
//
// Fixed-confidence policies stop by themselves. If the assumptions of a fixed-confidence policy
// hold, its answer is right with probability at least 1 - Delta. A theorem supports the guarantee
// of fixed-confidence policies for the default settings of each policy except [PSIPS]. Most answers
// explain the class of every item: see [explore.Reason]. Fixed-budget policies have a Budget
// instead of Delta. Fixed-budget policies never exceed the budget, certify nothing and give no
// reasons.
//
// The package does not simulate rewards: policies see an [explore.Problem] and results, never the
// true means. Only reference methods such as [XYOracle] have true means among their settings.
package policy
