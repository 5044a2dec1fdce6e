package policy

import (
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Squares are known of a sum if they are of all its parts: of single rewards they are, and of several only if they
// are told, in whatever order.
func TestAddSquares(t *testing.T) {
	one, told, mute := explore.Batch{Pull: explore.Pull{N: 1}, Sum: []float64{3}},
		explore.Batch{Pull: explore.Pull{N: 2}, Sum: []float64{3}, Squares: []float64{5}},
		explore.Batch{Pull: explore.Pull{N: 2}, Sum: []float64{3}}
	for _, x := range []struct {
		parts []explore.Batch
		want  float64 // 0: not known
	}{
		{[]explore.Batch{one, one}, 18}, {[]explore.Batch{one, told}, 14}, {[]explore.Batch{told, one, told}, 19},
		{[]explore.Batch{mute}, 0}, {[]explore.Batch{mute, one}, 0}, {[]explore.Batch{one, mute, one}, 0},
	} {
		to, n := explore.Batch{Sum: []float64{0}, Squares: []float64{}}, 0
		for i := range x.parts {
			add(&to, &x.parts[i])
			n += x.parts[i].N
		}
		if to.N != n || to.Sum[0] != 3*float64(len(x.parts)) || (to.Squares == nil) != (x.want == 0) ||
			to.Squares != nil && to.Squares[0] != x.want {
			t.Errorf("%+v: %+v; want squares of %v", x.parts, to, x.want)
		}
	}
}
