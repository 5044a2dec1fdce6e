package fig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// check reports the first thing that cannot be drawn.
func (s *SweepPanel) check(logY bool) error {
	n := 0
	for _, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			n++
			switch {
			case !canvas.Finite(q.X, q.Center):
				return fmt.Errorf("fig: %s, %s: the point (%v, %v) is not finite", s.Title, l.Name,
					q.X, q.Center)
			case s.LogX && q.X <= 0:
				return fmt.Errorf(
					"fig: %s, %s: x = %v on a logarithmic axis; want positive numbers, or unset "+
						"LogX",
					s.Title, l.Name, q.X)
			case logY && q.Center <= 0:
				return fmt.Errorf(
					"fig: %s, %s: y = %v at x = %v on a logarithmic axis; want positive "+
						"numbers, or set LinearY",
					s.Title, l.Name, q.Center, q.X)
			case q.Lo > q.Center || q.Hi < q.Center:
				return fmt.Errorf(
					"fig: %s, %s: the interval [%v, %v] at x = %v does not contain %v", s.Title,
					l.Name, q.Lo, q.Hi, q.X, q.Center)
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("fig: the sweep %q has no points to draw", s.Title)
	}
	return nil
}

// barless reports whether a point of a method has no interval.
func (s *SweepPanel) barless() bool {
	for _, l := range s.Series {
		for _, q := range l.Points {
			if !q.bar() {
				return true
			}
		}
	}
	return false
}

// limits returns the range of y.
func (s *SweepPanel) limits(log bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			lo, hi = min(lo, q.Center), max(hi, q.Center)
			if q.bar() && i < len(s.Series) {
				hi = max(hi, q.Hi)
				if q.Lo > 0 || !log {
					lo = min(lo, q.Lo)
				}
			}
		}
	}
	return lo, hi
}

// places returns the distinct x, in ascending order.
func (s *SweepPanel) places() []float64 {
	var xs []float64
	for _, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			xs = append(xs, q.X)
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// words describes a panel: the ends of its lines.
func (s *SweepPanel) words(ylabel string) string {
	var parts []string
	for _, l := range slices.Concat(s.Series, s.References) {
		ps := sorted(l.Points)
		if len(ps) == 0 {
			continue
		}
		a, b := ps[0], ps[len(ps)-1]
		part := fmt.Sprintf("%s %s at %s", canvas.Pretty(l.Name), tidy.Number(a.Center),
			tidy.Number(a.X))
		if b.X > a.X {
			part += fmt.Sprintf(", %s at %s", tidy.Number(b.Center), tidy.Number(b.X))
		}
		parts = append(parts, part)
	}
	title := canvas.Pretty(s.Title)
	if title != "" {
		title += ": "
	}
	return fmt.Sprintf("%s%s against %s. %s.", title, ylabel, s.XLabel, strings.Join(parts, "; "))
}

// haveRoom reports whether labels at the places, in order, have room beside each other.
func haveRoom(xs []float64, log bool) bool {
	at := func(i int) float64 {
		if log {
			return math.Log(xs[i])
		}
		return xs[i]
	}
	for i := 1; i < len(xs); i++ {
		if at(i)-at(i-1) < .05*(at(len(xs)-1)-at(0)) {
			return false
		}
	}
	return true
}

// draw adds the panel's content to p, whose y axis has its limits.
func (s *SweepPanel) draw(p *plot.Plot, palette Palette, named bool) {
	xs := s.places()
	canvas.Span(&p.X, xs[0], xs[len(xs)-1], s.LogX, .05)
	if len(xs) <= 8 && haveRoom(xs, s.LogX) {
		p.X.Tick.Marker = canvas.SizeTicks{At: xs}
	}
	p.Add(canvas.Grid(true))
	for i, l := range s.References {
		xys := centers(sorted(l.Points))
		if len(xys) == 1 { // a line needs two ends
			xys = plotter.XYs{{X: p.X.Min, Y: xys[0].Y}, {X: p.X.Max, Y: xys[0].Y}}
		}
		canvas.Add(p, &plotter.Line{XYs: xys, LineStyle: referenceLine(i)})
	}
	var bars, markers []plot.Plotter // above all lines
	for _, l := range s.Series {
		look, xys := palette.Look(l.Name), centers(sorted(l.Points))
		canvas.Add(p, &plotter.Line{XYs: xys, LineStyle: look.Line(1.3)})
		bars = append(bars, errorBars(p, l.Points, look.Solid(1.1)))
		markers = append(markers, &plotter.Scatter{XYs: xys, GlyphStyle: look.Glyph(3.2)})
	}
	canvas.Add(p, bars...)
	canvas.Add(p, markers...)
	if named {
		p.Add(endNames{s, palette})
	}
}

// centers returns the points without their intervals.
func centers(ps []SweepPoint) plotter.XYs {
	xys := make(plotter.XYs, len(ps))
	for i, q := range ps {
		xys[i] = plotter.XY{X: q.X, Y: q.Center}
	}
	return xys
}

// errorBars returns the intervals of the points that have one. An end below the
// panel, as one at 0 is on a logarithmic axis, is cut off.
func errorBars(p *plot.Plot, ps []SweepPoint, sty draw.LineStyle) *plotter.YErrorBars {
	bars := &plotter.YErrorBars{LineStyle: sty, CapWidth: 5}
	for _, q := range ps {
		if !q.bar() || q.Lo == q.Hi {
			continue
		}
		lo := q.Lo
		if _, log := p.Y.Scale.(plot.LogScale); log {
			lo = max(lo, p.Y.Min/2)
		}
		bars.XYs = append(bars.XYs, plotter.XY{X: q.X, Y: q.Center})
		bars.YErrors = append(bars.YErrors,
			struct{ Low, High float64 }{q.Center - lo, q.Hi - q.Center})
	}
	return bars
}

// referenceLine is the line of the i-th reference.
func referenceLine(i int) draw.LineStyle {
	return canvas.Line(canvas.Ink, 1, [][]vg.Length{{4, 3}, {1.5, 2}, {8, 3, 2, 3}}[i%3])
}

// sweepLegend explains methods and references, each once.
func sweepLegend(panels []SweepPanel, palette Palette) []Entry {
	var es []Entry
	seen := map[string]bool{}
	for _, p := range panels {
		for _, l := range p.Series {
			if seen[l.Name] {
				continue
			}
			seen[l.Name] = true
			look := palette.Look(l.Name)
			es = append(es, canvas.Key(
				canvas.Pretty(l.Name),
				&plotter.Line{
					LineStyle: look.Line(1.3),
				},
				&plotter.Scatter{GlyphStyle: look.Glyph(3.2)}))
		}
	}
	for _, p := range panels {
		for i, l := range p.References {
			if !seen[l.Name] {
				seen[l.Name] = true
				es = append(es, canvas.LineEntry(canvas.Pretty(l.Name), referenceLine(i)))
			}
		}
	}
	return es
}
