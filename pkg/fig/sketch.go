package fig

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A Sketch is a panel of plane geometry: regions, lines, arrows and points, in the units of its
// axes.
type Sketch struct {
	Title          string
	XLabel, YLabel string
	// X and Y are the ranges of the axes, from less to more.
	X, Y [2]float64
	// XNames, if not nil, stand below x = 1, 2 and so on instead of numbers. YNames are lanes
	// from the top: lane i of n is at y = n - 1 - i, and Y does not count.
	XNames, YNames []string
	// Regions lie below Lines, these below Arrows, and Points on top.
	Regions []SketchRegion
	Lines   []SketchLine
	Arrows  []SketchArrow
	Points  []SketchPoint
}

// A SketchRegion is a set that is filled, with its name in its largest piece.
type SketchRegion struct {
	Name string
	// Pieces are convex polygons, corners counterclockwise.
	Pieces [][]canvas.Point
	// Color may let through what is below.
	Color color.NRGBA
}

// A SketchLine joins points by straight lines.
type SketchLine struct {
	Points []canvas.Point
	Style  draw.LineStyle
}

// A SketchArrow points from one point to another.
type SketchArrow struct {
	From, To canvas.Point
	Color    color.NRGBA
}

// A SketchPoint is a marker with a name; empty draws none.
type SketchPoint struct {
	canvas.Point
	Name string
	Look Look
}

// SketchOptions are the settings of [Sketches]. The zero value works.
type SketchOptions struct {
	Title  string
	Legend []Entry
	Notes  []string
	// Words describe the figure to those who cannot see it. Empty means its titles.
	Words string
	// Square draws both axes to the same scale, so that right angles are right.
	Square bool
	// Height is that of a panel. Zero means 240 points; it does not count if Square is set.
	Height vg.Length
}

// Sketches draws panels of plane geometry, one below the other and as wide as a column, such as the sets of parameters for which
// decisions are right. A nil o means the zero value.
func Sketches(panels []Sketch, o *SketchOptions) (*Figure, error) {
	if o == nil {
		o = &SketchOptions{}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: there are no sketches to draw")
	}
	f := &Figure{Title: o.Title, Legend: o.Legend, Notes: o.Notes, Description: o.Words, Width: canvas.ColumnWidth}
	var titles []string
	for i := range panels {
		s := panels[i]
		if n := len(s.YNames); n > 0 {
			s.Y = [2]float64{-.5, float64(n) - .5}
		}
		if err := s.check(); err != nil {
			return nil, err
		}
		f.Panels = append(f.Panels, []*plot.Plot{s.panel()})
		titles = append(titles, s.Title)
	}
	if f.Description == "" {
		f.Description = o.Title + ": " + strings.Join(titles, "; ") + "."
	}
	f.Loose = slices.Clone(titles)
	f.Loose[0] = f.Description
	f.Fit(cmp.Or(o.Height, 240) * vg.Length(len(panels)))
	if o.Square {
		s := panels[0]
		f.Level((s.Y[1] - s.Y[0]) / (s.X[1] - s.X[0]))
	}
	return f, nil
}

// check reports the first thing that cannot be drawn.
func (s *Sketch) check() error {
	if s.X[0] >= s.X[1] || s.Y[0] >= s.Y[1] {
		return fmt.Errorf("fig: sketch %q: axes from %v to %v and %v to %v; want ranges from "+
			"less to more",
			s.Title, s.X[0], s.X[1], s.Y[0], s.Y[1])
	}
	var all []canvas.Point
	for _, r := range s.Regions {
		for _, p := range r.Pieces {
			all = append(all, p...)
		}
	}
	for _, l := range s.Lines {
		all = append(all, l.Points...)
	}
	for _, a := range s.Arrows {
		all = append(all, a.From, a.To)
	}
	for _, p := range s.Points {
		all = append(all, p.Point)
	}
	for _, q := range all {
		if !canvas.Finite(q.X, q.Y) {
			return fmt.Errorf("fig: sketch %q: the point (%v, %v); want finite numbers", s.Title,
				q.X, q.Y)
		}
	}
	return nil
}

func (s *Sketch) panel() *plot.Plot {
	p := canvas.Panel(s.XLabel, s.YLabel)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = s.X[0], s.X[1], s.Y[0], s.Y[1]
	canvas.Narrow(p, 2)
	if s.XNames != nil {
		var ticks plot.ConstantTicks
		for i, name := range s.XNames {
			ticks = append(ticks, plot.Tick{Value: float64(i + 1), Label: canvas.Pretty(name)})
		}
		p.X.Tick.Marker = ticks
	}
	if s.YNames != nil {
		canvas.Lanes(p, s.YNames)
	}
	if s.Title != "" {
		p.Add(canvas.Heading(canvas.Wrap(canvas.Heading("").Style(), canvas.Pretty(s.Title),
			canvas.ColumnWidth-60)))
	}
	p.Add(canvas.Paint(s.draw))
	return p
}

// draw draws what the panel holds.
func (s *Sketch) draw(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	at := func(q canvas.Point) vg.Point { return vg.Point{X: tx(q.X), Y: ty(q.Y)} }
	taken := s.fill(c, at)
	var segments []canvas.Segment
	for _, l := range s.Lines {
		pts := make([]vg.Point, len(l.Points))
		for i, q := range l.Points {
			pts[i] = at(q)
			if i > 0 {
				segments = append(segments, canvas.Segment{P: pts[i-1], Q: pts[i]})
			}
		}
		c.StrokeLines(l.Style, c.ClipLinesXY(pts)...)
	}
	for _, a := range s.Arrows {
		from, to := at(a.From), at(a.To)
		arrow(c, a.Color, from, to, 1.4)
		segments = append(segments, canvas.Segment{P: from, Q: to})
	}
	s.mark(c, at, taken, segments)
}

// fill fills the regions, writes their names, and returns the boxes of the names.
func (s *Sketch) fill(c draw.Canvas, at func(canvas.Point) vg.Point) (taken []vg.Rectangle) {
	edges := []canvas.HalfPlane{{A: 1, C: s.X[1]}, {A: -1, C: -s.X[0]}, {B: 1, C: s.Y[1]},
		{B: -1, C: -s.Y[0]}}
	largest := make([][]canvas.Point, len(s.Regions))
	for i, r := range s.Regions {
		var path vg.Path // one for all pieces: two would leave a seam
		for _, piece := range r.Pieces {
			piece = canvas.Cut(piece, edges...)
			for k, q := range piece {
				if k == 0 {
					path.Move(at(q))
				} else {
					path.Line(at(q))
				}
			}
			if piece != nil {
				path.Close()
			}
			if canvas.Area(piece) > canvas.Area(largest[i]) {
				largest[i] = piece
			}
		}
		if len(path) > 0 {
			c.SetColor(r.Color)
			c.Fill(path)
		}
	}
	for i, r := range s.Regions {
		if r.Name != "" && largest[i] != nil {
			taken = append(taken, s.write(c, at, canvas.Pretty(r.Name), largest[i]))
		}
	}
	return taken
}

// write puts the name of a region into a polygon: into the middle, or towards a corner if a point
// is there. It returns the box of the name.
func (s *Sketch) write(c draw.Canvas, at func(canvas.Point) vg.Point, name string,
	polygon []canvas.Point) (box vg.Rectangle) {
	sty := canvas.Strong(canvas.Write(canvas.TickSize, canvas.Ink))
	size := vg.Point{X: sty.Width(name), Y: sty.Height(name)}
	middle := canvas.Centroid(polygon)
	for i := range 2*len(polygon) + 1 {
		q := middle
		if i > 0 {
			corner, t := polygon[(i-1)%len(polygon)], .25*float64(1+(i-1)/len(polygon))
			q = canvas.Point{X: q.X + t*(corner.X-q.X), Y: q.Y + t*(corner.Y-q.Y)}
		}
		pt := at(q)
		box.Min = vg.Point{X: pt.X - size.X/2, Y: pt.Y - size.Y/2}
		box.Max = vg.Point{X: pt.X + size.X/2, Y: pt.Y + size.Y/2}
		if !slices.ContainsFunc(s.Points, func(p SketchPoint) bool {
			return canvas.Contains(canvas.Grow(box, 7), at(p.Point))
		}) {
			break
		}
	}
	canvas.Put(c, sty, box.Min, name)
	return box
}

// mark draws the points, with names that avoid what is there.
func (s *Sketch) mark(c draw.Canvas, at func(canvas.Point) vg.Point, taken []vg.Rectangle,
	lines []canvas.Segment) {
	const radius = vg.Length(4)
	sty := canvas.Write(canvas.NoteSize, canvas.Ink)
	var pts, sizes []vg.Point
	var labels []string
	for _, q := range s.Points {
		pt := at(q.Point)
		c.DrawGlyphNoClip(q.Look.Glyph(radius), pt)
		taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, radius))
		if q.Name != "" {
			name := canvas.Pretty(q.Name)
			labels, pts = append(labels, name), append(pts, pt)
			sizes = append(sizes, vg.Point{X: sty.Width(name), Y: sty.Height(name)})
		}
	}
	for i, l := range canvas.Place(pts, sizes, taken, lines, c.Rectangle) {
		if l.Leader {
			c.StrokeLines(canvas.Line(canvas.Muted, .5, nil),
				[]vg.Point{pts[i], canvas.Anchor(l.Box, pts[i])})
		}
		canvas.Put(c, sty, l.Box.Min, labels[i])
	}
}
