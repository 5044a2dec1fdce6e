package fig

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// around sets intervals of these half-widths, row by row, with the means in the middle.
func (e *Estimates) around(widths ...float64) {
	m, d := e.Means.Dims()
	w := mat.NewDense(m, d, widths)
	e.Low, e.High = mat.NewDense(m, d, nil), mat.NewDense(m, d, nil)
	e.Low.Sub(e.Means, w)
	e.High.Add(e.Means, w)
}

// A box is drawn from the lower to the upper ends, wherever the mean is between them: intervals that
// end where values do are not symmetric. The axes have room for no more than the ends.
func TestBoxEnds(t *testing.T) {
	e := &Estimates{Items: []string{"a"}, Objectives: []string{"x", "y"}, Means: mat.NewDense(1, 2, []float64{0, .1}),
		Low: mat.NewDense(1, 2, nil), High: mat.NewDense(1, 2, []float64{.25, .5})}
	pl := must(e.plane(nil))
	if lo, hi := pl.limits(0); lo != 0 || hi != .25 {
		t.Errorf("the axis is from %v to %v; want 0 to .25", lo, hi)
	}
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, -1, 1
	var r recorder.Canvas
	pl.intervals(draw.NewCanvas(&r, 200, 200), p, 0, 1)
	found := false
	for _, a := range r.Actions {
		stroke, ok := a.(*recorder.Stroke)
		if !ok {
			continue
		}
		found = true
		lo, hi := vg.Point{X: 1e9, Y: 1e9}, vg.Point{X: -1e9, Y: -1e9}
		for _, c := range stroke.Path {
			lo.X, lo.Y = min(lo.X, c.Pos.X), min(lo.Y, c.Pos.Y)
			hi.X, hi.Y = max(hi.X, c.Pos.X), max(hi.Y, c.Pos.Y)
		}
		if want := (vg.Rectangle{Min: vg.Point{X: 100, Y: 100}, Max: vg.Point{X: 125, Y: 150}}); lo != want.Min || hi != want.Max {
			t.Errorf("the box is from %v to %v; want %v", lo, hi, want)
		}
	}
	if !found {
		t.Error("no box")
	}
}

// Lists of estimates that do not fit one another are named.
func TestEstimatesErrors(t *testing.T) {
	for want, change := range map[string]func(*Estimates){
		"no items":      func(e *Estimates) { e.Items = nil },
		"2 x 2":         func(e *Estimates) { e.Items = e.Items[:1] },
		"one objective": func(e *Estimates) { e.Objectives, e.Means = e.Objectives[:1], mat.NewDense(2, 1, nil) },
		"High is 1 x 2": func(e *Estimates) { e.Low, e.High = mat.NewDense(2, 2, nil), mat.NewDense(1, 2, nil) },
		"only one of":   func(e *Estimates) { e.Low = mat.NewDense(2, 2, nil) },
		"of b in x is from 0 to -1": func(e *Estimates) {
			e.Low, e.High = mat.NewDense(2, 2, nil), mat.NewDense(2, 2, []float64{0, 0, -1, 0})
		},
		"Axes has 1":             func(e *Estimates) { e.Axes = make([]bandit.Axis, 1) },
		"Axes has 3":             func(e *Estimates) { e.Axes = make([]bandit.Axis, 3) },
		"High is 2 x 3":          func(e *Estimates) { e.Low, e.High = mat.NewDense(2, 2, nil), mat.NewDense(2, 3, nil) },
		"Classes has 3":          func(e *Estimates) { e.Classes = make([]explore.Class, 3) },
		"Classes has 1":          func(e *Estimates) { e.Classes = make([]explore.Class, 1) },
		"region is of dimension": func(e *Estimates) { e.Region = polyhedron.Whole(3) },
	} {
		e := &Estimates{Items: []string{"a", "b"}, Objectives: []string{"x", "y"},
			Means: mat.NewDense(2, 2, []float64{1, 2, 2, 1})}
		if _, err := e.Plane(nil); err != nil {
			t.Fatal(err)
		}
		change(e)
		if _, err := e.Plane(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v; want it to say %q", err, want)
		}
	}
}

// Verdicts are those of the estimates if they have any, and follow from the means if not.
func TestEstimatesClasses(t *testing.T) {
	e := &Estimates{Items: []string{"a", "b"}, Objectives: []string{"x", "y"},
		Means: mat.NewDense(2, 2, []float64{1, 1, 2, 2})}
	if got := must(e.plane(nil)).classes; got[0] != explore.Dominated || got[1] != explore.Optimal {
		t.Errorf("the classes are %v", got)
	}
	e.Classes = []explore.Class{explore.Undecided, explore.Optimal}
	if got := must(e.plane(nil)).classes; got[0] != explore.Undecided || got[1] != explore.Optimal {
		t.Errorf("the classes are %v", got)
	}
}

// There is a box where something is known with an error: also if one objective is known exactly, and not if an end is infinite.
func TestBoxesOfWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		x, y float64 // half-widths
		box  bool
	}{{.2, .1, true}, {.2, 0, true}, {0, .1, true}, {0, 0, false}, {math.Inf(1), .1, false}, {.2, math.Inf(1), false}, {math.NaN(), .1, false}} {
		e := &Estimates{Items: []string{"a"}, Objectives: []string{"x", "y"}, Means: mat.NewDense(1, 2, []float64{.3, .1})}
		e.around(c.x, c.y)
		p := plot.New()
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, -1, 1
		var r recorder.Canvas
		must(e.plane(nil)).intervals(draw.NewCanvas(&r, 200, 200), p, 0, 1)
		strokes := 0
		for _, a := range r.Actions {
			if _, ok := a.(*recorder.Stroke); ok {
				strokes++
			}
		}
		if (strokes > 0) != c.box {
			t.Errorf("half-widths %v and %v: %d lines; want a box: %v", c.x, c.y, strokes, c.box)
		}
	}
}

// What has to be feasible has a region in the figure, whichever question it is.
func TestTruthHasTheRegion(t *testing.T) {
	region := must(polyhedron.AtLeast([]float64{0, 0}, nil))
	for _, c := range []struct {
		q    explore.Question
		want *polyhedron.Polyhedron
	}{{question.FeasiblePareto{Region: region}, region}, {question.Feasible{Region: region}, region}, {question.Pareto{}, nil}} {
		inst := toy(mat.NewDense(2, 2, []float64{1, 2, 2, 1}), nil)
		inst.Problem.Question = c.q
		if got := truth(inst).Region; got != c.want {
			t.Errorf("%T: %v", c.q, got)
		}
	}
}

// An axis has room for the means, and for a bound that is no further from them than they are from one another. A region without constraints
// is none.
func TestPlaneLimits(t *testing.T) {
	for bound, want := range map[float64][2]float64{-1.01: {0, 1}, -1: {0, 1}, -.99: {-.99, 1}, .5: {0, 1}, 1.99: {0, 1.99}, 2: {0, 1}, 3: {0, 1}, math.Inf(-1): {0, 1}} {
		e := &Estimates{Items: []string{"a", "b"}, Objectives: []string{"x", "y"}, Means: mat.NewDense(2, 2, []float64{0, 5, 1, 6}),
			Region: must(polyhedron.AtLeast([]float64{bound, math.Inf(-1)}, nil))}
		pl := must(e.plane(nil))
		if lo, hi := pl.limits(0); lo != want[0] || hi != want[1] {
			t.Errorf("a bound of %v: from %v to %v; want %v", bound, lo, hi, want)
		}
		if lo, hi := pl.limits(1); lo != 5 || hi != 6 {
			t.Errorf("a bound of the other objective: from %v to %v", lo, hi)
		}
		if free := math.IsInf(bound, -1); (pl.region == nil) != free {
			t.Errorf("a bound of %v: region %v", bound, pl.region)
		}
	}
}

// A plane is as narrow as a column for eight items, and for more whose names have a hundred letters together; names of more than three letters
// would crowd small panels of more than eight items. Six objectives can be read, seven not.
func TestPlaneWidths(t *testing.T) {
	named := func(m, d, letters int) *bandit.Instance {
		inst := toy(mat.NewDense(m, d, nil), nil)
		for i := range m {
			inst.Problem.ArmNames = append(inst.Problem.ArmNames, strings.Repeat(string(rune('à'+i)), letters))
		}
		return inst
	}
	for _, c := range []struct {
		m, letters         int
		narrow, withNumber bool
	}{{8, 40, true, false}, {9, 11, true, true}, {9, 12, false, true}, {10, 10, true, true}, {9, 3, true, false}, {9, 4, true, true}, {34, 3, false, false}, {33, 3, true, false}} {
		f := must(ResponsePlane(named(c.m, 2, c.letters), nil))
		pl := must(newPlane(named(c.m, 3, c.letters), nil))
		if (f.Width == canvas.ColumnWidth) != c.narrow || pl.numbered() != c.withNumber {
			t.Errorf("%d items with names of %d letters: %v wide, numbered %v", c.m, c.letters, f.Width, pl.numbered())
		}
	}
	if f, err := ResponsePlanes(named(2, 6, 1), nil); err != nil || len(f.Panels) != 15 {
		t.Errorf("six objectives: %v", err)
	}
	if _, err := ResponsePlanes(named(2, 7, 1), nil); err == nil || !strings.Contains(err.Error(), "7 objectives make 21 planes") {
		t.Errorf("seven objectives: %v", err)
	}
	if _, err := ResponsePlane(named(2, 2, 1), &PlaneOptions{Answer: &explore.Answer{Items: []int{2}}}); err == nil || !strings.Contains(err.Error(), "names item 2; there are 2") {
		t.Error(err)
	}
}
