package fig

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// around sets Low and High to the means minus and plus the given half-widths, row by row.
func (e *Estimates) around(widths ...float64) {
	m, d := e.Means.Dims()
	w := mat.NewDense(m, d, widths)
	e.Low, e.High = mat.NewDense(m, d, nil), mat.NewDense(m, d, nil)
	e.Low.Sub(e.Means, w)
	e.High.Add(e.Means, w)
}

// strokes returns the rectangles around the lines that paint draws on a canvas of 200 x 200 points.
func strokes(paint func(draw.Canvas)) (all []vg.Rectangle) {
	var r recorder.Canvas
	paint(draw.NewCanvas(&r, 200, 200))
	for _, a := range r.Actions {
		if s, ok := a.(*recorder.Stroke); ok {
			b := vg.Rectangle{Min: s.Path[0].Pos, Max: s.Path[0].Pos}
			for _, c := range s.Path {
				b.Min.X, b.Min.Y = min(b.Min.X, c.Pos.X), min(b.Min.Y, c.Pos.Y)
				b.Max.X, b.Max.Y = max(b.Max.X, c.Pos.X), max(b.Max.Y, c.Pos.Y)
			}
			all = append(all, b)
		}
	}
	return all
}

// A box or a bar extends from the lower to the upper end, even if the
// mean is not in its middle. The axes end at the ends of intervals.
func TestBoxEnds(t *testing.T) {
	e := &Estimates{Items: []string{"a"}, Objectives: []string{"x", "y"}, Means: mat.NewDense(1, 2, []float64{0, .1}),
		Low: mat.NewDense(1, 2, nil), High: mat.NewDense(1, 2, []float64{.25, .5})}
	pl := must(e.plane(nil))
	if lo, hi := pl.limits(0); lo != 0 || hi != .25 {
		t.Errorf("the axis is from %v to %v; want 0 to .25", lo, hi)
	}
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, -1, 1
	want := vg.Rectangle{Min: vg.Point{X: 100, Y: 100}, Max: vg.Point{X: 125, Y: 150}}
	got := strokes(func(c draw.Canvas) { pl.intervals(c, p, 0, 1) })
	if len(slices.Compact(got)) != 1 || got[0] != want {
		t.Errorf("the box is %v; want %v", got, want)
	}
	e.Objectives, e.Means, e.Low, e.High = []string{"y"}, mat.NewDense(1, 1, []float64{.1}), mat.NewDense(1, 1, nil), mat.NewDense(1, 1, []float64{.5})
	p = must(e.Plane(nil)).Panels[0]
	got = strokes(func(c draw.Canvas) {
		p.Draw(c)
		c = p.DataCanvas(c)
		x, y := p.Transforms(&c)
		want = vg.Rectangle{Min: vg.Point{X: x(1), Y: y(0)}, Max: vg.Point{X: x(1), Y: y(.5)}}
	})
	if !slices.Contains(got, want) {
		t.Errorf("no bar is %v: %v", want, got)
	}
}

// If the question has constraints, Truth sets the feasible region.
func TestTruthHasTheRegion(t *testing.T) {
	region := must(polyhedron.AtLeast([]float64{0, 0}, nil))
	for _, c := range []struct {
		q    explore.Question
		want *polyhedron.Polyhedron
	}{{question.FeasiblePareto{Region: region}, region}, {question.Feasible{Region: region}, region}, {question.Pareto{}, nil}} {
		inst := toy(mat.NewDense(2, 2, []float64{1, 2, 2, 1}), nil)
		inst.Problem.Question = c.q
		if got := Truth(inst).Region; got != c.want {
			t.Errorf("%T: %v", c.q, got)
		}
	}
}
