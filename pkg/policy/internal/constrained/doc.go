// Package constrained holds what policies share that look for arms in a feasible region: where the
// estimates lie, and the stopping rule of e-cAPE.
//
//	c.Init(prob, region, bonus) // constrained.State
//	c.Tell(obs)
//	arm := c.Check() // the arm to look at next, -1 if the rule holds: c.Answer() is right
//
// [Weighted] is the same for the best arms by a weighted sum, without a rule.
package constrained

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
