package betting

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// A star is a design for the differences between the leader and the other items. In all terms, the
// leader is the first item.
type star struct {
	criterion *design.StarCriterion // nil for arms without features
	leader    int                   // leader of the last design
	listed    int
	pulls     float64
	scale     []float64
}

// solve computes the weights of arms, unless the estimates have changed little since the last
// design. The scale of an item is at least a tenth of the largest scale. Arms with little weight
// are dropped if the loss is small, because each additional arm makes phases longer.
func (d *star) solve(e *Engine, most float64) error {
	leader := e.terms[0].Item[0]
	if d.leader == leader && e.pulls <= stale*d.pulls && 4*(len(e.terms)+1) > 3*(d.listed+1) ||
		d.listed == 1 && len(e.terms) == 1 {
		return nil
	}
	d.leader, d.listed, d.pulls = leader, len(e.terms), e.pulls
	active := make([]int, 0, len(e.terms)+1)
	for k := range e.terms {
		active = append(active, e.terms[k].Item[1])
	}
	active = append(active, leader)
	slices.Sort(active)
	d.scale = resize(d.scale, e.Model.N)
	for k := range e.terms {
		d.scale[e.terms[k].Item[1]] = math.Sqrt(max(e.scale[k]/most, .01))
	}
	d.scale[leader] = 0
	if d.criterion == nil {
		starWeights(e.alloc.w, leader, active, d.scale, e.Model.Costs)
		return nil
	}
	scale := make([]float64, len(active))
	for a, i := range active {
		scale[a] = d.scale[i]
	}
	d.criterion.Set(leader, active, scale)
	best, err := d.criterion.Solve(&design.Options{Tol: .1})
	if best == nil {
		return err
	}
	w, some := e.alloc.w, false
	copy(w, best.Weights)
	defer e.prob.Pulled(w) // the design divides the cost, not the number of pulls
	least := .003 * floats.Max(w)
	for i, v := range w {
		if v > 0 && v < least {
			w[i], some = 0, true
		}
	}
	if some {
		if floats.Scale(1/floats.Sum(w), w); d.criterion.Value(w) > 1.05*best.Value {
			copy(w, best.Weights)
		}
	}
	return nil
}

// round converts the weights to numbers of pulls, on average at least two per arm with positive
// weight.
func (d *star) round(e *Engine) {
	support, price := 0., 0.
	for i, w := range e.alloc.w {
		if w > 0 {
			support++
			price += w * e.prob.Cost(i)
		}
	}
	have := e.pulls
	if e.prob.Costs != nil {
		have = e.spent / price // number of pulls of this design that would cost as much as all pulls so far
	}
	want := max(e.growth*have, 2*support)
	if plate := float64(e.plate); plate > 1 {
		want = math.Ceil(want/plate) * plate
	}
	e.counts = e.memory
	design.Apportion(e.counts, e.alloc.w, linear.Ceil(want))
}

// starWeights sets w, for arms without features, to the proportions that minimise the maximum of
// s_i^2 (1/w_b + 1/w_i). Here, b is the leader, s_i is the scale of arm i, and the maximum is over
// the active arms i other than b. Inactive arms get weight 0. If arms have costs, the proportions
// of the pulls are optimal for a given total cost.
//
// If the maximum is 1 and the leader has weight y, arm i has weight w_i = s_i^2 y/(y - s_i^2). With
// the costs c_i of the arms, starWeights minimises c_b y + sum of c_i w_i by bisection; at the
// minimum, c_b = sum of c_i s_i^4/(y - s_i^2)^2. starWeights takes O(K) operations.
func starWeights(w []float64, b int, active []int, s, costs []float64) {
	cost := func(i int) float64 {
		if costs == nil {
			return 1
		}
		return costs[i]
	}
	lo, sum := 0., 0.
	for _, i := range active {
		if q := s[i] * s[i]; i != b {
			lo = max(lo, q)
			sum += cost(i) * q * q
		}
	}
	hi := lo + math.Sqrt(sum/cost(b))
	for range 60 {
		y := lo + (hi-lo)/2
		slope := cost(b)
		for _, i := range active {
			if q := s[i] * s[i]; i != b {
				slope -= cost(i) * q * q / ((y - q) * (y - q))
			}
		}
		if slope < 0 {
			lo = y
		} else {
			hi = y
		}
	}
	clear(w)
	w[b] = hi
	for _, i := range active {
		if q := s[i] * s[i]; i != b {
			w[i] = q * hi / (hi - q)
		}
	}
	floats.Scale(1/floats.Sum(w), w)
}
