package canvas

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Line returns the style of a line of the given width in points; nil dashes mean a solid line.
func Line(c color.Color, width float64, dashes []vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: vg.Points(width), Dashes: dashes}
}

// Paint is a plotter that does not affect the ranges of the axes.
type Paint func(c draw.Canvas, p *plot.Plot)

func (f Paint) Plot(c draw.Canvas, p *plot.Plot) { f(c, p) }

// Panel returns an empty panel in the style of package canvas. The axes have no padding, so set
// limits with a margin.
func Panel(xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.TextHandler = Outlines{}
	// The figure paints the background, because a panel's background would hide parts of
	// neighbouring panels.
	p.BackgroundColor = nil
	p.Title.TextStyle = Aligned(Strong(Write(labelSize, Ink)), draw.XCenter, draw.YTop)
	p.Title.Padding = 5
	p.Legend.TextStyle = Write(TickSize, Ink)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.LineStyle = Line(Muted, .6, nil)
		a.Tick.LineStyle = Line(Muted, .6, nil)
		a.Tick.Length = 5
		a.Label.TextStyle = Aligned(Write(labelSize, Ink), draw.XCenter, draw.YBottom)
		a.Label.Padding = 3
		a.Tick.Marker = LinearTicks{6}
	}
	p.X.Tick.Label = Aligned(Write(TickSize, Ink), draw.XCenter, draw.YTop)
	p.Y.Tick.Label = Aligned(Write(TickSize, Ink), draw.XRight, draw.YCenter)
	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	return p
}

// Grid draws faint lines at the labelled ticks of the x axis and, if y is true, of the y axis.
func Grid(y bool) Paint {
	return func(c draw.Canvas, p *plot.Plot) {
		sty := Line(Faint, .6, nil)
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if x := c.X(p.X.Norm(t.Value)); !t.IsMinor() && c.ContainsX(x) {
				c.StrokeLine2(sty, x, c.Min.Y, x, c.Max.Y)
			}
		}
		if !y {
			return
		}
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			if y := c.Y(p.Y.Norm(t.Value)); !t.IsMinor() && c.ContainsY(y) {
				c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
			}
		}
	}
}

// Add adds plotters to p without changing the axis limits or the data area of p.
func Add(p *plot.Plot, ps ...plot.Plotter) {
	for _, q := range ps {
		p.Add(Paint(q.Plot))
	}
}

// Finite reports whether all numbers are finite.
func Finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
