package linfact

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/study"
)

// regionColors are those of M1 to M7. Sets of one arm have the strong ones.
var regionColors = [...]color.NRGBA{canvas.Blue, canvas.Purple, canvas.Vermilion, canvas.Orange,
	canvas.Green, canvas.SkyBlue, canvas.Grey}

// armColors are those of the arms, and of the regions where they are alone.
var armColors = [...]color.NRGBA{regionColors[0], regionColors[4], regionColors[2]}

// Styles of sketches.
var (
	border     = canvas.Line(canvas.Ink, 1, nil)
	confidence = canvas.Line(canvas.Black, 1.3, []vg.Length{4, 2})
	armLook    = fig.Look{Color: canvas.Ink, Marker: canvas.Circle}
	thetaLook  = fig.Look{Color: canvas.Black, Marker: canvas.Diamond}
	truthLook  = fig.Look{Color: canvas.Blue, Marker: canvas.Circle}
	otherLook  = fig.Look{Color: canvas.Vermilion, Marker: canvas.Square}
	olsLook    = fig.Look{Color: canvas.Grey, Marker: canvas.Square}
	threshold  = []vg.Length{5, 3}
)

// regionLegend explains sketches of the parameter plane.
func regionLegend() []fig.Entry {
	return []fig.Entry{canvas.MarkerEntry("arm", armLook),
		canvas.MarkerEntry("true parameter θ", thetaLook),
		canvas.LineEntry("confidence region", confidence), canvas.LineEntry("boundary", border)}
}

// Regions is Fig. 1 and Fig. EC.4.1 for the three arms of ThreeArms: parameters by (a) the best
// arm, (b) which arms are within epsilon of the best, where regions overlap, and (c) the set of
// these arms; and, around a parameter of the region of a size, the confidence region of the
// G-optimal design as the number of pulls grows, until it lies in a decision region.
func Regions(size int, epsilon float64) (*fig.Figure, error) {
	in, ds, err := regionShares(size, epsilon)
	if err != nil {
		return nil, err
	}
	names := []string{"(a) the best arm", "(b) within ε: overlapping",
		"(c) their set: seven regions"}
	panels := make([]fig.Sketch, 3)
	for i := range panels {
		panels[i] = parameterPlane(names[i])
	}
	for i := range 3 {
		light := armColors[i]
		light.A = 70
		best := canvas.Cut(window, within(i, 0)...)
		good := canvas.Cut(window, within(i, epsilon)...)
		panels[0].Regions = append(panels[0].Regions, fig.SketchRegion{
			Name: fmt.Sprint("M", i+1), Pieces: [][]canvas.Point{best},
			Color: canvas.Light(armColors[i], .3)})
		panels[0].Lines = append(panels[0].Lines, outline(best))
		// The name stands where the arm is alone.
		panels[1].Regions = append(panels[1].Regions,
			fig.SketchRegion{Pieces: [][]canvas.Point{good}, Color: light},
			fig.SketchRegion{Name: fmt.Sprintf("M_a%d", i+1), Pieces: alone(i, epsilon)})
		panels[1].Lines = append(panels[1].Lines, outline(good))
	}
	panels[2].Regions, panels[2].Lines = decided(epsilon)
	for i := range panels {
		if i != 1 {
			panels[i].Lines = append(panels[i].Lines, shrinking(in, ds[0].weights, ds[0].pulls)...)
			panels[i].Points = append(panels[i].Points, theta(in))
		}
	}
	return fig.Sketches(panels, &fig.SketchOptions{
		Title:  fmt.Sprintf("Best arm, and all arms within ε = %v of the best", epsilon),
		Legend: regionLegend(), Square: true,
		Notes: []string{fmt.Sprintf("Confidence regions (0.95) after %s by the design G: the "+
			"last is in %s.",
			growingPulls(ds[0].pulls), decisionRegions()[size].title())},
		Words: fmt.Sprintf("Plane of parameters of three arms. (a) Three cones, by the best arm. "+
			"(b) Three overlapping regions, where each arm is within %v of the best. (c) Seven "+
			"decision regions, by the set of these arms: a hexagon in the middle where all three "+
			"are, three strips for pairs, and three wedges for single arms.", epsilon),
	})
}

// Confidence is Fig. EC.3.1: how the confidence region around the parameter of a size of
// DecisionRegions shrinks with the designs G and XY, and when it enters the decision region.
func Confidence(size int) (*fig.Figure, error) {
	in, ds, err := regionShares(size, triangleEpsilon)
	if err != nil {
		return nil, err
	}
	ds = ds[:2]
	first := min(ds[0].pulls, ds[1].pulls)
	panels := make([]fig.Sketch, len(ds))
	title := decisionRegions()[size].title()
	for i, d := range ds {
		panels[i] = parameterPlane(fmt.Sprintf("%s design: in %s from %d pulls on", d.name, title,
			int(math.Ceil(d.pulls))))
		panels[i].Regions, panels[i].Lines = decided(triangleEpsilon)
		panels[i].Lines = append(panels[i].Lines, shrinking(in, d.weights, first)...)
		panels[i].Points = append(panels[i].Points, theta(in))
	}
	return fig.Sketches(panels, &fig.SketchOptions{
		Title: "Confidence regions with the designs G and XY", Legend: regionLegend(), Square: true,
		Notes: []string{fmt.Sprintf("Confidence regions (0.95) after the same numbers of pulls "+
			"in both panels: %s.",
			growingPulls(first))},
	})
}

// parameterPlane is an empty sketch of the parameters, with the arms.
func parameterPlane(title string) fig.Sketch {
	s := fig.Sketch{Title: title, XLabel: "θ, feature 1", YLabel: "θ, feature 2",
		X: [2]float64{-reach, reach}, Y: [2]float64{-reach, reach}}
	for i := range 3 {
		s.Points = append(s.Points, fig.SketchPoint{Name: fmt.Sprint("a", i+1), Look: armLook,
			Point: canvas.Point{X: triangle.At(i, 0), Y: triangle.At(i, 1)}})
	}
	return s
}

// within are the half-planes of parameters for which an arm is within epsilon of the best.
func within(arm int, epsilon float64) (hs []canvas.HalfPlane) {
	for j := range 3 {
		if j != arm {
			hs = append(hs, beyond(triangle, j, arm, epsilon))
		}
	}
	return hs
}

// alone are the parameters for which an arm is the only epsilon-best one.
func alone(arm int, epsilon float64) [][]canvas.Point {
	return decisionRegion{Arms: []int{arm}, x: triangle}.pieces(epsilon, 0)
}

// decided are the decision regions and their boundaries.
func decided(epsilon float64) (rs []fig.SketchRegion, lines []fig.SketchLine) {
	for i, r := range decisionRegions() {
		rs = append(rs, fig.SketchRegion{Name: r.Name, Pieces: r.pieces(epsilon, 0),
			Color: canvas.Light(regionColors[i], .3)})
	}
	for i := range 3 {
		lines = append(lines, outline(canvas.Cut(window, within(i, epsilon)...)))
	}
	return rs, lines
}

// outline closes a polygon.
func outline(polygon []canvas.Point) fig.SketchLine {
	return fig.SketchLine{Points: append(slices.Clone(polygon), polygon[0]), Style: border}
}

func theta(in *bandit.Instance) fig.SketchPoint {
	return fig.SketchPoint{Name: "θ", Look: thetaLook,
		Point: canvas.Point{X: in.Theta.At(0, 0), Y: in.Theta.At(1, 0)}}
}

// growth are the numbers of pulls of a sequence of confidence regions, as shares of the last.
var growth = []float64{1. / 9, 1. / 3, 1}

// growingPulls says them.
func growingPulls(last float64) string {
	return fmt.Sprintf("%.0f, %.0f and %.0f pulls", math.Ceil(growth[0]*last),
		math.Ceil(growth[1]*last),
		math.Ceil(last))
}

// shrinking are confidence regions around the true parameter as the number of pulls grows to last.
func shrinking(in *bandit.Instance, w []float64, last float64) (lines []fig.SketchLine) {
	v := mat.NewSymDense(2, nil)
	for i, share := range w {
		v.SymRankOne(v, share, in.Problem.X.RowView(i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(v) {
		return nil // arms of one direction have no confidence region in the plane
	}
	var l mat.TriDense
	chol.LTo(&l)
	for _, share := range growth {
		radius := in.Problem.Sigma * math.Sqrt(2*math.Log(1/Delta)/(share*last))
		var line fig.SketchLine
		for step := range 121 {
			sin, cos := math.Sincos(2 * math.Pi * float64(step) / 120)
			// L'y = radius u, for V = L L'.
			y := radius * sin / l.At(1, 1)
			x := (radius*cos - l.At(1, 0)*y) / l.At(0, 0)
			line.Points = append(line.Points,
				canvas.Point{X: in.Theta.At(0, 0) + x, Y: in.Theta.At(1, 0) + y})
		}
		line.Style = confidence
		lines = append(lines, line)
	}
	return lines
}

// regionFigures are Fig. 1 and EC.4.1, EC.3.1, EC.4.2, and the pulls in each region.
func regionFigures(r *study.Results) ([]study.Figure, error) {
	regions, err := Regions(1, triangleEpsilon)
	if err != nil {
		return nil, err
	}
	designs, err := Confidence(1)
	if err != nil {
		return nil, err
	}
	in, err := FiveArms()
	if err != nil {
		return nil, err
	}
	moves, err := Alternatives(in)
	if err != nil {
		return nil, err
	}
	number := func(size int) float64 { return float64(size + 1) }
	view := []view{{"", "decision region M1 to M7", r.Experiment.Sizes, number}}
	cost, err := drawn("decision-regions-pulls", "Pulls until stopping in each decision region.",
		panels(r, own, view, true, pulls), fig.SweepOptions{Title: "Sample complexity at delta = 0.05"})
	fs := []study.Figure{
		{Name: "decision-regions", Caption: "Decision regions of three arms (paper: Fig. 1, Fig. " +
			"EC.4.1).", Drawing: regions},
		{Name: "confidence-regions", Caption: "Confidence regions with both designs (paper: Fig. " +
			"EC.3.1).", Drawing: designs},
		{Name: "alternatives", Caption: "How the set changes most cheaply (paper: Fig. EC.4.2).",
			Drawing: moves},
	}
	return append(fs, cost...), err
}
