package fig

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/tidy"
)

// A DesignPanel is a design on points in the plane.
type DesignPanel struct {
	Title string
	// Points are those that can be measured, K x 2, one a row.
	Points *mat.Dense
	// Names of the points. Nil means that they are not named.
	Names []string
	// Design on the points. Only the weights are needed: without a Value there
	// is no ellipse, and without Critical there are no directions.
	Design *design.Design
	// Items are what the numbers of Design.Critical refer to, M x 2: directions
	// (design.NewXY), or items whose differences are the directions
	// (design.NewPairs). Nil means the points.
	Items *mat.Dense
}

// DesignOptions are the settings of [Designs], [DesignWeights] and
// [Convergence]. The zero value works.
type DesignOptions struct {
	Title string
	// Width and Height are the size of the figure. Zero means 675 points, and
	// the height that the content needs.
	Width, Height vg.Length
}

// Designs draws designs on points in the plane, side by side on the same scale:
// points with an area proportional to their weight, the ellipse of directions y
// whose variance y'M(w)^-1 y is the design's value, and the directions that are
// critical. All directions of interest lie within the ellipse, and the critical
// ones touch it (but for the design's gap). A nil o means the zero value.
func Designs(panels []DesignPanel, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: there are no designs to draw")
	}
	// One scale around the origin, from which directions start.
	var box rangeBox
	var words []string
	ellipses, arrows := false, false
	for _, d := range panels {
		if err := d.check(); err != nil {
			return nil, err
		}
		box.add(0, 0)
		k, _ := d.Points.Dims()
		for i := range k {
			box.add(d.Points.At(i, 0), d.Points.At(i, 1))
		}
		for _, q := range d.ellipse() {
			box.add(q.x, q.y)
			ellipses = true
		}
		for _, q := range d.directions() {
			box.add(q.x, q.y)
			arrows = true
		}
		words = append(words, d.words())
	}
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height, Description: strings.Join(words, " ")}
	if f.Title == "" {
		f.Title = "Designs"
	}
	row := make([]*plot.Plot, 0, len(panels))
	for k, d := range panels {
		p := panel("feature 1", "")
		if k == 0 {
			p.Y.Label.Text = "feature 2"
		}
		span(&p.X, box.x0, box.x1, false, .08)
		span(&p.Y, box.y0, box.y1, false, .08)
		narrow(p, len(panels))
		d.draw(p)
		if d.Title != "" {
			p.Add(heading(wrap(heading("").style(), pretty(d.Title), 480/vg.Length(len(panels)))))
		}
		row = append(row, p)
	}
	f.Panels = [][]*plot.Plot{row}
	f.Legend = []Entry{
		{"point, area: its weight", func(c draw.Canvas) { Circle.draw(c, Blue, c.Center(), 4.5) }},
		{"point without weight", func(c draw.Canvas) { Circle.draw(c, Grey, c.Center(), 1.8) }},
	}
	if ellipses {
		f.Legend = append(f.Legend, lineEntry("variance equals the design's value", line(Black, 1, []vg.Length{4, 3})))
	}
	if arrows {
		f.Legend = append(f.Legend, Entry{"critical direction, width: its weight in the certificate", func(c draw.Canvas) {
			mid := c.Center().Y
			arrow(c, vg.Point{X: c.Min.X, Y: mid}, vg.Point{X: c.Max.X, Y: mid}, 1.6)
		}})
	}
	f.size(300)
	if o.Height <= 0 {
		f.level((box.y1 - box.y0) / (box.x1 - box.x0))
	}
	return f, nil
}

// rangeBox is the range of points.
type rangeBox struct {
	x0, x1, y0, y1 float64
	some           bool
}

func (b *rangeBox) add(x, y float64) {
	if !b.some {
		*b = rangeBox{x, x, y, y, true}
	}
	b.x0, b.x1, b.y0, b.y1 = min(b.x0, x), max(b.x1, x), min(b.y0, y), max(b.y1, y)
}

// level sets the height of the figure so that data areas have the given ratio of
// height to width: circles are circles. It keeps within 120 and 700 points.
func (f *Figure) level(ratio float64) {
	for range 3 {
		rest := f.Height - f.extra()
		inner := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width - 2*edge, Y: rest}}}
		c := f.align(inner)[0][0]
		a := f.Panels[0][0].DataCanvas(c)
		w, h := a.Max.X-a.Min.X, a.Max.Y-a.Min.Y
		f.Height += min(max(w*vg.Length(ratio), 120), 700) - h
	}
}

// check reports the first thing that cannot be drawn.
func (d *DesignPanel) check() error {
	if d.Points == nil || d.Design == nil {
		return fmt.Errorf("fig: design %q: Points or Design is nil", d.Title)
	}
	k, h := d.Points.Dims()
	if h != 2 {
		return fmt.Errorf("fig: design %q: points have %d features; a plane has 2 (DesignWeights draws any number)", d.Title, h)
	}
	if len(d.Design.Weights) != k {
		return fmt.Errorf("fig: design %q: %d weights for %d points", d.Title, len(d.Design.Weights), k)
	}
	if err := checkWeights(d.Title, d.Design.Weights); err != nil {
		return err
	}
	if d.Names != nil && len(d.Names) != k {
		return fmt.Errorf("fig: design %q: %d names for %d points", d.Title, len(d.Names), k)
	}
	items := d.items()
	m, c := items.Dims()
	if c != 2 {
		return fmt.Errorf("fig: design %q: items have %d features; want 2", d.Title, c)
	}
	for _, x := range []*mat.Dense{d.Points, items} {
		for i := range x.RawMatrix().Rows {
			if !finite(x.At(i, 0), x.At(i, 1)) {
				return fmt.Errorf("fig: design %q: row %d, (%v, %v), is not finite", d.Title, i, x.At(i, 0), x.At(i, 1))
			}
		}
	}
	for _, y := range d.Design.Critical {
		if y.I < 0 || y.I >= m || y.J < -1 || y.J >= m {
			return fmt.Errorf("fig: design %q: the critical direction %d, %d is not one of %d items; set Items to what the design was computed for", d.Title, y.I, y.J, m)
		}
	}
	return nil
}

func checkWeights(name string, ws []float64) error {
	for i, w := range ws {
		if !(w >= 0) || !finite(w) {
			return fmt.Errorf("fig: design %q: weight %d is %v; want a number of at least 0", name, i, w)
		}
	}
	return nil
}

func (d *DesignPanel) items() *mat.Dense {
	if d.Items != nil {
		return d.Items
	}
	return d.Points
}

// directions returns the ends of the critical directions.
func (d *DesignPanel) directions() []point {
	items := d.items()
	var ps []point
	for _, y := range d.Design.Critical {
		p := point{items.At(y.I, 0), items.At(y.I, 1)}
		if y.J >= 0 {
			p.x -= items.At(y.J, 0)
			p.y -= items.At(y.J, 1)
		}
		ps = append(ps, p)
	}
	return ps
}

// ellipse returns points on {y : y'M^-1 y = Value}, M^1/2 times a circle, so
// that it is a segment where M is singular. Nil if there is no value.
func (d *DesignPanel) ellipse() []point {
	v := d.Design.Value
	if !(v > 0) || !finite(v) {
		return nil
	}
	var a, b, c float64 // M = [a b; b c]
	for i, w := range d.Design.Weights {
		x, y := d.Points.At(i, 0), d.Points.At(i, 1)
		a, b, c = a+w*x*x, b+w*x*y, c+w*y*y
	}
	// The root of a positive semidefinite 2 x 2 matrix (Cayley and Hamilton).
	det := math.Sqrt(max(0, a*c-b*b))
	tr := math.Sqrt(a + c + 2*det)
	if tr == 0 {
		return nil
	}
	a, b, c = (a+det)/tr, b/tr, (c+det)/tr
	const n = 180
	ps := make([]point, n+1)
	r := math.Sqrt(v)
	for i := range ps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		ps[i] = point{r * (a*cos + b*sin), r * (b*cos + c*sin)}
	}
	return ps
}

// words describes a panel.
func (d *DesignPanel) words() string {
	title := pretty(d.Title)
	if title == "" {
		title = "Design"
	}
	s := title + ": " + weightWords(d.Names, d.Design.Weights, 6)
	if d.Design.Value > 0 {
		s += fmt.Sprintf("; largest variance %s", tidy.Number(d.Design.Value))
	}
	return s + "."
}

// weightWords lists the largest weights.
func weightWords(names []string, ws []float64, most int) string {
	order := byWeight(ws)
	var parts []string
	for k, i := range order {
		if ws[i] == 0 {
			break
		}
		if k == most {
			parts = append(parts, "and others")
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", pointName(names, i), inPercent(ws[i])))
	}
	return strings.Join(parts, ", ")
}

func pointName(names []string, i int) string {
	if i < len(names) {
		return pretty(names[i])
	}
	return fmt.Sprintf("point %d", i)
}

// byWeight returns the points in order of descending weight.
func byWeight(ws []float64) []int {
	order := make([]int, len(ws))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ws[i] > ws[j]:
			return -1
		case ws[i] < ws[j]:
			return 1
		}
		return 0
	})
	return order
}

// draw adds the panel's content to p.
func (d *DesignPanel) draw(p *plot.Plot) {
	p.Add(grid(true), paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		at := func(q point) vg.Point { return vg.Point{X: tx(q.x), Y: ty(q.y)} }
		var taken []vg.Rectangle
		var lines []segment
		var curve []vg.Point
		for _, q := range d.ellipse() {
			curve = append(curve, at(q))
		}
		c.StrokeLines(line(Black, 1, []vg.Length{4, 3}), curve)
		for i := 1; i < len(curve); i++ {
			lines = append(lines, segment{curve[i-1], curve[i]})
		}
		total := 0.
		for _, y := range d.Design.Critical {
			total += y.Weight
		}
		origin := at(point{})
		for i, q := range d.directions() {
			width := 1.
			if total > 0 {
				width = .8 + 2*d.Design.Critical[i].Weight/total
			}
			arrow(c, origin, at(q), width)
			lines = append(lines, segment{origin, at(q)})
		}
		// A tenth of the panel's narrower side holds all the weight.
		full := min(c.Max.X-c.Min.X, c.Max.Y-c.Min.Y) / 10
		var pts, sizes []vg.Point
		var radii []vg.Length
		var labels []string
		var circles []func()
		sty := write(noteSize, ink)
		order := byWeight(d.Design.Weights)
		slices.Reverse(order) // heavy points on top
		for _, i := range order {
			w := d.Design.Weights[i]
			pt := at(point{d.Points.At(i, 0), d.Points.At(i, 1)})
			r, col := vg.Length(1.8), Grey
			if w > 0 {
				r, col = max(full*vg.Length(math.Sqrt(w)), 2.2), Blue
			}
			circles = append(circles, func() { Circle.draw(c, col, pt, r) })
			taken = append(taken, grow(vg.Rectangle{Min: pt, Max: pt}, r))
			if d.Names == nil {
				continue
			}
			s := pretty(d.Names[i])
			if w > 0 {
				s += " " + inPercent(w)
			} else if len(order) > 12 {
				continue // a crowd
			}
			labels, pts, radii = append(labels, s), append(pts, pt), append(radii, r)
			sizes = append(sizes, vg.Point{X: sty.Width(s), Y: sty.Height(s)})
		}
		placed := place(pts, sizes, taken, lines, c.Rectangle)
		for i, l := range placed {
			end := anchor(l.box, pts[i])
			if math.Hypot(float64(end.X-pts[i].X), float64(end.Y-pts[i].Y)) > float64(radii[i])+6 {
				c.StrokeLines(line(muted, .5, nil), []vg.Point{pts[i], end})
			}
		}
		for _, circle := range circles {
			circle()
		}
		for i, l := range placed {
			put(c, sty, l.box.Min, labels[i])
		}
	}))
}

// inPercent formats a weight.
func inPercent(w float64) string { return fmt.Sprintf("%.3g %%", 100*w) }

// arrow draws a critical direction.
func arrow(c draw.Canvas, from, to vg.Point, width float64) {
	dx, dy := to.X-from.X, to.Y-from.Y
	n := vg.Length(math.Hypot(float64(dx), float64(dy)))
	if n < 1 {
		return
	}
	dx, dy = dx/n, dy/n
	head := min(vg.Length(4+2*width), n)
	neck := vg.Point{X: to.X - dx*head, Y: to.Y - dy*head}
	c.StrokeLine2(line(Vermilion, width, nil), from.X, from.Y, neck.X, neck.Y)
	half := head * .45
	c.FillPolygon(Vermilion, []vg.Point{
		to, {X: neck.X - dy*half, Y: neck.Y + dx*half}, {X: neck.X + dy*half, Y: neck.Y - dx*half},
	})
}

// WeightSeries is a design, by its weights.
type WeightSeries struct {
	Name    string
	Weights []float64
}

// Points that DesignWeights shows: all of a few, and of more only those with a
// thousandth of the largest weight in some design, at most the heaviest 30.
const (
	few      = 12
	heaviest = 30
	faintest = 1e-3
)

// DesignWeights draws the weights of designs on the same points, of any
// dimension: a lane for each point, a needle for each design. Of more than 12
// points, those with (almost) no weight are left out, and at most 30 are shown;
// a note says so. Nil names mean "point 0" and so on. A nil o means the zero
// value.
func DesignWeights(names []string, designs []WeightSeries, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	if len(designs) == 0 || len(designs[0].Weights) == 0 {
		return nil, fmt.Errorf("fig: there are no weights to draw")
	}
	k := len(designs[0].Weights)
	if names != nil && len(names) != k {
		return nil, fmt.Errorf("fig: %d names for %d points", len(names), k)
	}
	largest, top := make([]float64, k), 0.
	var words []string
	for _, d := range designs {
		if len(d.Weights) != k {
			return nil, fmt.Errorf("fig: design %q has %d weights, %q has %d", d.Name, len(d.Weights), designs[0].Name, k)
		}
		if err := checkWeights(d.Name, d.Weights); err != nil {
			return nil, err
		}
		for i, w := range d.Weights {
			largest[i] = max(largest[i], w)
			top = max(top, w)
		}
		words = append(words, pretty(d.Name)+": "+weightWords(names, d.Weights, 6)+".")
	}
	if top == 0 {
		return nil, fmt.Errorf("fig: all weights are zero")
	}
	shown := byWeight(largest)
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height, Description: "Weights of designs. " + strings.Join(words, " ")}
	if f.Title == "" {
		f.Title = "Weights of the design"
	}
	if k > few {
		n := 0
		for n < min(k, heaviest) && largest[shown[n]] >= faintest*top {
			n++
		}
		left := 0.
		for _, d := range designs {
			rest := 0.
			for _, i := range shown[n:] {
				rest += d.Weights[i]
			}
			left = max(left, rest)
		}
		if n < k {
			f.Notes = []string{fmt.Sprintf("The %d heaviest of %s points. The others have no weight.", n, tidy.Int(k))}
			if left > 0 {
				f.Notes = []string{fmt.Sprintf("The %d heaviest of %s points. The others together have at most %.2g %% of a design.", n, tidy.Int(k), 100*left)}
			}
		}
		shown = shown[:n]
	}
	slices.Sort(shown)
	if len(designs) > 1 {
		for _, d := range designs {
			f.Legend = append(f.Legend, markerEntry(pretty(d.Name), Method(d.Name)))
		}
	}
	f.Panels = [][]*plot.Plot{{needles(names, designs, shown, top)}}
	lane := max(14, 5+9*vg.Length(len(designs)))
	f.size(lane*vg.Length(len(shown)) + 40)
	return f, nil
}

// needles draws a lane for each of the points shown, from top to bottom.
func needles(names []string, designs []WeightSeries, shown []int, top float64) *plot.Plot {
	p := panel("weight", "")
	p.X.Min, p.X.Max = 0, top*1.08
	n := len(shown)
	p.Y.Min, p.Y.Max = -.5, float64(n)-.5
	ticks := make(plot.ConstantTicks, n)
	for r, i := range shown {
		ticks[r] = plot.Tick{Value: float64(n - 1 - r), Label: clip(write(tickSize, ink), pointName(names, i), 170)}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
	p.Add(paint(func(c draw.Canvas, p *plot.Plot) {
		_, ty := p.Transforms(&c)
		for r := range shown {
			if r%2 == 0 {
				continue
			}
			y0, y1 := ty(float64(n-1-r)-.5), ty(float64(n-1-r)+.5)
			c.FillPolygon(band, []vg.Point{{X: c.Min.X, Y: y0}, {X: c.Max.X, Y: y0}, {X: c.Max.X, Y: y1}, {X: c.Min.X, Y: y1}})
		}
	}), grid(false), paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		for r, i := range shown {
			for k, d := range designs {
				w := d.Weights[i]
				if w < faintest*top {
					continue // a marker at 0 would say that there is some
				}
				off := .8 * (float64(k+1)/float64(len(designs)+1) - .5)
				look := Method(d.Name)
				y := ty(float64(n-1-r) - off)
				c.StrokeLine2(line(look.Color, 1.6, nil), c.Min.X, y, tx(w), y)
				look.Marker.draw(c, look.Color, vg.Point{X: tx(w), Y: y}, 3)
			}
		}
	}))
	return p
}

// ConvergenceSeries is the certificate of a solver after each iteration.
type ConvergenceSeries struct {
	Name     string
	Brackets []design.Bracket // in order of iterations
}

// Convergence draws how solvers approach the optimal design. Above, the value of
// the current design and the best lower bound so far, with the band between
// them, which contains the optimum. Below, how far the value is above the best
// lower bound of all series, on a logarithmic scale: what a user pays. Series
// without lower bounds (those of methods that have no certificate) are judged by
// the bounds of others. A nil o means the zero value.
func Convergence(series []ConvergenceSeries, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	best := 0.
	first, last := math.Inf(1), 0.
	lo, hi := math.Inf(1), 0.
	for _, s := range series {
		for i, b := range s.Brackets {
			switch {
			case b.Iteration < 1 || i > 0 && b.Iteration <= s.Brackets[i-1].Iteration:
				return nil, fmt.Errorf("fig: %s: bracket %d is of iteration %d; want numbers from 1 that increase", s.Name, i, b.Iteration)
			case math.IsNaN(b.Value) || b.Value <= 0 || !finite(b.Lower) || b.Lower < 0:
				return nil, fmt.Errorf("fig: %s: iteration %d has value %v and lower bound %v; want a positive and a nonnegative number", s.Name, b.Iteration, b.Value, b.Lower)
			}
			first, last = min(first, float64(b.Iteration)), max(last, float64(b.Iteration))
			best = max(best, b.Lower)
			if finite(b.Value) {
				lo, hi = min(lo, b.Value), max(hi, b.Value)
			}
		}
	}
	if last == 0 || hi == 0 {
		return nil, fmt.Errorf("fig: there are no brackets to draw; record them with design.Options.Watch")
	}
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height}
	if f.Title == "" {
		f.Title = "Convergence of the design"
	}
	// Headings and not labels of axes: they are longer than the axes are high.
	above, below := panel("", ""), panel("iteration", "")
	above.Add(heading("Largest variance: value of the design and lower bound"))
	below.Add(heading("Value above the best lower bound of all"))
	log := wantsLog(first, last)
	gaps := rangeBox{}
	var words []string
	for _, s := range series {
		look := Method(s.Name)
		f.Legend = append(f.Legend, lineEntry(pretty(s.Name), line(look.Color, 1.6, look.Dashes)))
		for _, b := range s.Brackets {
			if b.Lower > 0 { // early bounds near 0 would squeeze the rest
				lo = min(lo, max(b.Lower, best/2))
			}
			if g := b.Value/best - 1; finite(g) && g > 0 {
				gaps.add(0, max(g, 1e-12))
			}
		}
		if n := len(s.Brackets); n > 0 && best > 0 {
			b := s.Brackets[n-1]
			words = append(words, fmt.Sprintf("%s: %s %% above the best bound after %s iterations", pretty(s.Name), tidy.Number(100*(b.Value/best-1)), tidy.Int(b.Iteration)))
		}
	}
	for _, p := range []*plot.Plot{above, below} {
		span(&p.X, first, last, log, .02)
	}
	if best > 0 {
		f.Notes = []string{fmt.Sprintf("Lines: value of the current design; thin lines: best lower bound so far; band: contains the optimum, which is at least %s.", tidy.Number(best))}
	} else {
		f.Notes = []string{"Lines: value of the current design. No method has a lower bound."}
	}
	span(&above.Y, lo, min(hi, 4*max(best, lo)), false, .05)
	if hi > above.Y.Max {
		f.Notes = append(f.Notes, fmt.Sprintf("Values above the upper panel, up to %s, are drawn at its edge.", tidy.Number(hi)))
	}
	above.Add(grid(true), paint(func(c draw.Canvas, p *plot.Plot) { drawBrackets(c, p, series) }))
	f.Panels = [][]*plot.Plot{{above}}
	if gaps.some {
		span(&below.Y, gaps.y0, gaps.y1, true, .05)
		below.Y.Tick.Marker = shareTicks{logTicks{6}}
		below.Add(grid(true), paint(func(c draw.Canvas, p *plot.Plot) { drawGaps(c, p, series, best) }))
		f.Panels = append(f.Panels, []*plot.Plot{below})
	} else {
		above.X.Label.Text = "iteration"
	}
	f.Description = strings.Join(append([]string{"Convergence of design solvers"}, words...), ". ") + "."
	f.size(210 * vg.Length(len(f.Panels)))
	return f, nil
}

// shareTicks labels ticks in per cent.
type shareTicks struct{ logTicks }

// Ticks implements plot.Ticker.
func (t shareTicks) Ticks(lo, hi float64) []plot.Tick {
	ts := t.logTicks.Ticks(100*lo, 100*hi)
	for i := range ts {
		ts[i].Value /= 100
		if ts[i].Label != "" {
			ts[i].Label += " %"
		}
	}
	return ts
}

// steps returns the path through values that hold from one iteration to the
// next, without those that are not finite, within the panel.
func steps(c draw.Canvas, p *plot.Plot, bs []design.Bracket, of func(b design.Bracket) float64) []vg.Point {
	tx, ty := p.Transforms(&c)
	var pts []vg.Point
	for _, b := range bs {
		v := of(b)
		if !finite(v) || v <= 0 {
			continue
		}
		pt := vg.Point{X: tx(float64(b.Iteration)), Y: ty(min(max(v, p.Y.Min), p.Y.Max))}
		if n := len(pts); n > 0 {
			pts = append(pts, vg.Point{X: pt.X, Y: pts[n-1].Y})
		}
		pts = append(pts, pt)
	}
	return pts
}

// drawBrackets draws values and the best lower bounds so far.
func drawBrackets(c draw.Canvas, p *plot.Plot, series []ConvergenceSeries) {
	for pass := range 2 { // bands below lines
		for _, s := range series {
			look := Method(s.Name)
			value := steps(c, p, s.Brackets, func(b design.Bracket) float64 { return b.Value })
			best := 0.
			lower := steps(c, p, s.Brackets, func(b design.Bracket) float64 {
				best = max(best, b.Lower)
				return best
			})
			if pass == 1 {
				c.StrokeLines(line(look.Color, 1.6, look.Dashes), value)
				c.StrokeLines(line(look.Color, .8, look.Dashes), lower)
				continue
			}
			if len(value) < 2 || len(lower) < 2 {
				continue
			}
			fill := color.NRGBAModel.Convert(look.Color).(color.NRGBA)
			fill.A = 36
			slices.Reverse(lower)
			c.FillPolygon(fill, append(value, lower...))
		}
	}
}

// drawGaps draws how far values are above a bound.
func drawGaps(c draw.Canvas, p *plot.Plot, series []ConvergenceSeries, best float64) {
	for _, s := range series {
		look := Method(s.Name)
		pts := steps(c, p, s.Brackets, func(b design.Bracket) float64 { return max(b.Value/best-1, 1e-12) })
		c.StrokeLines(line(look.Color, 1.6, look.Dashes), pts)
		if n := len(pts); n > 0 {
			look.Marker.draw(c, look.Color, pts[n-1], 3)
		}
	}
}
