package fig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/fig/canvas"

	"github.com/purexp/purexp/pkg/tidy"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// check reports the first thing that cannot be drawn.
func (s *SweepPanel) check(logY bool) error {
	n := 0
	for _, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			n++
			switch {
			case !canvas.Finite(q.X, q.Center):
				return fmt.Errorf("fig: %s, %s: the point (%v, %v) is not finite", s.Title, l.Name, q.X, q.Center)
			case s.LogX && q.X <= 0:
				return fmt.Errorf("fig: %s, %s: x = %v on a logarithmic axis; want positive numbers, or unset LogX", s.Title, l.Name, q.X)
			case logY && q.Center <= 0:
				return fmt.Errorf("fig: %s, %s: y = %v at x = %v on a logarithmic axis; want positive numbers, or set LinearY", s.Title, l.Name, q.Center, q.X)
			case q.Lo > q.Center || q.Hi < q.Center:
				return fmt.Errorf("fig: %s, %s: the interval [%v, %v] at x = %v does not contain %v", s.Title, l.Name, q.Lo, q.Hi, q.X, q.Center)
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
		part := fmt.Sprintf("%s %s at %s", canvas.Pretty(l.Name), tidy.Number(a.Center), tidy.Number(a.X))
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

// draw adds the panel's content to p, whose y axis has its limits.
func (s *SweepPanel) draw(p *plot.Plot, palette Palette, named bool) {
	xs := s.places()
	canvas.Span(&p.X, xs[0], xs[len(xs)-1], s.LogX, .05)
	if len(xs) <= 8 {
		p.X.Tick.Marker = canvas.SizeTicks{At: xs}
	}
	p.Add(canvas.Grid(true), canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		at := func(q SweepPoint) vg.Point { return vg.Point{X: tx(q.X), Y: ty(q.Center)} }
		lines := func(sty draw.LineStyle, ps []SweepPoint) {
			var pts []vg.Point
			for _, q := range ps {
				pts = append(pts, at(q))
			}
			c.StrokeLines(sty, pts)
		}
		for i, l := range s.References {
			ps := sorted(l.Points)
			if len(ps) == 1 { // a line needs two ends
				y := ty(ps[0].Center)
				c.StrokeLine2(referenceLine(i), c.Min.X, y, c.Max.X, y)
				continue
			}
			lines(referenceLine(i), ps)
		}
		for _, l := range s.Series {
			look := palette.Look(l.Name)
			lines(canvas.Line(look.Color, 1.3, look.Dashes), sorted(l.Points))
		}
		for _, l := range s.Series {
			look := palette.Look(l.Name)
			for _, q := range l.Points {
				if !q.bar() || q.Lo == q.Hi {
					continue
				}
				x, lo, hi := tx(q.X), c.Min.Y, ty(q.Hi)
				if p.Y.Min < q.Lo { // an end at or below 0 is off a logarithmic axis
					lo = ty(q.Lo)
					c.StrokeLine2(canvas.Line(look.Color, 1.1, nil), x-2.5, lo, x+2.5, lo)
				}
				c.StrokeLine2(canvas.Line(look.Color, 1.1, nil), x, lo, x, hi)
				c.StrokeLine2(canvas.Line(look.Color, 1.1, nil), x-2.5, hi, x+2.5, hi)
			}
		}
		for _, l := range s.Series {
			look := palette.Look(l.Name)
			for _, q := range l.Points {
				c.DrawGlyph(look.Glyph(3.2), at(q))
			}
		}
	}))
	if named {
		p.Add(endNames{s, palette})
	}
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
			es = append(es, Entry{Name: canvas.Pretty(l.Name), Symbol: func(c draw.Canvas) {
				mid := c.Center()
				c.StrokeLine2(canvas.Line(look.Color, 1.3, look.Dashes), c.Min.X, mid.Y, c.Max.X, mid.Y)
				c.DrawGlyph(look.Glyph(3.2), mid)
			}})
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
