package fig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// cloud returns n points in the plane.
func cloud(n int) *mat.Dense {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{rng.NormFloat64(), 2 * rng.NormFloat64()})
	}
	return x
}

// The ellipse is where y'M^-1 y is the value; points and directions of interest
// are inside, and critical directions are on it, up to the design's gap.
func TestEllipse(t *testing.T) {
	for n := 2; n < 30; n += 3 {
		x := cloud(n)
		for _, make := range []func(*design.Options) (*design.Design, error){
			func(o *design.Options) (*design.Design, error) { return design.G(x, o) },
			func(o *design.Options) (*design.Design, error) { return design.Pairs(x, nil, o) },
			func(o *design.Options) (*design.Design, error) { return design.XY(x, x, o) },
		} {
			d := must(make(&design.Options{Tol: 1e-6}))
			p := DesignPanel{Points: x, Design: d}
			m := mat.NewSymDense(2, nil)
			for i, w := range d.Weights {
				m.SymRankOne(m, w, x.RowView(i))
			}
			var chol mat.Cholesky
			if !chol.Factorize(m) {
				t.Fatal("singular")
			}
			variance := func(q canvas.Point) float64 {
				v := mat.NewVecDense(2, []float64{q.X, q.Y})
				var s mat.VecDense
				if err := chol.SolveVecTo(&s, v); err != nil {
					t.Fatal(err)
				}
				return mat.Dot(v, &s)
			}
			e := p.ellipse()
			for _, q := range e {
				if v := variance(q); math.Abs(v-d.Value) > 1e-9*d.Value {
					t.Errorf("%d points: (%v, %v) on the ellipse has variance %v; want %v", n, q.X,
						q.Y, v, d.Value)
				}
			}
			if e[0] != e[len(e)-1] &&
				math.Hypot(e[0].X-e[len(e)-1].X, e[0].Y-e[len(e)-1].Y) > 1e-12 {
				t.Error("the ellipse is not closed")
			}
			for i, q := range p.directions() {
				if v := variance(q); d.Critical[i].Weight > 1e-3 &&
					math.Abs(v-d.Value) > .01*d.Value {
					t.Errorf("%d points: critical direction %+v has variance %v; want %v", n,
						d.Critical[i], v, d.Value)
				}
			}
		}
	}
	// One point: M is singular, and the ellipse the segment between -x and x.
	p := DesignPanel{
		Points: mat.NewDense(1, 2, []float64{3, 4}),
		Design: &design.Design{Weights: []float64{1}, Value: 1},
	}
	far := 0.
	for _, q := range p.ellipse() {
		if math.Abs(4*q.X-3*q.Y) > 1e-9 {
			t.Errorf("(%v, %v) is not on the line through (3, 4)", q.X, q.Y)
		}
		far = max(far, math.Hypot(q.X, q.Y))
	}
	if far > 5+1e-9 || far < 5*math.Cos(math.Pi/180) { // points are 2 degrees apart
		t.Errorf("the segment ends %v from the origin; want 5", far)
	}
	if (&DesignPanel{Points: p.Points,
		Design: &design.Design{Weights: []float64{1}}}).ellipse() != nil {
		t.Error("a design without a value has an ellipse")
	}
}

// One unit is as long in x as in y.
func TestDesignsScale(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		x := cloud(9)
		var panels []DesignPanel
		for range n {
			panels = append(panels,
				DesignPanel{Title: "XY", Points: x, Design: must(design.Pairs(x, nil, nil))})
		}
		f := must(Designs(panels, nil))
		rest := f.Height - f.Extra()
		c := f.Align(
			draw.Canvas{
				Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width - 2*canvas.Edge, Y: rest}},
			},
		)
		for k, p := range f.Panels[0] {
			a := p.DataCanvas(c[0][k])
			tx, ty := p.Transforms(&a)
			ux, uy := tx(1)-tx(0), ty(1)-ty(0)
			if a.Max.Y-a.Min.Y < 699 && math.Abs(float64(ux/uy)-1) > .02 {
				t.Errorf("%d panels: a unit is %v wide and %v high", n, ux, uy)
			}
		}
		encode(t, f)
	}
}

func TestDesignsErrors(t *testing.T) {
	x := cloud(3)
	ok := &design.Design{Weights: []float64{.5, .5, 0}, Value: 1}
	for _, c := range []struct {
		p    DesignPanel
		want string
	}{
		{DesignPanel{Title: "a"}, `"a": Points or Design is nil`},
		{DesignPanel{Points: mat.NewDense(3, 3, nil), Design: ok},
			"points have 3 features; a plane has 2"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: []float64{1}}},
			"1 weights for 3 points"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: []float64{1, math.NaN(), 0}}},
			"weight 1 is NaN"},
		{DesignPanel{Points: x, Design: ok, Names: []string{"a"}}, "1 names for 3 points"},
		{DesignPanel{Points: x, Design: ok, Names: []string{"a", "b", "c", "d"}}, "4 names for 3 points"},
		{DesignPanel{Points: x, Design: ok, Items: mat.NewDense(1, 3, nil)},
			"items have 3 features"},
		{DesignPanel{Points: x, Design: ok, Items: mat.NewDense(1, 2, []float64{1, math.Inf(1)})},
			"row 0, (1, +Inf), is not finite"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: ok.Weights,
			Critical: []design.Direction{{I: 5, J: -1}}}},
			"critical direction 5, -1 is not one of 3 items"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: ok.Weights, Critical: []design.Direction{{I: 2, J: 2}, {I: 3, J: 0}}}},
			"critical direction 3, 0 is not one of 3 items"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: ok.Weights, Critical: []design.Direction{{I: 0, J: 3}}}},
			"critical direction 0, 3 is not one of 3 items"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: ok.Weights, Critical: []design.Direction{{I: 0, J: -2}}}},
			"critical direction 0, -2 is not one of 3 items"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: ok.Weights, Critical: []design.Direction{{I: -1, J: -1}}}},
			"critical direction -1, -1 is not one of 3 items"},
		{DesignPanel{Points: mat.NewDense(1, 2, []float64{1, math.NaN()}), Design: &design.Design{Weights: []float64{1}}, Items: x},
			"row 0, (1, NaN), is not finite"},
		{DesignPanel{Points: x, Design: &design.Design{Weights: []float64{1, 0, math.Inf(1)}}}, "weight 2 is +Inf"},
	} {
		if _, err := Designs([]DesignPanel{c.p}, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
	if _, err := Designs(nil, nil); err == nil {
		t.Error("no error without panels")
	}
}

// A direction is an item, or the difference of two, the first one among them; without items these are the points.
func TestDirections(t *testing.T) {
	x, z := mat.NewDense(3, 2, []float64{1, 2, 5, 7, -1, 4}), mat.NewDense(2, 2, []float64{10, 20, 13, 24})
	for _, c := range []struct {
		items *mat.Dense
		i, j  int
		want  canvas.Point
	}{{nil, 1, -1, canvas.Point{X: 5, Y: 7}}, {nil, 1, 0, canvas.Point{X: 4, Y: 5}}, {nil, 0, 2, canvas.Point{X: 2, Y: -2}}, {z, 1, 0, canvas.Point{X: 3, Y: 4}},
		{z, 0, -1, canvas.Point{X: 10, Y: 20}}} {
		d := DesignPanel{Points: x, Items: c.items, Design: &design.Design{Critical: []design.Direction{{I: c.i, J: c.j}}}}
		if got := d.directions(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%d, %d: %v; want %v", c.i, c.j, got, c.want)
		}
	}
	// Points at the origin make no ellipse, and a figure has the words of its panels and the size that was asked for.
	none := DesignPanel{Points: mat.NewDense(1, 2, nil), Design: &design.Design{Weights: []float64{1}, Value: 2}}
	if none.ellipse() != nil {
		t.Error("an ellipse of nothing")
	}
	plain := DesignPanel{Points: x, Names: []string{"a", "b", "c"}, Design: &design.Design{Weights: []float64{.25, 0, .75}}}
	f := must(Designs([]DesignPanel{plain, none}, &DesignOptions{Width: 400, Height: 333}))
	if want := "Design: c 75 %, a 25 %. Design: point 0 100 %; largest variance 2."; f.Alt() != want || f.Width != 400 || f.Height != 333 {
		t.Errorf("%q, %v x %v; want %q", f.Alt(), f.Width, f.Height, want)
	}
}

// The upper panel shows values up to four times the best bound, and bounds from half of it on; what is beyond is noted. Iterations over more
// than a factor of eight are on a logarithmic axis.
func TestConvergenceLimits(t *testing.T) {
	for _, c := range []struct {
		last              int
		value, lower      float64 // of the first iteration
		min, max          float64
		logarithmic, note bool
	}{{8, 15, 9, 9, 15, false, false}, {9, 15, 9, 9, 15, true, false}, {8, 100, 9, 9, 40, false, true}, {8, 15, 1, 5, 15, false, false}, {8, 40, 0, 10, 40, false, false}} {
		f := must(Convergence([]ConvergenceSeries{{"a", []design.Bracket{{Iteration: 1, Value: c.value, Lower: c.lower}, {Iteration: c.last, Value: 11, Lower: 10}}}}, nil))
		y, room := f.Panels[0][0].Y, .05*(c.max-c.min)
		if !(math.Abs(y.Min-(c.min-room)) <= 1e-9) || !(math.Abs(y.Max-(c.max+room)) <= 1e-9) {
			t.Errorf("%+v: from %v to %v", c, y.Min, y.Max)
		}
		if _, log := f.Panels[0][0].X.Scale.(plot.LogScale); log != c.logarithmic || strings.Contains(strings.Join(f.Notes, " "), "Values above the upper panel") != c.note {
			t.Errorf("%+v: logarithmic %v, notes %q", c, log, f.Notes)
		}
	}
	if _, err := Convergence([]ConvergenceSeries{{"a", []design.Bracket{{Iteration: 1, Value: 1, Lower: -1}}}}, nil); err == nil || !strings.Contains(err.Error(), "lower bound -1") {
		t.Error(err)
	}
}

func TestDesignWeights(t *testing.T) {
	// 40 points, of which point i has weight i/780: the lightest ten, with 45 of
	// 780, are left out.
	ws := make([]float64, 40)
	for i := range ws {
		ws[i] = float64(i) / 780
	}
	f := must(DesignWeights(nil, []WeightSeries{{"XY-static", ws}}, nil))
	if n := strings.Join(f.Notes, " "); !strings.Contains(n, "30 heaviest of 40 points") ||
		!strings.Contains(n, "at most 5.8 %") {
		t.Errorf("notes %q", n)
	}
	// The most that any design has in what is left out, in whatever order.
	first := make([]float64, 40)
	first[39] = 1
	for _, ds := range [][]WeightSeries{{{"a", ws}, {"b", first}}, {{"b", first}, {"a", ws}}} {
		if f := must(DesignWeights(nil, ds, nil)); !strings.Contains(strings.Join(f.Notes, " "), "at most 5.8 %") {
			t.Errorf("two designs: notes %q", f.Notes)
		}
	}
	ticks := f.Panels[0][0].Y.Tick.Marker.Ticks(0, 0)
	if len(ticks) != 30 || ticks[0].Label != "point 10" || ticks[29].Label != "point 39" ||
		ticks[0].Value != 29 {
		t.Errorf("%d lanes, from %+v to %+v", len(ticks), ticks[0], ticks[29])
	}
	encode(t, f)
	two := must(
		DesignWeights([]string{"a", "b"},
			[]WeightSeries{{"XY-static", []float64{1, 0}}, {"G-allocation", []float64{.5, .5}}},
			nil),
	)
	if len(two.Legend) != 2 || len(two.Notes) != 0 ||
		!strings.Contains(two.Alt(), "XY-static: a 100 %. G-allocation: a 50 %, b 50 %.") {
		t.Errorf("%d names in the legend, notes %q, %s", len(two.Legend), two.Notes, two.Alt())
	}
	for _, c := range []struct {
		names []string
		ds    []WeightSeries
		want  string
	}{
		{nil, nil, "no weights"},
		{nil, []WeightSeries{{"a", nil}}, "no weights"},
		{nil, []WeightSeries{{"a", []float64{0, 0}}}, "all weights are zero"},
		{nil, []WeightSeries{{"a", []float64{1}}, {"b", []float64{0, 1}}},
			`"b" has 2 weights, "a" has 1`},
		{[]string{"x"}, []WeightSeries{{"a", []float64{0, 1}}}, "1 names for 2 points"},
		{nil, []WeightSeries{{"a", []float64{-1, 2}}}, "weight 0 is -1"},
	} {
		if _, err := DesignWeights(c.names, c.ds, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}

func TestConvergence(t *testing.T) {
	s := []ConvergenceSeries{
		{
			"certified",
			[]design.Bracket{
				{Iteration: 1, Value: math.Inf(1)},
				{Iteration: 3, Value: 30, Lower: 5},
				{Iteration: 9, Value: 11, Lower: 10},
			},
		},
		{
			"Frank-Wolfe (paper)",
			[]design.Bracket{{Iteration: 1, Value: 100}, {Iteration: 50, Value: 12}},
		},
	}
	f := must(Convergence(s, nil))
	const alt = "Convergence of design solvers. certified: 10 % above the best bound after 9 " +
		"iterations. Frank-Wolfe (paper): 20 % above the best bound after 50 iterations."
	if f.Alt() != alt {
		t.Errorf("%q; want %q", f.Alt(), alt)
	}
	if n := strings.Join(f.Notes, " "); !strings.Contains(n, "at least 10") ||
		!strings.Contains(n, "up to 100") {
		t.Errorf("notes %q", n)
	}
	// Gaps: 10 % at best, 900 % at worst.
	if y := f.Panels[1][0].Y; y.Min >= .1 || y.Max <= 9 {
		t.Errorf("gaps from %v to %v; want 0.1 to 9 within", y.Min, y.Max)
	}
	encode(t, f)
	// Without any lower bound there is no gap to draw.
	if f := must(Convergence(s[1:], nil)); len(f.Panels) != 1 ||
		!strings.Contains(f.Notes[0], "No method has a lower bound") {
		t.Errorf("%d panels, notes %q", len(f.Panels), f.Notes)
	}
	// Optimal to the last bit: neither has it.
	f = must(
		Convergence(
			[]ConvergenceSeries{
				{"certified", []design.Bracket{{Iteration: 1, Value: 2, Lower: 2}}},
			},
			nil),
	)
	if len(f.Panels) != 1 {
		t.Errorf("%d panels", len(f.Panels))
	}
	encode(t, f)
	for _, c := range []struct {
		bs   []design.Bracket
		want string
	}{
		{nil, "no brackets"},
		{[]design.Bracket{{Iteration: 1, Value: math.Inf(1)}}, "no brackets"},
		{[]design.Bracket{{Iteration: 0, Value: 1}}, "bracket 0 is of iteration 0"},
		{[]design.Bracket{{Iteration: 2, Value: 1}, {Iteration: 2, Value: 1}},
			"bracket 1 is of iteration 2"},
		{[]design.Bracket{{Iteration: 1, Value: -1}}, "value -1"},
		{[]design.Bracket{{Iteration: 1, Value: 1, Lower: math.NaN()}}, "lower bound NaN"},
	} {
		if _, err := Convergence([]ConvergenceSeries{{"a", c.bs}}, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}

// What to measure to tell e1 from x', which points in nearly the same direction:
// mostly e2, along which they differ.
func ExampleDesigns() {
	a := 0.1
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(a), math.Sin(a)})
	y := mat.NewDense(1, 2, []float64{1 - math.Cos(a), -math.Sin(a)})
	d, err := design.XY(x, y, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := Designs(
		[]DesignPanel{
			{Title: "e1 or x'", Points: x, Names: []string{"e1", "e2", "x'"}, Design: d, Items: y},
		},
		nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// e1 or x': e2 95.2 %, e1 4.77 %; largest variance 0.011.
}

func ExampleDesignWeights() {
	f, err := DesignWeights([]string{"placebo", "75 mg", "150 mg"}, []WeightSeries{
		{"G-allocation", []float64{0.5, 0, 0.5}}, {"XY-static", []float64{0.3, 0.2, 0.5}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// Weights of designs. G-allocation: placebo 50 %, 150 mg 50 %. XY-static: 150 mg 50 %, placebo 30 %, 75 mg 20 %.
}

func ExampleConvergence() {
	x := mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, .9, .4, .1})
	s := ConvergenceSeries{Name: "certified"}
	_, err := design.Pairs(x, nil, &design.Options{Watch: func(b design.Bracket) bool {
		s.Brackets = append(s.Brackets, b)
		return true
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := Convergence([]ConvergenceSeries{s}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	last := s.Brackets[len(s.Brackets)-1]
	fmt.Println(last.Value/last.Lower < 1.01, len(f.Panels) > 0)
	// Output:
	// true true
}
