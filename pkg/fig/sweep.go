package fig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/tidy"
)

// A SweepPoint is a value with its interval at a place on the x axis. An end of
// the interval that is infinite or NaN leaves it undrawn.
type SweepPoint struct{ X, Center, Lo, Hi float64 }

// MedianPoint returns the median of a sample with its interval from order
// statistics (see tidy.Median). The ends are infinite where the sample is too
// small to give them.
func MedianPoint(x float64, sample []float64, confidence float64) SweepPoint {
	m := tidy.Median(sample, confidence)
	return SweepPoint{x, m.Center, m.Lo, m.Hi}
}

// MeanPoint returns the mean of a sample, less and plus its standard error. One
// value has no standard error.
func MeanPoint(x float64, sample []float64) SweepPoint {
	m, sd := stat.MeanStdDev(sample, nil)
	e := sd / math.Sqrt(float64(len(sample)))
	return SweepPoint{x, m, m - e, m + e}
}

// A SweepSeries is a line of a sweep: a method, or a reference.
type SweepSeries struct {
	Name   string
	Points []SweepPoint // in any order
}

// A SweepPanel is one sweep.
type SweepPanel struct {
	Title  string
	XLabel string // with its unit, if it has one
	LogX   bool
	Series []SweepSeries
	// References are drawn as dashed lines without markers: bounds.
	References []SweepSeries
}

// SweepOptions are the settings of [Sweep]. The zero value works.
type SweepOptions struct {
	Title string
	// YLabel is the label of the y axis, above it. Empty means "pulls until stopping".
	YLabel string
	// Interval says what points and bars are. Empty means "Markers and bars:
	// median with its 95 % confidence interval."
	Interval string
	// LinearY draws the y axis on a linear scale.
	LinearY bool
	// OwnY gives each panel limits of its own. By default those of a row agree.
	OwnY bool
	// Columns is the number of panels in a row. Zero means 2, or 1 if there is
	// one panel.
	Columns int
	// Width and Height are the size of the figure. Zero means 675 points, and
	// 290 points a row of panels.
	Width, Height vg.Length
}

// Sweep draws how the number of pulls grows with a problem: one panel for each
// sweep, one line for each method with a marker and an interval at each size, on
// a logarithmic y axis. Names stand at the ends of the lines if there is one
// column, else in a legend. A nil o means the zero value.
//
// It is Figure 1 of the RAGE paper (Fiez et al., 2019).
func Sweep(panels []SweepPanel, o *SweepOptions) (*Figure, error) {
	if o == nil {
		o = &SweepOptions{}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: there are no panels to draw")
	}
	for _, p := range panels {
		if err := p.check(!o.LinearY); err != nil {
			return nil, err
		}
	}
	cols := o.Columns
	if cols <= 0 {
		cols = min(2, len(panels))
	}
	ylabel := o.YLabel
	if ylabel == "" {
		ylabel = "pulls until stopping"
	}
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height}
	note := o.Interval
	if note == "" {
		note = "Markers and bars: median with its 95 % confidence interval."
	}
	barless, refs := false, false
	var words []string
	for from := 0; from < len(panels); from += cols {
		group := panels[from:min(from+cols, len(panels))]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range group {
			a, b := s.limits(!o.LinearY)
			lo, hi = min(lo, a), max(hi, b)
		}
		row := make([]*plot.Plot, cols)
		for k, s := range group {
			if o.OwnY {
				lo, hi = s.limits(!o.LinearY)
			}
			p := panel(s.XLabel, "")
			span(&p.Y, lo, hi, !o.LinearY, .04)
			s.draw(p, cols == 1)
			p.Add(topLabel{pretty(s.Title), ylabel})
			row[k] = p
			words = append(words, s.words(ylabel))
			barless = barless || s.barless()
			refs = refs || len(s.References) > 0
		}
		f.Panels = append(f.Panels, row)
	}
	if cols > 1 {
		f.Legend = sweepLegend(panels)
	}
	if barless {
		note += " No bar: too few runs for an interval."
	}
	if refs {
		note += " Dashed lines without markers: bounds."
	}
	f.Notes = []string{note}
	f.Description = strings.Join(words, " ")
	f.size(290 * vg.Length(len(f.Panels)))
	return f, nil
}

// check reports the first thing that cannot be drawn.
func (s *SweepPanel) check(logY bool) error {
	n := 0
	for _, l := range slices.Concat(s.Series, s.References) {
		for _, q := range l.Points {
			n++
			switch {
			case !finite(q.X, q.Center):
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

// bar reports whether a point has an interval that can be drawn.
func (q SweepPoint) bar() bool { return finite(q.Lo, q.Hi) }

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
		part := fmt.Sprintf("%s %s at %s", pretty(l.Name), tidy.Number(a.Center), tidy.Number(a.X))
		if b.X > a.X {
			part += fmt.Sprintf(", %s at %s", tidy.Number(b.Center), tidy.Number(b.X))
		}
		parts = append(parts, part)
	}
	title := pretty(s.Title)
	if title != "" {
		title += ": "
	}
	return fmt.Sprintf("%s%s against %s. %s.", title, ylabel, s.XLabel, strings.Join(parts, "; "))
}

func sorted(ps []SweepPoint) []SweepPoint {
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b SweepPoint) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	return ps
}

// referenceLine is the line of the i-th reference.
func referenceLine(i int) draw.LineStyle {
	return line(ink, 1, [][]vg.Length{{4, 3}, {1.5, 2}, {8, 3, 2, 3}}[i%3])
}

// sweepLegend explains methods and references, each once.
func sweepLegend(panels []SweepPanel) []Entry {
	var es []Entry
	seen := map[string]bool{}
	for _, p := range panels {
		for _, l := range p.Series {
			if seen[l.Name] {
				continue
			}
			seen[l.Name] = true
			look := Method(l.Name)
			es = append(es, Entry{pretty(l.Name), func(c draw.Canvas) {
				mid := c.Center()
				c.StrokeLine2(line(look.Color, 1.3, look.Dashes), c.Min.X, mid.Y, c.Max.X, mid.Y)
				look.Marker.draw(c, look.Color, mid, 3.2)
			}})
		}
	}
	for _, p := range panels {
		for i, l := range p.References {
			if !seen[l.Name] {
				seen[l.Name] = true
				es = append(es, lineEntry(pretty(l.Name), referenceLine(i)))
			}
		}
	}
	return es
}

// draw adds the panel's content to p, whose y axis has its limits.
func (s *SweepPanel) draw(p *plot.Plot, named bool) {
	xs := s.places()
	span(&p.X, xs[0], xs[len(xs)-1], s.LogX, .05)
	if len(xs) <= 8 {
		p.X.Tick.Marker = sizeTicks{xs}
	}
	p.Add(grid(true), paint(func(c draw.Canvas, p *plot.Plot) {
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
			look := Method(l.Name)
			lines(line(look.Color, 1.3, look.Dashes), sorted(l.Points))
		}
		for _, l := range s.Series {
			look := Method(l.Name)
			for _, q := range l.Points {
				if !q.bar() || q.Lo == q.Hi {
					continue
				}
				x, lo, hi := tx(q.X), c.Min.Y, ty(q.Hi)
				if p.Y.Min < q.Lo { // an end at or below 0 is off a logarithmic axis
					lo = ty(q.Lo)
					c.StrokeLine2(line(look.Color, 1.1, nil), x-2.5, lo, x+2.5, lo)
				}
				c.StrokeLine2(line(look.Color, 1.1, nil), x, lo, x, hi)
				c.StrokeLine2(line(look.Color, 1.1, nil), x-2.5, hi, x+2.5, hi)
			}
		}
		for _, l := range s.Series {
			look := Method(l.Name)
			for _, q := range l.Points {
				look.Marker.draw(c, look.Color, at(q), 3.2)
			}
		}
	}))
	if named {
		p.Add(endNames{s})
	}
}

// topLabel is a title above the left end of the data area, with the label of
// the y axis below it: level text reads better than upright text, and gonum/plot
// misplaces the latter on logarithmic axes.
type topLabel struct{ title, axis string }

// Plot implements plot.Plotter.
func (t topLabel) Plot(c draw.Canvas, _ *plot.Plot) {
	sty := write(tickSize, muted)
	y := c.Max.Y + 4
	put(c, sty, vg.Point{X: c.Min.X, Y: y}, t.axis)
	put(c, heading("").style(), vg.Point{X: c.Min.X, Y: y + sty.Height(t.axis) + 2}, t.title)
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room above the data.
func (t topLabel) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	h := 4 + write(tickSize, muted).Height(t.axis)
	if t.title != "" {
		h += 2 + heading("").style().Height(t.title)
	}
	return []plot.GlyphBox{{X: 0, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{Y: h}}}}
}

// sizeTicks labels the places that have points, and others not.
type sizeTicks struct{ at []float64 }

// Ticks implements plot.Ticker.
func (t sizeTicks) Ticks(float64, float64) []plot.Tick {
	ts := make([]plot.Tick, len(t.at))
	for i, x := range t.at {
		ts[i] = plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 4, 64)}
		if x == math.Trunc(x) && math.Abs(x) < 1e7 {
			ts[i].Label = tidy.Int(int(x))
		}
	}
	return ts
}

// endNames writes the names of lines right of the panel, each at the height of
// the end of its line or as near as there is room, with a leader.
type endNames struct{ *SweepPanel }

// Space between the panel and the names: for leaders, and for keys.
const (
	leaderWidth = vg.Length(14)
	keyWidth    = vg.Length(13)
)

func (endNames) style() (vg.Length, func(s string) vg.Length) {
	sty := write(tickSize, ink)
	return sty.Height("X") + 3, sty.Width
}

type endName struct {
	name string
	end  SweepPoint
	look Look
	ref  bool
	sty  draw.LineStyle // of a reference
	y    vg.Length
}

// flat reports whether a reference has one point, and is drawn all across.
func (e endNames) flat(name string) bool {
	for _, l := range e.References {
		if pretty(l.Name) == name {
			return len(l.Points) == 1
		}
	}
	return false
}

func (e endNames) names() []endName {
	var ns []endName
	for _, l := range e.Series {
		if ps := sorted(l.Points); len(ps) > 0 {
			ns = append(ns, endName{name: pretty(l.Name), end: ps[len(ps)-1], look: Method(l.Name)})
		}
	}
	for i, l := range e.References {
		if ps := sorted(l.Points); len(ps) > 0 {
			ns = append(ns, endName{name: pretty(l.Name), end: ps[len(ps)-1], look: Look{Color: ink}, ref: true, sty: referenceLine(i)})
		}
	}
	return ns
}

// Plot implements plot.Plotter.
func (e endNames) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	ns := e.names()
	step, _ := e.style()
	want := make([]vg.Length, len(ns))
	for i, n := range ns {
		want[i] = ty(n.end.Center)
	}
	got := spread1(want, step, c.Min.Y+step/2, c.Max.Y-step/2)
	for i, n := range ns {
		n.y = got[i]
		from := vg.Point{X: tx(n.end.X) + 4, Y: want[i]}
		if n.ref && e.flat(n.name) {
			from.X = c.Max.X
		}
		to := vg.Point{X: c.Max.X + leaderWidth, Y: n.y}
		// A line that ends early is led to the edge at its own height.
		edge := vg.Point{X: max(from.X, c.Max.X-2), Y: want[i]}
		c.StrokeLines(line(light(n.look.Color, .5), .6, []vg.Length{1, 1.5}), []vg.Point{from, edge, to})
		// Colour is in the marker: light hues are hard to read as text.
		if n.ref {
			c.StrokeLine2(n.sty, to.X+1, n.y, to.X+keyWidth-3, n.y)
		} else {
			n.look.Marker.draw(c, n.look.Color, vg.Point{X: to.X + keyWidth/2 - 1, Y: n.y}, 3.2)
		}
		put(c, aligned(write(tickSize, ink), draw.XLeft, draw.YCenter), vg.Point{X: to.X + keyWidth, Y: n.y}, n.name)
	}
}

// GlyphBoxes implements plot.GlyphBoxer: it makes room right of the data.
func (e endNames) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	_, width := e.style()
	w := vg.Length(0)
	for _, n := range e.names() {
		w = max(w, width(n.name))
	}
	return []plot.GlyphBox{{X: 1, Y: .5, Rectangle: vg.Rectangle{Max: vg.Point{X: leaderWidth + keyWidth + w + 2}}}}
}

// spread1 returns heights near the wanted ones, at least step apart and, if there
// is room, between lo and hi. Neighbours that are too close form a block around
// the mean of what they want: least squares under the order of the heights, by
// pooling adjacent violators.
func spread1(want []vg.Length, step, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case want[a] < want[b]:
			return -1
		case want[a] > want[b]:
			return 1
		}
		return 0
	})
	type block struct {
		sum vg.Length // of what members want, less their offset in order
		n   int
	}
	var blocks []block
	mean := func(b block) vg.Length { return b.sum / vg.Length(b.n) }
	for k, i := range order {
		blocks = append(blocks, block{want[i] - step*vg.Length(k), 1})
		for n := len(blocks); n > 1 && mean(blocks[n-2]) >= mean(blocks[n-1]); n = len(blocks) {
			blocks[n-2] = block{blocks[n-2].sum + blocks[n-1].sum, blocks[n-2].n + blocks[n-1].n}
			blocks = blocks[:n-1]
		}
	}
	got := make([]vg.Length, len(want))
	top := hi - step*vg.Length(len(want)-1)
	k := 0
	for _, b := range blocks {
		at := max(min(mean(b), top), lo) // clamping keeps the order and the optimum
		for range b.n {
			got[order[k]] = at + step*vg.Length(k)
			k++
		}
	}
	return got
}
