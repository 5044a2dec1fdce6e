package canvas_test

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// Draw a figure with plotters of gonum/plot in the looks of a palette.
func ExampleFigure() {
	methods := canvas.Palette{"ours", "theirs"}
	p := canvas.Panel("hours", "pulls")
	canvas.Span(&p.X, 1, 3, false, .05)
	canvas.Span(&p.Y, 10, 90, false, .05)
	p.Add(canvas.Grid(true))
	f := &canvas.Figure{Title: "A figure", Panels: []*plot.Plot{p}}
	for i, m := range methods {
		xys := plotter.XYs{
			{X: 1, Y: 10},
			{X: 2, Y: 30 + 20*float64(i)},
			{X: 3, Y: 50 + 40*float64(i)},
		}
		l := methods.Look(m)
		line := &plotter.Line{XYs: xys, LineStyle: l.Line(1.3)}
		points := &plotter.Scatter{XYs: xys, GlyphStyle: l.Glyph(3)}
		p.Add(line, points)
		f.Legend = append(f.Legend, canvas.Key(m, line, points))
	}
	f.Fit(200)
	fmt.Printf("%.0f x %.0f points: %s\n", float64(f.Width), float64(f.Height), f.Alt())
	// Output:
	// 675 x 258 points: A figure
}
