// Package pareto holds what policies for Pareto sets share: the search of APE, the
// elimination by empirical gaps, and the posterior of a linear model with several
// objectives.
package pareto

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
