package alternative

import (
	"cmp"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/question"
)

// An AllEpsilonArms computes nature's move for arms without features, as an [AllEpsilon] does for
// arms with features. Without features, the cheapest alternatives have closed forms (Al Marjani,
// Kocak and Garivier, "On the complexity of all epsilon-best arms identification", ECML 2022).
// Rewards are Gaussian of unit variance. SetMeans and Cost allocate no memory.
type AllEpsilonArms struct {
	k      int
	factor float64
	offset float64
	ready  bool
	mu     []float64 // K
	order  []int     // arms by descending mean
	set    int       // number of arms in the set, which are first in order
	shift  []float64 // K
	item   int       // item of the last response, or -1
	by     int
	cost   float64
	to     float64 // largest mean after an arm has entered
}

// NewAllEpsilonArms returns an AllEpsilonArms for k arms and the question q. NewAllEpsilonArms
// panics if k is not positive.
func NewAllEpsilonArms(q question.AllEpsilonBest, k int) *AllEpsilonArms {
	if k < 1 {
		panic("alternative: AllEpsilonArms needs at least one arm")
	}
	r := &AllEpsilonArms{k: k, item: -1}
	r.factor, r.offset = q.Line()
	r.mu, r.order, r.shift = make([]float64, k), make([]int, k), make([]float64, k)
	for i := range r.order {
		r.order[i] = i
	}
	return r
}

// SetMeans copies the means of the arms, K numbers.
func (r *AllEpsilonArms) SetMeans(mu []float64) {
	if len(mu) != r.k {
		panic(panicItems)
	}
	copy(r.mu, mu)
	slices.SortFunc(r.order, func(i, j int) int { return cmp.Or(cmp.Compare(mu[j], mu[i]), i-j) })
	r.set = 0
	for r.set < r.k && r.slack(r.order[r.set], r.order[0]) >= 0 {
		r.set++
	}
	r.ready = true
}

// Inside reports whether arm i is among the epsilon-best arms for the means given to SetMeans.
func (r *AllEpsilonArms) Inside(i int) bool { return r.slack(i, r.order[0]) >= 0 }

func (r *AllEpsilonArms) slack(i, j int) float64 {
	return r.mu[i] - r.factor*r.mu[j] + r.offset
}

// Cost returns the same value as AllEpsilon.Cost, for arms without features. Unlike in
// AllEpsilon.Cost, the weights may all be 0. Cost takes O(K) operations for each arm.
func (r *AllEpsilonArms) Cost(grad, w []float64) float64 {
	if !r.ready {
		panic(panicUnready)
	}
	if len(w) != r.k || grad != nil && len(grad) != r.k {
		panic(panicArms)
	}
	r.cost, r.item = math.Inf(1), -1
	for _, i := range r.order[:r.set] {
		for j := range r.k {
			slack := r.slack(i, j)
			if j == i {
				// If the tolerance is multiplicative, an arm can fall below the threshold that the
				// arm itself determines.
				if r.factor != 1 {
					r.keepCheapest(i, i, -1, w[i]/2*sq(slack/(1-r.factor)))
				}
				continue
			}
			wi, wj := w[i], w[j]
			if both := wj + sq(r.factor)*wi; both > 0 {
				r.keepCheapest(i, j, 0, slack*slack/2*wi*(wj/both))
			} else {
				r.keepCheapest(i, j, 0, 0)
			}
		}
	}
	for _, i := range r.order[r.set:] {
		r.enter(i, w)
	}
	if r.item < 0 {
		clear(grad)
		return r.cost
	}
	r.move(w)
	for i := range grad {
		grad[i] = sq(r.shift[i]) / 2
	}
	return r.cost
}

// keepCheapest stores an alternative if it is the cheapest so far.
func (r *AllEpsilonArms) keepCheapest(item, by int, to, cost float64) {
	if cost < r.cost {
		r.item, r.by, r.to, r.cost = item, by, to, cost
	}
}

// enter considers alternatives in which arm i enters the set. In an alternative in which arm i
// enters, every arm above a level is lowered to this level, and arm i is raised to the threshold
// that the level determines. enter finds the best level by lowering the arms one after the other,
// beginning with the best.
func (r *AllEpsilonArms) enter(i int, w []float64) {
	f := r.factor
	top, bottom := w[i]*f*(r.mu[i]+r.offset), w[i]*f*f
	level := (r.mu[i] + r.offset) / f
	for _, l := range r.order {
		if r.mu[l] <= level {
			break
		}
		top, bottom = top+w[l]*r.mu[l], bottom+w[l]
		if bottom > 0 {
			level = top / bottom
		}
	}
	cost := w[i] / 2 * sq(max(0, f*level-r.offset-r.mu[i]))
	for _, l := range r.order {
		if r.mu[l] <= level {
			break
		}
		cost += w[l] / 2 * sq(r.mu[l]-level)
	}
	r.keepCheapest(i, -1, level, cost)
}

// move stores in shift the displacements for the last response.
func (r *AllEpsilonArms) move(w []float64) {
	clear(r.shift)
	i, j := r.item, r.by
	switch {
	case j < 0:
		for l, v := range r.mu {
			r.shift[l] = min(0, r.to-v)
		}
		r.shift[i] = max(0, r.factor*r.to-r.offset-r.mu[i])
	case j == i:
		r.shift[i] = -r.slack(i, i) / (1 - r.factor)
	default:
		slack, both := r.slack(i, j), w[j]+sq(r.factor)*w[i]
		r.shift[i] = -slack
		if both > 0 {
			r.shift[i] *= w[j] / both
			r.shift[j] = slack * r.factor * w[i] / both
		}
	}
}

func sq(x float64) float64 { return x * x }
