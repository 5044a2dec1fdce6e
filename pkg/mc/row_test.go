package mc

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// A row has what a run says, also of one that failed on the way or could not begin; lists of nothing are lists, and what a
// policy says of an item that is no verdict has a sign of its own.
func TestFill(t *testing.T) {
	res := &explore.Result{Status: explore.PullLimit, Pulls: 7, Rounds: 3, ArmPulls: []int{3, 4},
		Warnings: []error{errors.New("one"), errors.New("two")}, Answer: explore.Answer{Items: []int{1}, Reasons: []explore.Reason{
			{Class: explore.Undecided}, {Class: explore.Optimal}, {Class: explore.Dominated}, {Class: explore.Infeasible}, {Class: -1}, {Class: 4}}}}
	bare := &explore.Result{Status: explore.Stopped, ArmPulls: []int{0, 0}}
	failed := errors.New("boom")
	for _, c := range []struct {
		res  *explore.Result
		err  error
		want Row
	}{
		{res, nil, Row{Pulls: 7, Rounds: 3, Status: "pull limit", Items: []int{1},
			Classes: "UODI??", ArmPulls: []int{3, 4}, Warnings: []string{"one", "two"}}},
		{res, failed, Row{Pulls: 7, Rounds: 3, Status: "failure", Items: []int{1},
			Classes: "UODI??", ArmPulls: []int{3, 4}, Warnings: []string{"one", "two"}, Err: "boom"}},
		{nil, failed, Row{Status: "failure", Items: []int{}, ArmPulls: []int{0, 0}, Err: "boom"}},
		{bare, nil, Row{Status: "stopped", Items: []int{}, ArmPulls: []int{0, 0}}},
	} {
		var got Row
		if got.fill(c.res, 2, c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v; want %+v", got, c.want)
		}
		if c.res != nil {
			c.res.ArmPulls[0]++ // the policy's own
			if got.ArmPulls[0] == c.res.ArmPulls[0] {
				t.Error("a row changes with the result")
			}
			c.res.ArmPulls[0]--
		}
	}
	row := Row{Measures: []Value{{"a", 0}, {"b", 2}}}
	for name, want := range map[string]float64{"a": 0, "b": 2, "c": -1, "": -1} {
		if v, ok := row.Measure(name); ok != (want >= 0) || ok && v != want {
			t.Errorf("measure %q: %v, %v; want %v", name, v, ok, want)
		}
	}
}

// A key names a cell with all that it has, and of nothing that it has not; cells, rows and headers have the same one.
func TestKeys(t *testing.T) {
	full := Key{Experiment: "figure 2", Instance: "easy", Size: 3, Method: "APE", Constants: "tuned", Delta: .1, Budget: 50}
	for want, k := range map[string]Key{
		"APE (tuned) at delta 0.1 with budget 50 on easy of figure 2": full,
		"APE on easy":            {Method: "APE", Instance: "easy", Size: 3},
		"APE with budget 7 on x": {Method: "APE", Instance: "x", Budget: 7}, "APE (a, b) on x": {Method: "APE", Instance: "x", Constants: "a, b"},
		"APE at delta 1e-06 on x of y": {Method: "APE", Instance: "x", Delta: 1e-6, Experiment: "y"},
	} {
		if k.String() != want {
			t.Errorf("%q; want %q", k, want)
		}
	}
	row := Row{Experiment: "figure 2", Instance: "easy", Size: 3, Method: "APE", Constants: "tuned", Delta: .1, Budget: 50, Rep: 9, Draw: 2}
	described := CellInfo{Experiment: "figure 2", Instance: "easy", Size: 3, Method: "APE", Constants: "tuned", Delta: .1, Budget: 50, Draw: 2}
	cell := Cell{Experiment: "figure 2", Size: 3, Draw: 2, Budget: 50,
		Method: Method{Name: "APE", Constants: "tuned", Delta: .1}, Instance: stillGrid().Instances[0]}
	one := full
	one.Instance = cell.Instance.Name
	if row.Key() != full || described.Key() != full || cell.Key() != one {
		t.Errorf("%v, %v, %v; want %v and %v", row.Key(), described.Key(), cell.Key(), full, one)
	}
}

// Replicates are those of a method, or of the grid where it has none; a part of a study says those of the whole.
func TestReplicatesOfCells(t *testing.T) {
	g := stillGrid()
	g.Methods = append(g.Methods, Method{Name: "more", New: g.Methods[0].New, Reps: 25}, Method{Name: "less", New: g.Methods[0].New, Reps: 1})
	for _, s := range []Shard{{}, {I: 2, N: 3}} {
		g.Shard = s
		reps, err := g.Replicates()
		if err != nil || len(reps) != 3 {
			t.Fatal(reps, err)
		}
		for k, n := range reps {
			if want := map[string]int{"still": 10, "more": 25, "less": 1}[k.Method]; n != want {
				t.Errorf("%v of shard %v: %d replicates; want %d", k, s, n, want)
			}
		}
	}
}

// What is missing is told of each cell: up to five replicates by number, more by three dots; those of a part are its own.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		own  Shard
		reps []int
		want string // of the cell
	}{
		{Shard{}, []int{0, 1, 2}, ""}, {Shard{}, nil, "has no replicates"},
		{Shard{}, []int{1}, "lacks 1 replicates below its last: 0"}, {Shard{}, []int{5}, "lacks 5 replicates below its last: 0, 1, 2, 3, 4"},
		{Shard{}, []int{6}, "lacks 6 replicates below its last: 0, 1, 2, 3, 4, ..."},
		{Shard{}, []int{0, 3, 9}, "lacks 7 replicates below its last: 1, 2, 4, 5, 6, ..."},
		{Shard{2, 3}, []int{1, 4, 7}, ""}, {Shard{2, 3}, []int{7, 13}, "lacks 3 replicates below its last: 1, 4, 10"},
	} {
		h := Header{Cells: []CellInfo{{Method: "full", Instance: "x"}, {Method: "some", Instance: "x"}}}
		for _, backwards := range []bool{false, true} {
			m := merger{header: h, seen: make([]seen, 2), disorder: backwards}
			reps := slices.Clone(c.reps)
			if backwards {
				slices.Reverse(reps)
			}
			m.rows, m.where = []Row{{Rep: c.own.first()}}, []spot{{cell: 0}}
			for _, rep := range reps {
				m.rows, m.where = append(m.rows, Row{Rep: rep}), append(m.where, spot{cell: 1})
			}
			got := ""
			for _, w := range m.gaps(c.own) {
				got += w.Error()
			}
			if want := strings.TrimSuffix("mc: some on x "+c.want, "mc: some on x "); got != want {
				t.Errorf("shard %v with %v: %q; want %q", c.own, reps, got, want)
			}
		}
	}
}

// failing is a recorder that ends a run with its error.
type failing struct{ number }

func (failing) Record(e explore.Event) error { return fmt.Errorf("round %d is not for me", e.Round) }

// A meter that cannot go on ends the run, as its error says.
func TestMetersFail(t *testing.T) {
	m := &meters{recorders: []explore.Recorder{failing{}, failing{}}}
	if err := m.Record(explore.Event{Round: 3}); err == nil || err.Error() != "round 3 is not for me" {
		t.Errorf("error %v", err)
	}
	if (&meters{}).recorder() != nil || m.recorder() == nil {
		t.Error("rounds are shown where nobody asks for them, or not where somebody does")
	}
}

// Parts that are missing are told if all that were read are of one division, however often and in whatever order they were read.
func TestMissingShards(t *testing.T) {
	for _, c := range []struct {
		parts []Shard
		want  []string
	}{
		{[]Shard{{}}, nil}, {[]Shard{{1, 1}}, nil}, {[]Shard{{1, 2}}, []string{"2/2"}}, {[]Shard{{3, 3}, {1, 3}}, []string{"2/3"}},
		{[]Shard{{2, 2}, {1, 2}}, nil}, {[]Shard{{2, 3}, {2, 3}}, []string{"1/3", "3/3"}}, {[]Shard{{1, 2}, {2, 3}}, nil},
		{[]Shard{{1, 3}, {1, 2}, {2, 3}}, nil}, {[]Shard{{1, 2}, {}}, nil}, {[]Shard{{}, {1, 2}}, nil},
	} {
		if got := missingShards(c.parts); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q are missing; want %q", c.parts, got, c.want)
		}
	}
}

// Replicates of a part are every N-th, as many as there are between two of them, and none belongs to two parts.
func TestReplicatesOfParts(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for end := range 12 {
			all := 0
			for i := 1; i <= n; i++ {
				s, count := Shard{i, n}, 0
				for rep := range end {
					if s.has(rep) {
						count++
					}
				}
				if got := s.count(s.first(), end); got != count {
					t.Errorf("shard %v of %d replicates: %d; want %d", s, end, got, count)
				}
				if next := s.first() + s.step(); s.count(next, end) != max(count-1, 0) {
					t.Errorf("shard %v of %d replicates, from the second on: %d; want %d", s, end, s.count(next, end), max(count-1, 0))
				}
				all += count
			}
			if whole := (Shard{}).count(0, end); all != end || whole != end {
				t.Errorf("%d parts of %d replicates have %d, the whole %d", n, end, all, whole)
			}
		}
	}
	for s, ok := range map[Shard]bool{{}: true, {1, 1}: true, {8, 8}: true, {0, 1}: false, {9, 8}: false, {1, 0}: false, {-1, -1}: false, {0, 8}: false} {
		if err := s.validate(); (err == nil) != ok {
			t.Errorf("shard %v: %v", s, err)
		}
	}
}
