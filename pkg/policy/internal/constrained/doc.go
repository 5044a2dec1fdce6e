// Package constrained holds what policies share that look for arms in a feasible
// region: where the estimates lie, and the stopping rule of e-cAPE.
package constrained

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
