package arms

import "github.com/purexp/purexp/pkg/explore"

// Undecided returns reasons for n items that claim nothing: where every answer
// begins.
func Undecided(n int) []explore.Reason {
	r := make([]explore.Reason, n)
	for i := range r {
		r[i].By, r[i].Constraint = -1, -1
	}
	return r
}
