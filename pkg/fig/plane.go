package fig

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
)

// panel draws objectives x and y.
func (pl *plane) panel(x, y int, labels []string) *plot.Plot {
	p := panel(pl.axis(x), pl.axis(y))
	lo, hi := pl.limits(x)
	span(&p.X, lo, hi, false, .08)
	lo, hi = pl.limits(y)
	span(&p.Y, lo, hi, false, .08)
	covers := pl.covers(x, y)
	p.Add(paint(func(c draw.Canvas, p *plot.Plot) { shade(c, p, covers) }), grid(true))
	p.Add(paint(func(c draw.Canvas, p *plot.Plot) {
		lines := pl.staircase(c, p, x, y)
		taken, bounds := boundaries(c, p, covers, pl.points(c, p, x, y), lines)
		pl.intervals(c, p, x, y)
		pl.items(c, p, x, y, labels, taken, append(lines, bounds...))
	}))
	return p
}

// points returns where the items are drawn.
func (pl *plane) points(c draw.Canvas, p *plot.Plot, x, y int) []vg.Point {
	tx, ty := p.Transforms(&c)
	pts := make([]vg.Point, pl.m)
	for i := range pts {
		pts[i] = vg.Point{X: tx(pl.mu.At(i, x)), Y: ty(pl.mu.At(i, y))}
	}
	return pts
}

// staircase draws the boundary of what the optimal items dominate, if wanted,
// and returns its lines.
func (pl *plane) staircase(c draw.Canvas, p *plot.Plot, x, y int) []segment {
	if !pl.o.Front || pl.d != 2 {
		return nil
	}
	tx, ty := p.Transforms(&c)
	var front []point
	for i, k := range pl.classes {
		if k == explore.Optimal {
			front = append(front, point{pl.mu.At(i, x), pl.mu.At(i, y)})
		}
	}
	if len(front) == 0 {
		return nil
	}
	slices.SortFunc(front, func(a, b point) int {
		switch {
		case a.x != b.x && a.x < b.x:
			return -1
		case a.x != b.x:
			return 1
		case a.y > b.y:
			return -1
		case a.y < b.y:
			return 1
		}
		return 0
	})
	pts := []vg.Point{{X: c.Min.X, Y: ty(front[0].y)}}
	for i, q := range front {
		pts = append(pts, vg.Point{X: tx(q.x), Y: pts[len(pts)-1].Y})
		next := c.Min.Y
		if i+1 < len(front) {
			next = ty(front[i+1].y)
		}
		pts[len(pts)-1].Y = ty(q.y)
		pts = append(pts, vg.Point{X: tx(q.x), Y: next})
	}
	c.StrokeLines(line(ink, 1, nil), c.ClipLinesXY(pts)...)
	var lines []segment
	for i := 1; i < len(pts); i++ {
		lines = append(lines, segment{pts[i-1], pts[i]})
	}
	return lines
}

// intervals draws confidence boxes and ellipses of standard errors.
func (pl *plane) intervals(c draw.Canvas, p *plot.Plot, x, y int) {
	tx, ty := p.Transforms(&c)
	for i := range pl.m {
		col := Class(pl.classes[i]).Color
		cx, cy := pl.mu.At(i, x), pl.mu.At(i, y)
		if pl.o.Radius != nil && finite(pl.o.Radius[i]) && pl.o.Radius[i] != 0 {
			r := math.Abs(pl.o.Radius[i])
			box := []vg.Point{{X: tx(cx - r), Y: ty(cy - r)}, {X: tx(cx + r), Y: ty(cy - r)}, {X: tx(cx + r), Y: ty(cy + r)}, {X: tx(cx - r), Y: ty(cy + r)}}
			fill := col
			fill.A = 22
			c.FillPolygon(fill, c.ClipPolygonXY(box))
			c.StrokeLines(line(light(col, .6), .8, nil), c.ClipLinesXY(append(box, box[0]))...)
		}
		if pl.o.Covariance == nil || pl.o.Covariance[i] == nil {
			continue
		}
		s := pl.o.Covariance[i]
		sx, sy := s.At(x, x), s.At(y, y)
		if !(sx > 0 && sy > 0) || !finite(sx, sy, s.At(x, y)) {
			continue
		}
		rho := max(-1, min(1, s.At(x, y)/math.Sqrt(sx*sy)))
		var pts []vg.Point
		for k := range 61 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 60)
			pts = append(pts, vg.Point{
				X: tx(cx + math.Sqrt(sx)*cos),
				Y: ty(cy + math.Sqrt(sy)*(rho*cos+math.Sqrt(1-rho*rho)*sin)),
			})
		}
		c.StrokeLines(line(light(col, .7), .9, nil), c.ClipLinesXY(pts)...)
	}
}

// items draws the markers and their labels.
func (pl *plane) items(c draw.Canvas, p *plot.Plot, x, y int, labels []string, taken []vg.Rectangle, lines []segment) {
	pts := pl.points(c, p, x, y)
	sty := write(tickSize, ink)
	places := placeLabels(pts, labels, sty, taken, lines, c.Rectangle)
	for i, l := range places {
		if l.leader {
			end := anchor(l.box, pts[i])
			c.StrokeLine2(line(Grey, .6, nil), pts[i].X, pts[i].Y, end.X, end.Y)
		}
	}
	for i, l := range places {
		put(c, sty, vg.Point{X: l.box.Min.X, Y: l.box.Min.Y - 1}, labels[i])
	}
	// The classes that matter most are drawn last.
	for _, k := range []explore.Class{explore.Undecided, explore.Infeasible, explore.Dominated, explore.Optimal} {
		for i, pt := range pts {
			if pl.classes[i] == k {
				Class(k).Marker.draw(c, Class(k).Color, pt, markerRadius)
			}
		}
	}
}
