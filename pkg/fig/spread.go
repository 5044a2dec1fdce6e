package fig

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// shown is the largest number of points drawn in a lane.
const shown = 200

// spread summarises the distribution of the number of pulls in a lane.
type spread struct {
	name   string
	sub    string // text about errors among the runs
	look   Look
	pulls  []float64 // sorted numbers of pulls
	early  []float64 // sorted numbers of pulls of runs that a limit ended
	median tidy.Summary
}

// newSpread computes the spread of a lane.
func newSpread(name string, look Look, l lane) spread {
	sp := spread{name: name, look: look}
	stopped, wrong := 0, 0
	for _, r := range l.rows {
		sp.pulls = append(sp.pulls, float64(r.Pulls))
		if r.Status == explore.Stopped.String() {
			stopped++
			if !r.Correct {
				wrong++
			}
		} else {
			sp.early = append(sp.early, float64(r.Pulls))
		}
	}
	slices.Sort(sp.pulls)
	slices.Sort(sp.early)
	if len(sp.pulls) == 0 {
		sp.sub = "not run"
		if l.reps > 0 {
			sp.sub = "all runs failed"
		}
		return sp
	}
	sp.median = tidy.Median(sp.pulls, confidence)
	sp.sub = fmt.Sprintf("%s/%s wrong", tidy.Int(wrong), tidy.Int(stopped))
	if n := len(sp.early); n > 0 {
		sp.sub += fmt.Sprintf(", %s cut short", tidy.Int(n))
	}
	return sp
}

// String describes the median of the number of pulls in words.
func (sp spread) String() string {
	if len(sp.pulls) == 0 {
		return sp.name + " " + sp.sub
	}
	s := fmt.Sprintf("%s median %s pulls", sp.name, tidy.Number(sp.median.Center))
	if canvas.Finite(sp.median.Lo, sp.median.Hi) {
		s = fmt.Sprintf("%s median %s pulls", sp.name, sp.median)
	}
	return s + ", " + sp.sub
}

// center formats the median; if a limit ended runs at or below the median, center shows a lower
// bound.
func (sp spread) center() string {
	s := tidy.Int(int(math.Round(sp.median.Center)))
	if len(sp.early) > 0 && sp.median.Center >= sp.early[0] {
		s = "≥ " + s
	}
	return s
}

// draw draws the points, box and whiskers of a lane at the given height.
func (sp spread) draw(c draw.Canvas, p *plot.Plot, at float64) {
	n := len(sp.pulls)
	if n == 0 {
		return
	}
	tx, ty := p.Transforms(&c)
	y := ty(at)
	lane := ty(at+1) - y
	half := min(9, lane*.24)
	col := sp.look.Color

	// Each run has one point; if there are many runs, only runs at evenly spaced ranks have points.
	// Heights of points within the lane follow multiples of the golden ratio, so that neighbouring
	// points are at different heights without randomness.
	count := min(n, shown)
	var filled, hollow vg.Path
	left := 0 // number of runs in sp.early with fewer pulls than the current run
	for k := range count {
		r := k
		if n > shown {
			r = k * (n - 1) / (shown - 1)
		}
		_, u := math.Modf(.5 + float64(k)*.6180339887498949)
		q := vg.Point{X: tx(sp.pulls[r]), Y: y + half*1.5*vg.Length(2*u-1)}
		for left < len(sp.early) && sp.early[left] < sp.pulls[r] {
			left++
		}
		if left < len(sp.early) && sp.early[left] == sp.pulls[r] {
			hollow = append(hollow, canvas.Ellipse(q, 1.7, 1.7, 0)...)
			continue
		}
		filled = append(filled, canvas.Ellipse(q, 1.5, 1.5, 0)...)
	}
	if len(filled) > 0 {
		c.SetColor(canvas.Light(col, .45))
		c.Fill(filled)
	}
	if len(hollow) > 0 {
		c.SetLineStyle(canvas.Line(canvas.Light(col, .8), .6, nil))
		c.Stroke(hollow)
	}

	if n >= 5 { // with fewer runs, no box is needed
		q := func(u float64) vg.Length {
			return tx(stat.Quantile(u, stat.LinInterp, sp.pulls, nil))
		}
		q1, q3, w0, w1 := q(.25), q(.75), q(.05), q(.95)
		if n < 20 {
			w0, w1 = tx(sp.pulls[0]), tx(sp.pulls[n-1])
		}
		box := []vg.Point{
			{X: q1, Y: y - half},
			{X: q3, Y: y - half},
			{X: q3, Y: y + half},
			{X: q1, Y: y + half},
		}
		fill := color.NRGBAModel.Convert(col).(color.NRGBA)
		fill.A = 50
		c.FillPolygon(fill, box)
		sty := canvas.Line(col, 1.2, nil)
		c.StrokeLines(sty, append(box, box[0]))
		for _, w := range [][2]vg.Length{{q1, w0}, {q3, w1}} {
			c.StrokeLine2(sty, w[0], y, w[1], y)
			c.StrokeLine2(sty, w[1], y-half/2, w[1], y+half/2)
		}
	}
	m := tx(sp.median.Center)
	if n >= 5 {
		c.StrokeLine2(canvas.Line(col, 2, nil), m, y-half, m, y+half)
	}
	if canvas.Finite(sp.median.Lo, sp.median.Hi) && sp.median.N > 1 {
		lo, hi := tx(sp.median.Lo), tx(sp.median.Hi)
		c.StrokeLine2(canvas.Line(canvas.Ink, 1.6, nil), lo, y, hi, y)
		c.StrokeLine2(canvas.Line(canvas.Ink, 1.2, nil), lo, y-3, lo, y+3)
		c.StrokeLine2(canvas.Line(canvas.Ink, 1.2, nil), hi, y-3, hi, y+3)
	}
	c.DrawGlyphNoClip(sp.look.Glyph(3.4), vg.Point{X: m, Y: y})
	sty := canvas.Aligned(canvas.Strong(canvas.Write(canvas.NoteSize, canvas.Ink)), draw.XCenter, draw.YBottom)
	s := sp.center()
	w := sty.Width(s)
	x := min(max(m, c.Min.X+w/2), c.Max.X-w/2)
	canvas.Put(c, sty, vg.Point{X: x, Y: y + half*1.5 + 1}, s)
}
