// Package betting has capital that bets against hypotheses: once it is 1/delta times what it was,
// its hypothesis is wrong, but for a probability of at most delta.
package betting
