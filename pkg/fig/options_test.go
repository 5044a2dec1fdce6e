package fig

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
)

// What options ask for is what a figure says, in its words, its notes and at its axes; without them it says what it always does.
func TestOptionsAreSaid(t *testing.T) {
	run := CurveSeries{Name: "m", X: []float64{10, 20}, Runs: [][]float64{{1, 2}, {1, 4}, {1, 9}}}
	later := CurveSeries{Name: "n", X: []float64{15, 40}, Runs: [][]float64{{3, 5}}}
	arms := ThresholdArms{Estimates: []float64{1, 2}, Lo: []float64{0, 1}, Hi: []float64{2, 3}, Level: 1.5}
	short := []mc.Row{{Instance: "x", Method: "m", Pulls: 3, Status: "stopped", Correct: true}}
	rows := short
	for range 8 {
		rows = append(rows, mc.Row{Instance: "x", Method: "n", Pulls: 9, Status: "stopped", Correct: true})
	}
	brackets := []ConvergenceSeries{{"a", []design.Bracket{{Iteration: 1, Value: 90, Lower: 1}, {Iteration: 4, Value: 3, Lower: 2}}},
		{"b", []design.Bracket{{Iteration: 2, Value: 4}, {Iteration: 7, Value: 2.5}}}}
	for name, c := range map[string]struct {
		f    *Figure
		want string
	}{
		"curves": {must(Curves([]CurveSeries{run, later}, nil)),
			"cumulative regret against pulls. m: median 4 at 20, 80 % of 3 runs between 2 and 7.5; n: median 5 at 40, 80 % " +
				"of 1 run between 5 and 5. " +
				"| Lines: median of the runs. Bands: the middle 80 % of the runs at each place. |  | pulls"},
		"mean": {must(Curves([]CurveSeries{run}, &CurveOptions{XLabel: "plates", YLabel: "loss", Mean: true, Share: .5})),
			"loss against plates. m: mean 5 at 20, 50 % of 3 runs between 2 and 5.25. " +
				"| Lines: mean of the runs. Bands: the middle 50 % of the runs at each place. |  | plates"},
		"threshold": {must(Threshold(arms, nil)), "2 arms by estimate; threshold: best − ε at 1.5. Undecided: arm 1, arm 0. " +
			"| Vertical lines: confidence intervals. | undecided, threshold: best − ε | "},
		"level": {must(Threshold(ThresholdArms{Estimates: []float64{1, 2}, Truth: []float64{1, 1}, Level: 1.5},
			&ThresholdOptions{Level: "least", YLabel: "rate"})),
			"2 arms by estimate; least at 1.5. Undecided: arm 1, arm 0. " +
				"|  | undecided, least, true mean | "},
		"few": {must(SampleComplexity(rows, nil)),
			"Distribution of the number of pulls. x: m median 3 pulls, 0/1 wrong; n median 9 [9, 9] pulls, 0/8 wrong. " +
				"| Box: quartiles. Whiskers: 5 % and 95 % quantiles. " +
				"Marker and bar: median with its 95 % confidence interval. Points: single runs. No bar: too few runs for an " +
				"interval. |  | pulls until stopping"},
		"convergence": {must(Convergence(brackets, nil)),
			"Convergence of design solvers. a: 50 % above the best bound after 4 iterations. b: 25 % above the best bound " +
				"after 7 iterations. " +
				"| Lines: value of the current design; thin lines: best lower bound so far; band: contains the optimum, which is at least 2. " +
				"Values above the upper panel, up to 90, are drawn at its edge. | a, b | "},
		"lanes": {must(Sketches([]Sketch{{Title: "one", X: [2]float64{0, 1}, YNames: []string{"a"}}}, &SketchOptions{Title: "T"})),
			"T: one. |  |  | "},
		"arms": {must(ArmPulls([]mc.Row{{Instance: "x", Method: "m", Pulls: 1, Status: "stopped", ArmPulls: []int{0, 1}}}, nil)),
			"Mean pulls of each arm. x, m: most pulls (1 of 1) on arm 1. " +
				"| Bars: 95 % confidence intervals of the means (hidden where they are narrower than the marker). | m | mean pulls of the arm"},
	} {
		var legend []string
		for _, e := range c.f.Legend {
			legend = append(legend, e.Name)
		}
		got := c.f.Alt() + " | " + strings.Join(c.f.Notes, " ") + " | " + strings.Join(legend, ", ") + " | " +
			c.f.Panels[0][0].X.Label.Text
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// Panels one below the other can stand alone: each says what its axis is. Of panels side by side, the last row does.
func TestAxesOfStackedPanels(t *testing.T) {
	var rows []mc.Row
	for _, inst := range []string{"x", "y"} {
		for _, constants := range []string{"a", ""} {
			rows = append(rows, mc.Row{Instance: inst, Constants: constants, Method: "m", Pulls: 3, Status: "stopped", Correct: true})
		}
	}
	const label = "pulls until stopping"
	for width, want := range map[vg.Length]string{0: "[[L] [L] [L] [L]]", canvas.PageWidth: "[[- -] [L L]]"} {
		f := must(SampleComplexity(rows, &RowOptions{Width: width}))
		var said [][]string
		for _, row := range f.Panels {
			var labels []string
			for _, p := range row {
				labels = append(labels, map[string]string{label: "L", "": "-"}[p.X.Label.Text])
			}
			said = append(said, labels)
		}
		if got := fmt.Sprint(said); got != want {
			t.Errorf("width %v: axes %s; want %s", width, got, want)
		}
		if alt := f.Alt(); !strings.Contains(alt, "x, constants: a: m median 3") || !strings.Contains(alt, " y: m median 3") {
			t.Errorf("width %v: %s", width, alt)
		}
	}
}
