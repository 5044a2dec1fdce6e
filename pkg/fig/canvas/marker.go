package canvas

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Marker is the shape of a point, usable as a glyph of gonum.org/v1/plot. The radius of a marker is
// the radius of a circle of approximately the same area.
type Marker int

// The following constants are the values of Marker.
const (
	Circle Marker = iota
	Square
	Triangle
	Diamond
	Nabla // triangle pointing down
	Cross
	Plus
	Ring
)

// path returns the outline of marker m centred at pt. The argument r is the radius of a circle of
// approximately the same area.
func (m Marker) path(pt vg.Point, r vg.Length) vg.Path {
	poly := func(xy ...vg.Length) vg.Path {
		var p vg.Path
		for i := 0; i < len(xy); i += 2 {
			q := vg.Point{X: pt.X + r*xy[i], Y: pt.Y + r*xy[i+1]}
			if i == 0 {
				p.Move(q)
			} else {
				p.Line(q)
			}
		}
		p.Close()
		return p
	}
	switch m {
	case Square:
		const a = .9
		return poly(-a, -a, a, -a, a, a, -a, a)
	case Triangle:
		return poly(-1.15, -.8, 1.15, -.8, 0, 1.2)
	case Nabla:
		return poly(-1.15, .8, 1.15, .8, 0, -1.2)
	case Diamond:
		return poly(0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0)
	case Plus:
		const a, b = .33, 1.15
		return poly(-a, -b, a, -b, a, -a, b, -a, b, a, a, a, a, b, -a, b, -a, a, -b, a, -b, -a, -a, -a)
	case Cross:
		const a, b = .42, 1.05
		return poly(0, a, b-a, b, b, b-a, a, 0, b, a-b, b-a, -b, 0, -a, a-b, -b, -b, a-b, -a, 0, -b, b-a, a-b, b)
	}
	return Ellipse(pt, r, r, 0)
}

// DrawGlyph implements draw.GlyphDrawer. DrawGlyph draws m at pt, filled and with a thin white edge
// that separates overlapping markers.
func (m Marker) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, pt vg.Point) {
	r := sty.Radius
	if m == Ring {
		c.SetColor(color.White)
		c.Fill(m.path(pt, r))
		c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: r * .4})
		c.Stroke(m.path(pt, r*.85))
		return
	}
	c.SetColor(color.White)
	c.Fill(m.path(pt, r+.8))
	c.SetColor(sty.Color)
	c.Fill(m.path(pt, r))
}

// Ellipse returns an ellipse with semi-axes a and b; the semi-axis a is rotated by angle. The
// ellipse consists of four Bézier curves, because output formats draw arcs differently.
func Ellipse(pt vg.Point, a, b vg.Length, angle float64) vg.Path {
	const k = .5522847498 // 4/3 (sqrt 2 - 1)
	sin, cos := math.Sincos(angle)
	at := func(x, y vg.Length) vg.Point {
		x, y = x*a, y*b
		return vg.Point{
			X: pt.X + x*vg.Length(cos) - y*vg.Length(sin),
			Y: pt.Y + x*vg.Length(sin) + y*vg.Length(cos),
		}
	}
	var p vg.Path
	p.Move(at(1, 0))
	p.CubeTo(at(1, k), at(k, 1), at(0, 1))
	p.CubeTo(at(-k, 1), at(-1, k), at(-1, 0))
	p.CubeTo(at(-1, -k), at(-k, -1), at(0, -1))
	p.CubeTo(at(k, -1), at(1, -k), at(1, 0))
	p.Close()
	return p
}
