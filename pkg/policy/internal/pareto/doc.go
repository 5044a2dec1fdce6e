// Package pareto holds what policies for Pareto sets share: the [Search] of APE, the elimination by
// empirical gaps in [Stages], the [Race] of PAL and PFIwR, and the [Posterior] of a linear model with
// several objectives.
//
//	a.Init(&estimates, nil, question.Pareto{}, pareto.Rules{}) // pareto.Search among all arms
//	a.Update(obs)                                              // after estimates.Tell(obs)
//	pulls = a.Ask(pulls)                                       // none: a.Recommend() is right
package pareto

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
