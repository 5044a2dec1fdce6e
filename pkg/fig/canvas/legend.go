package canvas

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Entry explains a symbol.
type Entry struct {
	Name string
	// Symbol draws it into the canvas that it is given, 22 points wide.
	Symbol func(c draw.Canvas)
}

// legend draws the legend at the top of c and returns the height that it takes.
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

// Key returns the entry of symbols of gonum.org/v1/plot, one over the other, such as
// a plotter.Line and a plotter.Scatter.
func Key(name string, symbols ...plot.Thumbnailer) Entry {
	return Entry{name, func(c draw.Canvas) {
		for _, s := range symbols {
			s.Thumbnail(&c)
		}
	}}
}

// MarkerEntry explains the marker of a look.
func MarkerEntry(name string, l Look) Entry {
	return Key(name, &plotter.Scatter{GlyphStyle: l.Glyph(4)})
}

// LineEntry explains a line.
func LineEntry(name string, sty draw.LineStyle) Entry {
	return Key(name, &plotter.Line{LineStyle: sty})
}
