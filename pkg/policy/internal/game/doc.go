// Package game holds what policies share that play the game of a lower bound: a learner of
// proportions, [AdaHedge], and how proportions become pulls.
//
//	arm := game.Draw(learner.Weights, rnd.Float64()) // or game.Lagging(n, played)
//	learner.Learn(gain)                              // what a pull of each arm would have gained
package game

import "math"

// inf is the minimum of the empty set.
var inf = math.Inf(1)
