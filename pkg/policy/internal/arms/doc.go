// Package arms holds what policies know about arms one by one: their means, the
// radii of these, and how far one arm is ahead of another.
package arms

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
