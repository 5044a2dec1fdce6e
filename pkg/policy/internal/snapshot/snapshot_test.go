package snapshot_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/purexp/purexp/pkg/policy/internal/snapshot"
)

type tracker interface{ add(x int) }

type counter struct {
	n    int
	seen []int
}

func (c *counter) add(x int) { c.n++; c.seen = append(c.seen, x) }

type boxed struct{ inside []float64 }

type state struct {
	name  string
	sums  []float64
	rows  [][]float64
	pairs [2]*counter
	track tracker
	box   any  // holds a boxed
	first *int // points into nest
	self  *state
	nest  struct {
		counts []int
		n      [3]int
	}
	none    *counter
	shared  []float64 // shares memory with sums
	skipped *hidden
	cache   map[int]int
}

type hidden struct{ n int }

func newState() *state {
	s := &state{name: "before", sums: []float64{1, 2, 3}, rows: [][]float64{{1}, {2, 3}},
		pairs: [2]*counter{{n: 1}, nil}, track: &counter{seen: []int{5}},
		box: boxed{[]float64{7}}, skipped: &hidden{1}, cache: map[int]int{1: 1}}
	s.nest.counts, s.self, s.shared = []int{4, 5}, s, s.sums[:2]
	s.first = &s.nest.n[0]
	return s
}

// disturb changes all fields, both in place and by assigning new values.
func (s *state) disturb() {
	s.name = "after"
	s.sums[1] = 20
	s.sums = append(s.sums[:1], 9, 9, 9)
	s.rows[1][0] = 8
	s.rows[0] = []float64{4, 4}
	s.pairs[0].add(3)
	s.pairs[1] = &counter{}
	s.track.add(6)
	s.track.(*counter).seen[0] = 1
	s.track = nil
	s.box.(boxed).inside[0] = 0
	s.box = 3
	*s.first = 12
	s.first = nil
	s.self = nil
	s.nest.counts[0] = -1
	s.none = &counter{}
	s.shared[0] = 100
	s.skipped.n = 2
}

// Restore undoes all changes of a trial, and restores slices and pointers to the same memory.
func TestRestore(t *testing.T) {
	var shot snapshot.Snapshot
	shot.Except = []reflect.Type{reflect.TypeFor[*hidden]()}
	s := newState()
	sums, first := &s.sums[0], s.first
	for range 3 { // the second and third calls of Take reuse memory
		shot.Take(s)
		s.disturb()
		shot.Restore()
		want := newState()
		want.skipped.n = 2
		if !reflect.DeepEqual(s, want) {
			t.Fatalf("%+v; want %+v", s, want)
		}
		if &s.sums[0] != sums || s.first != first || s.self != s {
			t.Fatal("the restored value is another one")
		}
	}
}

// One Snapshot holds states of different shapes one after the other.
func TestTakeAnother(t *testing.T) {
	var shot snapshot.Snapshot
	for n := range 20 {
		s := newState()
		s.sums = slices.Repeat([]float64{float64(n)}, 40-2*n)
		s.rows = slices.Repeat([][]float64{{1, 2}}, n)
		if n%3 == 0 {
			s.track = nil
		}
		want := slices.Clone(s.sums)
		shot.Take(s)
		clear(s.sums)
		for i := range s.rows {
			s.rows[i] = nil
		}
		shot.Restore()
		if !slices.Equal(s.sums, want) || slices.ContainsFunc(s.rows, func(r []float64) bool {
			return !slices.Equal(r, []float64{1, 2})
		}) {
			t.Fatalf("%v and %v; want %v", s.sums, s.rows, want)
		}
	}
}

// Take and Restore do not write to memory that a trial leaves unchanged, such as a problem that several runs share.
// The race detector would report any write.
func TestSharedIsRead(t *testing.T) {
	type run struct {
		shared *state
		own    []int
	}
	shared := newState()
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			r := run{shared, make([]int, 3)}
			var shot snapshot.Snapshot
			for range 100 {
				shot.Take(&r)
				r.own[1] = 5
				shot.Restore()
				if r.own[1] != 0 {
					t.Error("not restored")
				}
			}
		})
	}
	wait.Wait()
}
