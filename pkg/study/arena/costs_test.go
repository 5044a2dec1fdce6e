package arena

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// A cell has as many replicates as take 1.5 seconds, up to 200, and none if that is fewer than three; who is not known is cheap.
func TestReplicates(t *testing.T) {
	for _, s := range []float64{0, 1e-9, .0074, .0075, .0076, .3, .499, .5, .5001, .75, 2, math.Inf(1)} {
		cost()[[2]string{"mine", "x"}] = s
		for _, delta := range append(Deltas(), 0) {
			n, each := replicates("mine", "x", delta), expected("mine", "x", delta)
			if times := map[bool]float64{true: math.Log(1/(2.4*delta)) / math.Log(1/.24), false: 1}[delta > 0]; s > 0 && math.Abs(each/(s*times)-1) > 1e-9 &&
				!math.IsInf(s, 1) {
				t.Errorf("a run of %v s at .1 takes %v at %v; want %v times that", s, each, delta, times)
			}
			fits := func(n float64) bool { return n*each <= 1.5*(1+1e-12) }
			if n > Reps || n < Reps && n > 0 && (fits(float64(n+1)) || n < 3) || n > 0 && s > 0 && !fits(float64(n)) || n == 0 && fits(3) {
				t.Errorf("%d replicates of %v s each", n, each)
			}
		}
	}
	delete(cost(), [2]string{"mine", "x"})
	for method, want := range map[string]bool{sampled: false, "nobody": true} {
		for _, delta := range []float64{1e-10, 0, .1} {
			if got := replicates(method, "no instance", delta) > 0; got != (want || delta != 1e-10) {
				t.Errorf("%s at %v runs: %v", method, delta, got)
			}
		}
	}
}

// Cells count runs by how they ended; pulls are of those that stopped, and what they cost where arms have costs.
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
		t.Error("cells of no rows")
	}
}

// A summary that somebody has changed names the line and what is wrong with it, whichever column it is.
func TestSummaryErrors(t *testing.T) {
	good := []string{"m", "c", "i", ".1", "0", "1", "2.5", "1", "0", "0"}
	read := func(fields []string) error {
		_, err := ReadCells(strings.NewReader(strings.Join(header, ",") + "\n" + strings.Join(good, ",") + "\n" + strings.Join(fields, ",") + "\n"))
		return err
	}
	if err := read(good); err != nil {
		t.Error(err)
	}
	for k := range header {
		bad := slices.Clone(good)
		bad[k] = "1.5x"
		if err := read(bad); (err != nil) != (k >= 3) || err != nil && !strings.Contains(err.Error(), "line 3: ") {
			t.Errorf("column %s: %v", header[k], err)
		}
	}
	if err := read(good[1:]); err == nil {
		t.Error("a line with a column less is read")
	}
	if _, err := ReadCells(strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "the first line is not method,constants,instance") {
		t.Errorf("an empty file: %v", err)
	}
}
