// Package goodenough holds what policies for Pareto sets share where an answer need not be exact or
// not everything need be measured: differences that do not matter (tolerances), constraints that
// may be missed by a little (slacks), values that are known exactly, and half-widths that adapt to
// the variance of the rewards. It is the stopping rule of docs/good-enough.md, where the proof is.
//
// A problem with none of these is the business of package constrained, whose rules are those of
// the papers.
//
//	if goodenough.Asked(prob, radius) {
//		err = s.Init(prob, radius, delta) // goodenough.State
//	}
//	s.Tell(obs)
//	arm := s.Check() // the arm to look at next, -1 at the end: s.Answer() is right
package goodenough

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
