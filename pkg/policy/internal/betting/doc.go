// Package betting tests hypotheses by betting against them. A hypothesis is rejected if the capital
// reaches 1/delta times its initial value, which is wrong with probability at most delta. An Engine
// plans the phases of a policy and settles the bets; the Rules of a question choose the bets.
//
//	a.Init(n, 1)      // betting.Accounts, one hypothesis for each item
//	a.Add(i, s, q)    // a bet against the hypothesis of item i
//	a.Log(i, log) >= log // it is rejected, for log = -math.Log(delta)
//
// The file docs/betting.md contains the proofs for package betting.
package betting
