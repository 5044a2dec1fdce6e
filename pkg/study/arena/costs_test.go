package arena

import (
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Cells count runs by how they ended. Pulls is the mean number of pulls of the runs that stopped or, if arms have
// costs, the mean cost.
func TestSummarise(t *testing.T) {
	row := func(instance string, delta float64, budget, pulls int, status explore.Status, correct bool) mc.Row {
		return mc.Row{Method: "m", Constants: "c", Instance: instance, Delta: delta, Budget: budget, Pulls: pulls, ArmPulls: []int{pulls - 1, 1},
			Status: status.String(), Correct: correct}
	}
	rows := []mc.Row{
		row("ten arms", .1, 0, 10, explore.Stopped, true), row("ten arms", .1, 0, 20, explore.Stopped, false),
		row("ten arms", .1, 0, 900, explore.PullLimit, true), row("ten arms", .1, 0, 700, explore.Failure, false),
		row("ten arms", .05, 0, 30, explore.Stopped, true), row("ten arms", 0, 50, 50, explore.Stopped, true),
		row("ten arms", .1, 0, 60, explore.Stopped, true), row("ten arms", 0, 60, 60, explore.Stopped, false),
		row("costly arms", .1, 0, 11, explore.Stopped, true),
	}
	cell := func(instance string, delta float64, budget, runs int, pulls float64, wrong, givenUp, failed int) Cell {
		return Cell{"m", "c", instance, delta, budget, runs, pulls, wrong, givenUp, failed}
	}
	want := []Cell{cell("ten arms", .1, 0, 5, 30, 1, 1, 1), cell("ten arms", .05, 0, 1, 30, 0, 0, 0), cell("ten arms", 0, 50, 1, 50, 0, 0, 0),
		cell("ten arms", 0, 60, 1, 60, 1, 0, 0), cell("costly arms", .1, 0, 1, 10+16, 0, 0, 0)}
	if got := Summarise(rows); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
	if len(Summarise(nil)) != 0 {
		t.Error("Summarise returned cells for no rows")
	}
}
