package fig

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// endNames writes the names of lines right of the panel, each at the height of
// the end of its line or as near as there is room, with a leader.
type endNames struct {
	*SweepPanel
	palette Palette
}

// Space between the panel and the names: for leaders, and for keys.
const (
	leaderWidth = vg.Length(14)
	keyWidth    = vg.Length(13)
)

func (endNames) style() (vg.Length, func(s string) vg.Length) {
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	return sty.Height("X") + 3, sty.Width
}

type endName struct {
	name string
	end  SweepPoint
	look Look
	ref  bool
	sty  draw.LineStyle // of a reference
	y    vg.Length
}

// flat reports whether a reference has one point, and is drawn all across.
func (e endNames) flat(name string) bool {
	for _, l := range e.References {
		if canvas.Pretty(l.Name) == name {
			return len(l.Points) == 1
		}
	}
	return false
}

func (e endNames) names() []endName {
	var ns []endName
	add := func(l SweepSeries, n endName) {
		if ps := sorted(l.Points); len(ps) > 0 {
			n.name, n.end = canvas.Pretty(l.Name), ps[len(ps)-1]
			ns = append(ns, n)
		}
	}
	for _, l := range e.Series {
		add(l, endName{look: e.palette.Look(l.Name)})
	}
	for i, l := range e.References {
		add(l, endName{look: Look{Color: canvas.Ink}, ref: true, sty: referenceLine(i)})
	}
	return ns
}

// Plot implements plot.Plotter.
func (e endNames) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	ns := e.names()
	step, _ := e.style()
	want := make([]vg.Length, len(ns))
	for i, n := range ns {
		want[i] = ty(n.end.Center)
	}
	got := canvas.Spread1(want, step, c.Min.Y+step/2, c.Max.Y-step/2)
	for i, n := range ns {
		n.y = got[i]
		from := vg.Point{X: tx(n.end.X) + 4, Y: want[i]}
		if n.ref && e.flat(n.name) {
			from.X = c.Max.X
		}
		to := vg.Point{X: c.Max.X + leaderWidth, Y: n.y}
		// A line that ends early is led to the edge at its own height.
		edge := vg.Point{X: max(from.X, c.Max.X-2), Y: want[i]}
		c.StrokeLines(canvas.Line(canvas.Light(n.look.Color, .5), .6, []vg.Length{1, 1.5}),
			[]vg.Point{from, edge, to})
		// Colour is in the marker: light hues are hard to read as text.
		if n.ref {
			c.StrokeLine2(n.sty, to.X+1, n.y, to.X+keyWidth-3, n.y)
		} else {
			c.DrawGlyphNoClip(n.look.Glyph(3.2), vg.Point{X: to.X + keyWidth/2 - 1, Y: n.y})
		}
		canvas.Put(c,
			canvas.Aligned(canvas.Write(canvas.TickSize, canvas.Ink), draw.XLeft, draw.YCenter),
			vg.Point{X: to.X + keyWidth, Y: n.y}, n.name)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room right of the data.
func (e endNames) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	_, width := e.style()
	w := vg.Length(0)
	for _, n := range e.names() {
		w = max(w, width(n.name))
	}
	return []plot.GlyphBox{
		{X: 1, Y: .5, Rectangle: vg.Rectangle{Max: vg.Point{X: leaderWidth + keyWidth + w + 2}}},
	}
}
