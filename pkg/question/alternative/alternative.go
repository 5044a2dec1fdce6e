// Package alternative finds the cheapest alternative to an answer about a Pareto set, with or
// without constraints ([BestResponse]), or about all epsilon-best items ([AllEpsilon]). The
// cheapest alternative is the set of means with a different answer that is hardest to distinguish
// from the true means.
//
//	r, err := alternative.New(k, d, nil)    // k arms, d objectives
//	r.SetMeans(mu)                          // k*d numbers
//	cost := r.Cost(nil, counts)             // of the cheapest alternative for these counts of pulls
//
// Lower bounds on the number of measurements maximise the cost of the cheapest alternative over the
// weights of the arms (package complexity). Policies that treat identification as a game play
// against the cheapest alternative. The package does not optimize weights.
package alternative

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// An Alternative is a set of means with a different answer: another Pareto set, another constrained
// Pareto set, or other reasons.
type Alternative struct {
	// Arm is the arm whose status differs under Means. If Arm falls, By is the member of the Pareto
	// set that dominates or equals Arm under Means; otherwise By is -1. If Arm leaves the region,
	// Constraint is the constraint that Arm violates under Means; otherwise Constraint is -1. If
	// both By and Constraint are -1, Arm is outside the set and enters it, unless Reason is set.
	Arm, By, Constraint int
	// If Feasible is true, Arm is infeasible under the true means and feasible under the
	// alternative.
	Feasible bool
	// If Reason is true, the reason for rejecting Arm is wrong under the alternative. If Feasible
	// is also true, the reason was that Arm is infeasible; otherwise, that Arm is dominated. If
	// Reason is true, the Pareto set may remain the same.
	Reason bool
	// Means contains the means of all arms, K x d, in reward units. These means lie on the boundary
	// at which the right answer changes.
	Means *mat.Dense
}

// Alternative returns the alternative that the last call of Cost found. Alternative panics if Cost
// was not called.
func (r *BestResponse) Alternative() Alternative {
	d := r.d
	y := mat.NewDense(r.k, d, slices.Clone(r.y))
	a := Alternative{Arm: -1, By: -1, Constraint: -1, Means: y}
	switch {
	case r.enter >= 0:
		a.Arm = r.out[r.enter]
		a.Reason = r.as[r.enter] != outside
		a.Feasible = r.region != nil && r.as[r.enter] != dominated && r.region.away[r.enter] != 0
		y.SetRow(a.Arm, r.bestX)
		for q, c := range r.bestP {
			if c < 0 {
				continue
			}
			// If a member of the set is lowered in objective c, its other objectives move in
			// proportion to their correlation with c.
			if v := r.member(q)[c] - r.bestX[c]; v > 0 {
				for b := range d {
					y.Set(r.front[q], b, r.member(q)[b]-v*r.corr[c*d+b])
				}
			}
		}
	case r.falls >= 0:
		i, j := r.falls, r.below
		a.Arm, a.By = r.front[i], r.front[j]
		r.descend(r.member(i), r.member(j)) // descend stores the displacement in dir
		for c, z := range r.dir {
			y.Set(a.Arm, c, r.member(i)[c]-(1-r.share())*z)
			y.Set(a.By, c, r.member(j)[c]+r.share()*z)
		}
	case r.leave >= 0:
		f := r.region
		l := f.facet[r.leave]
		a.Arm, a.Constraint = r.front[r.leave], f.row[l]
		for c, v := range f.push[l*d:][:d] {
			y.Set(a.Arm, c, r.member(r.leave)[c]+f.depth[r.leave]*v)
		}
	default:
		panic(panicNoCost)
	}
	for i := range r.k {
		for c := range d {
			y.Set(i, c, y.At(i, c)*r.scale[c])
		}
	}
	return a
}

// gradient stores in grad half the squared displacement of each arm's mean.
func (r *BestResponse) gradient(grad []float64) {
	clear(grad)
	switch {
	case r.enter >= 0:
		arm := r.out[r.enter]
		for c, v := range r.row(arm) {
			r.dir[c] = r.bestX[c] - v
		}
		grad[arm] = r.form(r.dir) / 2
		for q, c := range r.bestP {
			if c >= 0 {
				v := max(0, r.member(q)[c]-r.bestX[c])
				grad[r.front[q]] = v * v / 2
			}
		}
	case r.falls >= 0:
		i, j := r.front[r.falls], r.front[r.below]
		share, half := r.share(), r.fall[r.falls*len(r.front)+r.below]/2
		grad[i], grad[j] = (1-share)*(1-share)*half, share*share*half
	case r.leave >= 0:
		depth := r.region.depth[r.leave]
		grad[r.front[r.leave]] = depth * depth / 2
	}
}

// share returns w_i/(w_i + w_j), the fraction of the displacement by which j rises when member i
// falls below j.
func (r *BestResponse) share() float64 {
	wi, wj := r.w[r.front[r.falls]], r.w[r.front[r.below]]
	if wi+wj == 0 {
		return .5
	}
	return wi / (wi + wj)
}

// A rejection is what an answer claims about an arm outside the set.
type rejection int8

const (
	outside    rejection = iota // the answer makes no further claim about the arm
	dominated                   // a member dominates the arm, whether or not the arm is feasible
	infeasible                  // the arm is infeasible, whether or not it is dominated
)

// The following constants are panic messages of Reject.
const (
	panicReasons  = "alternative: the number of reasons differs from the number of arms"
	panicNoRegion = "alternative: a BestResponse without constraints cannot reject an arm as infeasible"
	panicMember   = "alternative: a member of the Pareto set cannot be rejected"
	panicReason   = "alternative: an arm can be rejected only as dominated or infeasible"
)

// After Reject, Cost refers to an answer with reasons (e-cPSI; Kone, Kaufmann and Richert,
// "Constrained Pareto Set Identification with Bandit Feedback", Definition 3.3). For each arm i
// outside Front, the class as[i] is the reason for its rejection; classes of members are ignored.
// An answer with reasons has three kinds of alternatives. First, a member leaves the region or
// falls below another member, as in a question without reasons. Second, an arm rejected as
// explore.Infeasible enters the region. Third, an arm rejected as explore.Dominated, feasible or
// not, is no longer dominated by a member. If an arm has any other class, the answer claims only
// that the arm is outside the set. If the reasons are wrong under the true means, Cost returns 0.
//
// Call Reject after SetMeans. SetMeans and Reject(nil) remove the reasons. If as is not nil, Reject
// panics if the length of as is not K, or if an arm is rejected as infeasible although there are no
// constraints.
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

// Refute returns, for the weights w, the cost of the cheapest means under which arm is wrongly
// rejected for the reason as. If as is explore.Infeasible, the arm is in the region under the
// cheapest means. If as is explore.Dominated, no member dominates the arm under the cheapest means.
// Refute does not change the reasons set by Reject. After Refute, call Cost again before
// Alternative.
//
// Refute panics if the length of w is not K, if arm is a member of Front, or if as is neither
// explore.Infeasible nor explore.Dominated. Refute also panics if as is explore.Infeasible and
// there are no constraints.
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
