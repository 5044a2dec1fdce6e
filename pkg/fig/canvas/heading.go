package canvas

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heading is a title above the left end of the data area. (That of a plot.Plot
// stands above the middle of panel and tick labels.)
type Heading string

// Style returns the style of the title.
func (h Heading) Style() text.Style { return Strong(Write(labelSize, Ink)) }

// Plot implements plot.Plotter.
func (h Heading) Plot(c draw.Canvas, _ *plot.Plot) {
	Put(c, h.Style(), vg.Point{X: c.Min.X, Y: c.Max.Y + 3}, string(h))
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room above the data.
func (h Heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{
		{X: 0, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h.Style().Height(string(h)) + 3}}},
	}
}

// TopLabel is a title above the left end of the data area, with the label of
// the y axis below it, of which either may be empty: level text reads better than upright text, and gonum/plot
// misplaces the latter on logarithmic axes.
type TopLabel struct{ Title, Axis string }

// Plot implements plot.Plotter.
func (t TopLabel) Plot(c draw.Canvas, _ *plot.Plot) {
	sty := Write(TickSize, Muted)
	y := c.Max.Y + 4
	if t.Axis != "" {
		Put(c, sty, vg.Point{X: c.Min.X, Y: y}, t.Axis)
		y += sty.Height(t.Axis) + 2
	}
	Put(c, Heading("").Style(), vg.Point{X: c.Min.X, Y: y}, t.Title)
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room above the data.
func (t TopLabel) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	h := vg.Length(4)
	if t.Axis != "" {
		h += Write(TickSize, Muted).Height(t.Axis)
	}
	if t.Title != "" {
		h += 2 + Heading("").Style().Height(t.Title)
	}
	return []plot.GlyphBox{{X: 0, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h}}}}
}
