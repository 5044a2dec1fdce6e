package fig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// FrontOptions are the settings of [Front]. The zero value works.
type FrontOptions struct {
	// X and Y are the objectives on the axes. Both zero means 0 and 1.
	X, Y int
	// Negated says which objectives were minimised and have been negated for the
	// instance: their axes show the values as they were, from large to small. Nil
	// means none.
	Negated []bool
	// Units of the objectives are added to the labels of the axes. Nil means
	// none.
	Units []string
	// Title of the figure. Empty means the name of the instance.
	Title string
	// Width and Height are the size of the figure. Zero means 675 points, and
	// a height that suits.
	Width, Height vg.Length
}

// A FrontAnswer is what a method returned as the Pareto set.
type FrontAnswer struct {
	Name  string
	Items []int
	// Means holds the estimates of the run, M x d, one item a row. They are joined
	// to the true means of the items that are optimal or were returned. Nil draws
	// none.
	Means *mat.Dense
	// Radius holds the half-width of the confidence box of each item, the same
	// in every objective, around the estimate, or the true mean if there are no
	// Means. Items whose radius is not finite have no box. Nil draws none.
	Radius []float64
}

// Front draws the Pareto set of an instance with many items, and what methods
// returned: all items as a cloud in the plane of two objectives, the true front
// as a staircase, and a panel for each answer with the items that it has found,
// missed, and returned by mistake. Where the front is a small part of the plane,
// panels but the first enlarge the part that the first one frames. A nil o means
// the zero value.
//
// Better is always to the right and upwards. The staircase is left out if there
// are more than two objectives, where a plane does not show dominance.
func Front(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*Figure, error) {
	fr, err := newFront(inst, answers, o)
	if err != nil {
		return nil, err
	}
	f := &Figure{
		Title: fr.o.Title, Legend: fr.legend(), Notes: fr.notes(), Description: fr.describe(),
		Width: fr.o.Width, Height: fr.o.Height,
	}
	all := fr.window(true)
	near, zoom := fr.enlarged()
	overview := frontPanel{window: all, labels: !zoom, title: fmt.Sprintf("all %d arms", fr.m)}
	if zoom {
		overview.frame = &near
		overview.add(point{near.x0, near.y0})
		overview.add(point{near.x1, near.y1})
	} else {
		near = all
	}
	panels := []frontPanel{overview}
	if zoom && len(answers) == 0 {
		panels = append(panels, frontPanel{window: near, labels: true, title: "the front, enlarged"})
	}
	for k := range answers {
		panels = append(panels, frontPanel{window: near, labels: zoom && k == 0, answer: &answers[k], title: fr.score(&answers[k])})
	}
	cols := min(2, len(panels))
	if fr.crowded() {
		cols = 1
	}
	for from := 0; from < len(panels); from += cols {
		row := make([]*plot.Plot, cols)
		for k := range min(cols, len(panels)-from) {
			row[k] = fr.panel(panels[from+k])
		}
		f.Panels = append(f.Panels, row)
	}
	height := map[bool]vg.Length{true: 300, false: 390}[cols > 1]
	f.size(height * vg.Length(len(f.Panels)))
	return f, nil
}

// front is what the panels share.
type front struct {
	*plane
	o       FrontOptions
	x, y    int
	optimal []int // in ascending order
	is      []bool
	answers []FrontAnswer
}

// newFront checks the arguments.
func newFront(inst *bandit.Instance, answers []FrontAnswer, o *FrontOptions) (*front, error) {
	fr := &front{answers: answers}
	if o != nil {
		fr.o = *o
	}
	pl, err := newPlane(inst, &PlaneOptions{Title: fr.o.Title, Units: fr.o.Units, Front: true})
	if err != nil {
		return nil, err
	}
	if pl.region != nil {
		return nil, fmt.Errorf("fig: the question of %q has constraints, which Front does not draw; use ResponsePlane", inst.Name)
	}
	fr.plane, fr.o.Title = pl, pl.o.Title
	if fr.x, fr.y = fr.o.X, fr.o.Y; fr.x == 0 && fr.y == 0 {
		fr.y = 1
	}
	if fr.x < 0 || fr.y < 0 || fr.x >= pl.d || fr.y >= pl.d || fr.x == fr.y {
		return nil, fmt.Errorf("fig: objectives %d and %d; want two different ones from 0 to %d", fr.x, fr.y, pl.d-1)
	}
	if n := len(fr.o.Negated); n != 0 && n != pl.d {
		return nil, fmt.Errorf("fig: Negated has %d entries; want one for each of %d objectives", n, pl.d)
	}
	fr.is = make([]bool, pl.m)
	for i, c := range pl.classes {
		if fr.is[i] = c == explore.Optimal; fr.is[i] {
			fr.optimal = append(fr.optimal, i)
		}
	}
	for _, a := range answers {
		seen := make(map[int]bool, len(a.Items))
		for _, i := range a.Items {
			if i < 0 || i >= pl.m || seen[i] {
				return nil, fmt.Errorf("fig: the answer of %s names item %d, which is there twice or not one of %d", a.Name, i, pl.m)
			}
			seen[i] = true
		}
		if a.Means != nil {
			if m, d := a.Means.Dims(); m != pl.m || d != pl.d {
				return nil, fmt.Errorf("fig: the means of %s are %d x %d; want one row for each of %d items and one column for each of %d objectives", a.Name, m, d, pl.m, pl.d)
			}
		}
		if n := len(a.Radius); n != 0 && n != pl.m {
			return nil, fmt.Errorf("fig: the radius of %s has %d entries; want one for each of %d items", a.Name, n, pl.m)
		}
	}
	return fr, nil
}

// sides returns the items that a found, missed and returned by mistake, each in
// ascending order.
func (fr *front) sides(a *FrontAnswer) (found, missed, wrong []int) {
	for _, i := range fr.optimal {
		if slices.Contains(a.Items, i) {
			found = append(found, i)
		} else {
			missed = append(missed, i)
		}
	}
	for _, i := range a.Items {
		if !fr.is[i] {
			wrong = append(wrong, i)
		}
	}
	slices.Sort(wrong)
	return found, missed, wrong
}

// score is the title of the panel of an answer.
func (fr *front) score(a *FrontAnswer) string {
	found, _, wrong := fr.sides(a)
	s := fmt.Sprintf("%s: %d of %d found", pretty(a.Name), len(found), len(fr.optimal))
	if len(wrong) > 0 {
		s += fmt.Sprintf(", %d wrong", len(wrong))
	}
	return s
}

// estimate returns the estimate of item i, and whether there is one to draw.
func (a *FrontAnswer) estimate(i, x, y int) (point, bool) {
	if a.Means == nil {
		return point{}, false
	}
	q := point{a.Means.At(i, x), a.Means.At(i, y)}
	return q, finite(q.x, q.y)
}

// A window is a part of the plane.
type window struct{ x0, x1, y0, y1 float64 }

func (w *window) add(q point) {
	w.x0, w.x1 = min(w.x0, q.x), max(w.x1, q.x)
	w.y0, w.y1 = min(w.y0, q.y), max(w.y1, q.y)
}

// enlarged returns the part of the plane around the front, and whether it is small
// enough to be enlarged: less than half of the plane, and not all that there is.
func (fr *front) enlarged() (near window, ok bool) {
	all := fr.window(true)
	near = fr.window(false)
	if (near.x1-near.x0)*(near.y1-near.y0) >= .5*(all.x1-all.x0)*(all.y1-all.y0) {
		return near, false
	}
	for i := range fr.m {
		if q := fr.at(i); q.x < near.x0 || q.x > near.x1 || q.y < near.y0 || q.y > near.y1 {
			return near, true
		}
	}
	return near, false
}

// addBoxes adds the confidence boxes of a, as far as they are within all.
func (w *window) addBoxes(fr *front, a *FrontAnswer, all window) {
	for _, i := range fr.marked(a) {
		if b, ok := fr.box(a, i); ok && b.x0 < all.x1 && b.x1 > all.x0 && b.y0 < all.y1 && b.y1 > all.y0 {
			w.add(point{max(b.x0, all.x0), max(b.y0, all.y0)})
			w.add(point{min(b.x1, all.x1), min(b.y1, all.y1)})
		}
	}
}

// Margins of the windows, as a share of their size, with room for names at the
// right; and the smallest part of all that is shown enlarged, so that there is
// something to compare with.
const (
	cloudMargin = .05
	nearMargin  = .18
	nameMargin  = .4
	leastPart   = .03
)

// window returns the part of the plane that holds all items, or only those that
// are optimal or were returned, with their estimates. It has a margin.
func (fr *front) window(all bool) window {
	inf := math.Inf(1)
	w := window{inf, -inf, inf, -inf}
	for i := range fr.m {
		if all || fr.is[i] {
			w.add(fr.at(i))
		}
	}
	for k := range fr.answers {
		a := &fr.answers[k]
		for _, i := range a.Items {
			w.add(fr.at(i))
		}
		if a.Means == nil {
			continue
		}
		for _, i := range fr.marked(a) {
			if q, ok := a.estimate(i, fr.x, fr.y); ok {
				w.add(q)
			}
		}
	}
	if all {
		w.x0, w.x1 = widen(w.x0, w.x1, 0, cloudMargin, cloudMargin)
		w.y0, w.y1 = widen(w.y0, w.y1, 0, cloudMargin, cloudMargin)
		return w
	}
	whole := fr.window(true)
	for k := range fr.answers {
		w.addBoxes(fr, &fr.answers[k], whole)
	}
	w.x0, w.x1 = widen(w.x0, w.x1, leastPart*(whole.x1-whole.x0), nearMargin, nameMargin)
	w.y0, w.y1 = widen(w.y0, w.y1, leastPart*(whole.y1-whole.y0), nearMargin, nearMargin)
	w.x0, w.y0 = max(w.x0, whole.x0), max(w.y0, whole.y0) // nothing is beyond
	return w
}

// widen returns an interval of length at least least around lo to hi, with
// margins, as a share of its length. What is dominated is below: there is more to
// be seen there.
func widen(lo, hi, least, before, after float64) (float64, float64) {
	if d := least - (hi - lo); d > 0 {
		lo, hi = lo-.8*d, hi+.2*d
	}
	if hi == lo {
		lo, hi = lo-.5, hi+.5
	}
	d := hi - lo
	return lo - before*d, hi + after*d
}

func (fr *front) at(i int) point { return point{fr.mu.At(i, fr.x), fr.mu.At(i, fr.y)} }

// marked returns the items that a panel marks: those that are optimal or were
// returned.
func (fr *front) marked(a *FrontAnswer) []int {
	if a == nil {
		return fr.optimal
	}
	_, _, wrong := fr.sides(a)
	return slices.Concat(fr.optimal, wrong)
}

// Sizes and looks of the markers.
const (
	cloudRadius = vg.Length(1.7)
	frontRadius = vg.Length(4.4)
)

var (
	cloudColor = light(Grey, .62)
	trueLook   = Look{Color: ink, Marker: Circle}
	missedLook = Look{Color: ink, Marker: Ring}
	wrongLook  = Look{Color: ink, Marker: Cross}
)

// A frontPanel is one panel.
type frontPanel struct {
	window
	title  string
	frame  *window // the part that other panels show
	labels bool    // name all optimal items, not only those that were missed
	answer *FrontAnswer
}

// crowded reports whether names need the whole width.
func (fr *front) crowded() bool { return len(fr.optimal) > 12 }

// mostLabels is the number of optimal items up to which all are named.
const mostLabels = 30

// named returns which of the marked items have labels.
func (fr *front) named(pn frontPanel) []int {
	var ids, wrong []int
	if pn.answer != nil {
		_, ids, wrong = fr.sides(pn.answer)
	}
	if pn.labels {
		ids = fr.optimal
		if len(ids) > mostLabels {
			ends := slices.SortedFunc(slices.Values(ids), func(i, j int) int { return cmp.Compare(fr.at(i).x, fr.at(j).x) })
			ids = []int{ends[0], ends[len(ends)-1]}
		}
	}
	if len(ids) > mostLabels {
		ids = nil
	}
	if len(ids)+len(wrong) > mostLabels {
		wrong = nil
	}
	return slices.Concat(ids, wrong)
}

func (fr *front) panel(pn frontPanel) *plot.Plot {
	p := panel(fr.axis(fr.x), fr.axis(fr.y))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = pn.x0, pn.x1, pn.y0, pn.y1
	for c, a := range map[int]*plot.Axis{fr.x: &p.X, fr.y: &p.Y} {
		if fr.o.Negated != nil && fr.o.Negated[c] {
			a.Tick.Marker = negatedTicks{linearTicks{6}}
		} else {
			a.Tick.Marker = linearTicks{6}
		}
	}
	p.Add(heading(pn.title), grid(true))
	p.Add(paint(func(c draw.Canvas, p *plot.Plot) { fr.draw(c, p, pn) }))
	return p
}

// axis returns the label of an objective and where it is better.
func (fr *front) axis(c int) string {
	if fr.o.Negated != nil && fr.o.Negated[c] {
		return fr.plane.axis(c) + ", less is better →"
	}
	return fr.plane.axis(c) + ", more is better →"
}

// draw draws the data area of a panel.
func (fr *front) draw(c draw.Canvas, p *plot.Plot, pn frontPanel) {
	pts := fr.points(c, p, fr.x, fr.y)
	a := pn.answer
	marked := fr.marked(a)
	is := make([]bool, fr.m)
	for _, i := range marked {
		is[i] = true
	}
	var cloud vg.Path // one path: hundreds of them make a large file
	var taken []vg.Rectangle
	for i, pt := range pts {
		if c.Contains(pt) && !is[i] {
			cloud = append(cloud, ellipse(pt, cloudRadius, cloudRadius, 0)...)
			taken = append(taken, grow(vg.Rectangle{Min: pt, Max: pt}, cloudRadius))
		}
	}
	if len(cloud) > 0 {
		c.SetColor(cloudColor)
		c.Fill(cloud)
	}
	lines := fr.staircase(c, p, fr.x, fr.y)
	if pn.frame != nil {
		tx, ty := p.Transforms(&c)
		w := *pn.frame
		at := []vg.Point{{X: tx(w.x0), Y: ty(w.y0)}, {X: tx(w.x1), Y: ty(w.y0)}, {X: tx(w.x1), Y: ty(w.y1)}, {X: tx(w.x0), Y: ty(w.y1)}}
		c.StrokeLines(line(muted, .8, []vg.Length{3, 2}), c.ClipLinesXY(append(at, at[0]))...)
	}
	if a != nil {
		fr.intervals(c, p, a, marked)
	}
	r := frontRadius
	switch {
	case pn.frame != nil:
		r = 2.6 // front members of an overview are close together
	case fr.crowded():
		r = 3.4
	}
	for _, i := range marked {
		if pt := pts[i]; c.Contains(pt) {
			taken = append(taken, grow(vg.Rectangle{Min: pt, Max: pt}, r))
		}
	}
	if a != nil {
		tx, ty := p.Transforms(&c)
		for _, i := range marked {
			if q, ok := a.estimate(i, fr.x, fr.y); ok {
				lines = append(lines, segment{pts[i], vg.Point{X: tx(q.x), Y: ty(q.y)}})
			}
		}
	}
	fr.names(c, pts, fr.named(pn), taken, lines)
	show := func(ids []int, l Look, r vg.Length) {
		for _, i := range ids {
			if c.Contains(pts[i]) {
				l.Marker.draw(c, l.Color, pts[i], r)
			}
		}
	}
	if a == nil {
		show(fr.optimal, trueLook, r)
		return
	}
	found, missed, wrong := fr.sides(a)
	show(found, Method(a.Name), r)
	show(missed, missedLook, r+.4)
	show(wrong, wrongLook, r)
}

// names draws the names of items.
func (fr *front) names(c draw.Canvas, pts []vg.Point, ids []int, taken []vg.Rectangle, lines []segment) {
	sty := write(noteSize, ink)
	var at, sizes []vg.Point
	var labels []string
	for _, i := range ids {
		if c.Contains(pts[i]) {
			l := clip(sty, fr.labels[i], (c.Max.X-c.Min.X)*.6)
			at, labels = append(at, pts[i]), append(labels, l)
			sizes = append(sizes, vg.Point{X: sty.Width(l), Y: sty.Height(l) - 2})
		}
	}
	places := place(at, sizes, taken, lines, grow(c.Rectangle, -1))
	for k, l := range places {
		if l.leader {
			end := anchor(l.box, at[k])
			c.StrokeLine2(line(Grey, .6, nil), at[k].X, at[k].Y, end.X, end.Y)
		}
	}
	for k, l := range places {
		put(c, sty, vg.Point{X: l.box.Min.X, Y: l.box.Min.Y - 1}, labels[k])
	}
}

// intervals draws confidence boxes, and lines from the true means to the
// estimates.
func (fr *front) intervals(c draw.Canvas, p *plot.Plot, a *FrontAnswer, ids []int) {
	tx, ty := p.Transforms(&c)
	col := Method(a.Name).Color
	for _, i := range ids {
		if b, ok := fr.box(a, i); ok {
			box := []vg.Point{{X: tx(b.x0), Y: ty(b.y0)}, {X: tx(b.x1), Y: ty(b.y0)}, {X: tx(b.x1), Y: ty(b.y1)}, {X: tx(b.x0), Y: ty(b.y1)}}
			fill := col
			fill.A = 22
			c.FillPolygon(fill, c.ClipPolygonXY(box))
			c.StrokeLines(line(light(col, .6), .8, nil), c.ClipLinesXY(append(box, box[0]))...)
		}
	}
	for _, i := range ids {
		if q, ok := a.estimate(i, fr.x, fr.y); ok {
			from, to := fr.at(i), vg.Point{X: tx(q.x), Y: ty(q.y)}
			c.StrokeLines(line(col, .9, nil), c.ClipLinesXY([]vg.Point{{X: tx(from.x), Y: ty(from.y)}, to})...)
			if c.Contains(to) {
				c.SetColor(col)
				c.Fill(ellipse(to, 1.9, 1.9, 0))
			}
		}
	}
}

// box returns the confidence box of item i, and whether there is one to draw.
func (fr *front) box(a *FrontAnswer, i int) (b window, ok bool) {
	q, ok := a.estimate(i, fr.x, fr.y)
	if a.Means == nil {
		q, ok = fr.at(i), true
	}
	if !ok || a.Radius == nil || !finite(a.Radius[i]) || a.Radius[i] == 0 {
		return b, false
	}
	r := math.Abs(a.Radius[i])
	return window{q.x - r, q.x + r, q.y - r, q.y + r}, true
}

// legend explains what occurs.
func (fr *front) legend() []Entry {
	es := []Entry{
		{"arm", func(c draw.Canvas) {
			c.SetColor(cloudColor)
			c.Fill(ellipse(c.Center(), cloudRadius+.3, cloudRadius+.3, 0))
		}},
		markerEntry("Pareto-optimal", trueLook),
	}
	if fr.d == 2 {
		es = append(es, lineEntry("Pareto front", line(ink, 1, nil)))
	}
	misses, mistakes := false, false
	for k := range fr.answers {
		a := &fr.answers[k]
		found, missed, wrong := fr.sides(a)
		misses, mistakes = misses || len(missed) > 0, mistakes || len(wrong) > 0
		if len(found) > 0 {
			es = append(es, markerEntry("found by "+pretty(a.Name), Method(a.Name)))
		}
	}
	if misses {
		es = append(es, markerEntry("missed", missedLook))
	}
	if mistakes {
		es = append(es, markerEntry("returned by mistake", wrongLook))
	}
	return es
}

// notes say what lines and boxes are, and what has no name.
func (fr *front) notes() []string {
	means, boxes := false, false
	for _, a := range fr.answers {
		means, boxes = means || a.Means != nil, boxes || a.Radius != nil
	}
	var s []string
	if _, ok := fr.enlarged(); ok {
		s = append(s, "The dashed frame is the part that the other panels show.")
		if len(fr.answers) == 0 {
			s[0] = "The dashed frame is the part that the other panel shows."
		}
	}
	if means {
		s = append(s, "Lines lead from true means to estimates.")
	}
	if boxes {
		s = append(s, "Boxes: confidence intervals.")
	}
	if n := len(fr.optimal); n > mostLabels {
		s = append(s, fmt.Sprintf("Of %d optimal arms, the two ends are named.", n))
	}
	if fr.d > 2 {
		s = append(s, fmt.Sprintf("There are %d objectives: arms that look dominated here may be better in another one.", fr.d))
	}
	if len(s) == 0 {
		return nil
	}
	return []string{strings.Join(s, " ")}
}

// describe names what is optimal, and what each answer has missed and mistaken.
func (fr *front) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d arms in %s and %s. Pareto-optimal: %s.", fr.m, pretty(fr.problem.Objective(fr.x)), pretty(fr.problem.Objective(fr.y)), fr.list(fr.optimal))
	for k := range fr.answers {
		a := &fr.answers[k]
		_, missed, wrong := fr.sides(a)
		b.WriteString(" " + fr.score(a))
		if len(missed) > 0 {
			b.WriteString("; missed " + fr.list(missed))
		}
		if len(wrong) > 0 {
			b.WriteString("; by mistake " + fr.list(wrong))
		}
		b.WriteByte('.')
	}
	return b.String()
}

// list names items, at most a dozen.
func (fr *front) list(ids []int) string {
	const most = 12
	var names []string
	for k, i := range ids {
		if k == most {
			names = append(names, fmt.Sprintf("and %d more", len(ids)-most))
			break
		}
		names = append(names, fr.labels[i])
	}
	return strings.Join(names, ", ")
}

// negatedTicks labels an axis of negated values with the values as they were.
type negatedTicks struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (t negatedTicks) Ticks(lo, hi float64) []plot.Tick {
	ticks := t.Ticker.Ticks(-hi, -lo)
	for i := range ticks {
		ticks[i].Value = -ticks[i].Value
	}
	return ticks
}
