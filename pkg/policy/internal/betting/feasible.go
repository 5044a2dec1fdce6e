package betting

import (
	"math"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// The following constants are the claims about an item, for the feasible Pareto set: the item is
// accepted, dominated by an item of the answer, or infeasible.
const (
	accepted = iota
	dominated
	infeasible
	claims
)

// Feasible contains the betting rules for the Pareto set of the items inside a region, with a
// reason for each other item. Items are not dropped during the run; when all claims that the
// estimated front needs are proved, the front is the answer.
type Feasible struct {
	Region *polyhedron.Polyhedron
	// If All is true, the question asks for all items inside the region. There are then only two
	// claims about an item.
	All bool
	// Tolerance (by objective) and Slack (by row) are those of question.FeasiblePareto, or nil.
	Tolerance, Slack []float64
	Members          []int // the Pareto set of the items that are estimated to be inside the region

	bounds
	duels  duels
	n      int
	all    []int
	inner  []bool // by item: whether the item is estimated to be inside the region
	in     []bool // by item: whether the item is in Members
	stated []int  // by item: the claim suggested by the estimates
	by     []int  // by item: the item that is proved to dominate it if all stated claims hold, or -1
	beaten []int  // by item: the item that is proved to dominate it independently of other items, or -1
	over   bool
	means  []float64
	items  []int // items estimated to be inside the region
}

// Atoms implements Rules: Feasible has the atoms of duels, an atom for each pair of an item and a
// row, and another atom for each item.
func (q *Feasible) Atoms(e *Engine) (atoms, _ int, over bool) {
	n := e.Model.N
	*q = Feasible{Region: q.Region, All: q.All, Tolerance: q.Tolerance, Slack: q.Slack, n: n, all: memory.UpTo(nil, n),
		inner: make([]bool, n), in: make([]bool, n), by: make([]int, n), stated: make([]int, n),
		beaten: make([]int, n)}
	for i := range n {
		q.by[i], q.beaten[i] = -1, -1
	}
	q.bounds.init(e, q.Region, q.Slack)
	tolerance := q.Tolerance
	if tolerance == nil {
		tolerance = make([]float64, e.D)
	}
	if q.All {
		return q.atoms(), 2, false
	}
	q.base = q.duels.init(n, e.Exact, tolerance, tolerance)
	return q.base + q.atoms(), claims, false
}

// claim returns the claim about item i of the kind given by the second argument. If All is true,
// the only claims are accepted and infeasible.
func (q *Feasible) claim(i, of int) Claim {
	if q.All && of == infeasible {
		of = 1
	}
	return Claim{Item: i, Of: of, Beside: -1}
}

// behind returns the claim that item j dominates item i.
func (q *Feasible) behind(i, j int) Claim { return Claim{Item: i, Of: dominated, Beside: j} }

// Out reports whether item i is proved infeasible, either independently of other items or, at the
// end of the run, because all claims together are proved.
func (q *Feasible) Out(i int) bool { return q.certain[i] || q.over && q.out[i] }

// By returns the item that was proved to dominate item i, or -1. The proof holds independently of
// other items or, at the end of the run, because all claims together are proved.
func (q *Feasible) By(i int) int {
	if q.over {
		return q.by[i]
	}
	return q.beaten[i]
}

// state returns accepted for an item of the answer. For any other item, state returns the proved
// claim or, if no claim is proved, the claim that is easiest to prove if the estimates are right.
func (q *Feasible) state(e *Engine, i int) int {
	switch {
	case q.in[i]:
		return accepted
	case q.out[i]:
		return infeasible
	case q.by[i] >= 0:
		return dominated
	case q.All:
		return infeasible
	case q.inner[i]:
		return dominated
	case q.barred[i].Distance > 0 || q.duels.rival[i] < 0 || !q.in[q.duels.rival[i]]:
		return infeasible
	}
	j := q.duels.rival[i]
	behind, _, _, _ := q.duels.cost(e, i, j, q.behind(i, j))
	if behind*e.price(i, j) < q.costOutside(e, i, q.claim(i, infeasible)) {
		return dominated
	}
	return infeasible
}

// Lack implements Rules.
func (q *Feasible) Lack(e *Engine) {
	for _, i := range q.all {
		switch {
		case q.in[i]:
			q.lackAccepted(e, i)
			continue
		case q.out[i] || q.by[i] >= 0:
			continue
		}
		if !q.All {
			q.choose(e, i)
		}
		if q.state(e, i) == dominated {
			q.duels.needBehind(e, i, q.behind(i, i))
			continue
		}
		q.needOutside(e, i, q.claim(i, infeasible))
	}
}

// choose sets the rival of item i to an item of the answer, because the reason must name an item of
// the answer.
func (q *Feasible) choose(e *Engine, i int) {
	if j := q.duels.rival[i]; j >= 0 && !q.in[j] {
		q.duels.rival[i] = -1
	}
	q.duels.choose(e, i, q.behind(i, i), q.Members)
}

// lackAccepted requests the missing information for the claim that item i is in the answer.
func (q *Feasible) lackAccepted(e *Engine, i int) {
	q.needInside(e, i, q.claim(i, accepted))
	for _, j := range q.all {
		if q.rivals(i, j) && (q.inner[j] || q.by[j] >= 0) {
			q.duels.needAhead(e, i, j, Claim{Item: i, Of: accepted, Beside: j})
		}
	}
}

// rivals reports whether item i of the answer must be proved to be better than j in some objective.
func (q *Feasible) rivals(i, j int) bool {
	return !q.All && i != j && q.rival(j)
}

// rival reports whether each item of the answer must be proved to be better than item j in some
// objective. Without tolerances and slacks, an item that is worse than an item of the answer in all
// objectives is no rival. With tolerances or slacks, item j may still be better than another item
// of the answer. For example, item j may be inside the region while the item that dominates j is
// outside by less than a slack.
func (q *Feasible) rival(j int) bool {
	return q.in[j] || (q.Tolerance != nil || q.Slack != nil) && q.stated[j] != infeasible
}

// Stake implements Rules.
func (q *Feasible) Stake(e *Engine) {
	for _, i := range q.all {
		q.stakeRows(e, i)
		if q.All {
			continue
		}
		if !q.in[i] {
			q.duels.stakeBehind(e, i)
			continue
		}
		for _, j := range q.all {
			if !q.out[j] {
				q.duels.stakeAhead(e, i, j)
			}
		}
	}
}

// Idle implements Rules: an item that is known to be outside the region dominates nothing and needs
// no proof.
func (q *Feasible) Idle(i int) bool { return q.barred[i].Distance > 0 }

// Stated implements Rules.
func (q *Feasible) Stated(i int) Stated {
	of, beside := q.stated[i], -1
	if of == dominated {
		beside = q.duels.rival[i]
	}
	return Stated{Of: q.claim(i, of).Of, Beside: beside, Rival: q.All || q.rival(i)}
}

// Decided implements Rules.
func (q *Feasible) Decided(i int) bool { return q.certain[i] }

// Settle implements Rules.
func (q *Feasible) Settle(e *Engine) bool {
	q.front(e)
	for i := range q.stated {
		if !q.All && !q.in[i] {
			q.duels.follow(e, i, q.Members)
		}
		q.stated[i] = q.state(e, i)
	}
	if _, worse := e.lean(); worse {
		q.forget()
		clear(q.duels.proved)
	}
	over := true
	for _, i := range q.all {
		q.by[i], q.beaten[i] = -1, -1
		if q.in[i] {
			over = q.proveInside(e, i, q.claim(i, accepted)) && over
			for _, j := range q.all {
				if q.rivals(i, j) {
					over = q.duels.prove(e, i, j, Claim{Item: i, Of: accepted, Beside: j}) && over
				}
			}
			continue
		}
		q.proveOutside(e, i, q.claim(i, infeasible))
		if q.All {
			over = over && q.out[i]
			continue
		}
		if j := q.duels.rival[i]; j >= 0 && q.in[j] && q.duels.isBehind(e, i, q.behind(i, j), j) {
			q.by[i] = j
			if q.duels.isBehind(e, i, surely(q.behind(i, j)), j) {
				q.beaten[i] = j
			}
		}
		over = over && (q.stated[i] == infeasible && q.out[i] || q.stated[i] == dominated && q.by[i] >= 0)
	}
	q.over = over
	return over
}

// front finds the items that are inside the region by the estimates, and the Pareto set of these
// items.
func (q *Feasible) front(e *Engine) {
	q.means, q.items = q.means[:0], q.items[:0]
	for _, i := range q.all {
		if q.inner[i] = q.easier(e, i); q.inner[i] {
			q.items, q.means = append(q.items, i), append(q.means, e.Mean(i)...)
		}
	}
	if q.Members = q.Members[:0]; q.All {
		q.Members = append(q.Members, memory.UpTo(nil, len(q.items))...)
	} else {
		q.Members = pareto.AppendSet(q.Members, q.means, e.D)
	}
	clear(q.in)
	for a, at := range q.Members {
		q.Members[a] = q.items[at]
		q.in[q.items[at]] = true
	}
	if q.Tolerance == nil {
		return
	}
	front := q.Members
	for _, i := range q.items {
		if !q.in[i] && q.joins(e, i, front) {
			q.Members = append(q.Members, i)
		}
	}
	for _, i := range q.Members[len(front):] {
		q.in[i] = true
	}
}

// joins compares two possible proofs about item i: that it is better than each item of the front in
// some objective, with the tolerances added, and that it is dominated. joins reports whether the
// first proof is easier. In an objective without tolerance, a proof that item i is worse may never
// end.
func (q *Feasible) joins(e *Engine, i int, front []int) bool {
	x := e.Mean(i)
	stay, leave := math.Inf(1), 0.
	for _, j := range front {
		y := e.Mean(j)
		ahead, behind := math.Inf(-1), math.Inf(1)
		for _, c := range q.duels.noisy {
			s := e.prob.SigmaOf(c)
			ahead = max(ahead, (x[c]-y[c]+q.Tolerance[c])/s)
			behind = min(behind, (y[c]-x[c]+q.Tolerance[c])/s)
		}
		if q.duels.leads(e, i, j) {
			ahead = math.Inf(1)
		}
		if q.duels.misses(e, i, j) {
			behind = math.Inf(-1)
		}
		stay, leave = min(stay, ahead), max(leave, behind)
	}
	return stay > leave
}
