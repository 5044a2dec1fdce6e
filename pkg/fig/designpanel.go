package fig

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// rangeBox is the range of points.
type rangeBox struct {
	x0, x1, y0, y1 float64
	some           bool
}

func (b *rangeBox) add(x, y float64) {
	if !b.some {
		*b = rangeBox{x, x, y, y, true}
	}
	b.x0, b.x1, b.y0, b.y1 = min(b.x0, x), max(b.x1, x), min(b.y0, y), max(b.y1, y)
}

// draw adds the panel's content to p.
func (d *DesignPanel) draw(p *plot.Plot) {
	p.Add(canvas.Grid(true), canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		at := func(q canvas.Point) vg.Point { return vg.Point{X: tx(q.X), Y: ty(q.Y)} }
		var taken []vg.Rectangle
		var lines []canvas.Segment
		var curve []vg.Point
		for _, q := range d.ellipse() {
			curve = append(curve, at(q))
		}
		c.StrokeLines(canvas.Line(canvas.Black, 1, []vg.Length{4, 3}), curve)
		for i := 1; i < len(curve); i++ {
			lines = append(lines, canvas.Segment{P: curve[i-1], Q: curve[i]})
		}
		total := 0.
		for _, y := range d.Design.Critical {
			total += y.Weight
		}
		origin := at(canvas.Point{})
		for i, q := range d.directions() {
			width := 1.
			if total > 0 {
				width = .8 + 2*d.Design.Critical[i].Weight/total
			}
			arrow(c, canvas.Vermilion, origin, at(q), width)
			lines = append(lines, canvas.Segment{P: origin, Q: at(q)})
		}
		// A tenth of the panel's narrower side holds all the weight.
		full := min(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y) / 10
		var pts, sizes []vg.Point
		var radii []vg.Length
		var labels []string
		var circles []func()
		sty := canvas.Write(canvas.NoteSize, canvas.Ink)
		order := byWeight(d.Design.Weights)
		slices.Reverse(order) // heavy points on top
		for _, i := range order {
			w := d.Design.Weights[i]
			pt := at(canvas.Point{X: d.Points.At(i, 0), Y: d.Points.At(i, 1)})
			r, col := vg.Length(1.8), canvas.Grey
			if w > 0 {
				r, col = max(full*vg.Length(math.Sqrt(w)), 2.2), canvas.Blue
			}
			circles = append(circles, func() { c.DrawGlyphNoClip(disc(col, r), pt) })
			taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, r))
			if d.Names == nil {
				continue
			}
			s := canvas.Pretty(d.Names[i])
			if w > 0 {
				s += " " + inPercent(w)
			} else if len(order) > 12 {
				continue // a crowd
			}
			labels, pts, radii = append(labels, s), append(pts, pt), append(radii, r)
			sizes = append(sizes, vg.Point{X: sty.Width(s), Y: sty.Height(s)})
		}
		placed := canvas.Place(pts, sizes, taken, lines, c.Rectangle)
		for i, l := range placed {
			end := canvas.Anchor(l.Box, pts[i])
			if math.Hypot(float64(end.X-pts[i].X), float64(end.Y-pts[i].Y)) > float64(radii[i])+6 {
				c.StrokeLines(canvas.Line(canvas.Muted, .5, nil), []vg.Point{pts[i], end})
			}
		}
		for _, circle := range circles {
			circle()
		}
		for i, l := range placed {
			canvas.Put(c, sty, l.Box.Min, labels[i])
		}
	}))
}

// arrow draws an arrow.
func arrow(c draw.Canvas, col color.NRGBA, from, to vg.Point, width float64) {
	dx, dy := to.X-from.X, to.Y-from.Y
	n := vg.Length(math.Hypot(float64(dx), float64(dy)))
	if n < 1 {
		return
	}
	dx, dy = dx/n, dy/n
	head := min(vg.Length(4+2*width), n)
	neck := vg.Point{X: to.X - dx*head, Y: to.Y - dy*head}
	c.StrokeLine2(canvas.Line(col, width, nil), from.X, from.Y, neck.X, neck.Y)
	half := head * .45
	c.FillPolygon(col, []vg.Point{
		to, {X: neck.X - dy*half, Y: neck.Y + dx*half}, {X: neck.X + dy*half, Y: neck.Y - dx*half},
	})
}

// disc is the marker of a point of a design.
func disc(col color.NRGBA, radius vg.Length) draw.GlyphStyle {
	return Look{Color: col, Marker: canvas.Circle}.Glyph(radius)
}
