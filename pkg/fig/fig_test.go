package fig

import (
	"bytes"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// toy returns an instance with exact rewards; region nil asks for the Pareto
// set.
func toy(means *mat.Dense, region *polyhedron.Polyhedron) *bandit.Instance {
	k, d := means.Dims()
	p := &explore.Problem{Arms: k, Objectives: d, Sigma: 1, Question: question.Pareto{}}
	if region != nil {
		p.Question = question.FeasiblePareto{Region: region}
	}
	return &bandit.Instance{Name: "toy", Problem: p, Law: must(bandit.NewExact(means))}
}

// encode returns the bytes of f in all formats.
func encode(t *testing.T, f *Figure) [][]byte {
	t.Helper()
	var all [][]byte
	for _, e := range []func(io.Writer) error{f.PNG, f.SVG, f.PDF} {
		var b bytes.Buffer
		if err := e(&b); err != nil {
			t.Fatal(err)
		}
		all = append(all, b.Bytes())
	}
	return all
}

func TestCutAgainstMembership(t *testing.T) {
	// A point is in the cut polygon if and only if it is in the rectangle and
	// in every half-plane.
	rng := rand.New(rand.NewPCG(1, 2))
	empty, full := 0, 0
	for range 300 {
		var hs []halfPlane
		for range 1 + rng.IntN(6) {
			hs = append(hs, halfPlane{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64() * .7})
		}
		poly := cut(rectangle(-1, 1, -1, 1), hs...)
		if len(poly) == 0 {
			empty++
		}
		for range 200 {
			q := point{2.4*rng.Float64() - 1.2, 2.4*rng.Float64() - 1.2}
			want, near := math.Abs(q.x) <= 1 && math.Abs(q.y) <= 1, false
			for _, h := range hs {
				want = want && h.side(q) >= 0
				near = near || math.Abs(h.side(q)) < 1e-9
			}
			inside := len(poly) > 2
			for i, b := range poly { // on the left of every edge
				a := poly[(i+len(poly)-1)%len(poly)]
				turn := (b.x-a.x)*(q.y-a.y) - (b.y-a.y)*(q.x-a.x)
				inside = inside && turn >= 0
			}
			if inside != want && !near {
				t.Fatalf("%v in %v cut by %v: got %v, want %v", q, poly, hs, inside, want)
			}
			if inside {
				full++
			}
		}
	}
	if empty == 0 || full == 0 {
		t.Fatalf("the cases are one-sided: %d empty polygons, %d points inside", empty, full)
	}
	// Worked by hand: the unit square without the corner above x + y = 1.5.
	got := cut(rectangle(0, 1, 0, 1), halfPlane{1, 1, 1.5})
	want := []point{{0, 0}, {1, 0}, {1, .5}, {.5, 1}, {0, 1}}
	area := func(ps []point) float64 {
		s := 0.
		for i, b := range ps {
			a := ps[(i+len(ps)-1)%len(ps)]
			s += (a.x*b.y - b.x*a.y) / 2
		}
		return s
	}
	if len(got) != len(want) || math.Abs(area(got)-.875) > 1e-12 {
		t.Errorf("the cut square is %v, want %v", got, want)
	}
}

func TestChord(t *testing.T) {
	p, q, ok := chord(halfPlane{-1, 0, -.4}, 0, 1, 0, 2) // x >= 0.4
	if !ok || math.Abs(p.x-.4) > 1e-12 || math.Abs(q.x-.4) > 1e-12 || math.Abs(p.y-q.y) != 2 {
		t.Errorf("the line x = 0.4 is drawn from %v to %v (%v)", p, q, ok)
	}
	if _, _, ok := chord(halfPlane{1, 0, 5}, 0, 1, 0, 1); ok {
		t.Error("a line outside is drawn")
	}
}

// drawn returns the labels of a plane of inst as they are placed in a figure of
// the given size.
func drawn(t *testing.T, inst *bandit.Instance, x, y int, w, h vg.Length) (places []placement, points []vg.Point, bounds vg.Rectangle) {
	t.Helper()
	pl, err := newPlane(inst, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pl.panel(x, y, pl.labels)
	var r recorder.Canvas
	c := p.DataCanvas(draw.NewCanvas(&r, w, h))
	points = pl.points(c, p, x, y)
	taken, lines := boundaries(c, p, pl.covers(x, y), points, nil)
	return placeLabels(points, pl.labels, write(tickSize, ink), taken, lines, c.Rectangle), points, c.Rectangle
}

func TestLabelsDoNotOverlap(t *testing.T) {
	inst := must(dataset.CovBoost{}.Instance())
	for _, xy := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		places, points, bounds := drawn(t, inst, xy[0], xy[1], pageWidth-16, 400)
		if len(places) != 20 {
			t.Fatalf("%d labels for 20 arms", len(places))
		}
		for i, a := range places {
			if outside(a.box, bounds) > 0 {
				t.Errorf("objectives %v: label %d stands out of the panel", xy, i)
			}
			for j, b := range places[:i] {
				if overlap(a.box, b.box) > 0 {
					t.Errorf("objectives %v: labels %d and %d overlap", xy, j, i)
				}
			}
			for j, q := range points {
				if overlap(a.box, grow(vg.Rectangle{Min: q, Max: q}, markerRadius)) > 0 {
					t.Errorf("objectives %v: label %d hides marker %d", xy, i, j)
				}
			}
			if d := anchor(a.box, points[i]); !a.leader && math.Hypot(float64(d.X-points[i].X), float64(d.Y-points[i].Y)) > 20 {
				t.Errorf("objectives %v: label %d is far from its point and has no leader", xy, i)
			}
		}
	}
}

func TestLabelsOfOnePoint(t *testing.T) {
	// Ten labels of the same point need leaders, and room.
	pts, sizes := make([]vg.Point, 10), make([]vg.Point, 10)
	for i := range pts {
		pts[i], sizes[i] = vg.Point{X: 200, Y: 150}, vg.Point{X: 60, Y: 10}
	}
	bounds := vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}
	leaders := 0
	places := place(pts, sizes, []vg.Rectangle{grow(vg.Rectangle{Min: pts[0], Max: pts[0]}, 4)}, nil, bounds)
	for i, a := range places {
		for j, b := range places[:i] {
			if overlap(a.box, b.box) > 0 {
				t.Errorf("labels %d and %d overlap", j, i)
			}
		}
		if a.leader {
			leaders++
		}
	}
	if leaders == 0 {
		t.Error("no leaders")
	}
}

func TestSegments(t *testing.T) {
	box := vg.Rectangle{Min: vg.Point{X: 1, Y: 1}, Max: vg.Point{X: 2, Y: 2}}
	rng := rand.New(rand.NewPCG(3, 4))
	hits := 0
	for range 2000 { // against points along the segment
		p := vg.Point{X: vg.Length(3 * rng.Float64()), Y: vg.Length(3 * rng.Float64())}
		q := vg.Point{X: vg.Length(3 * rng.Float64()), Y: vg.Length(3 * rng.Float64())}
		some := false
		for k := range 401 {
			u := vg.Length(k) / 400
			some = some || contains(box, vg.Point{X: p.X + u*(q.X-p.X), Y: p.Y + u*(q.Y-p.Y)})
		}
		got := crosses(p, q, box)
		if some && !got {
			t.Fatalf("%v to %v misses the box", p, q)
		}
		if got && !some && !crosses(p, q, grow(box, -.02)) {
			continue // touches a corner between two points
		}
		if got != some {
			t.Fatalf("%v to %v: got %v, want %v", p, q, got, some)
		}
		if got {
			hits++
		}
	}
	if hits < 200 || hits > 1800 {
		t.Errorf("%d of 2000 segments hit: the cases are one-sided", hits)
	}
}

func TestTicks(t *testing.T) {
	labels := func(ts []plot.Tick) string {
		var ls []string
		for _, t := range ts {
			if !t.IsMinor() {
				ls = append(ls, t.Label)
			}
		}
		return strings.Join(ls, "|")
	}
	for _, c := range []struct {
		tick   plot.Ticker
		lo, hi float64
		want   string
	}{
		{logTicks{7}, 90, 120_000, "100|300|1 000|3 000|10 000|30 000|100 000"},
		{logTicks{7}, 9e4, 2e7, "100 000|300 000|10⁶|3·10⁶|10⁷"},
		{logTicks{7}, 1500, 8000, "2 000|3 000|4 000|5 000|6 000|7 000|8 000"},
		{logTicks{7}, .0005, .2, "0.001|0.003|0.01|0.03|0.1"},
		{logTicks{7}, 1, 1e12, "1|100|10 000|10⁶|10⁸|10¹⁰|10¹²"},
		{linearTicks{6}, .33, .56, "0.35|0.40|0.45|0.50|0.55"},
		{linearTicks{6}, 0, 12_000, "0|2 000|4 000|6 000|8 000|10 000|12 000"},
		{linearTicks{6}, -1, 1, "-1.0|-0.5|0|0.5|1.0"},
		{linearTicks{2}, 190, 460, "200|400"},
	} {
		if got := labels(c.tick.Ticks(c.lo, c.hi)); got != c.want {
			t.Errorf("%T from %v to %v: %s, want %s", c.tick, c.lo, c.hi, got, c.want)
		}
	}
	// Any range has at least two labels, and not many more than wanted.
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		lo := math.Pow(10, 8*rng.Float64()-2)
		hi := lo * math.Pow(10, .15+9*rng.Float64()*rng.Float64())
		for _, n := range []int{2, 3, 7} {
			for _, tick := range []plot.Ticker{logTicks{n}, linearTicks{n}} {
				s := strings.Count(labels(tick.Ticks(lo, hi)), "|") + 1
				if s < 2 || s > 2*n+3 {
					t.Fatalf("%T{%d} from %v to %v: %d labels", tick, n, lo, hi, s)
				}
			}
		}
	}
	for _, bad := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {-1, math.Inf(1)}} {
		if len(linearTicks{6}.Ticks(bad[0], bad[1])) > 0 || len(logTicks{7}.Ticks(bad[0], bad[1])) > 0 {
			t.Errorf("ticks from %v to %v", bad[0], bad[1])
		}
	}
}

func TestText(t *testing.T) {
	sty := write(10, ink)
	// A character without a glyph must not vanish.
	if sty.Width("日") <= 0 || len(regular().glyph('日').segments) == 0 {
		t.Error("a character that the font lacks is invisible")
	}
	for _, r := range "≥≤→⁻⁰¹²³⁴⁵⁶⁷⁸⁹·δ…ε" {
		if i, err := regular().font.GlyphIndex(nil, r); err != nil || i == 0 {
			t.Errorf("the font has no %c", r)
		}
	}
	if got := wrap(sty, "aa bb cc", sty.Width("aa bb")); got != "aa bb\ncc" {
		t.Errorf("wrapped: %q", got)
	}
	if got := clip(sty, "long name", sty.Width("long…")+.1); got != "long…" {
		t.Errorf("clipped: %q", got)
	}
	if got := pretty("IgG >= 8 ->\nx"); got != "IgG ≥ 8 → x" {
		t.Errorf("pretty: %q", got)
	}
}

func TestMethodLooks(t *testing.T) {
	// Methods that are compared in one study must look different.
	for _, group := range [][]string{{"e-cAPE", "MD-APT+APE", "Racing", "Uniform", "APE"}, {"LinFACT-G", "LinFACT-XY"}} {
		for i, a := range group {
			for _, b := range group[:i] {
				if x, y := Method(a), Method(b); x.Color == y.Color || x.Marker == y.Marker {
					t.Errorf("%s and %s look alike", a, b)
				}
			}
		}
	}
	// The hash spreads: 200 names use every colour, marker and dash. The
	// probability that one of 8 is missed is below 8 (7/8)^200 < 3e-11.
	hue, shape, dash := map[any]bool{}, map[Marker]bool{}, map[int]bool{}
	for i := range 200 {
		l := Method("method " + string(rune('a'+i%26)) + strings.Repeat("x", i/26))
		hue[l.Color], shape[l.Marker], dash[len(l.Dashes)*10+int(append(l.Dashes, 0)[0])] = true, true, true
	}
	if len(hue) != len(hues) || len(shape) != len(shapes) || len(dash) != len(dashes) {
		t.Errorf("200 names use %d colours, %d markers, %d dashes", len(hue), len(shape), len(dash))
	}
}

func TestClasses(t *testing.T) {
	// c is dominated by a and infeasible: infeasible is what the plane shows.
	means := mat.NewDense(4, 2, []float64{.6, .6, .5, .5, .3, .5, .9, .1})
	region := must(polyhedron.AtLeast([]float64{.4, .2}, nil))
	pl := must(newPlane(toy(means, region), nil))
	want := []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Infeasible}
	for i, c := range pl.classes {
		if c != want[i] {
			t.Errorf("arm %d is %v, want %v", i, c, want[i])
		}
	}
	// An answer has the last word.
	a := &explore.Answer{Items: []int{1}}
	pl = must(newPlane(toy(means, region), &PlaneOptions{Answer: a}))
	if pl.classes[1] != explore.Optimal || pl.classes[0] != explore.Undecided {
		t.Errorf("classes of the answer: %v", pl.classes)
	}
	// Without a region: (.6, .6) and (.9, .1).
	pl = must(newPlane(toy(means, nil), nil))
	if pl.classes[3] != explore.Optimal || pl.classes[2] != explore.Dominated {
		t.Errorf("classes without region: %v", pl.classes)
	}
}

func TestCovers(t *testing.T) {
	a := mat.NewDense(4, 3, []float64{-1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0})
	region := must(polyhedron.New(a, []float64{0, 2, 3, 1}, []string{"x >= 0", "x + y <= 2", "sum <= 3", "nothing"}))
	means := mat.NewDense(2, 3, []float64{.5, .5, .5, .2, .4, .1})
	pl := must(newPlane(toy(means, region), nil))
	names := ""
	for _, c := range pl.covers(0, 1) {
		names += c.name + ";"
	}
	if names != "x ≥ 0;x + y ≤ 2;" {
		t.Errorf("the plane of 0 and 1 shows %s", names)
	}
	f := must(ResponsePlane(toy(means, region), nil))
	if all := strings.Join(f.Notes, " "); !strings.Contains(all, "sum ≤ 3") || strings.Contains(all, "nothing") {
		t.Errorf("notes: %s", all)
	}
	encode(t, f)
}

func TestDegenerate(t *testing.T) {
	// None of these may panic, whatever the back-end.
	same := mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1})
	row := mc.Row{Instance: "i", Method: "m", Status: "stopped", Pulls: 5, ArmPulls: []int{5}, Correct: true}
	zero, early, failed := row, row, row
	zero.Pulls, zero.ArmPulls = 0, []int{0}
	early.Status, failed.Status, failed.Err = "pull limit", "failure", "broken"
	nameless := toy(mat.NewDense(2, 2, []float64{0, 1e9, 1e-9, 0}), nil)
	nameless.Problem.ArmNames, nameless.Name = []string{" ", strings.Repeat("very long name ", 20)}, ""
	prob := &explore.Problem{Arms: 1, Objectives: 1}
	for name, make := range map[string]func() (*Figure, error){
		"one arm":    func() (*Figure, error) { return ResponsePlane(toy(mat.NewDense(1, 2, []float64{0, 0}), nil), nil) },
		"equal arms": func() (*Figure, error) { return ResponsePlane(toy(same, nil), &PlaneOptions{Front: true}) },
		"odd names":  func() (*Figure, error) { return ResponsePlane(nameless, &PlaneOptions{Front: true}) },
		"infinite radius": func() (*Figure, error) {
			return ResponsePlane(toy(same, nil), &PlaneOptions{Radius: []float64{math.Inf(1), math.NaN(), 0}})
		},
		"far region": func() (*Figure, error) {
			return ResponsePlane(toy(same, must(polyhedron.AtLeast([]float64{99, 99}, nil))), &PlaneOptions{Front: true})
		},
		"empty answer": func() (*Figure, error) {
			return ResponsePlane(toy(same, nil), &PlaneOptions{Answer: &explore.Answer{}, Front: true})
		},
		"tiny": func() (*Figure, error) { return ResponsePlane(toy(same, nil), &PlaneOptions{Width: 30, Height: 30}) },
		"singular": func() (*Figure, error) {
			return ResponsePlane(toy(same, nil), &PlaneOptions{Covariance: []mat.Symmetric{mat.NewSymDense(2, nil), mat.NewSymDense(2, []float64{1, 1, 1, 1}), nil}})
		},
		"one row":       func() (*Figure, error) { return SampleComplexity([]mc.Row{row}, nil) },
		"equal rows":    func() (*Figure, error) { return SampleComplexity([]mc.Row{row, row, row, row, row, row, row}, nil) },
		"no pulls":      func() (*Figure, error) { return SampleComplexity([]mc.Row{zero, zero, zero, zero, zero, row}, nil) },
		"all cut short": func() (*Figure, error) { return SampleComplexity([]mc.Row{early, early}, nil) },
		"all failed":    func() (*Figure, error) { return SampleComplexity([]mc.Row{failed}, nil) },
		"far reference": func() (*Figure, error) {
			return SampleComplexity([]mc.Row{row}, &RowOptions{References: []Reference{{"", "bound", 1e12}, {"", "b", 1e-3}, {"", "c", 1}, {"", "d", 2}, {"", "e", 3}}})
		},
		"arms, one row":  func() (*Figure, error) { return ArmPulls([]mc.Row{row}, nil) },
		"arms, no pulls": func() (*Figure, error) { return ArmPulls([]mc.Row{zero, zero}, nil) },
		"trajectory, K=1": func() (*Figure, error) {
			return Trajectory(prob, &Trace{Samples: []Sample{{Round: 1, Pulls: 1, ArmPulls: []int{1}}}}, nil)
		},
		"trajectory, equal": func() (*Figure, error) {
			s := Sample{Round: 1, Pulls: 7, ArmPulls: []int{7}, Reasons: []explore.Reason{{Class: explore.Optimal}}}
			return Trajectory(prob, &Trace{Samples: []Sample{s, s}}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := make()
			if err != nil {
				t.Fatal(err)
			}
			if f.Alt() == "" {
				t.Error("no text for those who cannot see")
			}
			for _, e := range []func(io.Writer) error{f.SVG, f.PDF} {
				if err := e(io.Discard); err != nil {
					t.Error(err)
				}
			}
			// Coarse pixels: what could go wrong is there at any resolution.
			f.Draw(draw.New(vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(24))))
		})
	}
}

func TestErrors(t *testing.T) {
	means := mat.NewDense(2, 2, []float64{0, 1, 1, 0})
	inst := toy(means, nil)
	nan := mat.NewDense(2, 2, []float64{0, math.NaN(), 1, 0})
	row := mc.Row{Instance: "i", Method: "m", Status: "stopped", Pulls: 5, ArmPulls: []int{5}}
	two, minus := row, row
	two.ArmPulls, minus.Pulls = []int{2, 3}, -1
	failed := row
	failed.Status = "failure"
	for _, c := range []struct {
		want string
		make func() (*Figure, error)
	}{
		{"instance is nil", func() (*Figure, error) { return ResponsePlane(nil, nil) }},
		{"one objective", func() (*Figure, error) { return ResponsePlane(toy(mat.NewDense(2, 1, nil), nil), nil) }},
		{"is NaN", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Means: nan}) }},
		{"3 x 2", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Means: mat.NewDense(3, 2, nil)}) }},
		{"two different", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{X: 1, Y: 1}) }},
		{"two different", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{X: 0, Y: 2}) }},
		{"Radius has 1", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Radius: []float64{1}}) }},
		{"Covariance has 1", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Covariance: []mat.Symmetric{nil}}) }},
		{"of dimension 3", func() (*Figure, error) {
			return ResponsePlane(inst, &PlaneOptions{Covariance: []mat.Symmetric{mat.NewSymDense(3, nil), nil}})
		}},
		{"Units has 1", func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Units: []string{"mg"}}) }},
		{"item 7", func() (*Figure, error) {
			return ResponsePlane(inst, &PlaneOptions{Answer: &explore.Answer{Items: []int{7}}})
		}},
		{"1 reasons", func() (*Figure, error) {
			return ResponsePlanes(inst, &PlaneOptions{Answer: &explore.Answer{Reasons: make([]explore.Reason, 1)}})
		}},
		{"no rows", func() (*Figure, error) { return SampleComplexity(nil, nil) }},
		{"no rows", func() (*Figure, error) { return ArmPulls(nil, nil) }},
		{"none of 1 rows", func() (*Figure, error) { return SampleComplexity([]mc.Row{row}, &RowOptions{Methods: []string{"x"}}) }},
		{"-1 pulls", func() (*Figure, error) { return SampleComplexity([]mc.Row{minus}, nil) }},
		{"Confidence", func() (*Figure, error) { return SampleComplexity([]mc.Row{row}, &RowOptions{Confidence: 95}) }},
		{"positive finite", func() (*Figure, error) {
			return SampleComplexity([]mc.Row{row}, &RowOptions{References: []Reference{{"", "b", math.NaN()}}})
		}},
		{"1 and 2 arms", func() (*Figure, error) { return ArmPulls([]mc.Row{row, two}, nil) }},
		{"2 names for the 1", func() (*Figure, error) {
			return ArmPulls([]mc.Row{row}, &RowOptions{ArmNames: map[string][]string{"i": {"a", "b"}}})
		}},
		{"do not say how often", func() (*Figure, error) { return ArmPulls([]mc.Row{failed}, nil) }},
		{"trace is empty", func() (*Figure, error) { return Trajectory(inst.Problem, &Trace{}, nil) }},
		{"another run", func() (*Figure, error) {
			return Trajectory(inst.Problem, &Trace{Samples: []Sample{{Pulls: 3, ArmPulls: []int{1, 1, 1}}}}, nil)
		}},
		{"do not decrease", func() (*Figure, error) {
			return Trajectory(inst.Problem, &Trace{Samples: []Sample{{Pulls: 3}, {Pulls: 2}}}, nil)
		}},
	} {
		f, err := c.make()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "fig: ") {
			t.Errorf("want an error with %q, got %v (figure: %v)", c.want, err, f != nil)
		}
	}
	f := must(SampleComplexity([]mc.Row{row}, nil))
	if err := f.WriteFile(t.TempDir() + "/x.bmp"); err == nil {
		t.Error("a format that is not known is accepted")
	}
	f.Height = 1e9
	for _, err := range []error{f.PNG(io.Discard), f.SVG(io.Discard), f.PDF(io.Discard)} {
		if err == nil {
			t.Error("a figure of 350 km is accepted")
		}
	}
}

func TestSpreadAgreesWithTables(t *testing.T) {
	rows := trials(60)
	rows[2].Correct = false
	rows[4].Status, rows[4].Correct = "pull limit", false
	for _, c := range tidy.SampleComplexity(rows, .95) {
		var l lane
		for _, r := range rows {
			if r.Key() == c.Key {
				l.method, l.rows, l.reps = c.Method, append(l.rows, r), l.reps+1
			}
		}
		sp := newSpread(c.Method, l, .95)
		if m := sp.median; m.Center != c.Median.Center || m.Lo != c.Median.Lo || m.Hi != c.Median.Hi {
			t.Errorf("%v: median %v, the table has %v", c.Key, sp.median, c.Median)
		}
		if want := strings.Fields(sp.sub)[0]; want != tidy.Int(c.Errors)+"/"+tidy.Int(c.Stopped) {
			t.Errorf("%v: %s, the table has %d/%d", c.Key, sp.sub, c.Errors, c.Stopped)
		}
		if len(sp.early) != c.Early {
			t.Errorf("%v: %d cut short, the table has %d", c.Key, len(sp.early), c.Early)
		}
	}
}

// counter is a policy that pulls the arms in turn and certifies arm i after
// 10 (i+1) rounds; it counts how often it is asked for its answer.
type counter struct {
	k, rounds, answers int
}

func (c *counter) Answer() explore.Answer {
	c.answers++
	a := explore.Answer{Reasons: make([]explore.Reason, c.k)}
	for i := range a.Reasons {
		if c.rounds >= 10*(i+1) {
			a.Reasons[i].Class = explore.Optimal
			a.Items = append(a.Items, i)
		}
	}
	return a
}

// play records rounds of one pull of each of k arms.
func play(tr *Trace, k, rounds int) *counter {
	c := &counter{k: k}
	obs := make([]explore.Batch, k)
	for i := range obs {
		obs[i].Pull = explore.Pull{Arm: i, N: 1}
	}
	for c.rounds < rounds {
		c.rounds++
		if err := tr.Record(explore.Event{Round: c.rounds, Pulls: k * c.rounds, Obs: obs, Policy: answers{c}}); err != nil {
			panic(err)
		}
	}
	return c
}

// answers is a policy that can do nothing but answer.
type answers struct{ c *counter }

func (answers) Init(*explore.Problem, rand.Source) error   { panic("not used") }
func (answers) Ask([]explore.Pull) ([]explore.Pull, error) { panic("not used") }
func (answers) Tell([]explore.Batch) error                 { panic("not used") }
func (a answers) Answer() explore.Answer                   { return a.c.Answer() }

func TestTrace(t *testing.T) {
	var tr Trace
	const k, rounds = 3, 100_000
	c := play(&tr, k, rounds)
	// From 3 to 300 000 pulls are 5 decades: at most 60 samples in each, and
	// two for the ends.
	if n := len(tr.Samples); n > 5*60+2 || n < 200 || c.answers != n {
		t.Errorf("%d samples, %d answers; want about 300 of each", n, c.answers)
	}
	prev := 0.
	for i, s := range tr.Samples {
		if got := s.ArmPulls[0] + s.ArmPulls[1] + s.ArmPulls[2]; got != s.Pulls || s.ArmPulls[0] != s.Round {
			t.Fatalf("sample %d: %v does not add up to %d", i, s.ArmPulls, s.Pulls)
		}
		if float64(s.Pulls) < prev*math.Pow(10, 1./60)-1e-6 {
			t.Fatalf("sample %d at %d pulls comes too early", i, s.Pulls)
		}
		prev = float64(s.Pulls)
	}
	tr.End(&explore.Result{Pulls: k * rounds, Rounds: rounds, ArmPulls: []int{rounds, rounds, rounds}, Answer: c.Answer()})
	last := tr.Samples[len(tr.Samples)-1]
	if last.Pulls != k*rounds || last.class(2) != explore.Optimal {
		t.Errorf("the last sample is %+v", last)
	}
	n := len(tr.Samples)
	tr.End(&explore.Result{Pulls: k * rounds, Rounds: rounds, ArmPulls: []int{rounds, rounds, rounds}})
	if len(tr.Samples) != n {
		t.Error("End twice adds a sample")
	}
	// Lanes: an arm is certified at the first sample from round 10 (i+1) on,
	// and its pulls are a third of all.
	prob := &explore.Problem{Arms: k, Objectives: 1}
	cs, top := courses(prob, &tr)
	if math.Abs(top-1./3) > 1e-12 {
		t.Errorf("the largest share is %v, want 1/3", top)
	}
	for i, crs := range cs {
		var want float64
		for _, s := range tr.Samples {
			if s.Round >= 10*(i+1) {
				want = float64(s.Pulls)
				break
			}
		}
		if i < 2 && (len(crs.certified) != 1 || crs.certified[0].to != want) {
			t.Errorf("arm %d is certified at %v, want %v", i, crs.certified, want)
		}
		covered := 0.
		for _, s := range crs.steps {
			if s.from != covered {
				t.Fatalf("arm %d: a step starts at %v, the one before ended at %v", i, s.from, covered)
			}
			covered = s.to
		}
	}
	// A second run starts afresh.
	play(&tr, k, 5)
	if tr.Samples[len(tr.Samples)-1].Pulls > 15 {
		t.Error("a second run is appended to the first")
	}
}

func TestDeterminism(t *testing.T) {
	rows := trials(8)
	inst := must(dataset.Secukinumab{}.Instance())
	for name, make := range map[string]func() (*Figure, error){
		"complexity": func() (*Figure, error) { return SampleComplexity(rows, &RowOptions{Width: 300, Height: 200}) },
		"arms":       func() (*Figure, error) { return ArmPulls(rows, &RowOptions{Width: 300, Height: 200}) },
		"plane":      func() (*Figure, error) { return ResponsePlane(inst, &PlaneOptions{Width: 300, Height: 200}) },
	} {
		a, b := encode(t, must(make())), encode(t, must(make()))
		for i, format := range []string{"PNG", "SVG", "PDF"} {
			if !bytes.Equal(a[i], b[i]) {
				t.Errorf("%s: two %s files of the same figure differ", name, format)
			}
		}
		// The date is fixed, and the table of offsets is still where the end
		// of the file says.
		pdf := a[2]
		if !bytes.Contains(pdf, []byte("(D:20000101000000")) || bytes.Count(pdf, []byte("(D:")) != bytes.Count(pdf, []byte("(D:2000")) {
			t.Errorf("%s: the PDF holds a date", name)
		}
		end := pdf[bytes.LastIndex(pdf, []byte("startxref"))+len("startxref"):]
		offset := must(strconv.Atoi(strings.Fields(string(end))[0]))
		if !bytes.HasPrefix(pdf[offset:], []byte("xref")) {
			t.Errorf("%s: the PDF is damaged", name)
		}
	}
}

func TestFormats(t *testing.T) {
	f := must(SampleComplexity(trials(10), &RowOptions{Title: "a < b"}))
	all := encode(t, f)
	im, err := png.Decode(bytes.NewReader(all[0]))
	if err != nil {
		t.Fatal(err)
	}
	if w := im.Bounds().Dx(); w != 1800 { // 675 points at 192 dpi
		t.Errorf("the PNG is %d pixels wide, want 1800", w)
	}
	if !bytes.Contains(all[1], []byte("<title>Distribution of the number of pulls.")) || bytes.Contains(all[1], []byte("<text")) {
		t.Error("the SVG has no title, or text that needs a font")
	}
	dir := t.TempDir()
	for i, ext := range []string{".png", ".svg", ".PDF"} {
		if err := f.WriteFile(dir + "/f" + ext); err != nil {
			t.Fatal(err)
		}
		if b := must(os.ReadFile(dir + "/f" + ext)); !bytes.Equal(b, all[i]) {
			t.Errorf("%s: the file differs from what the writer got", ext)
		}
	}
	// A panel alone is a drawing too.
	if err := PNG(io.Discard, f.Panels[0][0], 300, 200); err != nil {
		t.Error(err)
	}
}

// TestPanelsAlign checks that data areas of a column have the same left and
// right ends, those of a row the same height, and that none overlap.
func TestPanelsAlign(t *testing.T) {
	f := must(ResponsePlanes(must(dataset.CovBoost{}.Instance()), nil))
	var r recorder.Canvas
	c := draw.NewCanvas(&r, f.Width, f.Height)
	cs := f.align(c)
	area := func(i, j int) vg.Rectangle { return f.Panels[i][j].DataCanvas(cs[i][j]).Rectangle }
	near := func(a, b vg.Length) bool { return math.Abs(float64(a-b)) < .05 }
	top, bottom, right := area(0, 0), area(1, 0), area(1, 1)
	if !near(top.Min.X, bottom.Min.X) || !near(top.Max.X, bottom.Max.X) {
		t.Errorf("columns do not line up: %v and %v", top, bottom)
	}
	if !near(right.Min.Y, bottom.Min.Y) || !near(right.Max.Y, bottom.Max.Y) {
		t.Errorf("rows do not line up: %v and %v", right, bottom)
	}
	if bottom.Max.X >= right.Min.X || bottom.Max.Y >= top.Min.Y {
		t.Error("panels overlap")
	}
	for i := range cs {
		for j := range cs[i] {
			if q := cs[i][j]; f.Panels[i][j] != nil && outside(q.Rectangle, grow(c.Rectangle, .5)) > 0 {
				t.Errorf("panel %d, %d stands out of the figure: %v", i, j, q.Rectangle)
			}
		}
	}
}

func BenchmarkTrace(b *testing.B) {
	b.ReportAllocs()
	var tr Trace
	c := answers{&counter{k: 20}}
	obs := []explore.Batch{{Pull: explore.Pull{Arm: 3, N: 1}}, {Pull: explore.Pull{Arm: 19, N: 1}}}
	for i := range b.N {
		tr.Record(explore.Event{Round: i + 1, Pulls: 2 * (i + 1), Obs: obs, Policy: c})
	}
}

func BenchmarkPlace(b *testing.B) {
	b.ReportAllocs()
	pl := must(newPlane(must(dataset.CovBoost{}.Instance()), nil))
	p := pl.panel(0, 1, pl.labels)
	var r recorder.Canvas
	c := p.DataCanvas(draw.NewCanvas(&r, pageWidth, 400))
	pts := pl.points(c, p, 0, 1)
	for range b.N {
		placeLabels(pts, pl.labels, write(tickSize, ink), nil, nil, c.Rectangle)
	}
}

func BenchmarkSampleComplexity(b *testing.B) {
	rows := trials(500)
	b.ReportAllocs()
	for range b.N {
		if err := must(SampleComplexity(rows, nil)).PNG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArmPulls(b *testing.B) {
	rows := trials(500)
	b.ReportAllocs()
	for range b.N {
		if err := must(ArmPulls(rows, nil)).PNG(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
