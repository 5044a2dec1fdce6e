package fig

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

const markerRadius = vg.Length(4.2)

// panel draws the items in the plane of objectives x and y.
func (pl *plane) panel(x, y int, labels []string) *plot.Plot {
	p := canvas.Panel(pl.better(x), pl.better(y))
	pl.ticks(&p.X, x)
	pl.ticks(&p.Y, y)
	lo, hi := pl.limits(x)
	canvas.Span(&p.X, lo, hi, false, .08)
	lo, hi = pl.limits(y)
	canvas.Span(&p.Y, lo, hi, false, .08)
	covers, others := pl.covers(x, y)
	pl.shown(covers, others)
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) { shade(c, p, covers) }), canvas.Grid(true))
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		lines := pl.staircase(c, p, x, y)
		taken, bounds := boundaries(c, p, covers, pl.points(c, p, x, y), lines)
		pl.intervals(c, p, x, y)
		pl.names(c, p, x, y, labels, taken, append(lines, bounds...))
	}))
	// The most important classes are drawn last, so that other classes do not hide them.
	for _, k := range slices.Backward(classes) {
		var xys plotter.XYs
		for i, class := range pl.classes {
			if class == k {
				xys = append(xys, plotter.XY{X: pl.mu.At(i, x), Y: pl.mu.At(i, y)})
			}
		}
		if xys != nil {
			canvas.Add(p, &plotter.Scatter{XYs: xys, GlyphStyle: Class(k).Glyph(markerRadius)})
		}
	}
	return p
}

// points returns the positions of the items on the canvas.
func (pl *plane) points(c draw.Canvas, p *plot.Plot, x, y int) []vg.Point {
	tx, ty := p.Transforms(&c)
	pts := make([]vg.Point, pl.m)
	for i := range pts {
		pts[i] = vg.Point{X: tx(pl.mu.At(i, x)), Y: ty(pl.mu.At(i, y))}
	}
	return pts
}

// staircase draws the boundary of the region dominated by the optimal items, if requested, and
// returns its line segments.
func (pl *plane) staircase(c draw.Canvas, p *plot.Plot, x, y int) []canvas.Segment {
	if !pl.o.Front || pl.d != 2 {
		return nil
	}
	tx, ty := p.Transforms(&c)
	var front []canvas.Point
	for i, k := range pl.classes {
		if k == explore.Optimal {
			front = append(front, canvas.Point{X: pl.mu.At(i, x), Y: pl.mu.At(i, y)})
		}
	}
	if len(front) == 0 {
		return nil
	}
	slices.SortFunc(front, func(a, b canvas.Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(b.Y, a.Y))
	})
	pts := []vg.Point{{X: c.Min.X, Y: ty(front[0].Y)}}
	for i, q := range front {
		pts = append(pts, vg.Point{X: tx(q.X), Y: pts[len(pts)-1].Y})
		next := c.Min.Y
		if i+1 < len(front) {
			next = ty(front[i+1].Y)
		}
		pts[len(pts)-1].Y = ty(q.Y)
		pts = append(pts, vg.Point{X: tx(q.X), Y: next})
	}
	c.StrokeLines(canvas.Line(canvas.Ink, 1, nil), c.ClipLinesXY(pts)...)
	var lines []canvas.Segment
	for i := 1; i < len(pts); i++ {
		lines = append(lines, canvas.Segment{P: pts[i-1], Q: pts[i]})
	}
	return lines
}

// intervals draws the confidence boxes of the items.
func (pl *plane) intervals(c draw.Canvas, p *plot.Plot, x, y int) {
	tx, ty := p.Transforms(&c)
	for i := range pl.m {
		col := Class(pl.classes[i]).Color
		left, right := pl.interval(i, x)
		low, high := pl.interval(i, y)
		if canvas.Finite(left, right, low, high) && (left < right || low < high) {
			confidenceBox(c, col, vg.Point{X: tx(left), Y: ty(low)}, vg.Point{X: tx(right), Y: ty(high)})
		}
	}
}

// mostLabels is the largest number of labelled items in a plane.
const mostLabels = 60

// named returns the items to label, in ascending order. If there are at most mostLabels items,
// named returns all items. If there are more than mostLabels items, named returns at most
// mostLabels of them: first optimal items and items with extreme values, and then undecided items.
func (pl *plane) named(x, y int) []int {
	items := make([]int, pl.m)
	for i := range items {
		items[i] = i
	}
	if pl.m <= mostLabels {
		return items
	}
	rank := make([]int, pl.m)
	for i, class := range pl.classes {
		rank[i] = slices.Index([]explore.Class{explore.Dominated, explore.Infeasible, explore.Undecided,
			explore.Optimal}, class)
	}
	for _, c := range []int{x, y} {
		slices.SortStableFunc(items, func(i, j int) int { return cmp.Compare(pl.mu.At(i, c), pl.mu.At(j, c)) })
		for _, i := range append(items[:2:2], items[pl.m-2:]...) {
			rank[i] = max(rank[i], 3)
		}
	}
	slices.SortFunc(items, func(i, j int) int { return cmp.Or(rank[j]-rank[i], i-j) })
	items = slices.DeleteFunc(items[:mostLabels], func(i int) bool { return rank[i] < 2 })
	slices.Sort(items)
	return items
}

// names draws the labels of the items.
func (pl *plane) names(c draw.Canvas, p *plot.Plot, x, y int, labels []string, taken []vg.Rectangle,
	lines []canvas.Segment) {
	all := pl.points(c, p, x, y)
	var pts []vg.Point
	var texts []string
	for _, i := range pl.named(x, y) {
		pts, texts = append(pts, all[i]), append(texts, labels[i])
	}
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	places := placeLabels(pts, all, texts, sty, taken, lines, c.Rectangle)
	writeLabels(c, sty, pts, places, texts, lines)
}

// placeLabels chooses positions for the labels of pts, which are a subset of markers.
func placeLabels(pts, markers []vg.Point, labels []string, sty text.Style, taken []vg.Rectangle,
	lines []canvas.Segment, bounds vg.Rectangle) []canvas.Placement {
	sizes := make([]vg.Point, len(pts))
	for i, s := range labels {
		// Omit the top of the text box, because it is empty.
		sizes[i] = vg.Point{X: sty.Width(s), Y: sty.Height(s) - 2}
	}
	obstacles := slices.Clone(taken)
	for _, pt := range markers {
		obstacles = append(obstacles, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, markerRadius))
	}
	return canvas.Place(pts, sizes, obstacles, lines, canvas.Grow(bounds, -1))
}

// shown records whether a panel shows a region, and which constraints no panel shows; the legend
// and the notes use these records.
func (pl *plane) shown(covers []cover, others []string) {
	pl.shaded = pl.shaded || len(covers) > 0
	if !pl.drawn {
		pl.drawn, pl.unseen = true, others
	}
	pl.unseen = slices.DeleteFunc(pl.unseen, func(n string) bool { return !slices.Contains(others, n) })
}

// listed joins names into a text; if there are many names, the text contains only eight.
func listed(names []string) string {
	const most = 8
	if n := len(names); n > most+1 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(names, ", ")
}
