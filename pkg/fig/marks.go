package fig

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// writeLabels draws the labels of points at their positions, above all leader lines. A label that
// crosses a line has a white background.
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

// confidenceBox draws a confidence box between two corners.
func confidenceBox(c draw.Canvas, col color.NRGBA, lo, hi vg.Point) {
	box := []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	fill := col
	fill.A = 22
	c.FillPolygon(fill, c.ClipPolygonXY(box))
	edge := canvas.Line(canvas.Light(col, .6), .8, nil)
	c.StrokeLines(edge, c.ClipLinesXY(append(box, lo))...)
}

// plural formats a number, followed by a noun in the singular or plural.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return tidy.Int(n) + " " + thing + "s"
}

// mostRows is the largest number of rows of names above the lanes of a panel.
const mostRows = 4

// markReferences draws references as dashed lines, with their names above the lanes; names may
// extend to the left of the panel. Names are next to their lines, on a white background and in
// alternating rows; each line ends at its name.
func markReferences(c draw.Canvas, p *plot.Plot, refs []Reference, lanes int) {
	sty := canvas.Write(canvas.NoteSize, canvas.Ink)
	top := c.Y(p.Y.Norm(float64(lanes) - .35))
	left := c.Min.X
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		left = min(left, c.Min.X-p.Y.Tick.Label.Width(t.Label))
	}
	step := (c.Max.Y - top) / vg.Length(min(len(refs), mostRows))
	floor := func(i int) vg.Length { return c.Max.Y - step*vg.Length(i%mostRows+1) }
	for i, r := range refs {
		x := c.X(p.X.Norm(r.Pulls))
		c.StrokeLine2(canvas.Line(canvas.Black, 1, []vg.Length{4, 3}), x, c.Min.Y, x, floor(i)+step)
	}
	for i, r := range refs {
		number := ": " + tidy.Number(r.Pulls)
		name := canvas.Clip(sty, canvas.Pretty(r.Name), c.Max.X-left-sty.Width(number)) + number
		x, w := c.X(p.X.Norm(r.Pulls)), sty.Width(name)
		at := x + 3
		if at+w > c.Max.X {
			if at = x - 3 - w; at < left {
				at = c.Max.X - w
			}
		}
		pt := vg.Point{X: at, Y: floor(i)}
		c.SetColor(color.White)
		c.Fill(vg.Rectangle{Min: pt, Max: vg.Point{X: at + w, Y: pt.Y + sty.Height(name)}}.Path())
		canvas.Put(c, sty, pt, name)
	}
}
