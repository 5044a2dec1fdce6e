package policy

import "math"

// adaHedge plays probability vectors against gains that are revealed
// afterwards, with a learning rate that needs neither their range nor their
// number (de Rooij, van Erven, Grunwald and Koolen, "Follow the Leader If You
// Can, Hedge If You Must", JMLR 2014, figure 1, for gains instead of losses).
type adaHedge struct {
	total []float64 // gains so far
	w     []float64 // the vector to play
	lag   float64   // cumulative mixability gap
}

func newAdaHedge(k int) *adaHedge {
	a := &adaHedge{total: make([]float64, k), w: make([]float64, k)}
	for i := range a.w {
		a.w[i] = 1 / float64(k)
	}
	return a
}

// learn takes the gains of the vector w, which it replaces by the next one.
func (a *adaHedge) learn(gain []float64) {
	hedge, before, after, most := 0., -inf, -inf, -inf
	for k, g := range gain {
		hedge += a.w[k] * g
		before, most = max(before, a.total[k]), max(most, g)
		a.total[k] += g
		after = max(after, a.total[k])
	}
	mix := after - before // for an infinite rate
	if eta := a.rate(); eta < inf {
		sum := 0.
		for k, g := range gain {
			sum += a.w[k] * math.Exp(eta*(g-most))
		}
		mix = most + math.Log(sum)/eta
	}
	a.lag += max(mix-hedge, 0) // negative by rounding only

	eta, sum := a.rate(), 0.
	for k, g := range a.total {
		switch {
		case g == after: // eta may be infinite
			a.w[k] = 1
		default:
			a.w[k] = math.Exp(eta * (g - after))
		}
		sum += a.w[k]
	}
	for k := range a.w {
		a.w[k] /= sum
	}
}

// rate returns the learning rate.
func (a *adaHedge) rate() float64 {
	if a.lag == 0 {
		return inf
	}
	return math.Log(float64(len(a.w))) / a.lag
}
