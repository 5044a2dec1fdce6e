package bandit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// Against adding up pull by pull, for random batches.
func TestRegret(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	of := []float64{0, .5, 2, .125}
	for range 200 {
		var at []int
		for s := 0; len(at) < 6; {
			s += 1 + rnd.IntN(12)
			at = append(at, s)
		}
		r := newRegret(of, at)
		var pulls []int
		for range rnd.IntN(8) {
			var obs []explore.Batch
			for range 1 + rnd.IntN(3) {
				b := explore.Batch{Pull: explore.Pull{Arm: rnd.IntN(4), N: 1 + rnd.IntN(6)}}
				obs = append(obs, b)
				for range b.N {
					pulls = append(pulls, b.Arm)
				}
			}
			if err := r.Record(explore.Event{Obs: obs}); err != nil {
				t.Fatal(err)
			}
		}
		sum := func(n int) (s float64) {
			for _, arm := range pulls[:min(n, len(pulls))] {
				s += of[arm]
			}
			return s
		}
		if r.Total() != sum(len(pulls)) || r.Pulls() != len(pulls) {
			t.Fatalf("total %v of %d pulls; want %v of %d", r.Total(), r.Pulls(), sum(len(pulls)),
				len(pulls))
		}
		sums, instant := r.AppendSums(nil), r.AppendInstant(nil)
		for i, n := range at {
			want := math.NaN()
			if n <= len(pulls) {
				want = of[pulls[n-1]]
			}
			if sums[i] != sum(n) || instant[i] != want &&
				!(math.IsNaN(want) && math.IsNaN(instant[i])) {
				t.Fatalf("after %d pulls of %d: %v, of the pull %v; want %v and %v", n, len(pulls),
					sums[i], instant[i], sum(n), want)
			}
		}
	}
	// All of the noise, none of the means.
	in := toy()
	in.Law = must(NewExact(mat.NewDense(3, 2, []float64{0, 0, 1, 2, 2, 1})))
	if r := NewRegret(in); !slices.Equal(r.of, []float64{1, 0, 0}) {
		t.Errorf("regret of the arms %v; want 1, 0, 0", r.of)
	}
	for _, at := range [][]int{{0}, {3, 3}, {5, 2}} {
		if v := panicOf(func() { newRegret(of, at) }); v != panicTimes {
			t.Errorf("times %v: %v", at, v)
		}
	}
}
