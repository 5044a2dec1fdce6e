// Package betting tests hypotheses by betting against them: once the capital is 1/delta times what
// it was, the hypothesis is wrong, but for a probability of at most delta.
//
//	a.Init(n, 1)      // betting.Accounts, one hypothesis an item
//	a.Add(i, s, q)    // a bet against that of item i
//	a.Log(i, log) >= log // it is rejected, for log = -math.Log(delta)
package betting
