package fig

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

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
	views   []view // the panels drawn so far
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

// ResponsePlane draws the mean responses of the items of inst in the plane of
// two objectives: the classes as markers, the names without overlap, and the
// feasible region. A nil o means the zero value.
//
// With more than two objectives the region casts a shadow on the plane: the
// points that some values of the other objectives complete to a feasible one.
// An arm inside may be infeasible; notes below the panel say which ones are, and
// which constraints the plane does not show. A shadow that is the whole panel is
// not shaded.
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
	panel := pl.show(x, y, pl.labels)
	f := &Figure{
		Title: pl.o.Title, Panels: [][]*plot.Plot{{panel}}, Legend: pl.legend(), Notes: pl.notes(),
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

// numbered reports whether the names would crowd small panels.
func (pl *plane) numbered() bool {
	longest := 0
	for _, s := range pl.labels {
		longest = max(longest, utf8.RuneCountInString(s))
	}
	return pl.m > 8 && longest > 3
}

// ResponsePlanes draws the mean responses in the plane of every pair of
// objectives, as linked projections: panels of a column share the horizontal
// axis, those of a row the vertical one. Where labels would be crowded, items
// are numbered, and the corner that the projections leave free says who is who.
// Each plane has its own shadow of the feasible region, see ResponsePlane. A nil
// o means the zero value.
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
	labels := pl.labels
	if pl.numbered() {
		labels = make([]string, pl.m)
		for i := range labels {
			labels[i] = fmt.Sprint(i)
		}
	}
	f := &Figure{
		Title:       pl.o.Title,
		Description: pl.describe(fmt.Sprintf("Mean responses of %d arms in the planes of all pairs of %d objectives.", pl.m, pl.d)),
		Width:       pl.o.Width, Height: pl.o.Height,
	}
	for y := 1; y < pl.d; y++ {
		row := make([]*plot.Plot, pl.d-1)
		for x := range y {
			row[x] = pl.show(x, y, labels)
			if x > 0 {
				row[x].Y.Label.Text = ""
			}
			if y < pl.d-1 {
				row[x].X.Label.Text = ""
			}
		}
		if y == 1 && pl.numbered() {
			row[pl.d-2] = key(pl.labels, pl.classes)
		}
		f.Panels = append(f.Panels, row)
	}
	f.Legend, f.Notes = pl.legend(), pl.notes()
	f.size(250 * vg.Length(pl.d-1))
	return f, nil
}
