package fig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// stairs is an instance with a front of n arms, numbers 0 to n-1, within a small
// part of the plane, and a cloud of others.
func stairs(n, others int) *bandit.Instance {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	mu := mat.NewDense(n+others, 2, nil)
	for i := range n {
		mu.SetRow(i, []float64{float64(i) / float64(n), -float64(i) / float64(n)})
	}
	for i := range others {
		mu.SetRow(n+i, []float64{-2 - 8*rnd.Float64(), -2 - 8*rnd.Float64()})
	}
	return toy(mu, nil)
}

// titles returns the titles of the panels of answers.
func titles(inst *bandit.Instance, answers ...FrontAnswer) []string {
	fr := must(newFront(inst, answers, nil))
	var ts []string
	for k := range answers {
		ts = append(ts, fr.score(&answers[k]))
	}
	return ts
}

func TestFrontScore(t *testing.T) {
	inst := stairs(4, 50)
	answers := []FrontAnswer{
		{Name: "GEGE", Items: []int{3, 1, 0, 2}},
		{Name: "APE", Items: []int{9, 0, 7}},
		{Name: "Uniform"},
	}
	if got, want := titles(
		inst,
		answers...), []string{
		"GEGE: 4 of 4 found",
		"APE: 1 of 4 found, 2 wrong",
		"Uniform: 0 of 4 found",
	}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	f := must(Front(inst, answers, nil))
	const alt = "54 arms in objective 0 and objective 1. Pareto-optimal: arm 0, arm 1, arm 2, " +
		"arm 3. GEGE: 4 of 4 found. APE: 1 of 4 found, 2 wrong; missed arm 1, arm 2, arm 3; by " +
		"mistake arm 7, arm 9. Uniform: 0 of 4 found; missed arm 0, arm 1, arm 2, arm 3."
	if f.Alt() != alt {
		t.Errorf("%q; want %q", f.Alt(), alt)
	}
	var names []string
	for _, e := range f.Legend {
		names = append(names, e.Name)
	}
	if want := []string{
		"arm",
		"Pareto-optimal",
		"Pareto front",
		"found by GEGE",
		"found by APE",
		"missed",
		"returned by mistake",
	}; !slices.Equal(names, want) {
		t.Errorf("legend %q; want %q", names, want)
	}
	encode(t, f)
	// What did not happen is not explained.
	for _, e := range must(Front(inst, answers[:1], nil)).Legend {
		if e.Name == "missed" || e.Name == "returned by mistake" {
			t.Errorf("the legend explains %q, which does not occur", e.Name)
		}
	}
}

// A front in a corner is enlarged, and all that is marked is in the part shown;
// one that fills the plane is not.
func TestFrontWindows(t *testing.T) {
	for _, c := range []struct {
		n, others, answers, panels int
	}{{4, 300, 0, 2}, {4, 300, 1, 2}, {4, 300, 3, 4}, {4, 0, 0, 1}, {4, 0, 2, 3}, {1, 100, 0, 2},
		{1, 0, 1, 2}} {
		inst := stairs(c.n, c.others)
		var answers []FrontAnswer
		for k := range c.answers {
			answers = append(answers, FrontAnswer{Name: fmt.Sprint("method ", k), Items: []int{0}})
		}
		f := must(Front(inst, answers, nil))
		var ps []*plot.Plot
		for _, row := range f.Panels {
			for _, p := range row {
				if p != nil {
					ps = append(ps, p)
				}
			}
		}
		if len(ps) != c.panels {
			t.Errorf("%+v: %d panels; want %d", c, len(ps), c.panels)
		}
		mu := inst.Truth()
		for k, p := range ps {
			for i := range c.n + c.others {
				x, y := mu.At(i, 0), mu.At(i, 1)
				in := x > p.X.Min && x < p.X.Max && y > p.Y.Min && y < p.Y.Max
				if (k == 0 || i < c.n) && !in {
					t.Errorf("%+v: panel %d does not show arm %d", c, k, i)
				}
			}
			if zoom := p.X.Max-p.X.Min < .5*(ps[0].X.Max-ps[0].X.Min); k > 0 &&
				zoom != (c.others > 0) {
				t.Errorf("%+v: panel %d shows x from %v to %v, the first one from %v to %v", c, k,
					p.X.Min, p.X.Max, ps[0].X.Min, ps[0].X.Max)
			}
			if p.X.Min < ps[0].X.Min || p.X.Max > ps[0].X.Max || p.Y.Min < ps[0].Y.Min ||
				p.Y.Max > ps[0].Y.Max {
				t.Errorf("%+v: panel %d shows more than all", c, k)
			}
		}
		if noted := len(f.Notes) > 0 &&
			strings.Contains(f.Notes[0], "dashed frame"); noted != (c.others > 0) {
			t.Errorf("%+v: notes %q", c, f.Notes)
		}
		if c.n == 1 {
			encode(t, f)
		}
	}
}

// A front is enlarged if it is in less than half of the plane and something is beyond.
func TestFrontEnlarged(t *testing.T) {
	below, between, above := 0, 0, 0
	for k := range 200 {
		far := .02 * float64(k)
		fr := must(newFront(toy(mat.NewDense(3, 2, []float64{0, 1, 1, 0, -far, -far}), nil), nil, nil))
		near, ok := fr.enlarged()
		all := fr.window(true)
		share := (near.x1 - near.x0) * (near.y1 - near.y0) / ((all.x1 - all.x0) * (all.y1 - all.y0))
		beyond := -far < near.x0 || -far < near.y0
		if ok != (share < .5 && beyond) {
			t.Errorf("an arm at %v: %v, with %.3g of the plane", -far, ok, share)
		}
		switch {
		case share < .5:
			below++
		case share < .6:
			between++
		default:
			above++
		}
	}
	if below == 0 || between == 0 || above == 0 {
		t.Errorf("%d, %d and %d cases: they are one-sided", below, between, above)
	}
}

// Estimates and boxes of what is marked are shown whole.
func TestFrontIntervals(t *testing.T) {
	inst := stairs(3, 200)
	means := inst.Truth()
	means.Set(1, 0, -1.5)
	radius := make([]float64, 203)
	for i := range radius {
		radius[i] = .25
	}
	radius[2] = math.Inf(1)
	a := FrontAnswer{Name: "APE", Items: []int{0, 1, 2}, Means: means, Radius: radius}
	f := must(Front(inst, []FrontAnswer{a}, nil))
	if p := f.Panels[1][0]; p.X.Min > -1.75 || p.Y.Max < .25 {
		t.Errorf("the panel shows x from %v and y up to %v; the boxes go from -1.75 and up to 0.25",
			p.X.Min, p.Y.Max)
	}
	if n := strings.Join(f.Notes, " "); !strings.Contains(n, "estimates") ||
		!strings.Contains(n, "Boxes") {
		t.Errorf("notes %q", n)
	}
	encode(t, f)
	// A box that is wider than everything makes the front no smaller.
	radius[0] = 1e6
	encode(t, must(Front(inst, []FrontAnswer{a}, nil)))
	a.Means = nil // boxes around the true means
	fr := must(newFront(inst, []FrontAnswer{a}, nil))
	for i, r := range map[int]float64{3: 0, 4: math.NaN(), 5: math.Inf(-1)} {
		radius[i] = r
		if b, ok := fr.box(&a, i); ok {
			t.Errorf("a radius of %v makes the box %+v", r, b)
		}
	}
	if b, ok := fr.box(&a, 1); !ok || math.Abs(b.x1-(1./3+.25)) > 1e-12 {
		t.Errorf("box %+v, %v", b, ok)
	}
}

// Axes are those that people read: here the second objective is seconds, of which less is better.
func TestAxes(t *testing.T) {
	inst := *stairs(3, 40)
	inst.Axes = []bandit.Axis{{Label: "speed [GHz]", PerReward: 2}, {Label: "time [s]", Center: 10, PerReward: -5}}
	front := must(Front(&inst, nil, nil)).Panels[0][0]
	plane := must(ResponsePlane(&inst, nil)).Panels[0][0]
	if x, y := front.X.Label.Text, front.Y.Label.Text; x != "speed [GHz], more is better →" || y != "time [s], less is better →" {
		t.Errorf("front: %q and %q", x, y)
	}
	if x, y := plane.X.Label.Text, plane.Y.Label.Text; x != "speed [GHz]" || y != "time [s], less is better →" {
		t.Errorf("plane: %q and %q", x, y)
	}
	for name, p := range map[string]*plot.Plot{"front": front, "plane": plane} {
		labels := 0
		for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			if tick.Label != "" {
				labels++
				if want := 10 - 5*tick.Value; strings.ReplaceAll(tick.Label, "−", "-") != fmt.Sprintf("%.4g", want) {
					t.Errorf("%s: %v is labelled %q; want %v", name, tick.Value, tick.Label, want)
				}
			}
		}
		if labels < 3 {
			t.Errorf("%s: %d labels", name, labels)
		}
	}
}

// Negated objectives show what was measured.
func TestFrontNegated(t *testing.T) {
	inst := stairs(3, 40)
	f := must(
		Front(inst, nil, &FrontOptions{Negated: []bool{false, true}, Units: []string{"", "J"}}))
	p := f.Panels[0][0]
	if p.X.Label.Text != "objective 0, more is better →" ||
		p.Y.Label.Text != "objective 1 (J), less is better →" {
		t.Errorf("labels %q and %q", p.X.Label.Text, p.Y.Label.Text)
	}
	labels := 0
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if tick.Label != "" {
			labels++
			if tick.Label != "0" && fmt.Sprint(-tick.Value) != tick.Label ||
				tick.Value < p.Y.Min-1e-9 ||
				tick.Value > p.Y.Max+1e-9 {
				t.Errorf("%v is labelled %q", tick.Value, tick.Label)
			}
		}
	}
	if labels < 3 {
		t.Errorf("%d labels", labels)
	}
}

// Of a long front, the ends are named; of three objectives, no staircase is drawn.
func TestFrontLong(t *testing.T) {
	inst := stairs(40, 100)
	fr := must(newFront(inst, nil, nil))
	if got := fr.named(frontPanel{labels: true}); !slices.Equal(got, []int{0, 39}) {
		t.Errorf("named: %v; want the ends", got)
	}
	wrong := FrontAnswer{Name: "APE", Items: []int{50, 45}}
	if got := fr.named(frontPanel{labels: true, answer: &wrong}); !slices.Equal(got,
		[]int{0, 39, 45, 50}) {
		t.Errorf("named: %v; want the ends, and what was returned by mistake", got)
	}
	if got := fr.named(frontPanel{answer: &wrong}); !slices.Equal(got, []int{45, 50}) {
		t.Errorf("named: %v; want what was returned by mistake, as too many were missed", got)
	}
	f := must(Front(inst, nil, nil))
	if n := strings.Join(f.Notes,
		" "); !strings.Contains(n, "Of 40 optimal arms, the two ends are named") ||
		!strings.Contains(f.Alt(), "and 28 more") {
		t.Errorf("notes %q, %s", n, f.Alt())
	}
	encode(t, f)
	// In a narrow figure six are named, and twelve in the words.
	for n, want := range map[int][2]bool{6: {false, false}, 7: {true, false}, 12: {true, false}, 13: {true, true}} {
		f := must(Front(stairs(n, 30), nil, nil))
		if got := [2]bool{strings.Contains(strings.Join(f.Notes, " "), fmt.Sprintf("Of %d optimal arms, the two ends are named.", n)),
			strings.Contains(f.Alt(), "arm 11, and 1 more.")}; got != want {
			t.Errorf("%d optimal arms: notes %q, %s", n, f.Notes, f.Alt())
		}
	}
	few, none := must(newFront(stairs(4, 30), nil, nil)), []int(nil)
	for _, c := range []struct{ items, want []int }{ // up to six that were missed or returned by mistake; those that were missed go first
		{[]int{0, 5}, []int{1, 2, 3, 5}}, {[]int{0, 5, 6, 7}, []int{1, 2, 3, 5, 6, 7}}, {[]int{0, 5, 6, 7, 8}, []int{1, 2, 3}}, {[]int{0, 1, 2, 3}, none},
		{[]int{0, 1, 2, 3, 5, 6, 7, 8, 9, 10}, []int{5, 6, 7, 8, 9, 10}}, {[]int{0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11}, none},
	} {
		if got := few.named(frontPanel{answer: &FrontAnswer{Items: c.items}}); !slices.Equal(got, c.want) {
			t.Errorf("of the answer %v are named %v; want %v", c.items, got, c.want)
		}
	}
	three := toy(mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}), nil)
	f = must(Front(three, nil, &FrontOptions{X: 2, Y: 1}))
	for _, e := range f.Legend {
		if e.Name == "Pareto front" {
			t.Error("a staircase for three objectives")
		}
	}
	if n := strings.Join(f.Notes, " "); !strings.Contains(n, "3 objectives") ||
		!strings.HasPrefix(f.Panels[0][0].X.Label.Text, "objective 2") {
		t.Errorf("notes %q, x is %q", n, f.Panels[0][0].X.Label.Text)
	}
	encode(t, f)
}

func TestFrontErrors(t *testing.T) {
	inst := stairs(2, 3)
	for _, c := range []struct {
		inst *bandit.Instance
		a    FrontAnswer
		o    *FrontOptions
		want string
	}{
		{nil, FrontAnswer{}, nil, "the instance is nil"},
		{toy(mat.NewDense(2, 1, nil), nil), FrontAnswer{}, nil, "one objective"},
		{toy(mat.NewDense(2, 2, nil), must(polyhedron.AtLeast([]float64{0, 0}, nil))),
			FrontAnswer{}, nil, "has constraints"},
		{inst, FrontAnswer{Name: "APE", Items: []int{5}}, nil, "the answer of APE names item 5"},
		{inst, FrontAnswer{Name: "APE", Items: []int{1, 1}}, nil, "there twice"},
		{inst, FrontAnswer{Name: "APE", Means: mat.NewDense(2, 2, nil)}, nil,
			"the means of APE are 2 x 2"},
		{inst, FrontAnswer{Name: "APE", Radius: []float64{1}}, nil,
			"the radius of APE has 1 entries"},
		{inst, FrontAnswer{}, &FrontOptions{X: 1, Y: 1}, "objectives 1 and 1"},
		{inst, FrontAnswer{}, &FrontOptions{Y: 2}, "objectives 0 and 2"},
		{inst, FrontAnswer{}, &FrontOptions{Negated: []bool{true}}, "Negated has 1 entries"},
		{inst, FrontAnswer{}, &FrontOptions{Units: []string{"s"}}, "Units has 1 entries"},
	} {
		if _, err := Front(c.inst, []FrontAnswer{c.a}, c.o); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}

// Four of six designs that none of the others beats in both objectives, and what
// a method returned.
func ExampleFront() {
	inst := toy(mat.NewDense(6, 2, []float64{1, 9, 4, 8, 7, 5, 9, 1, 3, 7, 6, 4}), nil)
	inst.Problem.ArmNames = []string{"A", "B", "C", "D", "E", "F"}
	f, err := Front(inst, []FrontAnswer{{Name: "GEGE", Items: []int{0, 1, 2, 5}}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// 6 arms in objective 0 and objective 1. Pareto-optimal: A, B, C, D. GEGE: 3 of 4 found, 1 wrong; missed D; by mistake F.
}
