package betting

import (
	"cmp"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/polyhedron"
)

// Best are the rules for the best items inside a region, by a weighted sum of their objectives. An item has two
// claims: that it is in the answer, which means inside of each row and ahead of each item that is said to be beaten,
// and that it is not feasible. Nothing is claimed of an item that is beaten: those of the answer are ahead of it.
type Best struct {
	Region  *polyhedron.Polyhedron
	Weights []float64 // of the objectives in the sum
	Count   int       // how many items are asked for, or all inside
	Members []int     // those of the items inside, by estimates, the largest value first
	// Part is how many items of the last member are in the answer: items of the problem with the same features
	// are one item here, and they may be more than are still asked for.
	Part int

	bounds
	n      int
	all    []int
	sizes  []int     // by item: how many items of the problem it is
	full   bool      // the members are as many as are asked for
	known  bool      // values are
	value  []float64 // by item: the estimated sum
	inner  []bool    // by item: inside, by estimates
	in     []bool    // Members
	ahead  []bool    // n x n: proved
	stated []Stated
}

// bestClaims is how many claims an item has: accepted, and notInside.
const (
	notInside  = 1
	bestClaims = 2
	nothing    = -1 // what is stated of an item that is beaten
)

func inAnswer(i, beside int) Claim { return Claim{Item: i, Of: accepted, Beside: beside} }

func notFeasible(i int) Claim { return Claim{Item: i, Of: notInside, Beside: -1} }

// Atoms implements Rules: one a pair, and those of the rows.
func (q *Best) Atoms(e *Engine) (atoms, _ int, over bool) {
	n := e.Model.N
	*q = Best{Region: q.Region, Weights: q.Weights, Count: q.Count, sizes: e.Model.Sizes(), n: n, all: upTo(n),
		known: e.Noise(q.Weights) == 0, value: make([]float64, n), inner: make([]bool, n), in: make([]bool, n),
		ahead: make([]bool, n*n), stated: make([]Stated, n)}
	q.bounds.init(e, q.Region, nil)
	q.base = n * n
	e.beside = min(q.Count, n)
	if over = q.Region.Rows() == 0 && (n == 1 || len(e.Model.Class) <= q.Count); over {
		q.Members = upTo(n)
		q.cut()
	}
	return q.base + q.atoms(), bestClaims, over
}

// pair is the atom that item i is ahead of item k.
func (q *Best) pair(i, k int) int { return i*q.n + k }

// missing returns the combination of two items, what is lacking of the claim that i is ahead of k, the gap, and the
// noise.
func (q *Best) missing(e *Engine, i, k int) (t Terms, need, gap, noise float64) {
	t = Sum(1, i, -1, k)
	return t, e.Books.Missing(inAnswer(i, k), e.Log, q.pair(i, k)), q.value[i] - q.value[k], e.Typical(&t, q.Weights)
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

// Idle implements Rules: what is known to be outside needs no proof.
func (q *Best) Idle(i int) bool { return q.barred[i].Distance > 0 }

// Stated implements Rules.
func (q *Best) Stated(i int) Stated { return q.stated[i] }

// Decided implements Rules.
func (q *Best) Decided(i int) bool { return q.certain[i] }

// state returns what is easiest to show of an item outside of the answer, if estimates are right: that it is outside,
// or that all of the answer are ahead of it, if there are as many as are asked for.
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

// beaten reports whether it is proved that all of the answer are ahead of item k.
func (q *Best) beaten(e *Engine, k int) bool {
	for _, i := range q.Members {
		if !q.leads(e, i, k) {
			return false
		}
	}
	return true
}

// leads reports whether it is proved, or known, that item i is ahead of item k.
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
				*p = *p || !q.known && e.Books.Proved(inAnswer(i, k), e.Log, Group{At: q.pair(i, k), N: 1})
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

// choose finds the answer by estimates.
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

// cut keeps as many members as are asked for.
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

// divided reports whether only a part of member k is in the answer. Then the other members have to be ahead of it.
func (q *Best) divided(k int) bool {
	return q.full && k == q.Members[len(q.Members)-1] && q.Part < q.sizes[k]
}

// Out reports whether it is proved that item i is infeasible, whatever will be found out about others, or at the end.
func (q *Best) Out(e *Engine, i int) bool { return q.certain[i] || e.Over && q.out[i] }

// By returns the item of the answer that is least ahead of item k, -1 if the answer does not rest on that.
func (q *Best) By(e *Engine, k int) int {
	if !e.Over || q.in[k] || !q.stated[k].Rival {
		return -1
	}
	return q.Members[len(q.Members)-1]
}

// Value returns the estimated weighted sum of an item.
func (q *Best) Value(i int) float64 { return q.value[i] }

// Closest returns the item that comes closest to item i of the answer: the best one of those inside, by estimates, that
// are not in it, or -1.
func (q *Best) Closest() int {
	best := -1
	for _, k := range q.all {
		if q.inner[k] && !q.in[k] && (best < 0 || q.value[k] > q.value[best]) {
			best = k
		}
	}
	return best
}
