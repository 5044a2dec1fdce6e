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

// check returns an error about the first point that cannot be drawn, or nil.
func (s *SweepPanel) check(logY bool) error {
	n := 0
	for _, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			n++
			switch {
			case !canvas.Finite(q.X, q.Center):
				return fmt.Errorf("fig: %s, %s: the point (%v, %v) is not finite", s.Title, l.Name, q.X, q.Center)
			case s.LogX && q.X <= 0:
				return fmt.Errorf(
					"fig: %s, %s: x = %v on a logarithmic axis; use positive numbers, or unset LogX",
					s.Title, l.Name, q.X)
			case logY && q.Center <= 0:
				return fmt.Errorf(
					"fig: %s, %s: y = %v at x = %v on a logarithmic axis; use positive numbers, or set LinearY",
					s.Title, l.Name, q.Center, q.X)
			case q.Lo > q.Center || q.Hi < q.Center:
				return fmt.Errorf(
					"fig: %s, %s: the interval [%v, %v] at x = %v does not contain its center %v; expected Lo <= "+
						"Center <= Hi", s.Title,
					l.Name, q.Lo, q.Hi, q.X, q.Center)
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("fig: the sweep %q has no points; expected at least one", s.Title)
	}
	return nil
}

// sharesX reports whether two panels have the same x axis.
func (s *SweepPanel) sharesX(other *SweepPanel) bool {
	return s.XLabel == other.XLabel && s.LogX == other.LogX
}

// barless reports whether some point of a method has no interval.
func (s *SweepPanel) barless() bool {
	for _, l := range s.Series {
		if slices.ContainsFunc(l.Points, func(q SweepPoint) bool { return !q.bar() }) {
			return true
		}
	}
	return false
}

// limits returns the range of y that contains all lines and intervals.
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

// places returns the distinct values of x in all panels that share the x axis of s, in ascending
// order.
func (s *SweepPanel) places(panels []SweepPanel) []float64 {
	var xs []float64
	for _, p := range panels {
		if !p.sharesX(s) {
			continue
		}
		for _, l := range slices.Concat(p.Series, p.References) {
			for _, q := range l.Points {
				xs = append(xs, q.X)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}

// words describes a panel by the values at the ends of its lines.
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

// placeTicks returns ticks at the values xs; on a narrow panel, it labels as many as fit, beginning
// with the last.
func placeTicks(xs []float64, log bool) plot.ConstantTicks {
	at := func(i int) vg.Length {
		first, x, last := xs[0], xs[i], xs[len(xs)-1]
		if log {
			first, x, last = math.Log(first), math.Log(x), math.Log(last)
		}
		return vg.Length((x-first)/max(last-first, 1e-12)) * canvas.ColumnWidth / 2
	}
	ticks := canvas.SizeTicks{At: xs}.Ticks(0, 0)
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	right := vg.Length(math.Inf(1)) // left end of the next label to the right
	for i := len(ticks) - 1; i >= 0; i-- {
		w := sty.Width(ticks[i].Label)
		if at(i)+w/2+4 > right {
			ticks[i].Label = ""
			continue
		}
		right = at(i) - w/2
	}
	return ticks
}

// draw adds the lines to plot p, and sets the x axis to the range of xs; the caller has set the
// limits of the y axis.
func (s *SweepPanel) draw(p *plot.Plot, palette Palette, xs []float64) {
	canvas.Span(&p.X, xs[0], xs[len(xs)-1], s.LogX, .05)
	if len(xs) <= 8 {
		p.X.Tick.Marker = placeTicks(xs, s.LogX)
	} else {
		canvas.Narrow(p, 2)
	}
	p.Add(canvas.Grid(true))
	for i, l := range s.References {
		xys := centers(sorted(l.Points))
		if len(xys) == 1 { // a line needs two points
			xys = plotter.XYs{{X: p.X.Min, Y: xys[0].Y}, {X: p.X.Max, Y: xys[0].Y}}
		}
		canvas.Add(p, &plotter.Line{XYs: xys, LineStyle: referenceLine(i)})
	}
	for _, l := range s.Series {
		if xys := centers(sorted(l.Points)); l.Grey && len(xys) == 1 {
			canvas.Add(p, &plotter.Scatter{XYs: xys, GlyphStyle: Look{Color: behind}.Glyph(2.5)})
		} else if l.Grey {
			canvas.Add(p, &plotter.Line{XYs: xys, LineStyle: canvas.Line(behind, .9, nil)})
		}
	}
	// The first method is drawn last, so that other methods do not hide it. If a line would be
	// hidden by a line that coincides with it, the hidden line is drawn wider. Leader lines and a
	// note name all coinciding lines.
	var bars, markers []plot.Plotter // drawn above all lines
	for i := len(s.Series) - 1; i >= 0; i-- {
		l := s.Series[i]
		if l.Grey {
			continue
		}
		look, xys := palette.Look(l.Name), centers(sorted(l.Points))
		under := s.above(i)
		canvas.Add(p, &plotter.Line{XYs: xys, LineStyle: look.Line(1.5 + 2*float64(under))})
		bars = append(bars, errorBars(p, l.Points, look.Solid(1.1)))
		markers = append(markers, &plotter.Scatter{XYs: xys, GlyphStyle: look.Glyph(3.2 + 1.4*vg.Length(under))})
	}
	canvas.Add(p, bars...)
	canvas.Add(p, markers...)
	p.Add(endNames{SweepPanel: s, palette: palette})
}

// behind is the colour of the grey lines.
var behind = canvas.Light(canvas.Grey, .6)

// above returns 1 if a line coincides with line i and is drawn above it, and 0 otherwise.
func (s *SweepPanel) above(i int) int {
	for k := range i {
		if s.same(i, k) {
			return 1
		}
	}
	return 0
}

// same reports whether two coloured lines coincide at all points.
func (s *SweepPanel) same(i, k int) bool {
	a, b := s.Series[i], s.Series[k]
	if a.Grey || b.Grey || len(a.Points) != len(b.Points) || len(a.Points) == 0 {
		return false
	}
	const near = .01
	p, q := sorted(a.Points), sorted(b.Points)
	for j := range p {
		if p[j].X != q[j].X || math.Abs(p[j].Center-q[j].Center) > near*math.Abs(p[j].Center) {
			return false
		}
	}
	return true
}

// together returns the names of coinciding lines, one group for each set of lines.
func (s *SweepPanel) together() (groups [][]string) {
	for i := range s.Series {
		if s.above(i) > 0 {
			continue
		}
		names := []string{canvas.Pretty(s.Series[i].Name)}
		for k := i + 1; k < len(s.Series); k++ {
			if s.same(i, k) {
				names = append(names, canvas.Pretty(s.Series[k].Name))
			}
		}
		if len(names) > 1 {
			groups = append(groups, names)
		}
	}
	return groups
}

// centers returns the points of a line without intervals.
func centers(ps []SweepPoint) plotter.XYs {
	xys := make(plotter.XYs, len(ps))
	for i, q := range ps {
		xys[i] = plotter.XY{X: q.X, Y: q.Center}
	}
	return xys
}

// errorBars returns the intervals that can be drawn. On a logarithmic axis, lower ends far below
// the panel, such as 0, are replaced by half the lower limit of the axis.
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
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{q.Center - lo, q.Hi - q.Center})
	}
	return bars
}

// referenceLine returns the line style of reference number i.
func referenceLine(i int) draw.LineStyle {
	return canvas.Line(canvas.Ink, 1, [][]vg.Length{{4, 3}, {1.5, 2}, {8, 3, 2, 3}}[i%3])
}
