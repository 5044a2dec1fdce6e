// Package game holds what policies share that play the game of a lower bound: a
// learner, and how its proportions become pulls.
package game

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
