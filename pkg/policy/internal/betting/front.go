package betting

import (
	"slices"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Front contains the betting rules for the question of a Pareto set. Two contrary claims exist
// about an item: the item is ahead of each other item in some objective, or the item is behind
// other items in all objectives.
type Front struct {
	// Epsilon is added to the means of an item whose first claim is to be proved, because an item
	// that Epsilon makes optimal may be in the answer.
	Epsilon float64
	// By item: whether the item is proved behind independently of other items or, at the end, is
	// not in the answer.
	Dropped []bool
	Members []int // the estimated Pareto set of the remaining items

	duels  duels
	active []int
	in     []bool
	behind []bool // by item: whether the item is proved behind
	means  []float64
}

// The following constants are the two opposite claims about an item.
const (
	isAhead = iota
	isBehind
	frontClaims
)

func ahead(i, j int) Claim { return Claim{Item: i, Of: isAhead, Beside: j} }

func behind(i int, sure bool) Claim { return Claim{Item: i, Of: isBehind, Beside: -1, Sure: sure} }

// Atoms implements Rules.
func (q *Front) Atoms(e *Engine) (atoms, claims int, over bool) {
	n, d := e.Model.N, e.D
	*q = Front{Epsilon: q.Epsilon, Dropped: make([]bool, n), active: memory.UpTo(nil, n), in: make([]bool, n),
		behind: make([]bool, n)}
	ahead := make([]float64, d)
	for c := range ahead {
		ahead[c] = q.Epsilon
	}
	return q.duels.init(n, e.Exact, ahead, make([]float64, d)), frontClaims, n == 1
}

// Lack implements Rules.
func (q *Front) Lack(e *Engine) {
	for _, i := range q.active {
		if !q.in[i] {
			q.duels.choose(e, i, behind(i, false), q.Members)
			if !q.behind[i] {
				q.duels.needBehind(e, i, behind(i, false))
			}
			continue
		}
		for _, j := range q.Members {
			q.duels.needAhead(e, i, j, ahead(i, j))
		}
	}
	if len(e.terms) > 0 {
		return
	}
	for _, i := range q.active { // the remaining claims concern items that only Epsilon admits to the answer
		for _, j := range q.active {
			if q.in[i] && q.in[j] {
				q.duels.needAhead(e, i, j, ahead(i, j))
			}
		}
	}
}

// Stake implements Rules.
func (q *Front) Stake(e *Engine) {
	for _, i := range q.active {
		q.duels.stakeBehind(e, i)
		if !q.in[i] {
			continue
		}
		for _, j := range q.active {
			if q.in[j] || !q.behind[j] {
				q.duels.stakeAhead(e, i, j)
			}
		}
	}
}

// Idle implements Rules: each item may dominate other items, so no item is idle.
func (*Front) Idle(int) bool { return false }

// Stated implements Rules.
func (q *Front) Stated(i int) Stated {
	if q.in[i] {
		return Stated{Of: isAhead, Beside: -1, Rival: true}
	}
	return Stated{Of: isBehind, Beside: -1}
}

// Decided implements Rules.
func (q *Front) Decided(i int) bool { return q.Dropped[i] }

// Settle implements Rules. Settle keeps at least one item in any case.
func (q *Front) Settle(e *Engine) bool {
	q.active = e.drop(q.active, q.Dropped, func(k int) float64 {
		if !q.behind[k] {
			return 0 // item k is not even proved behind by a proof that depends on other items
		}
		return e.Accounts.Log(behind(k, true), q.duels.against(k, -1)...)
	})
	q.means = q.means[:0]
	for _, i := range q.active {
		q.means = append(q.means, e.Mean(i)...)
	}
	q.Members = pareto.AppendSet(q.Members[:0], q.means, e.D)
	clear(q.in)
	for a, at := range q.Members {
		q.Members[a] = q.active[at]
		q.in[q.active[at]] = true
	}
	for _, i := range q.active {
		q.in[i] = q.in[i] || q.Epsilon > 0 && q.close(e, i)
	}
	if _, worse := e.lean(); worse {
		clear(q.duels.proved)
	}
	over := true
	for _, i := range q.active {
		// Bets continue until a proof is independent of other items, because a proof that depends
		// on other items may become invalid.
		if !q.in[i] {
			q.duels.follow(e, i, q.Members)
		}
		q.behind[i] = !q.in[i] && q.duels.isBehind(e, i, behind(i, false), -1)
		if !q.in[i] {
			over = over && q.behind[i]
			continue
		}
		for _, j := range q.active {
			if q.in[j] {
				over = q.duels.prove(e, i, j, ahead(i, j)) && over
			}
		}
	}
	if over {
		for i := range q.Dropped {
			q.Dropped[i] = !q.in[i]
		}
	}
	return over
}

// close reports whether, for an item outside the front, the first claim is easier to prove than the
// second. close considers the first claim easier if half of Epsilon moves the item to the front.
func (q *Front) close(e *Engine, i int) bool {
	return !slices.ContainsFunc(q.Members, func(j int) bool {
		return j != i && !q.duels.leads(e, i, j) && q.duels.deficit(e, i, j) > q.Epsilon/2
	})
}
