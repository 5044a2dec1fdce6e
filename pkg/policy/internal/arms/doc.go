// Package arms holds what policies know about arms one by one: their means, the radii of these, and
// how far one arm is ahead of another.
//
//	e.Init(prob, arms.Bind(radius.Theory{}, prob, delta)) // arms.Estimates
//	e.Tell(obs)
//	m, beta := e.Pair(i, j) // arm i is not dominated by j if m > beta
//
// [Estimates] have half-widths; [Means] are without. A [Front] keeps their Pareto set.
package arms

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
