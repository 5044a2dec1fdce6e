package canvas

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry is a symbol in a legend with its explanation.
type Entry struct {
	Name string
	// Symbol draws the symbol onto the given canvas, which is 22 points wide.
	Symbol func(c draw.Canvas)
}

// legend draws the legend at the top of c and returns the height of the legend.
func (f *Figure) legend(c draw.Canvas) vg.Length {
	if len(f.Legend) == 0 {
		return 0
	}
	sty := Aligned(Write(TickSize, Ink), draw.XLeft, draw.YCenter)
	step := sty.Height("X") + 4
	pt := vg.Point{X: c.Min.X, Y: c.Max.Y - step/2}
	for _, e := range f.Legend {
		w := symbolWidth + 5 + sty.Width(e.Name)
		if pt.X > c.Min.X && pt.X+w > c.Max.X {
			pt.X, pt.Y = c.Min.X, pt.Y-step
		}
		if e.Symbol != nil {
			e.Symbol(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: pt.X, Y: pt.Y - step/2 + 1},
				Max: vg.Point{X: pt.X + symbolWidth, Y: pt.Y + step/2 - 1},
			}})
		}
		Put(c, sty, vg.Point{X: pt.X + symbolWidth + 5, Y: pt.Y}, e.Name)
		pt.X += w + entryGap
	}
	return c.Max.Y - pt.Y + step/2 + 6
}

// Key returns an entry whose symbol consists of thumbnails of gonum.org/v1/plot drawn over one
// another, such as a plotter.Line and a plotter.Scatter.
func Key(name string, symbols ...plot.Thumbnailer) Entry {
	return Entry{name, func(c draw.Canvas) {
		for _, s := range symbols {
			s.Thumbnail(&c)
		}
	}}
}

// MarkerEntry returns an entry with the marker of a look.
func MarkerEntry(name string, l Look) Entry {
	return Key(name, &plotter.Scatter{GlyphStyle: l.Glyph(4)})
}

// LineEntry returns an entry with a line.
func LineEntry(name string, sty draw.LineStyle) Entry {
	return Key(name, &plotter.Line{LineStyle: sty})
}

// Heading is a panel title above the left end of the data area. In contrast, the title of a
// plot.Plot is centred above the panel including its tick labels.
type Heading string

// Style returns the text style of the title.
func (h Heading) Style() text.Style { return Strong(Write(labelSize, Ink)) }

// Plot implements plot.Plotter.
func (h Heading) Plot(c draw.Canvas, _ *plot.Plot) {
	Put(c, h.Style(), vg.Point{X: c.Min.X, Y: c.Max.Y + 3}, string(h))
}

// GlyphBoxes implements plot.GlyphBoxer, and reserves space for the title above the data area.
func (h Heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{
		{X: 0, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h.Style().Height(string(h)) + 3}}},
	}
}

// TopLabel is a panel title above the left end of the data area, with the label of the y axis below
// the title. The title or the axis label may be empty. The axis label is horizontal, because
// horizontal text is easier to read and gonum/plot misplaces vertical labels on logarithmic axes.
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

// GlyphBoxes implements plot.GlyphBoxer, and reserves space for the title above the data area.
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

// nameWidth is the width reserved for names to the left of a panel.
const nameWidth = vg.Length(170)

// Lanes divides the y axis of p into lanes, from top to bottom, with the name of each lane at the
// left. The y coordinate of the middle of lane i is [Lane](i, len(names)). A name may have several
// lines; long names are clipped.
func Lanes(p *plot.Plot, names []string) {
	n := len(names)
	p.Y.Min, p.Y.Max = -.5, float64(n)-.5
	ticks := make(plot.ConstantTicks, n)
	for i, name := range names {
		ticks[i] = plot.Tick{Value: Lane(i, n), Label: " "} // an empty label would make the tick a minor tick
		if name != "" {
			ticks[i].Label = Clip(p.Y.Tick.Label, name, nameWidth)
		}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
}

// Lane returns the y coordinate of the middle of lane i of n; neighbouring lanes are 1 apart.
func Lane(i, n int) float64 { return float64(n - 1 - i) }

// Stripes draws a light grey background for every second of n lanes, beginning with lane first.
func Stripes(first, n int) Paint {
	return func(c draw.Canvas, p *plot.Plot) {
		_, ty := p.Transforms(&c)
		for i := first; i < n; i += 2 {
			y0, y1 := ty(Lane(i, n)-.5), ty(Lane(i, n)+.5)
			c.FillPolygon(Stripe, []vg.Point{
				{X: c.Min.X, Y: y0}, {X: c.Max.X, Y: y0}, {X: c.Max.X, Y: y1}, {X: c.Min.X, Y: y1},
			})
		}
	}
}
