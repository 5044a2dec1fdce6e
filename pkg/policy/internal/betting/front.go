package betting

import "github.com/purexp/purexp/pkg/pareto"

// Front are the rules for a Pareto set. An item has two claims in one share, since only one of
// them can be wrong: that it is behind others in all objectives, and that it is ahead of each of the
// others in some objective.
type Front struct {
	// Epsilon is added to items that are to be ahead: those that it makes optimal may stay.
	Epsilon float64
	Dropped []bool
	Members []int // the estimated Pareto set of the items left

	duels  duels
	active []int
	in     []bool
	means  []float64
}

// Atoms implements Rules.
func (q *Front) Atoms(e *Engine) (atoms, claims int, over bool) {
	n, d := e.Model.N, e.D
	*q = Front{Epsilon: q.Epsilon, Dropped: make([]bool, n), active: upTo(n), in: make([]bool, n)}
	ahead := make([]float64, d)
	for c := range ahead {
		ahead[c] = q.Epsilon
	}
	return q.duels.init(n, e.Exact, ahead, make([]float64, d)), 1, n == 1
}

// Lack implements Rules.
func (q *Front) Lack(e *Engine) {
	for _, i := range q.active {
		if !q.in[i] {
			q.duels.choose(e, i, i, q.Members)
			q.duels.needBehind(e, i, i)
			continue
		}
		for _, j := range q.Members {
			q.duels.needAhead(e, i, j, i)
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
			q.duels.stakeAhead(e, i, j)
		}
	}
}

// Idle implements Rules: each item may dominate others.
func (*Front) Idle(int) bool { return false }

// Split implements Rules.
func (*Front) Split(*Engine, int, int) float64 { return 1 }

// Settle implements Rules. One item stays, whatever was lost.
func (q *Front) Settle(e *Engine) bool {
	q.active = e.drop(q.active, q.Dropped, func(k int) float64 {
		return q.duels.behindLog(e, k, k, -1)
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
	over := true
	for _, i := range q.active {
		for _, j := range q.active {
			over = q.duels.prove(e, i, j, i) && over
		}
	}
	return over
}

// close reports whether it is easier to show that an item outside of the front may stay than that it
// is behind: whether half of Epsilon takes it to the front.
func (q *Front) close(e *Engine, i int) bool {
	for _, j := range q.Members {
		if j != i && !q.duels.leads(e, i, j) && q.duels.deficit(e, i, j) > q.Epsilon/2 {
			return false
		}
	}
	return true
}
