package explore

// round is a round of a policy that a session hands out in parts.
type round struct {
	obs       []Batch // by slot: what was told
	want      []int   // by slot: rewards
	due       []int   // by slot: rewards that are not handed out
	unlearned int     // rewards in obs that the policy has not learned yet
}

// newRound begins the round of pulls; each is a slot.
func newRound(pulls []Pull, d int) *round {
	r := &round{}
	for _, p := range pulls {
		r.obs = append(r.obs, Batch{Pull: Pull{p.Arm, 0}, Sum: make([]float64, d)})
		r.want, r.due = append(r.want, p.N), append(r.due, p.N)
	}
	return r
}

// slot returns the first slot of an arm with rewards that are not handed out, -1 if there is none.
func (r *round) slot(arm int) int {
	for slot, n := range r.due {
		if n > 0 && r.obs[slot].Arm == arm {
			return slot
		}
	}
	return -1
}

// add takes a reward of a slot.
func (r *round) add(slot int, b *Batch) {
	o := &r.obs[slot]
	o.N += b.N
	for c, v := range b.Sum {
		o.Sum[c] += v
	}
	r.unlearned += b.N
}

// complete reports whether all rewards of the round are there.
func (r *round) complete() bool {
	for slot, n := range r.want {
		if r.obs[slot].N != n {
			return false
		}
	}
	return true
}
