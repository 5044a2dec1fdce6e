package arena_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/study/arena"
)

// Forty instances with names of their own, half of each question to tune with; all can be made,
// and are the same each time.
func TestInstances(t *testing.T) {
	seen := map[string]bool{}
	count := map[arena.Question][2]int{}
	for _, i := range arena.Instances() {
		if seen[i.Name] || i.Name == "" || i.Why == "" {
			t.Errorf("%q: twice, or without a name or a reason", i.Name)
		}
		seen[i.Name] = true
		n := count[i.Question]
		if i.Tuning {
			n[0]++
		} else {
			n[1]++
		}
		count[i.Question] = n
		a, err := i.Load()
		if err != nil {
			t.Error(err)
			continue
		}
		if err := a.Problem.Validate(); err != nil {
			t.Errorf("%s: %v", i.Name, err)
		}
		b, _ := i.Load()
		am, bm := a.Truth(), b.Truth()
		r, c := am.Dims()
		t.Logf("%s: %d arms, %d items, %d objectives", i.Name, a.Problem.K(), r, c)
		for x := range r {
			for y := range c {
				if am.At(x, y) != bm.At(x, y) {
					t.Fatalf("%s: another instance each time", i.Name)
				}
			}
		}
	}
	if len(seen) != 40 {
		t.Errorf("%d instances; want 40", len(seen))
	}
	for q, n := range count {
		if n[0] != n[1] {
			t.Errorf("%s: %d to tune with, %d held back", q, n[0], n[1])
		}
	}
}
