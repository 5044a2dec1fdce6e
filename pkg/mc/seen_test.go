package mc

import (
	"math/rand/v2"
	"testing"
)

// Rows are found again by their replicates, in whatever order they come, and however far apart.
func TestSeen(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var s seen
		want := map[int]int{}
		for n := 1; n <= 300; n++ {
			rep := rnd.IntN(2000)
			if rnd.IntN(3) == 0 {
				rep = rnd.IntN(40_000) // far beyond the number of rows
			}
			if want[rep] == 0 {
				s.add(rep, n)
				want[rep] = n
			}
			for rep, n := range want {
				if s.row(rep) != n {
					t.Fatalf("seed %d: replicate %d is row %d; want %d", seed, rep, s.row(rep), n)
				}
			}
			if other := rnd.IntN(50_000); want[other] == 0 && s.row(other) != 0 {
				t.Fatalf("seed %d: replicate %d is row %d; there is none", seed, other, s.row(other))
			}
		}
		if s.rows != len(want) {
			t.Errorf("%d rows; want %d", s.rows, len(want))
		}
	}
}
