package fig

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// endNames draws the names of coloured lines and of references to the right of a panel. Each name
// is as close as possible to the height at which its line ends; a leader line connects the name to
// the end of the line.
type endNames struct {
	*SweepPanel
	palette Palette
}

// The following constants are the widths of the spaces for leader lines and for markers, between
// the panel and the names.
const (
	leaderWidth = vg.Length(14)
	keyWidth    = vg.Length(13)
)

// nameRoom is the width at which names are broken into several lines.
const nameRoom = vg.Length(84)

// style returns the text style of names, with the anchor at the middle of the left side.
func (endNames) style() text.Style {
	return canvas.Aligned(canvas.Write(canvas.TickSize, canvas.Ink), draw.XLeft, draw.YCenter)
}

type endName struct {
	name string
	end  SweepPoint
	look Look
	ref  bool
	flat bool           // whether the name belongs to a reference with one point, drawn across the panel
	sty  draw.LineStyle // line style of a reference
	y    vg.Length
}

func (e endNames) names() []endName {
	var ns []endName
	add := func(l SweepSeries, n endName) {
		if ps := sorted(l.Points); len(ps) > 0 {
			n.flat = n.ref && len(ps) == 1
			n.name = canvas.Wrap(e.style(), canvas.Pretty(l.Name), nameRoom)
			n.end = ps[len(ps)-1]
			ns = append(ns, n)
		}
	}
	for _, l := range e.Series {
		if !l.Grey {
			look := e.palette.Look(l.Name)
			add(l, endName{look: look})
		}
	}
	for i, l := range e.References {
		add(l, endName{look: Look{Color: canvas.Ink}, ref: true, sty: referenceLine(i)})
	}
	return ns
}

// height returns the total height of the names.
func (e endNames) height() (h vg.Length) {
	for _, n := range e.names() {
		h += e.style().Height(n.name) + 2
	}
	return h
}

// Plot implements plot.Plotter.
func (e endNames) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	ns := e.names()
	sty := e.style()
	want, heights := make([]vg.Length, len(ns)), make([]vg.Length, len(ns))
	for i, n := range ns {
		want[i], heights[i] = ty(n.end.Center), sty.Height(n.name)+2
	}
	got := canvas.Spread1(want, heights, c.Min.Y, c.Max.Y)
	for i, n := range ns {
		n.y = got[i]
		from := vg.Point{X: tx(n.end.X) + 4, Y: want[i]}
		if n.flat {
			from.X = c.Max.X
		}
		to := vg.Point{X: c.Max.X + leaderWidth, Y: n.y}
		// If a line ends before the right edge of the panel, its leader line first runs
		// horizontally to the edge.
		edge := vg.Point{X: max(from.X, c.Max.X-2), Y: want[i]}
		c.StrokeLines(canvas.Line(canvas.Light(n.look.Color, .5), .6, []vg.Length{1, 1.5}), []vg.Point{from, edge, to})
		// Only the marker at a name has the colour of the line, because text in light hues is hard
		// to read.
		if n.ref {
			c.StrokeLine2(n.sty, to.X+1, n.y, to.X+keyWidth-3, n.y)
		} else {
			c.DrawGlyphNoClip(n.look.Glyph(3.2), vg.Point{X: to.X + keyWidth/2 - 1, Y: n.y})
		}
		canvas.Put(c, sty, vg.Point{X: to.X + keyWidth, Y: n.y}, n.name)
	}
}

// GlyphBoxes implements plot.GlyphBoxer, and reserves space for names to the right of the data
// area.
func (e endNames) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	sty, w := e.style(), vg.Length(0)
	for _, n := range e.names() {
		w = max(w, sty.Width(n.name))
	}
	return []plot.GlyphBox{
		{X: 1, Y: .5, Rectangle: vg.Rectangle{Max: vg.Point{X: leaderWidth + keyWidth + w + 2}}},
	}
}
