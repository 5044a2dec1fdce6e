package alternative

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// A rejection is what an answer says of an arm outside the set.
type rejection int8

const (
	outside    rejection = iota // no more than that
	dominated                   // a member dominates it, feasible or not
	infeasible                  // it is infeasible, dominated or not
)

// Panics of Reject.
const (
	panicReasons  = "alternative: the number of reasons is not that of arms"
	panicNoRegion = "alternative: an arm rejected as infeasible by a BestResponse without " +
		"constraints"
	panicMember = "alternative: a member of the Pareto set cannot be rejected"
	panicReason = "alternative: an arm is rejected as dominated or infeasible only"
)

// Reject makes Cost about an answer with reasons (e-cPSI; Kone, Kaufmann and
// Richert, "Constrained Pareto Set Identification with Bandit Feedback", Definition 3.3):
// as[i] says how arm i outside Front is rejected, and is ignored for members. The
// alternatives to the answer are: a member leaves the region or falls below
// another one, as ever; an arm rejected as explore.Infeasible enters the region,
// wherever members are; an arm rejected as explore.Dominated is no longer
// dominated by a member, feasible or not. For an arm of another class nothing is
// claimed but that it is outside the set. If the answer is wrong, Cost is 0.
//
// Call it after SetMeans. The next SetMeans forgets it, as does Reject(nil). It
// panics if as is not nil and not of length K, or if an arm is rejected as
// infeasible where there are no constraints.
func (r *BestResponse) Reject(as []explore.Class) {
	if !r.ready {
		panic(panicNoMeans)
	}
	if as != nil && len(as) != r.k {
		panic(panicReasons)
	}
	r.enter, r.falls, r.leave = -1, -1, -1
	clear(r.as)
	if as == nil {
		return
	}
	for q, i := range r.out {
		switch as[i] {
		case explore.Dominated:
			r.as[q] = dominated
		case explore.Infeasible:
			if r.region == nil {
				panic(panicNoRegion)
			}
			r.as[q] = infeasible
		}
	}
}

// Refute returns what the cheapest means cost, for the weights w, for which arm is
// not to be rejected as said: for explore.Infeasible those for which it is in the
// region, for explore.Dominated those for which no member dominates it. What Reject
// said is as before; Cost has to be called again before Alternative.
//
// It panics if the length of w is not K, for a member of Front, for another class,
// and for explore.Infeasible if there are no constraints.
func (r *BestResponse) Refute(w []float64, arm int, as explore.Class) float64 {
	if !r.ready {
		panic(panicNoMeans)
	}
	if len(w) != r.k {
		panic(panicWeights)
	}
	q, ok := slices.BinarySearch(r.out, arm)
	if !ok {
		panic(panicMember)
	}
	switch as {
	case explore.Infeasible:
		if r.region == nil {
			panic(panicNoRegion)
		}
		return w[arm] / 2 * r.reach(q)
	case explore.Dominated:
	default:
		panic(panicReason)
	}
	was := r.as[q]
	r.as[q], r.w, r.best = dominated, w, math.Inf(1)
	r.start(q)
	r.as[q], r.enter, r.falls, r.leave = was, -1, -1, -1
	return r.best
}
