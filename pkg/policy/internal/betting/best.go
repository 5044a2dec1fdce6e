package betting

import (
	"cmp"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Best contains the betting rules for the question of the best items inside a region, by a weighted
// sum of objectives. Best considers two claims about an item. One claim is that the item is in the
// answer: inside each row of the region, and better than each feasible item outside the answer. The
// other claim is that the item is infeasible. No claim is needed for a feasible item outside the
// answer, because the items of the answer are better.
type Best struct {
	Region  *polyhedron.Polyhedron
	Weights []float64 // weights of the objectives in the sum
	Count   int       // size of the answer, if enough items are inside the region
	Members []int     // items of the answer according to the estimates, the largest value first
	// Part is the number of items of the problem that the last member contributes to the answer. In
	// Best, one item stands for a class of items of the problem with the same features. The class
	// of the last member may have more items than the answer has remaining places.
	Part int

	bounds
	n      int
	all    []int
	sizes  []int     // by item: number of items of the problem in its class
	full   bool      // whether the answer has Count items
	known  bool      // whether the weighted sums of all items are known
	value  []float64 // by item: the estimated sum
	inner  []bool    // by item: whether the item is estimated to be inside the region
	in     []bool    // by item: whether the item is in the answer
	ahead  []bool    // n x n: whether item i is proved to be ahead of item k
	stated []Stated
}

// The following constants are the number of the second claim about an item, the number of claims
// about an item, and a value that stands for no claim.
const (
	notInside  = 1
	bestClaims = 2
	nothing    = -1 // no claim is stated for a beaten item
)

func inAnswer(i, beside int) Claim { return Claim{Item: i, Of: accepted, Beside: beside} }

func notFeasible(i int) Claim { return Claim{Item: i, Of: notInside, Beside: -1} }

// Atoms implements Rules: Best has an atom for each pair of items, and the atoms for the rows of
// the region.
func (q *Best) Atoms(e *Engine) (atoms, _ int, over bool) {
	n := e.Model.N
	*q = Best{Region: q.Region, Weights: q.Weights, Count: q.Count, sizes: e.Model.Sizes(), n: n,
		all:   memory.UpTo(nil, n),
		known: e.Noise(q.Weights) == 0, value: make([]float64, n), inner: make([]bool, n), in: make([]bool, n),
		ahead: make([]bool, n*n), stated: make([]Stated, n)}
	q.bounds.init(e, q.Region, nil)
	q.base = n * n
	e.beside = min(q.Count, n)
	if over = q.Region.Rows() == 0 && (n == 1 || len(e.Model.Class) <= q.Count); over {
		q.Members = memory.UpTo(nil, n)
		q.cut()
	}
	return q.base + q.atoms(), bestClaims, over
}

// pair returns the index of the atom "item i is better than item k".
func (q *Best) pair(i, k int) int { return i*q.n + k }

// missing returns, for the claim "i is better than k", the difference of the items, the missing
// information, the estimated gap, and the noise.
func (q *Best) missing(e *Engine, i, k int) (t Terms, need, gap, noise float64) {
	t = Sum(1, i, -1, k)
	return t, e.Accounts.Missing(inAnswer(i, k), e.Log, q.pair(i, k)), q.value[i] - q.value[k], e.Typical(&t, q.Weights)
}

// Lack implements Rules.
func (q *Best) Lack(e *Engine) {
	for _, i := range q.Members {
		q.needInside(e, i, inAnswer(i, -1))
	}
	for _, k := range q.all {
		switch {
		case q.out[k]:
		case q.stated[k].Of == notInside:
			q.needOutside(e, k, notFeasible(k))
		case q.stated[k].Rival && !q.known:
			for _, i := range q.Members {
				if i != k && !q.ahead[q.pair(i, k)] && !e.twins(i, k) {
					t, need, gap, noise := q.missing(e, i, k)
					e.Need(i, t, need, gap, noise)
				}
			}
		}
	}
}

// Stake implements Rules.
func (q *Best) Stake(e *Engine) {
	for _, i := range q.all {
		q.stakeRows(e, i)
	}
	if q.known {
		return
	}
	for _, i := range q.Members {
		for _, k := range q.all {
			t := Sum(1, i, -1, k)
			if i == k || q.out[k] || q.ahead[q.pair(i, k)] || e.twins(i, k) || !e.tells(&t) {
				continue
			}
			e.Bet(q.pair(i, k), t, q.Weights, 0,
				ExpectedGap(q.value[i]-q.value[k], math.Sqrt(e.Typical(&t, q.Weights)*e.Spread(&t))))
		}
	}
}

// Idle implements Rules: items that are known to be outside the region need no proof.
func (q *Best) Idle(i int) bool { return q.barred[i].Distance > 0 }

// Stated implements Rules.
func (q *Best) Stated(i int) Stated { return q.stated[i] }

// Decided implements Rules.
func (q *Best) Decided(i int) bool { return q.certain[i] }

// state returns, for an item k outside the answer, the claim that is easiest to prove if the
// estimates are right. The claim is that item k is outside the region or, if the answer is full,
// that item k is not among the best.
func (q *Best) state(e *Engine, k int) Stated {
	outside := Stated{Of: notInside, Beside: -1}
	beaten := Stated{Of: nothing, Beside: -1, Rival: true}
	if !q.full || q.out[k] {
		return outside
	}
	last := q.Members[len(q.Members)-1]
	switch {
	case q.inner[k] || q.beaten(e, k):
		return beaten
	case !(q.value[k] < q.value[last]):
		return outside
	case q.known:
		return beaten
	}
	if e.twins(last, k) {
		return beaten
	}
	_, need, gap, noise := q.missing(e, last, k)
	t := Sum(1, last, -1, k)
	gap = max(gap, math.Sqrt(noise*e.Spread(&t)))
	if need*noise/(gap*gap)*e.price(last, k) < q.costOutside(e, k, notFeasible(k)) {
		return beaten
	}
	return outside
}

// beaten reports whether every item of the answer is proved to be better than item k.
func (q *Best) beaten(e *Engine, k int) bool {
	return !slices.ContainsFunc(q.Members, func(i int) bool { return !q.leads(e, i, k) })
}

// leads reports whether item i is known or proved to be better than item k.
func (q *Best) leads(e *Engine, i, k int) bool {
	return q.ahead[q.pair(i, k)] || (q.known || e.twins(i, k)) && q.value[i] >= q.value[k]
}

// Settle implements Rules.
func (q *Best) Settle(e *Engine) bool {
	q.choose(e)
	for k := range q.stated {
		if q.stated[k] = (Stated{Of: accepted, Beside: -1, Rival: q.divided(k)}); !q.in[k] {
			q.stated[k] = q.state(e, k)
		}
	}
	if _, worse := e.lean(); worse {
		q.forget()
		clear(q.ahead)
	}
	over := true
	for _, i := range q.Members {
		over = q.proveInside(e, i, inAnswer(i, -1)) && over
		for _, k := range q.all {
			if p := &q.ahead[q.pair(i, k)]; i != k && q.stated[k].Rival {
				*p = *p || !q.known && e.Accounts.Proved(inAnswer(i, k), e.Log, Group{At: q.pair(i, k), N: 1})
				over = over && q.leads(e, i, k)
			}
		}
	}
	for _, k := range q.all {
		if !q.in[k] {
			q.proveOutside(e, k, notFeasible(k))
			over = over && (q.stated[k].Rival || q.out[k])
		}
	}
	return over
}

// choose sets the answer to the best items inside the region, according to the estimates.
func (q *Best) choose(e *Engine) {
	q.Members = q.Members[:0]
	for _, i := range q.all {
		q.value[i] = 0
		for c, w := range q.Weights {
			if w != 0 {
				q.value[i] += w * e.Mean(i)[c]
			}
		}
		if q.inner[i] = q.easier(e, i); q.inner[i] {
			q.Members = append(q.Members, i)
		}
	}
	slices.SortStableFunc(q.Members, func(i, j int) int { return cmp.Compare(q.value[j], q.value[i]) })
	q.cut()
	clear(q.in)
	for _, i := range q.Members {
		q.in[i] = true
	}
}

// cut limits the members to Count items.
func (q *Best) cut() {
	left := q.Count
	for at, i := range q.Members {
		q.Part = min(q.sizes[i], left)
		if left -= q.sizes[i]; left <= 0 {
			q.Members = q.Members[:at+1]
			break
		}
	}
	q.full = left <= 0
}

// divided reports whether the answer contains only some of the items in the class of member k. If
// the answer divides a class, the other members of the answer have to be ahead of member k.
func (q *Best) divided(k int) bool {
	return q.full && k == q.Members[len(q.Members)-1] && q.Part < q.sizes[k]
}

// Out reports whether item i is proved infeasible, either independently of other items or as a part
// of the final answer.
func (q *Best) Out(e *Engine, i int) bool { return q.certain[i] || e.Over && q.out[i] }

// By returns the item of the answer with the least estimated value, if the run is over and item k
// is beaten; otherwise, By returns -1.
func (q *Best) By(e *Engine, k int) int {
	if !e.Over || q.in[k] || !q.stated[k].Rival {
		return -1
	}
	return q.Members[len(q.Members)-1]
}

// Value returns the estimated weighted sum of an item.
func (q *Best) Value(i int) float64 { return q.value[i] }

// Closest returns, according to the estimates, the best item inside the region that is not in the
// answer. If there is no such item, Closest returns -1.
func (q *Best) Closest() int {
	best := -1
	for _, k := range q.all {
		if q.inner[k] && !q.in[k] && (best < 0 || q.value[k] > q.value[best]) {
			best = k
		}
	}
	return best
}
