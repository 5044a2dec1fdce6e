package explore

import "iter"

// openRound is a round of a policy that an OpenSession hands out in parts.
type openRound struct {
	obs  []Batch // by slot: what was told
	want []int   // by slot: rewards
	due  []int   // by slot: rewards that are not handed out
	told int     // rewards in obs that are not learned yet
}

// begin begins the round of pulls, of which each is a slot.
func (r *openRound) begin(pulls []Pull, d int) {
	*r = openRound{}
	for _, p := range pulls {
		r.obs = append(r.obs, Batch{Pull: Pull{p.Arm, 0}, Sum: make([]float64, d)})
		r.want, r.due = append(r.want, p.N), append(r.due, p.N)
	}
}

// hand yields slot and arm of at most n rewards that are not handed out, and counts them as such.
func (r *openRound) hand(n int) iter.Seq2[int, int] {
	return func(yield func(slot, arm int) bool) {
		for slot := range r.due {
			for r.due[slot] > 0 && n > 0 {
				r.due[slot]--
				n--
				if !yield(slot, r.obs[slot].Arm) {
					return
				}
			}
		}
	}
}

// add takes a reward of a slot.
func (r *openRound) add(slot int, b *Batch) {
	o := &r.obs[slot]
	o.N += b.N
	for c, v := range b.Sum {
		o.Sum[c] += v
	}
	r.told += b.N
}

// complete reports whether all rewards of the round are there.
func (r *openRound) complete() bool {
	for slot, n := range r.want {
		if r.obs[slot].N != n {
			return false
		}
	}
	return true
}
