package fig

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// plane holds the data that all panels of a figure share.
type plane struct {
	o       PlaneOptions
	e       *Estimates
	mu      *mat.Dense
	m, d    int
	classes []explore.Class
	region  *polyhedron.Polyhedron // feasible region; nil without constraints
	labels  []string
	// The following fields record what has been drawn so far: whether a panel shows the region, and
	// which constraints no panel shows.
	drawn, shaded bool
	unseen        []string
	axes          []bandit.Axis // display units of the objectives; nil means the units of rewards
}

// newPlane returns the plane with the true means of an instance.
func newPlane(inst *bandit.Instance, o *PlaneOptions) (*plane, error) {
	if inst == nil || inst.Problem == nil {
		return nil, fmt.Errorf("fig: the instance is nil, or its Problem is nil; give both")
	}
	if err := inst.Validate(); err != nil {
		return nil, fmt.Errorf("fig: %w", err)
	}
	return Truth(inst).plane(o)
}

// plane checks the options and returns a plane with the estimates.
func (e *Estimates) plane(o *PlaneOptions) (*plane, error) {
	pl := &plane{o: *cmp.Or(o, new(PlaneOptions)), e: e, mu: e.Means, m: len(e.Items), d: len(e.Objectives),
		region: e.Region, axes: e.Axes}
	if pl.m == 0 || pl.mu == nil {
		return nil, fmt.Errorf("fig: %q has no items to draw; expected at least one", e.Name)
	}
	if m, d := pl.mu.Dims(); m != pl.m || d != pl.d {
		return nil, fmt.Errorf(
			"fig: the responses are %d x %d; expected one row for each of %d items and one column "+
				"for each of %d objectives",
			m, d, pl.m, pl.d)
	}
	sty := canvas.Write(canvas.TickSize, canvas.Ink)
	for i := range pl.m {
		for c, v := range pl.mu.RawRowView(i) {
			if !canvas.Finite(v) {
				return nil, fmt.Errorf("fig: the response of %s in %s is %v; expected a finite number",
					e.Items[i], e.Objectives[c], v)
			}
		}
		pl.labels = append(pl.labels, canvas.Clip(sty, canvas.Pretty(e.Items[i]), 150))
	}
	if err := pl.checkIntervals(); err != nil {
		return nil, err
	}
	if n := len(pl.o.Units); n != 0 && n != pl.d {
		return nil, fmt.Errorf("fig: Units has %d entries; expected one for each of %d objectives", n, pl.d)
	}
	if n := len(e.Axes); n != 0 && n != pl.d {
		return nil, fmt.Errorf("fig: Axes has %d entries; expected one for each of %d objectives", n, pl.d)
	}
	if n := len(e.Classes); n != 0 && n != pl.m {
		return nil, fmt.Errorf("fig: Classes has %d entries; expected one for each of %d items", n, pl.m)
	}
	if e.Region != nil && e.Region.Dim() != pl.d {
		return nil, fmt.Errorf("fig: the region has dimension %d; expected %d, one per objective", e.Region.Dim(), pl.d)
	}
	if pl.region != nil && pl.region.Rows() == 0 {
		pl.region = nil // all means are feasible
	}
	pl.o.Title = cmp.Or(pl.o.Title, e.Name)
	if pl.classes = e.Classes; pl.classes == nil {
		region := cmp.Or(pl.region, polyhedron.Whole(pl.d))
		pl.classes = question.FeasiblePareto{Region: region}.Truth(pl.mu).Classes()
	}
	return pl, nil
}

// axis returns the axis label of an objective.
func (pl *plane) axis(c int) string {
	s := canvas.Pretty(pl.e.Objectives[c])
	if pl.axes != nil {
		s = canvas.Pretty(pl.axes[c].Label)
	}
	if pl.o.Units != nil && pl.o.Units[c] != "" {
		s += " (" + pl.o.Units[c] + ")"
	}
	return s
}

// said returns the name of an objective for figure descriptions.
func (pl *plane) said(c int) string {
	switch {
	case pl.axes == nil:
		return pl.e.Objectives[c]
	case pl.axes[c].Less():
		return pl.axes[c].Label + ", lower is better"
	}
	return pl.axes[c].Label
}

// better returns the axis label of objective c, followed by ", lower is better →" if smaller values
// are better.
func (pl *plane) better(c int) string {
	if pl.axes != nil && pl.axes[c].Less() {
		return pl.axis(c) + ", lower is better →"
	}
	return pl.axis(c)
}

// ticks labels an axis with values converted to display units.
func (pl *plane) ticks(a *plot.Axis, c int) {
	if pl.axes != nil {
		a.Tick.Marker = canvas.ScaledTicks{LinearTicks: canvas.LinearTicks{N: 6}, Center: pl.axes[c].Center,
			PerValue: pl.axes[c].PerReward}
	}
}

// checkIntervals returns an error if the intervals and the means differ in shape or contradict each
// other.
func (pl *plane) checkIntervals() error {
	low, high := pl.e.Low, pl.e.High
	if (low == nil) != (high == nil) {
		return fmt.Errorf("fig: only one of Low and High is set; set both, or neither")
	}
	if low == nil {
		return nil
	}
	for _, end := range []struct {
		name string
		at   *mat.Dense
	}{{"Low", low}, {"High", high}} {
		if m, d := end.at.Dims(); m != pl.m || d != pl.d {
			return fmt.Errorf("fig: %s is %d x %d; expected %d items x %d objectives", end.name, m, d, pl.m, pl.d)
		}
	}
	for i := range pl.m {
		for c := range pl.d {
			if low.At(i, c) > high.At(i, c) {
				return fmt.Errorf("fig: the interval of %s in %s is from %v to %v; expected the lower end first",
					pl.e.Items[i], pl.e.Objectives[c], low.At(i, c), high.At(i, c))
			}
		}
	}
	return nil
}

// interval returns the two ends of the confidence interval of item i in objective c. Without
// intervals, both ends equal the mean.
func (pl *plane) interval(i, c int) (lo, hi float64) {
	if pl.e.Low == nil {
		return pl.mu.At(i, c), pl.mu.At(i, c)
	}
	return pl.e.Low.At(i, c), pl.e.High.At(i, c)
}

// limits returns the range of an axis for objective c, which includes all intervals, and nearby
// constraints that involve only c.
func (pl *plane) limits(c int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range pl.m {
		v := pl.mu.At(i, c)
		lo, hi = math.Min(lo, v), math.Max(hi, v)
		if low, high := pl.interval(i, c); canvas.Finite(low, high) {
			lo, hi = math.Min(lo, low), math.Max(hi, high)
		}
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

// classes lists the classes of arms in the order of legends.
var classes = []explore.Class{
	explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided,
}

// Class returns the look of the arms of a class.
func Class(c explore.Class) Look {
	switch c {
	case explore.Optimal:
		return Look{Color: canvas.Green, Marker: canvas.Circle}
	case explore.Dominated:
		return Look{Color: canvas.Blue, Marker: canvas.Square}
	case explore.Infeasible:
		return Look{Color: canvas.Vermilion, Marker: canvas.Cross}
	}
	return Look{Color: canvas.Grey, Marker: canvas.Ring}
}

// Estimates contains the means of M items in d objectives. The means are the measured means of a
// campaign, or the true means of an instance, which have no intervals.
type Estimates struct {
	Name       string     // default title of the figure
	Items      []string   // M names of items
	Objectives []string   // d names of objectives
	Means      *mat.Dense // M x d, one item per row
	// Low and High are the ends of the confidence intervals, M x d, in the units of Means. A mean
	// need not be in the middle of its interval. If an end of an item's interval is not finite, the
	// item has no box. If Low and High are nil, no boxes are drawn.
	Low, High *mat.Dense
	// Region is the set of feasible means; nil means that all means are feasible.
	Region *polyhedron.Polyhedron
	// Axes converts Means, where larger is better, to display units; see bandit.Instance. If Axes
	// is nil, Means are displayed without conversion.
	Axes []bandit.Axis
	// Classes are the verdicts on the items; nil means that verdicts are derived from the means.
	Classes []explore.Class
}

// Plane draws the estimates in the plane of two objectives; with only one objective, it draws the
// items from the best to the worst. [Responses] draws the true means of an instance in the same
// way. If o is nil, Plane uses the zero value. If a list has the wrong length, or a mean is not
// finite, the error names the list or the mean.
func (e *Estimates) Plane(o *PlaneOptions) (*Figure, error) {
	pl, err := e.plane(o)
	if err != nil {
		return nil, err
	}
	return pl.pair()
}

// Truth returns the true means of an instance, without intervals.
func Truth(inst *bandit.Instance) *Estimates {
	e := &Estimates{Name: inst.Name, Means: inst.Truth(), Axes: inst.Axes}
	for i := range inst.Problem.M() {
		e.Items = append(e.Items, inst.Problem.Item(i))
	}
	for c := range inst.Problem.D() {
		e.Objectives = append(e.Objectives, inst.Problem.Objective(c))
	}
	e.Region = question.Region(inst.Problem.Question)
	switch q := inst.Problem.Question.(type) {
	case question.Best, question.AllEpsilonBest, question.BestFeasible, question.Feasible:
		e.Classes = question.Classes(q, e.Means)
	}
	return e
}
