package arms

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// A Front is the empirical Pareto set of some arms, kept from round to round: that an arm is
// dominated remains true with the arm that dominated it, until one of the two is pulled or
// leaves.
type Front struct {
	Members []int // ascending, if the arms are
	// Over is, by arm, one whose estimate dominates; itself for members.
	Over []int

	candidates []int // scratch
}

// Init starts with k arms, none of which is known to be dominated.
func (f *Front) Init(k int) {
	f.Members, f.candidates = memory.Zeroed(f.Members, k)[:0], memory.Zeroed(f.candidates, k)[:0]
	f.Over = memory.Zeroed(f.Over, k)
	for i := range f.Over {
		f.Over[i] = i
	}
}

// Update finds the arms of set whose estimates no other one's dominates. fresh says which
// arms were pulled since the last time, in which are in set, nil for all. An arm that was not
// in set the last time must be fresh.
func (f *Front) Update(e *Estimates, set []int, fresh, in []bool) {
	// A dominated arm is dominated by a candidate: an arm without a witness that it is.
	f.candidates = f.candidates[:0]
	over := f.Over
	for _, i := range set {
		j := over[i]
		if j == i || in != nil && !in[j] || (fresh[i] || fresh[j]) && !e.Below(i, j) {
			f.candidates = append(f.candidates, i)
		}
	}
	f.Members = f.Members[:0]
next:
	for _, i := range f.candidates {
		old := over[i] == i && !fresh[i] // members of last time do not dominate each other
		for _, j := range f.candidates {
			if j != i && !(old && over[j] == j && !fresh[j]) && e.Below(i, j) {
				over[i] = j
				continue next
			}
		}
		f.Members = append(f.Members, i)
	}
	for _, i := range f.Members {
		over[i] = i
	}
}

// Mark sets fresh for the arms of obs to x.
func Mark(fresh []bool, obs []explore.Batch, x bool) {
	for b := range obs {
		fresh[obs[b].Arm] = x
	}
}
