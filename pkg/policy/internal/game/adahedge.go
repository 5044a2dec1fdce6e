package game

import (
	"math"
)

// AdaHedge plays probability vectors against gains that are revealed
// afterwards, with a learning rate that needs neither their range nor their
// number (de Rooij, van Erven, Grunwald and Koolen, "Follow the Leader If You
// Can, Hedge If You Must", JMLR 2014, figure 1, for gains instead of losses).
type AdaHedge struct {
	total   []float64 // gains so far
	Weights []float64 // the vector to play
	lag     float64   // cumulative mixability gap
}

// NewAdaHedge returns a learner of k arms that begins with all alike.
func NewAdaHedge(k int) *AdaHedge {
	a := &AdaHedge{total: make([]float64, k), Weights: make([]float64, k)}
	for i := range a.Weights {
		a.Weights[i] = 1 / float64(k)
	}
	return a
}

// Learn takes the gains of the vector w, which it replaces by the next one.
func (a *AdaHedge) Learn(gain []float64) {
	hedge, before, after, most := 0., -inf, -inf, -inf
	for k, g := range gain {
		hedge += a.Weights[k] * g
		before, most = max(before, a.total[k]), max(most, g)
		a.total[k] += g
		after = max(after, a.total[k])
	}
	mix := after - before // for an infinite rate
	if eta := a.rate(); eta < inf {
		sum := 0.
		for k, g := range gain {
			sum += a.Weights[k] * math.Exp(eta*(g-most))
		}
		mix = most + math.Log(sum)/eta
	}
	a.lag += max(mix-hedge, 0) // negative by rounding only

	eta, sum := a.rate(), 0.
	for k, g := range a.total {
		switch {
		case g == after: // eta may be infinite
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

// rate returns the learning rate.
func (a *AdaHedge) rate() float64 {
	if a.lag == 0 {
		return inf
	}
	return math.Log(float64(len(a.Weights))) / a.lag
}
