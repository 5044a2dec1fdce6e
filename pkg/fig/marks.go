package fig

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// writeLabels writes the labels of points at their places, above the leaders of all; those that lie on a line, on white.
func writeLabels(c draw.Canvas, sty text.Style, pts []vg.Point, places []canvas.Placement,
	labels []string, lines []canvas.Segment) {
	for _, l := range places {
		if slices.ContainsFunc(lines, func(s canvas.Segment) bool { return canvas.Crosses(s.P, s.Q, l.Box) }) {
			c.SetColor(color.NRGBA{R: 255, G: 255, B: 255, A: 225})
			c.Fill(l.Box.Path())
		}
	}
	for i, l := range places {
		if l.Leader {
			end := canvas.Anchor(l.Box, pts[i])
			c.StrokeLine2(canvas.Line(canvas.Grey, .6, nil), pts[i].X, pts[i].Y, end.X, end.Y)
		}
	}
	for i, l := range places {
		canvas.Put(c, sty, vg.Point{X: l.Box.Min.X, Y: l.Box.Min.Y - 1}, labels[i])
	}
}

// confidenceBox draws the confidence box between two corners.
func confidenceBox(c draw.Canvas, col color.NRGBA, lo, hi vg.Point) {
	box := []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	fill := col
	fill.A = 22
	c.FillPolygon(fill, c.ClipPolygonXY(box))
	edge := canvas.Line(canvas.Light(col, .6), .8, nil)
	c.StrokeLines(edge, c.ClipLinesXY(append(box, lo))...)
}

// plural counts things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return tidy.Int(n) + " " + thing + "s"
}
