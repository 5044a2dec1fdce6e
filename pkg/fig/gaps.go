package fig

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/pareto"
)

// Gaps draws the gaps of an instance with two objectives and a few items, and says what each one
// is: an item that is dominated would have to improve by its gap to be dominated no more; an
// optimal one would have to lose it to be dominated, or a dominated item would have to gain it to
// become optimal. Arrows have the length of the gap, along the objective that decides. The figure is as wide
// as a column, with the formulas of the gaps below. It
// returns an error if the instance has not two objectives.
//
// It is Figure 5 of the GEGE paper (Kone, Kaufmann and Richert, 2025).
func Gaps(inst *bandit.Instance) (*Figure, error) {
	pl, err := newPlane(inst, &PlaneOptions{Front: true})
	if err != nil {
		return nil, err
	}
	if pl.d != 2 {
		return nil, fmt.Errorf("fig: %q has %d objectives; gaps are drawn of 2", inst.Name, pl.d)
	}
	g := gapPlane{plane: pl, gaps: pareto.Explain(pl.mu)}
	p := canvas.Panel(pl.axis(0)+", more is better →", pl.axis(1)+", more is better →")
	for c, a := range []*plot.Axis{&p.X, &p.Y} {
		lo, hi := pl.mu.At(0, c), pl.mu.At(0, c)
		for i := range pl.m {
			lo, hi = min(lo, pl.mu.At(i, c)), max(hi, pl.mu.At(i, c))
		}
		a.Min, a.Max = widen(lo, hi, 0, .15, .25)
	}
	canvas.Narrow(p, 2)
	p.Add(canvas.Grid(true), canvas.Paint(g.draw))
	f := &Figure{
		Title:  "What the gaps are: " + inst.Name,
		Panels: [][]*plot.Plot{{p}},
		Legend: []Entry{
			canvas.MarkerEntry("Pareto-optimal", Class(explore.Optimal)),
			canvas.MarkerEntry("dominated", Class(explore.Dominated)),
			canvas.LineEntry("Pareto front", canvas.Line(canvas.Ink, 1, nil)),
		},
		Width: canvas.ColumnWidth,
	}
	words := make([]string, pl.m)
	for i := range words {
		words[i] = g.words(i) + "."
	}
	f.Description = strings.Join(words, " ")
	f.Notes = []string{f.Description, "Arrows: the gap of an item, along the objective that decides. " +
		"Dotted: to the other item that it is about."}
	f.Fit(260)
	return f, nil
}

// A gapPlane is a plane whose items have gaps that are explained.
type gapPlane struct {
	*plane
	gaps []pareto.Gap
}

// words says what the gap of an item is.
func (g *gapPlane) words(i int) string {
	gap, name := g.gaps[i], g.labels[i]
	if gap.J < 0 {
		return "Δ(" + name + ") is infinite"
	}
	other, of := g.labels[gap.J], ""
	switch gap.Kind {
	case pareto.GapEnter:
		of = fmt.Sprintf("m(%s, %s)", name, other)
	case pareto.GapLeave:
		of = fmt.Sprintf("M(%s, %s)", name, other)
	case pareto.GapBeat:
		of = fmt.Sprintf("M(%s, %s)", other, name)
	case pareto.GapRelease:
		of = fmt.Sprintf("M(%s, %s)₊ + Δ(%s)", other, name, other)
	}
	return fmt.Sprintf("Δ(%s) = %s = %.3g", name, of, gap.Size)
}

// draw draws the data area.
func (g *gapPlane) draw(c draw.Canvas, p *plot.Plot) {
	pts := g.points(c, p, 0, 1)
	lines := g.staircase(c, p, 0, 1)
	var taken []vg.Rectangle
	for i, gap := range g.gaps {
		if gap.J < 0 || gap.Kind == pareto.GapRelease {
			continue
		}
		from, to := pts[i], pts[i]
		if gap.C == 0 {
			to.X = pts[gap.J].X
		} else {
			to.Y = pts[gap.J].Y
		}
		gapArrow(c, Class(g.classes[i]).Line(1.4), from, to)
		c.StrokeLine2(canvas.Line(canvas.Muted, .8, []vg.Length{1.5, 2.5}),
			to.X, to.Y, pts[gap.J].X, pts[gap.J].Y)
		lines = append(lines, canvas.Segment{P: to, Q: pts[gap.J]})
		taken = append(taken, canvas.Grow(vg.Rectangle{
			Min: vg.Point{X: min(from.X, to.X), Y: min(from.Y, to.Y)},
			Max: vg.Point{X: max(from.X, to.X), Y: max(from.Y, to.Y)}}, 3))
	}
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	var sizes []vg.Point
	var labels []string
	for i, pt := range pts {
		label := g.labels[i]
		if gap := g.gaps[i]; gap.J >= 0 {
			label += fmt.Sprintf(": %.3g", gap.Size)
		}
		labels = append(labels, label)
		sizes = append(sizes, vg.Point{X: sty.Width(labels[i]), Y: sty.Height(labels[i]) - 2})
		taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, markerRadius+1))
	}
	writeLabels(c, sty, pts,
		canvas.Place(pts, sizes, taken, lines, canvas.Grow(c.Rectangle, -1)), labels, lines)
	for _, k := range slices.Backward([]explore.Class{explore.Optimal, explore.Dominated}) {
		for i, pt := range pts {
			if g.classes[i] == k {
				c.DrawGlyphNoClip(Class(k).Glyph(markerRadius), pt)
			}
		}
	}
}

// gapArrow draws a line along an axis with a head at its end.
func gapArrow(c draw.Canvas, sty draw.LineStyle, from, to vg.Point) {
	const head = vg.Length(5)
	sty.Dashes = nil
	c.StrokeLine2(sty, from.X, from.Y, to.X, to.Y)
	dx, dy := unit(from.X-to.X), unit(from.Y-to.Y)
	c.StrokeLine2(sty, to.X, to.Y, to.X+head*dx+head*dy/2, to.Y+head*dy+head*dx/2)
	c.StrokeLine2(sty, to.X, to.Y, to.X+head*dx-head*dy/2, to.Y+head*dy-head*dx/2)
}

// unit is the sign of a length.
func unit(l vg.Length) vg.Length {
	switch {
	case l > 0:
		return 1
	case l < 0:
		return -1
	}
	return 0
}
