package campaign

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// A pool adds up rewards of several events as a policy does that is told one event after another:
// each reward by itself until there is one of each candidate, which is when the policy begins, and
// then those of an event by candidate before they are added to the others. Sums have rounding
// errors that depend on how they are added up. They decide between means that are equal, and show
// in the last digit of a reason: whoever opens a file is to see what those saw who were there.
type pool struct {
	ends  []int                 // by event: the end of its rows
	began bool                  // there is a reward of each candidate
	sums  []explore.Batch       // by candidate
	event map[int]explore.Batch // by candidate: of the current event
}

// newPool returns the pool of rows that end at ends, by event, about k candidates.
func newPool(k int, ends []int) *pool {
	return &pool{ends: ends, sums: make([]explore.Batch, k), event: map[int]explore.Batch{}}
}

// add adds the reward of row i, after those of the rows before.
func (p *pool) add(b explore.Batch, i int) {
	for i >= p.ends[0] {
		p.endEvent()
		p.ends = p.ends[1:]
	}
	if p.began {
		p.event[b.Arm] = plus(p.event[b.Arm], b)
	} else {
		p.sums[b.Arm] = plus(p.sums[b.Arm], b)
	}
}

// endEvent adds the sums of the current event to those before.
func (p *pool) endEvent() {
	for a, b := range p.event {
		p.sums[a] = plus(p.sums[a], b)
	}
	clear(p.event)
	p.began = !slices.ContainsFunc(p.sums, func(b explore.Batch) bool { return b.N == 0 })
}

// reports returns what was added, a report a candidate.
func (p *pool) reports() (list []explore.Report) {
	p.endEvent()
	for _, b := range p.sums {
		if b.N > 0 {
			list = append(list, explore.Report{Batch: b})
		}
	}
	return list
}

// plus returns a sum of rewards with b added.
func plus(a, b explore.Batch) explore.Batch {
	if a.N == 0 {
		a = explore.Batch{Pull: explore.Pull{Arm: b.Arm}, Sum: make([]float64, len(b.Sum)),
			Squares: make([]float64, len(b.Sum))}
	}
	a.N += b.N
	for c := range b.Sum {
		a.Sum[c] += b.Sum[c]
		a.Squares[c] += b.Squares[c]
	}
	return a
}
