// Package betting tests hypotheses by betting against them. A hypothesis is rejected when the
// capital reaches 1/delta times its initial value; by chance, the capital against a true hypothesis
// reaches this level with probability at most delta. An Engine plans the phases of a policy and
// settles the bets, which the Rules of a question choose.
//
//	a.Init(n, 1)      // betting.Accounts, one hypothesis for each item
//	a.Add(i, s, q)    // a bet against the hypothesis of item i
//	a.Log(i, log) >= log // true if the hypothesis is rejected; log is -math.Log(delta)
//
// The proofs are in the file docs/betting.md.
package betting
