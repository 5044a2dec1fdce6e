package fig

import (
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

// around sets intervals with these half-widths, row by row, around the means.
func (e *Estimates) around(widths ...float64) {
	m, d := e.Means.Dims()
	w := mat.NewDense(m, d, widths)
	e.Low, e.High = mat.NewDense(m, d, nil), mat.NewDense(m, d, nil)
	e.Low.Sub(e.Means, w)
	e.High.Add(e.Means, w)
}

// A box is drawn from the lower to the upper ends, with the mean anywhere between them. Intervals at the end of a
// range are not symmetric. The axes include no more than the ends.
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

// Questions with constraints have a region in the figure.
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
