// Package linear holds what policies for linear models share: the [Model], its estimators, and the
// schemes by which items are eliminated or compared: [Sequential] for one arm a round, [Phases] and
// [Halving] for long rounds.
//
//	s.Init(prob, reg, false) // linear.Sequential
//	s.Tell(obs)
//	s.Test(beta) // s.Over: the leader s.Best is certain
package linear

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
