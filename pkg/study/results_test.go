package study_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Rows by hand: of "a" with its shown constants, and with others.
func TestShown(t *testing.T) {
	r := &study.Results{
		Experiment: study.Experiment{
			Sizes: []int{1, 2},
			Methods: []study.Method{{Name: "a", Constants: "hidden", TableOnly: true},
				{Name: "a", Constants: "shown"}},
		},
		Rows: []mc.Row{
			{Method: "a", Constants: "hidden", Size: 1, Pulls: 1},
			{Method: "a", Constants: "shown", Size: 1, Pulls: 2},
			{Method: "a", Constants: "shown", Size: 2, Pulls: 3},
		},
	}
	if c := r.Shown(1, "a"); len(c) != 1 || c[0].Pulls != 2 {
		t.Errorf("%v; want the row of 2 pulls", c)
	}
	if c := r.Shown(1, "b"); c != nil {
		t.Errorf("rows of a method that is not there: %v", c)
	}
}

// Rows belong to an experiment by its name, size and delta; those of a budget have no delta.
func TestResultsOfADelta(t *testing.T) {
	e := study.Experiment{Name: "e", Sizes: []int{1}, Delta: .1}
	r := e.Results([]mc.Row{{Experiment: "e", Size: 1, Delta: .1, Pulls: 1}, {Experiment: "e", Size: 1, Delta: .05, Pulls: 2},
		{Experiment: "e", Size: 1, Budget: 9, Pulls: 4}, {Experiment: "e", Size: 2, Delta: .1, Pulls: 8},
		{Experiment: "f", Size: 1, Delta: .1, Pulls: 16}})
	sum := 0
	for _, row := range r.Rows {
		sum += row.Pulls
	}
	if sum != 1+4 {
		t.Errorf("%+v", r.Rows)
	}
}
