package canvas

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// nameWidth is the space for names left of a panel.
const nameWidth = vg.Length(170)

// Lanes makes the y axis of p that of lanes, from top to bottom, with their names
// at the left: lane i is at the height [Lane](i, len(names)). A name may have
// several lines; one that is too long for the place is shortened.
func Lanes(p *plot.Plot, names []string) {
	n := len(names)
	p.Y.Min, p.Y.Max = -.5, float64(n)-.5
	ticks := make(plot.ConstantTicks, n)
	for i, name := range names {
		ticks[i] = plot.Tick{Value: Lane(i, n), Label: " "} // an empty label is a minor tick
		if name != "" {
			ticks[i].Label = Clip(p.Y.Tick.Label, name, nameWidth)
		}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
}

// Lane returns the y of the middle of lane i of n. Lanes are 1 apart.
func Lane(i, n int) float64 { return float64(n - 1 - i) }

// Stripes draws every other one of n lanes on light grey, from the first on or from the
// second.
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
