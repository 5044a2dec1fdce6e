package fig

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// PlaneOptions are the settings of [ResponsePlane] and [ResponsePlanes]. The
// zero value works.
type PlaneOptions struct {
	// X and Y are the objectives on the axes. Both zero means 0 and 1.
	// ResponsePlanes does not read them.
	X, Y int
	// Means holds the responses to show, M x d, one item a row, such as the
	// estimates of a run. Nil means the true means.
	Means *mat.Dense
	// Answer gives the classes of the items. Nil means the classes that follow
	// from the responses shown.
	Answer *explore.Answer
	// Radius holds the half-width of the confidence box of each item, the same
	// in every objective. Nil draws none.
	Radius []float64
	// Covariance holds the d x d covariance of the estimate of each item; the
	// ellipse of one standard error is drawn. Nil draws none.
	Covariance []mat.Symmetric
	// Front draws the staircase of the optimal items: everything below it is
	// dominated. It is left out if there are more than two objectives, where a
	// plane does not show dominance.
	Front bool
	// Title of the figure. Empty means the name of the instance.
	Title string
	// Units of the objectives are added to the labels of the axes. Nil means
	// none.
	Units []string
	// Width and Height are the size of the figure. Zero means 675 points, and
	// a height that suits.
	Width, Height vg.Length
}

// plane is what the panels of an instance share.
type plane struct {
	o       PlaneOptions
	problem *explore.Problem
	mu      *mat.Dense
	m, d    int
	classes []explore.Class
	region  *polyhedron.Polyhedron // nil if the question has none
	labels  []string
}

// newPlane checks the arguments.
func newPlane(inst *bandit.Instance, o *PlaneOptions) (*plane, error) {
	pl := &plane{}
	if o != nil {
		pl.o = *o
	}
	if inst == nil || inst.Problem == nil {
		return nil, fmt.Errorf("fig: the instance is nil or has no problem")
	}
	if err := inst.Validate(); err != nil {
		return nil, fmt.Errorf("fig: %w", err)
	}
	pl.problem, pl.mu = inst.Problem, pl.o.Means
	if pl.mu == nil {
		pl.mu = inst.Truth()
	}
	pl.m, pl.d = inst.Problem.M(), inst.Problem.D()
	if m, d := pl.mu.Dims(); m != pl.m || d != pl.d {
		return nil, fmt.Errorf("fig: the responses are %d x %d; want one row for each of %d items and one column for each of %d objectives", m, d, pl.m, pl.d)
	}
	for i := range pl.m {
		for c, v := range pl.mu.RawRowView(i) {
			if !finite(v) {
				return nil, fmt.Errorf("fig: the response of %s in %s is %v; want a finite number", pl.problem.Item(i), pl.problem.Objective(c), v)
			}
		}
		pl.labels = append(pl.labels, pretty(pl.problem.Item(i)))
	}
	if pl.d < 2 {
		return nil, fmt.Errorf("fig: the instance %q has one objective; a plane needs two", inst.Name)
	}
	if n := len(pl.o.Radius); n != 0 && n != pl.m {
		return nil, fmt.Errorf("fig: Radius has %d entries; want one for each of %d items", n, pl.m)
	}
	if n := len(pl.o.Covariance); n != 0 && n != pl.m {
		return nil, fmt.Errorf("fig: Covariance has %d entries; want one for each of %d items", n, pl.m)
	}
	for i, s := range pl.o.Covariance {
		if s != nil && s.SymmetricDim() != pl.d {
			return nil, fmt.Errorf("fig: the covariance of %s is of dimension %d; there are %d objectives", pl.problem.Item(i), s.SymmetricDim(), pl.d)
		}
	}
	if n := len(pl.o.Units); n != 0 && n != pl.d {
		return nil, fmt.Errorf("fig: Units has %d entries; want one for each of %d objectives", n, pl.d)
	}
	switch q := inst.Problem.Question.(type) {
	case question.FeasiblePareto:
		pl.region = q.Region
	case question.Feasible:
		pl.region = q.Region
	}
	if pl.o.Title == "" {
		pl.o.Title = inst.Name
	}
	return pl, pl.classify()
}

// classify sets the classes from the answer, or from the responses.
func (pl *plane) classify() error {
	pl.classes = make([]explore.Class, pl.m)
	if a := pl.o.Answer; a != nil {
		switch {
		case a.Reasons != nil && len(a.Reasons) != pl.m:
			return fmt.Errorf("fig: the answer has %d reasons; want one for each of %d items", len(a.Reasons), pl.m)
		case a.Reasons != nil:
			for i, r := range a.Reasons {
				pl.classes[i] = r.Class
			}
		}
		for _, i := range a.Items {
			if i < 0 || i >= pl.m {
				return fmt.Errorf("fig: the answer names item %d; there are %d", i, pl.m)
			}
			if a.Reasons == nil {
				pl.classes[i] = explore.Optimal
			}
		}
		return nil
	}
	region := pl.region
	if region == nil {
		region = polyhedron.Whole(pl.d)
	}
	t := question.FeasiblePareto{Region: region}.Truth(pl.mu)
	for i := range pl.classes {
		switch {
		case t.Optimal[i]:
			pl.classes[i] = explore.Optimal
		case !t.Feasible[i]: // of both verdicts the one that the plane shows best
			pl.classes[i] = explore.Infeasible
		default:
			pl.classes[i] = explore.Dominated
		}
	}
	return nil
}

// axis returns the label of an objective.
func (pl *plane) axis(c int) string {
	s := pretty(pl.problem.Objective(c))
	if pl.o.Units != nil && pl.o.Units[c] != "" {
		s += " (" + pl.o.Units[c] + ")"
	}
	return s
}

// cover is a constraint that the plane of two objectives shows.
type cover struct {
	halfPlane
	name string
}

// covers returns the constraints that involve x and y only.
func (pl *plane) covers(x, y int) []cover {
	if pl.region == nil {
		return nil
	}
	var cs []cover
	for k := range pl.region.Rows() {
		r := pl.region.Constraint(k)
		visible := r.A[x] != 0 || r.A[y] != 0
		for c, a := range r.A {
			visible = visible && (c == x || c == y || a == 0)
		}
		if visible {
			cs = append(cs, cover{halfPlane{r.A[x], r.A[y], r.B}, pretty(r.Name)})
		}
	}
	return cs
}

// limits returns the range of objective c: that of the responses with their
// intervals, and of a constraint on c alone that is near.
func (pl *plane) limits(c int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range pl.m {
		v, r := pl.mu.At(i, c), 0.
		if pl.o.Radius != nil && finite(pl.o.Radius[i]) {
			r = math.Abs(pl.o.Radius[i])
		}
		if pl.o.Covariance != nil && pl.o.Covariance[i] != nil {
			if s := pl.o.Covariance[i].At(c, c); s > 0 && finite(s) {
				r = math.Max(r, math.Sqrt(s))
			}
		}
		lo, hi = math.Min(lo, v-r), math.Max(hi, v+r)
	}
	if pl.region == nil {
		return lo, hi
	}
	w := hi - lo
	for k := range pl.region.Rows() {
		r := pl.region.Constraint(k)
		alone := r.A[c] != 0
		for j, a := range r.A {
			alone = alone && (j == c || a == 0)
		}
		if b := r.B / r.A[c]; alone && b > lo-w && b < hi+w {
			lo, hi = math.Min(lo, b), math.Max(hi, b)
		}
	}
	return lo, hi
}

// feasible is the colour of the feasible region.
var feasible = light(Green, .13)

// shade fills the part of the canvas that all constraints allow.
func shade(c draw.Canvas, p *plot.Plot, covers []cover) {
	if len(covers) == 0 {
		return
	}
	hs := make([]halfPlane, len(covers))
	for i, k := range covers {
		hs[i] = k.halfPlane
	}
	x, y := p.Transforms(&c)
	var path vg.Path
	for i, q := range cut(rectangle(p.X.Min, p.X.Max, p.Y.Min, p.Y.Max), hs...) {
		pt := vg.Point{X: x(q.x), Y: y(q.y)}
		if i == 0 {
			path.Move(pt)
			continue
		}
		path.Line(pt)
	}
	if len(path) > 2 {
		path.Close()
		c.SetColor(feasible)
		c.Fill(path)
	}
}

// boundaries draws the boundary of each constraint with its name, and returns
// the boxes of the names and the lines. Names avoid points and other lines.
func boundaries(c draw.Canvas, p *plot.Plot, covers []cover, points []vg.Point, others []segment) (taken []vg.Rectangle, drawn []segment) {
	x, y := p.Transforms(&c)
	sty := write(noteSize, color.NRGBA{G: 0x6A, B: 0x4D, A: 255})
	for _, k := range covers {
		a, b, ok := chord(k.halfPlane, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		if !ok {
			continue
		}
		from, to := vg.Point{X: x(a.x), Y: y(a.y)}, vg.Point{X: x(b.x), Y: y(b.y)}
		c.StrokeLine2(line(Green, 1.2, []vg.Length{5, 3}), from.X, from.Y, to.X, to.Y)
		drawn = append(drawn, segment{from, to})
		// The name stands along the line where it hides least, on the feasible
		// side; along a steep line it is turned.
		if from.X > to.X {
			from, to = to, from
		}
		angle := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
		if angle < -math.Pi/3 {
			from, to, angle = to, from, angle+math.Pi
		}
		length := vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
		name := clip(sty, k.name, length-8)
		w, h := sty.Width(name), sty.Height(name)
		sin, cos := math.Sincos(angle)
		up := vg.Point{X: vg.Length(-sin), Y: vg.Length(cos)}
		// Inside is where a x + b y decreases.
		dx, dy := x(p.X.Min+k.a)-x(p.X.Min), y(p.Y.Min+k.b)-y(p.Y.Min)
		shift := vg.Length(3)
		if dx*up.X+dy*up.Y > 0 {
			shift = -3 - h
		}
		best, cost := vg.Rectangle{}, math.Inf(1)
		var at vg.Point
		for i := range 13 {
			t := 4 + (length-w-8)*vg.Length(12-i)/12
			q := vg.Point{X: from.X + t*vg.Length(cos) + shift*up.X, Y: from.Y + t*vg.Length(sin) + shift*up.Y}
			box := vg.Rectangle{Min: q, Max: q}
			for _, e := range []vg.Point{
				{X: w * vg.Length(cos), Y: w * vg.Length(sin)}, {X: h * up.X, Y: h * up.Y},
				{X: w*vg.Length(cos) + h*up.X, Y: w*vg.Length(sin) + h*up.Y},
			} {
				box.Min.X, box.Max.X = min(box.Min.X, q.X+e.X), max(box.Max.X, q.X+e.X)
				box.Min.Y, box.Max.Y = min(box.Min.Y, q.Y+e.Y), max(box.Max.Y, q.Y+e.Y)
			}
			v := float64(i) + 100*outside(box, c.Rectangle)
			for _, pt := range points {
				if contains(grow(box, 7), pt) {
					v += 1000
				}
			}
			for _, l := range others {
				if crosses(l.p, l.q, box) {
					v += 50
				}
			}
			for _, o := range taken {
				v += 10 * overlap(grow(box, 2), o)
			}
			if v < cost {
				best, cost, at = box, v, q
			}
		}
		turned := sty
		turned.Rotation = angle
		d := sty.FontExtents().Descent
		outlines{}.Draw(c.Canvas, name, turned, vg.Point{X: at.X + d*up.X, Y: at.Y + d*up.Y})
		taken = append(taken, best)
	}
	return taken, drawn
}

const markerRadius = vg.Length(4.2)

// placeLabels places the labels of markers at pts.
func placeLabels(pts []vg.Point, labels []string, sty text.Style, taken []vg.Rectangle, lines []segment, bounds vg.Rectangle) []placement {
	sizes := make([]vg.Point, len(pts))
	for i, s := range labels {
		sizes[i] = vg.Point{X: sty.Width(s), Y: sty.Height(s) - 2} // the box of a text has room above
	}
	obstacles := slices.Clone(taken)
	for _, pt := range pts {
		obstacles = append(obstacles, grow(vg.Rectangle{Min: pt, Max: pt}, markerRadius))
	}
	return place(pts, sizes, obstacles, lines, grow(bounds, -1))
}

// legend explains the classes that occur, and the region.
func (pl *plane) legend() []Entry {
	names := map[explore.Class]string{
		explore.Optimal: "feasible, Pareto-optimal", explore.Dominated: "feasible, dominated",
		explore.Infeasible: "infeasible", explore.Undecided: "undecided",
	}
	switch {
	case pl.region == nil:
		names[explore.Optimal], names[explore.Dominated] = "Pareto-optimal", "dominated"
	case pl.o.Answer != nil: // a run may reject an item that is dominated without knowing whether it is feasible
		names[explore.Optimal], names[explore.Dominated] = "optimal", "rejected as dominated"
		names[explore.Infeasible] = "rejected as infeasible"
	}
	var es []Entry
	for _, k := range []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided} {
		if slices.Contains(pl.classes, k) {
			es = append(es, markerEntry(names[k], Class(k)))
		}
	}
	if pl.region != nil && pl.region.Rows() > 0 {
		es = append(es, Entry{"feasible region", func(c draw.Canvas) {
			r := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: c.Min.Y + 1}, Max: vg.Point{X: c.Max.X, Y: c.Max.Y - 1}}
			c.SetColor(feasible)
			c.Fill(r.Path())
			c.SetLineStyle(line(Green, .9, []vg.Length{3, 2}))
			c.Stroke(r.Path())
		}})
	}
	if pl.o.Front && pl.d == 2 && slices.Contains(pl.classes, explore.Optimal) {
		es = append(es, lineEntry("Pareto front", line(ink, 1, nil)))
	}
	return es
}

// describe lists the items by class.
func (pl *plane) describe(what string) string {
	var b strings.Builder
	b.WriteString(what)
	for _, k := range []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided} {
		var names []string
		for i, c := range pl.classes {
			if c == k {
				names = append(names, pl.labels[i])
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, " %s%s: %s.", strings.ToUpper(k.String()[:1]), k.String()[1:], strings.Join(names, ", "))
		}
	}
	return b.String()
}

// notes say what the intervals are, and which constraints no plane shows.
func (pl *plane) notes(hidden []string) []string {
	var ns []string
	if pl.o.Radius != nil {
		ns = append(ns, "Boxes: confidence intervals.")
	}
	if pl.o.Covariance != nil {
		ns = append(ns, "Ellipses: one standard error.")
	}
	if len(hidden) > 0 {
		ns = append(ns, "Constraints on other objectives, not shown: "+strings.Join(hidden, ", ")+".")
	}
	return ns
}

// ResponsePlane draws the mean responses of the items of inst in the plane of
// two objectives: the classes as markers, the names without overlap, and the
// feasible region as far as it is a matter of these two objectives. A nil o
// means the zero value.
//
// It is Figure 2 of the e-cAPE paper. An item that is both dominated and
// infeasible counts as infeasible unless an answer says otherwise.
func ResponsePlane(inst *bandit.Instance, o *PlaneOptions) (*Figure, error) {
	pl, err := newPlane(inst, o)
	if err != nil {
		return nil, err
	}
	x, y := pl.o.X, pl.o.Y
	if x == 0 && y == 0 {
		y = 1
	}
	if x < 0 || y < 0 || x >= pl.d || y >= pl.d || x == y {
		return nil, fmt.Errorf("fig: objectives %d and %d; want two different ones from 0 to %d", x, y, pl.d-1)
	}
	var hidden []string
	if pl.region != nil {
		seen := len(pl.covers(x, y))
		for k := 0; k < pl.region.Rows() && seen < pl.region.Rows(); k++ {
			r := pl.region.Constraint(k)
			for c, a := range r.A {
				if c != x && c != y && a != 0 {
					hidden = append(hidden, pretty(r.Name))
					break
				}
			}
		}
	}
	f := &Figure{
		Title: pl.o.Title, Panels: [][]*plot.Plot{{pl.panel(x, y, pl.labels)}}, Legend: pl.legend(), Notes: pl.notes(hidden),
		Description: pl.describe(fmt.Sprintf("Mean responses of %d arms in %s and %s.", pl.m, pl.problem.Objective(x), pl.problem.Objective(y))),
		Width:       pl.o.Width, Height: pl.o.Height,
	}
	f.size(400)
	return f, nil
}

// size sets the size of the figure where none was asked for: panels are as high
// as given.
func (f *Figure) size(panels vg.Length) {
	if f.Width <= 0 {
		f.Width = pageWidth
	}
	if f.Height <= 0 {
		f.Height = panels + f.extra()
	}
}

// ResponsePlanes draws the mean responses in the plane of every pair of
// objectives, as linked projections: panels of a column share the horizontal
// axis, those of a row the vertical one. Where labels would be crowded, items
// are numbered, and the corner that the projections leave free says who is who.
// A nil o means the zero value.
func ResponsePlanes(inst *bandit.Instance, o *PlaneOptions) (*Figure, error) {
	pl, err := newPlane(inst, o)
	if err != nil {
		return nil, err
	}
	if pl.d == 2 {
		return ResponsePlane(inst, o)
	}
	if pl.d > 6 {
		return nil, fmt.Errorf("fig: %d objectives make %d planes, too many to read; draw pairs with ResponsePlane", pl.d, pl.d*(pl.d-1)/2)
	}
	labels, numbered := pl.labels, pl.m > 8
	if numbered {
		labels = make([]string, pl.m)
		for i := range labels {
			labels[i] = fmt.Sprint(i)
		}
	}
	f := &Figure{
		Title: pl.o.Title, Legend: pl.legend(), Notes: pl.notes(nil),
		Description: pl.describe(fmt.Sprintf("Mean responses of %d arms in the planes of all pairs of %d objectives.", pl.m, pl.d)),
		Width:       pl.o.Width, Height: pl.o.Height,
	}
	for y := 1; y < pl.d; y++ {
		row := make([]*plot.Plot, pl.d-1)
		for x := range y {
			row[x] = pl.panel(x, y, labels)
			if x > 0 {
				row[x].Y.Label.Text = ""
			}
			if y < pl.d-1 {
				row[x].X.Label.Text = ""
			}
		}
		if y == 1 && numbered {
			row[pl.d-2] = key(pl.labels, pl.classes)
		}
		f.Panels = append(f.Panels, row)
	}
	f.size(250 * vg.Length(pl.d-1))
	return f, nil
}

// key is a panel that lists the items by number.
func key(names []string, classes []explore.Class) *plot.Plot {
	p := plot.New()
	p.HideAxes()
	p.BackgroundColor = nil
	p.Add(paint(func(c draw.Canvas, _ *plot.Plot) {
		sty := write(noteSize, ink)
		step := sty.Height("X") + 1
		rows := max(1, min(len(names), int((c.Max.Y-c.Min.Y)/step)))
		cols := (len(names) + rows - 1) / rows
		rows = (len(names) + cols - 1) / cols
		w := (c.Max.X - c.Min.X - 10) / vg.Length(cols)
		for i, n := range names {
			pt := vg.Point{X: c.Min.X + 10 + w*vg.Length(i/rows), Y: c.Max.Y - step*vg.Length(i%rows+1)}
			look := Class(classes[i])
			look.Marker.draw(c, look.Color, vg.Point{X: pt.X + 4, Y: pt.Y + step/2}, 3.2)
			num := aligned(strong(sty), draw.XRight, draw.YBottom)
			put(c, num, vg.Point{X: pt.X + 24, Y: pt.Y}, fmt.Sprint(i))
			put(c, sty, vg.Point{X: pt.X + 30, Y: pt.Y}, clip(sty, n, w-34))
		}
	}))
	return p
}
