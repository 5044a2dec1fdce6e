package fig

import (
	"io"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Runs that a limit ended would have gone on: a median that is not below all of them is a lower
// bound.
func TestMedianCutShort(t *testing.T) {
	for _, c := range []struct {
		early []float64
		want  string
	}{
		{nil, "50"},
		{[]float64{60}, "50"},
		{[]float64{50}, "≥ 50"},
		{[]float64{40}, "≥ 50"},
		{[]float64{40, 60}, "≥ 50"},
	} {
		sp := spread{early: c.early, median: tidy.Summary{Center: 50}}
		if got := sp.center(); got != c.want {
			t.Errorf("runs cut short at %v: median %s; want %s", c.early, got, c.want)
		}
	}
}

// pulled are rows of a method on an instance, with the pulls of two arms each.
func pulled(instance, method string, arms ...[2]int) (rows []mc.Row) {
	for rep, n := range arms {
		rows = append(rows, mc.Row{Instance: instance, Method: method, Rep: rep, Correct: true, Status: explore.Stopped.String(), Pulls: n[0] + n[1], ArmPulls: n[:]})
	}
	return rows
}

// Arms that are pulled never, equally often or in few runs are drawn like others, with axes that begin at 0 unless they are logarithmic.
func TestArmPullsAxes(t *testing.T) {
	for name, c := range map[string]struct {
		arms     [][2]int
		min, max float64 // of the axis, less its margin
		log      bool
		words    string
	}{
		"one run":      {arms: [][2]int{{3, 5}}, max: 5 * 1.05, words: "most pulls (5 of 8) on b ≥ 2"},
		"equal":        {arms: [][2]int{{4, 4}}, max: 4 * 1.05, words: "most pulls (4 of 8) on a"},
		"no pulls":     {arms: [][2]int{{0, 0}}, max: 1, words: "no pulls"},
		"factor eight": {arms: [][2]int{{10, 80}}, max: 80 * 1.05, words: "on b ≥ 2"},
		"more":         {arms: [][2]int{{10, 81}}, min: 10, max: 81, log: true, words: "on b ≥ 2"},
		"never pulled": {arms: [][2]int{{0, 81}}, max: 81 * 1.05, words: "(81 of 81) on b ≥ 2"},
	} {
		f := must(ArmPulls(pulled("x", "m", c.arms...), &RowOptions{ArmNames: map[string][]string{"x": {"a", "b >= 2"}}}))
		x := f.Panels[0].X
		_, log := x.Scale.(plot.LogScale)
		if log != c.log || !log && (x.Min != c.min || x.Max != c.max) || log && !(x.Min > .8*c.min && x.Min < c.min && x.Max > c.max && x.Max < 1.25*c.max) {
			t.Errorf("%s: logarithmic %v, from %v to %v", name, log, x.Min, x.Max)
		}
		if !strings.Contains(f.Alt(), c.words) {
			t.Errorf("%s: %s; want %q", name, f.Alt(), c.words)
		}
		if err := f.SVG(io.Discard); err != nil {
			t.Error(err)
		}
	}
}
