package study_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Rows by hand: of "a" at sizes 1, 2 and 4, of its other constants at 1 only; none at 8.
func TestEnds(t *testing.T) {
	r := &study.Results{Experiment: study.Experiment{
		Sizes:   []int{1, 2, 4, 8},
		Methods: []study.Method{{Name: "a", Constants: "hidden", TableOnly: true}, {Name: "a", Constants: "shown"}},
	}}
	for _, c := range []struct{ size, pulls int }{{1, 10}, {2, 20}, {4, 38}, {4, 42}} {
		r.Rows = append(r.Rows, mc.Row{Method: "a", Constants: "shown", Size: c.size, Pulls: c.pulls})
	}
	r.Rows = append(r.Rows, mc.Row{Method: "a", Constants: "hidden", Size: 1, Pulls: 1})

	ends, ok := r.Ends(func(size int) []mc.Row { return r.Shown(size, "a") }, study.MedianPulls)
	if !ok || ends.Small != 1 || ends.Large != 4 || ends.AtSmall.Center != 10 || ends.AtLarge.Center != 40 {
		t.Errorf("%+v, %v; want medians 10 at size 1 and 40 at size 4", ends, ok)
	}
	if _, ok := r.Ends(func(size int) []mc.Row { return r.Cell(size, "a", "hidden") }, study.MedianPulls); ok {
		t.Error("rows of one size have two ends")
	}
	if c := r.Shown(1, "b"); c != nil {
		t.Errorf("rows of a method that is not there: %v", c)
	}
}
