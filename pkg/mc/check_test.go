package mc

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// A valid row is accepted. A row with one impossible or unexpected value is rejected, with an error that describes the
// value.
func TestCheckRows(t *testing.T) {
	known := newChecker(&Header{Study: "toy", Seed: 7,
		Instances: []InstanceInfo{{Name: "ladder", Arms: 3, Items: 2}},
		Cells: []CellInfo{{Instance: "ladder", Method: "a", Constants: "c", Delta: .1},
			{Instance: "ladder", Method: "b", Constants: "c", Delta: .1, Size: 4, Draw: 2}}})
	for i, c := range known.Cells {
		good := func() *Row {
			return &Row{Study: "toy", Seed: 7, Instance: "ladder", Method: c.Method, Constants: "c", Delta: .1,
				Size: c.Size, Draw: c.Draw, Pulls: 9, Rounds: 4, Items: []int{0, 1}, Classes: "OU",
				ArmPulls: []int{2, 0, 7}}
		}
		for name, change := range map[string]func(r *Row){
			"":             func(*Row) {},
			"no reasons":   func(r *Row) { r.Classes = "" },
			"no items":     func(r *Row) { r.Items = nil },
			"another item": func(r *Row) { r.Items = []int{1} },
			"no pulls":     func(r *Row) { r.Pulls, r.Rounds, r.ArmPulls = 0, 0, []int{0, 0, 0} },
			"large counts": func(r *Row) { r.Pulls, r.ArmPulls = math.MaxInt, []int{math.MaxInt - 1, 0, 1} },
			"unknown":      func(r *Row) { r.Classes = "?D" },
		} {
			r := good()
			change(r)
			if cell, err := known.check(r); err != nil || cell != i {
				t.Errorf("%q: cell %d, %v; want %d", name, cell, err, i)
			}
		}
		for says, change := range map[string]func(r *Row){
			`the study of the row is "other"; expected "toy"`:            func(r *Row) { r.Study = "other" },
			"the seed of the row is 8; expected 7":                       func(r *Row) { r.Seed = 8 },
			"which is not a cell of the header":                          func(r *Row) { r.Method = "z" },
			"replicate -1":                                               func(r *Row) { r.Rep = -1 },
			"the row has 2 arms; ladder has 3":                           func(r *Row) { r.ArmPulls = []int{2, 7} },
			"-1 pulls in 4 rounds":                                       func(r *Row) { r.Pulls = -1 },
			"9 pulls in -1 rounds":                                       func(r *Row) { r.Rounds = -1 },
			"-1 pulls of arm 1":                                          func(r *Row) { r.ArmPulls = []int{3, -1, 7} },
			"8 pulls of arm 2; expected at least 0":                      func(r *Row) { r.ArmPulls = []int{2, 0, 8} },
			"9 pulls in total, which exceeds the sum over the arms by 1": func(r *Row) { r.ArmPulls = []int{2, 0, 6} },
			"pulls of arm 1; expected at least 0":                        func(r *Row) { r.ArmPulls = []int{9, math.MaxInt, 0} },
			"the items are [0 2]; expected items of ladder, from 0 to 1, in ascending order": func(r *Row) { r.Items = []int{0, 2} },
			"the items are [-1]; expected items of ladder":                                   func(r *Row) { r.Items = []int{-1} },
			"the items are [1 0]; expected items of ladder":                                  func(r *Row) { r.Items = []int{1, 0} },
			"the items are [1 1]; expected items of ladder":                                  func(r *Row) { r.Items = []int{1, 1} },
			`the classes are "O"; expected`:                                                  func(r *Row) { r.Classes = "O" },
			`the classes are "OX"; expected`:                                                 func(r *Row) { r.Classes = "OX" },
			`the classes are "ODI"; expected`:                                                func(r *Row) { r.Classes = "ODI" },
		} {
			r := good()
			change(r)
			if _, err := known.check(r); !errors.Is(err, ErrRows) || !strings.Contains(err.Error(), says) {
				t.Errorf("%v; want %q", err, says)
			}
		}
		r := good()
		r.Draw++
		if _, err := known.check(r); !errors.Is(err, ErrRows) || !slices.ContainsFunc([]string{"draw", "header"},
			func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("another draw: %v", err)
		}
	}
}
