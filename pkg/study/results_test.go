package study_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// A row belongs to an experiment if the name, size and delta match; rows of methods with a fixed budget have no delta.
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
