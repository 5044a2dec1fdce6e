package policy

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// rejects is what methods share that spend a budget on fewer and fewer arms without structure.
type rejects struct {
	arms.Means
	active []int // ascending
}

// start makes all arms active.
func (r *rejects) start(prob *explore.Problem, name string) error {
	if _, err := unstructured(prob, name); err != nil {
		return err
	}
	r.Init(prob)
	r.active = r.active[:0]
	for i := range r.K {
		r.active = append(r.active, i)
	}
	return nil
}

// each asks for n pulls of each active arm, none once one arm is left.
func (r *rejects) each(dst []explore.Pull, n int) []explore.Pull {
	if len(r.active) == 1 || n <= 0 {
		return dst
	}
	for _, i := range r.active {
		dst = append(dst, explore.Pull{Arm: i, N: n})
	}
	return dst
}

// keep keeps the n active arms with the largest means; of equal ones those of lower index.
func (r *rejects) keep(n int) {
	slices.SortStableFunc(r.active, func(i, j int) int {
		switch {
		case r.Mean[i] > r.Mean[j]:
			return -1
		case r.Mean[i] < r.Mean[j]:
			return 1
		}
		return i - j
	})
	r.active = r.active[:n]
	slices.Sort(r.active)
}

// Answer returns the active arm with the largest mean. Nothing is certified, so that there are no
// reasons.
func (r *rejects) Answer() explore.Answer {
	if r.Pulls == 0 && r.K > 1 {
		return explore.Answer{}
	}
	best := r.active[0]
	for _, i := range r.active {
		if r.Mean[i] > r.Mean[best] {
			best = i
		}
	}
	return explore.Answer{Items: []int{best}}
}
