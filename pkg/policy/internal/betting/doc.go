// Package betting tests hypotheses by betting against them: if the capital reaches 1/delta times
// its initial value, the hypothesis is rejected, wrongly with probability at most delta. An Engine
// plans the phases of a policy, pays the bets, and asks the Rules of a question what to bet on.
//
//	a.Init(n, 1)      // betting.Accounts, one hypothesis for each item
//	a.Add(i, s, q)    // a bet against the hypothesis of item i
//	a.Log(i, log) >= log // it is rejected, for log = -math.Log(delta)
//
// The proofs are in docs/betting.md.
package betting
