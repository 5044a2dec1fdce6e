package question

import "github.com/purexp/purexp/pkg/explore"

// A rejection is what an answer says of an arm outside the set.
type rejection int8

const (
	outside    rejection = iota // no more than that
	dominated                   // a member dominates it, feasible or not
	infeasible                  // it is infeasible, dominated or not
)

// Panics of Reject.
const (
	panicReasons  = "question: the number of reasons is not that of arms"
	panicNoRegion = "question: an arm rejected as infeasible by a BestResponse without constraints"
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
// Call it after SetMeans, the next call of which forgets it, as does Reject(nil). It
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
