package mc

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// A row contains the result of a run, even if the run failed or could not begin. Empty lists are not nil, and unknown
// classes have their own letter.
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
			c.res.ArmPulls[0]++ // the policy may change this memory later
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

// Warnings report missing replicates of each cell: the numbers of the first five, and "..." if more are missing. A
// shard reports only its own missing replicates.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		own  Shard
		reps []int
		want string // warning about the cell, or ""
	}{
		{Shard{}, []int{0, 1, 2}, ""}, {Shard{}, nil, "has no replicates; run the study again"},
		{Shard{}, []int{1}, "lacks 1 replicates before its last replicate: 0"}, {Shard{}, []int{5}, "lacks 5 replicates before its last replicate: 0, 1, 2, 3, 4"},
		{Shard{}, []int{6}, "lacks 6 replicates before its last replicate: 0, 1, 2, 3, 4, ..."},
		{Shard{}, []int{0, 3, 9}, "lacks 7 replicates before its last replicate: 1, 2, 4, 5, 6, ..."},
		{Shard{2, 3}, []int{1, 4, 7}, ""}, {Shard{2, 3}, []int{7, 13}, "lacks 3 replicates before its last replicate: 1, 4, 10"},
	} {
		h := Header{Cells: []CellInfo{{Method: "full", Instance: "x"}, {Method: "some", Instance: "x"}}}
		for _, backwards := range []bool{false, true} {
			m := merger{header: h, seen: make([]map[int]int, 2), disorder: backwards}
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
