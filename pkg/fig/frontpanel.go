package fig

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// Sizes and looks of the markers.
const (
	cloudRadius = vg.Length(1.7)
	frontRadius = vg.Length(4.4)
)

var (
	cloudColor = canvas.Light(canvas.Grey, .62)
	trueLook   = Look{Color: canvas.Ink, Marker: canvas.Circle}
	missedLook = Look{Color: canvas.Ink, Marker: canvas.Ring}
	wrongLook  = Look{Color: canvas.Ink, Marker: canvas.Cross}
)

// A frontPanel is one panel.
type frontPanel struct {
	window
	title  string
	frame  *window // the part that other panels show
	labels bool    // name all optimal items, not only those that were missed
	answer *FrontAnswer
}

// crowded reports whether markers are close together.
func (fr *front) crowded() bool { return len(fr.optimal) > 12 }

// mostLabels is the number of items up to which all are named.
const mostLabels = 6

// named returns which of the marked items have labels.
func (fr *front) named(pn frontPanel) []int {
	var ids, wrong []int
	if pn.answer != nil {
		_, ids, wrong = fr.sides(pn.answer)
	}
	if pn.labels {
		ids = fr.optimal
		if len(ids) > mostLabels {
			ends := slices.SortedFunc(slices.Values(ids),
				func(i, j int) int { return cmp.Compare(fr.at(i).X, fr.at(j).X) })
			ids = []int{ends[0], ends[len(ends)-1]}
		}
	}
	if len(ids) > mostLabels {
		ids = nil
	}
	if len(ids)+len(wrong) > mostLabels {
		wrong = nil
	}
	return slices.Concat(ids, wrong)
}

func (fr *front) panel(pn frontPanel) *plot.Plot {
	p := canvas.Panel(fr.axis(0), fr.axis(1))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = pn.x0, pn.x1, pn.y0, pn.y1
	for c, a := range map[int]*plot.Axis{0: &p.X, 1: &p.Y} {
		if fr.o.Negated != nil && fr.o.Negated[c] {
			a.Tick.Marker = canvas.NegatedTicks{Ticker: canvas.LinearTicks{N: 6}}
		} else {
			a.Tick.Marker = canvas.LinearTicks{N: 6}
			fr.ticks(a, c)
		}
	}
	p.Add(canvas.Heading(pn.title), canvas.Grid(true))
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) { fr.draw(c, p, pn) }))
	return p
}

// axis returns the label of an objective and where it is better.
func (fr *front) axis(c int) string {
	if fr.o.Negated != nil && fr.o.Negated[c] || fr.axes != nil && fr.axes[c].Less() {
		return fr.plane.axis(c) + ", less is better →"
	}
	return fr.plane.axis(c) + ", more is better →"
}

// draw draws the data area of a panel.
func (fr *front) draw(c draw.Canvas, p *plot.Plot, pn frontPanel) {
	pts := fr.points(c, p, 0, 1)
	a := pn.answer
	marked := fr.marked(a)
	is := make([]bool, fr.m)
	for _, i := range marked {
		is[i] = true
	}
	var cloud vg.Path // one path: hundreds of them make a large file
	var taken []vg.Rectangle
	for i, pt := range pts {
		if c.Contains(pt) && !is[i] {
			cloud = append(cloud, canvas.Ellipse(pt, cloudRadius, cloudRadius, 0)...)
			taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, cloudRadius))
		}
	}
	if len(cloud) > 0 {
		c.SetColor(cloudColor)
		c.Fill(cloud)
	}
	lines := fr.staircase(c, p, 0, 1)
	if pn.frame != nil {
		tx, ty := p.Transforms(&c)
		w := *pn.frame
		at := []vg.Point{
			{X: tx(w.x0), Y: ty(w.y0)},
			{X: tx(w.x1), Y: ty(w.y0)},
			{X: tx(w.x1), Y: ty(w.y1)},
			{X: tx(w.x0), Y: ty(w.y1)},
		}
		c.StrokeLines(
			canvas.Line(canvas.Muted, .8, []vg.Length{3, 2}),
			c.ClipLinesXY(append(at, at[0]))...)
	}
	if a != nil {
		fr.intervals(c, p, a, marked)
	}
	r := frontRadius
	switch {
	case pn.frame != nil:
		r = 2.6 // front members of an overview are close together
	case fr.crowded():
		r = 3.4
	}
	for _, i := range marked {
		if pt := pts[i]; c.Contains(pt) {
			taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, r))
		}
	}
	if a != nil {
		tx, ty := p.Transforms(&c)
		for _, i := range marked {
			if q, ok := a.estimate(i); ok {
				lines = append(lines,
					canvas.Segment{P: pts[i], Q: vg.Point{X: tx(q.X), Y: ty(q.Y)}})
			}
		}
	}
	fr.names(c, pts, fr.named(pn), taken, lines)
	show := func(ids []int, l Look, r vg.Length) {
		for _, i := range ids {
			if c.Contains(pts[i]) {
				c.DrawGlyphNoClip(l.Glyph(r), pts[i])
			}
		}
	}
	if a == nil {
		show(fr.optimal, trueLook, r)
		return
	}
	found, missed, wrong := fr.sides(a)
	show(found, fr.o.Palette.Look(a.Name), r)
	show(missed, missedLook, r+.4)
	show(wrong, wrongLook, r)
}

// names draws the names of items.
func (fr *front) names(c draw.Canvas, pts []vg.Point, ids []int, taken []vg.Rectangle,
	lines []canvas.Segment) {
	sty := canvas.Write(canvas.NoteSize, canvas.Ink)
	var at, sizes []vg.Point
	var labels []string
	for _, i := range ids {
		if c.Contains(pts[i]) {
			l := canvas.Clip(sty, fr.labels[i], (c.Max.X-c.Min.X)*.6)
			at, labels = append(at, pts[i]), append(labels, l)
			sizes = append(sizes, vg.Point{X: sty.Width(l), Y: sty.Height(l) - 2})
		}
	}
	places := canvas.Place(at, sizes, taken, lines, canvas.Grow(c.Rectangle, -1))
	writeLabels(c, sty, at, places, labels, lines)
}

// intervals draws confidence boxes, and lines from the true means to the
// estimates.
func (fr *front) intervals(c draw.Canvas, p *plot.Plot, a *FrontAnswer, ids []int) {
	tx, ty := p.Transforms(&c)
	col := fr.o.Palette.Look(a.Name).Color
	for _, i := range ids {
		if b, ok := fr.box(a, i); ok {
			confidenceBox(c, col,
				vg.Point{X: tx(b.x0), Y: ty(b.y0)}, vg.Point{X: tx(b.x1), Y: ty(b.y1)})
		}
	}
	for _, i := range ids {
		if q, ok := a.estimate(i); ok {
			from, to := fr.at(i), vg.Point{X: tx(q.X), Y: ty(q.Y)}
			c.StrokeLines(
				canvas.Line(col, .9, nil),
				c.ClipLinesXY([]vg.Point{{X: tx(from.X), Y: ty(from.Y)}, to})...)
			if c.Contains(to) {
				c.SetColor(col)
				c.Fill(canvas.Ellipse(to, 1.9, 1.9, 0))
			}
		}
	}
}
