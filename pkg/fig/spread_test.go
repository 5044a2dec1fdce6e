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
		x := f.Panels[0][0].X
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

// What is asked for is drawn: intervals of the given confidence, the names, the size; methods are explained once, the axis at the end.
func TestArmPullsOptions(t *testing.T) {
	rows := append(pulled("x", "m", [2]int{3, 9}, [2]int{5, 7}, [2]int{2, 20}, [2]int{4, 11}), pulled("y", "m", [2]int{1, 2})...)
	names := map[string][]string{"x": {"a", "b"}, "y": {"c", "d"}}
	wide := must(ArmPulls(rows, &RowOptions{Confidence: .99, ArmNames: names, Width: 400, Height: 300}))
	tight := must(ArmPulls(rows, &RowOptions{Confidence: .5, ArmNames: names}))
	if wide.Panels[0][0].X.Max <= tight.Panels[0][0].X.Max || !strings.Contains(wide.Notes[0], "99 %") || !strings.Contains(tight.Notes[0], "50 %") {
		t.Errorf("axes to %v and %v, notes %q and %q", wide.Panels[0][0].X.Max, tight.Panels[0][0].X.Max, wide.Notes, tight.Notes)
	}
	if wide.Width != 400 || wide.Height != 300 || len(wide.Legend) != 1 {
		t.Errorf("%v x %v, %d entries", wide.Width, wide.Height, len(wide.Legend))
	}
	for i, want := range []string{"", "mean pulls of the arm"} {
		p := wide.Panels[i][0]
		ticks := p.Y.Tick.Marker.Ticks(0, 0)
		if p.X.Label.Text != want || ticks[0].Label != names[[]string{"x", "y"}[i]][0] {
			t.Errorf("panel %d: %q below, lanes %v", i, p.X.Label.Text, ticks)
		}
	}
	bad := pulled("x", "m", [2]int{5, -1})
	bad[0].Pulls, bad[0].Rep = 4, 7
	if _, err := ArmPulls(bad, nil); err == nil || !strings.Contains(err.Error(), `instance "x", method m, replicate 7: arm 1 has -1 pulls; want 0 or more`) {
		t.Error(err)
	}
	// Of runs that all failed, names say how many arms there are.
	failed := pulled("x", "m", [2]int{5, 1})
	failed[0].Status, failed[0].ArmPulls = explore.Failure.String(), nil
	f := must(ArmPulls(failed, &RowOptions{ArmNames: names}))
	if n := len(f.Panels[0][0].Y.Tick.Marker.Ticks(0, 0)); n != 2 || !strings.Contains(strings.Join(f.Notes, " "), "Runs that an error ended are left out: 1.") {
		t.Errorf("%d lanes, notes %q", n, f.Notes)
	}
}

// Methods and instances are drawn in the order that was asked for, and no others; error probabilities tell lanes apart where there are several.
func TestRowsAsked(t *testing.T) {
	var rows []mc.Row
	for _, inst := range []string{"x", "y", "z"} {
		for _, method := range []string{"a", "b", "c"} {
			rows = append(rows, pulled(inst, method, [2]int{3, 4}, [2]int{5, 6})...)
		}
	}
	for _, c := range []struct {
		o           RowOptions
		said, lanes string
	}{
		{RowOptions{}, "x y z", "a b c"}, {RowOptions{Methods: []string{"c", "a"}}, "x y z", "c a"}, {RowOptions{Instances: []string{"z", "nobody", "x"}}, "z x", "a b c"},
		{RowOptions{Methods: []string{"b"}, Instances: []string{"y"}}, "y", "b"},
	} {
		s := must(arrange(rows, &c.o))
		var lanes []string
		for _, k := range s.keys["x"] {
			lanes = append(lanes, s.name(k))
		}
		if c.o.Instances != nil && len(lanes) == 0 {
			lanes = []string{s.name(s.keys["y"][0])}
		}
		if got := strings.Join(s.instances, " "); got != c.said || strings.Join(lanes, " ") != c.lanes {
			t.Errorf("%+v: instances %s, lanes %q; want %s and %s", c.o, got, lanes, c.said, c.lanes)
		}
	}
	rows[0].Delta = .05
	if s := must(arrange(rows, nil)); s.name(s.keys["x"][0]) != "a, δ = 0.05" || s.name(s.keys["x"][1]) != "a, δ = 0" || s.name(s.keys["y"][0]) != "a, δ = 0" {
		t.Errorf("lanes %v", s.keys)
	}
	for _, bad := range []float64{-.1, 1, 95} {
		if _, err := arrange(rows, &RowOptions{Confidence: bad}); err == nil || !strings.Contains(err.Error(), "want a number between 0 and 1") {
			t.Errorf("confidence %v: %v", bad, err)
		}
	}
}

// Of more than 200 runs as many are drawn, which a note says; names of references have room in up to four rows.
func TestManyRunsAndReferences(t *testing.T) {
	for n, want := range map[int]string{200: "Points: single runs.", 201: "Points: 200 runs of each method, evenly spaced in rank."} {
		if notes := must(SampleComplexity(pulled("x", "m", make([][2]int, n)...), nil)).Notes[0]; !strings.Contains(notes, want) {
			t.Errorf("%d runs: %q; want %q", n, notes, want)
		}
	}
	for n, want := range map[int]float64{0: 0, 1: .45, 4: 1.35, 5: 1.35, 9: 1.35} {
		if got := refRoom(make([]Reference, n)); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%d references: %v lanes; want %v", n, got, want)
		}
	}
}
