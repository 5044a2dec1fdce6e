package arena_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/study/arena"
)

// Instances have distinct names. Each question has as many instances in Tuning as in Looked, and at least three in
// HeldBack. All instances can be constructed, and are the same each time.
func TestInstances(t *testing.T) {
	seen := map[string]bool{}
	count := map[arena.Question]map[arena.Set]int{}
	for _, i := range arena.Instances() {
		if seen[i.Name] || i.Name == "" || i.Why == "" {
			t.Errorf("%q: twice, or without a name or a reason", i.Name)
		}
		seen[i.Name] = true
		if count[i.Question] == nil {
			count[i.Question] = map[arena.Set]int{}
		}
		count[i.Question][i.Set]++
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
	for q, n := range count {
		if n[arena.Tuning] != n[arena.Looked] || n[arena.HeldBack] < 3 {
			t.Errorf("%s: %v", q, n)
		}
	}
}
