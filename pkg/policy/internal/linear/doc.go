// Package linear holds what policies for linear models share: the model, its
// estimators, and the schemes by which items are eliminated or compared.
package linear

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
