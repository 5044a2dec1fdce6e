// Package game supports policies that play the game behind a lower bound on the number of pulls: a
// learner chooses proportions of pulls, and nature chooses alternative means. The package contains
// the learner [AdaHedge], and rules that convert proportions to pulls.
//
//	arm := game.Draw(learner.Weights, rnd.Float64()) // or game.Lagging(n, played)
//	learner.Learn(gain)                              // the gain of a pull of each arm
package game

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// Draw draws an index from the probabilities w, given a uniform number u in [0, 1).
func Draw(w []float64, u float64) int {
	last := 0
	for i, v := range w {
		if v <= 0 {
			continue
		}
		if last = i; u < v {
			break
		}
		u -= v
	}
	return last // because of rounding, the sum of w may be below 1
}

// Lagging returns the arm whose number of pulls is furthest below its entry in played, among the
// arms with a positive entry.
func Lagging(n, played []float64) int {
	arm, least := 0, inf
	for k, v := range played {
		if d := n[k] - v; v > 0 && d < least {
			arm, least = k, d
		}
	}
	return arm
}

// Batch appends at most n pulls of arms whose numbers of pulls are below their entries in played.
// If n is more than 1, each arm gets the number of pulls that it lacks, rounded down. If n is 1, or
// if each arm lacks less than a whole pull, Batch appends one pull of the arm that is furthest
// behind.
func Batch(dst []explore.Pull, pulls, played []float64, n int) []explore.Pull {
	before := len(dst)
	if left := n; n > 1 {
		for k, v := range played {
			if lag := min(int(v-pulls[k]), left); lag > 0 {
				dst = append(dst, explore.Pull{Arm: k, N: lag})
				left -= lag
			}
		}
	}
	if len(dst) == before {
		dst = append(dst, explore.Pull{Arm: Lagging(pulls, played), N: 1})
	}
	return dst
}

// In each round, AdaHedge plays a probability vector; then the gains of the arms are revealed.
// AdaHedge adapts its learning rate to the gains, so that neither their range nor the number of
// rounds must be known in advance (de Rooij, van Erven, Grunwald and Koolen, "Follow the Leader If
// You Can, Hedge If You Must", JMLR 2014, figure 1, for gains instead of losses).
type AdaHedge struct {
	total   []float64 // sums of the gains so far
	Weights []float64 // the probability vector to play next
	lag     float64   // cumulative mixability gap
}

// NewAdaHedge returns a learner for k arms with equal initial weights.
func NewAdaHedge(k int) *AdaHedge {
	return &AdaHedge{total: make([]float64, k), Weights: slices.Repeat([]float64{1 / float64(k)}, k)}
}

// Learn updates Weights, given the gains of all arms for the vector that was just played.
func (a *AdaHedge) Learn(gain []float64) {
	hedge, before, after, most := 0., -inf, -inf, -inf
	for k, g := range gain {
		hedge += a.Weights[k] * g
		before, most = max(before, a.total[k]), max(most, g)
		a.total[k] += g
		after = max(after, a.total[k])
	}
	mix := after - before // the mix gain for an infinite learning rate is the increase of the largest total gain
	if eta := a.rate(); eta < inf {
		sum := 0.
		for k, g := range gain {
			sum += a.Weights[k] * math.Exp(eta*(g-most))
		}
		mix = most + math.Log(sum)/eta
	}
	a.lag += max(mix-hedge, 0) // mix - hedge is negative only because of rounding

	eta, sum := a.rate(), 0.
	for k, g := range a.total {
		switch {
		case g == after: // if eta is infinite, eta times 0 would be NaN
			a.Weights[k] = 1
		default:
			a.Weights[k] = math.Exp(eta * (g - after))
		}
		sum += a.Weights[k]
	}
	for k := range a.Weights {
		a.Weights[k] /= sum
	}
}

func (a *AdaHedge) rate() float64 {
	if a.lag == 0 {
		return inf
	}
	return math.Log(float64(len(a.Weights))) / a.lag
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
