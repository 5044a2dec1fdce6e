package fig

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// toy returns an instance with exact rewards. If region is nil, the question is the Pareto set.
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

// drawn returns the labels in a plane of inst, as placed in a figure of the given size.
func drawn(t *testing.T, inst *bandit.Instance, x, y int,
	w, h vg.Length) (places []canvas.Placement, points []vg.Point, bounds vg.Rectangle) {
	t.Helper()
	pl, err := newPlane(inst, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pl.panel(x, y, pl.labels)
	var r recorder.Canvas
	c := p.DataCanvas(draw.NewCanvas(&r, w, h))
	points = pl.points(c, p, x, y)
	covers, _ := pl.covers(x, y)
	taken, lines := boundaries(c, p, covers, points, nil)
	return placeLabels(points, points, pl.labels, canvas.Write(canvas.TickSize, canvas.Ink), taken, lines,
		c.Rectangle), points, c.Rectangle
}

func TestLabelsDoNotOverlap(t *testing.T) {
	inst := must(dataset.CovBoost{}.Instance())
	for _, xy := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		places, points, bounds := drawn(t, inst, xy[0], xy[1], canvas.PageWidth-16, 400)
		if len(places) != 20 {
			t.Fatalf("%d labels for 20 arms", len(places))
		}
		for i, a := range places {
			if canvas.Outside(a.Box, bounds) > 0 {
				t.Errorf("objectives %v: label %d stands out of the panel", xy, i)
			}
			for j, b := range places[:i] {
				if canvas.Overlap(a.Box, b.Box) > 0 {
					t.Errorf("objectives %v: labels %d and %d overlap", xy, j, i)
				}
			}
			for j, q := range points {
				if canvas.Overlap(a.Box, canvas.Grow(vg.Rectangle{Min: q, Max: q}, markerRadius)) > 0 {
					t.Errorf("objectives %v: label %d hides marker %d", xy, i, j)
				}
			}
			if d := canvas.Anchor(a.Box, points[i]); !a.Leader &&
				math.Hypot(float64(d.X-points[i].X), float64(d.Y-points[i].Y)) > 20 {
				t.Errorf("objectives %v: label %d is far from its point and has no leader", xy, i)
			}
		}
	}
}

func TestClasses(t *testing.T) {
	// c is dominated by a and infeasible; the plane shows c as infeasible.
	means := mat.NewDense(4, 2, []float64{.6, .6, .5, .5, .3, .5, .9, .1})
	region := must(polyhedron.AtLeast([]float64{.4, .2}, nil))
	pl := must(newPlane(toy(means, region), nil))
	want := []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Infeasible}
	for i, c := range pl.classes {
		if c != want[i] {
			t.Errorf("arm %d is %v, want %v", i, c, want[i])
		}
	}
	// Without a region, (0.6, 0.6) and (0.9, 0.1) are optimal.
	pl = must(newPlane(toy(means, nil), nil))
	if pl.classes[3] != explore.Optimal || pl.classes[2] != explore.Dominated {
		t.Errorf("classes without region: %v", pl.classes)
	}
}

func TestDegenerate(t *testing.T) {
	// Encoding these figures never panics, in any format.
	same := mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1})
	row := mc.Row{
		Instance: "i",
		Method:   "m",
		Status:   "stopped",
		Pulls:    5,
		ArmPulls: []int{5},
		Correct:  true,
	}
	zero, early, failed := row, row, row
	zero.Pulls, zero.ArmPulls = 0, []int{0}
	early.Status, failed.Status, failed.Err = "pull limit", "failure", "broken"
	nameless := toy(mat.NewDense(2, 2, []float64{0, 1e9, 1e-9, 0}), nil)
	nameless.Problem.ArmNames, nameless.Name = []string{" ", strings.Repeat("very long name ", 20)}, ""
	prob, said := &explore.Problem{Arms: 1, Objectives: 1}, map[string]string{}
	for name, make := range map[string]func() (*Figure, error){
		"one arm": func() (*Figure, error) {
			return Responses(toy(mat.NewDense(1, 2, []float64{0, 0}), nil), nil)
		},
		"equal arms": func() (*Figure, error) {
			return Responses(toy(same, nil), &PlaneOptions{Front: true})
		},
		"odd names": func() (*Figure, error) { return Responses(nameless, &PlaneOptions{Front: true}) },
		"infinite radius": func() (*Figure, error) {
			e := Truth(toy(same, nil))
			e.around(math.Inf(1), 1, math.NaN(), math.NaN(), 0, 0)
			return e.Plane(nil)
		},
		"far region": func() (*Figure, error) {
			return Responses(toy(same, must(polyhedron.AtLeast([]float64{99, 99}, nil))), &PlaneOptions{Front: true})
		},
		"tiny": func() (*Figure, error) {
			return Responses(toy(same, nil), &PlaneOptions{Width: 30, Height: 30})
		},
		"one row": func() (*Figure, error) { return SampleComplexity([]mc.Row{row}, nil) },
		"equal rows": func() (*Figure, error) {
			return SampleComplexity([]mc.Row{row, row, row, row, row, row, row}, nil)
		},
		"no pulls": func() (*Figure, error) {
			return SampleComplexity([]mc.Row{zero, zero, zero, zero, zero, row}, nil)
		},
		"all cut short": func() (*Figure, error) { return SampleComplexity([]mc.Row{early, early}, nil) },
		"all failed":    func() (*Figure, error) { return SampleComplexity([]mc.Row{failed}, nil) },
		"far reference": func() (*Figure, error) {
			return SampleComplexity([]mc.Row{row},
				&RowOptions{References: []Reference{{"", "bound", 1e12}, {"", "b", 1e-3},
					{"", "c", 1}, {"", "d", 2}, {"", "e", 3}}})
		},
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
				t.Error("no alternative text")
			}
			said[name] = words(f)
			if err := f.PDF(io.Discard); err != nil {
				t.Error(err)
			}
			// A low resolution is enough to find errors.
			f.Draw(draw.New(vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(24))))
		})
	}
	golden.Check(t, "degenerate.txt", pages(said))
}

func TestSpreadAgreesWithTables(t *testing.T) {
	rows := trials(60)
	rows[2].Correct = false
	rows[4].Status, rows[4].Correct = "pull limit", false
	for _, c := range tidy.SampleComplexity(rows, .95) {
		var l lane
		for _, r := range rows {
			if r.Key() == c.Key {
				l.rows, l.reps = append(l.rows, r), l.reps+1
			}
		}
		sp := newSpread(c.Method, Look{}, l)
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

// counter is a policy that pulls the arms in turn and certifies arm i after 10 × (i+1) rounds. counter counts the
// calls of Answer.
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

// recordRounds records rounds with one pull of each of k arms.
func recordRounds(tr *Trace, k, rounds int) *counter {
	c := &counter{k: k}
	obs := make([]explore.Batch, k)
	for i := range obs {
		obs[i].Pull = explore.Pull{Arm: i, N: 1}
	}
	for c.rounds < rounds {
		c.rounds++
		if err := tr.Record(
			explore.Event{Round: c.rounds, Pulls: k * c.rounds, Obs: obs, Policy: answers{c}},
		); err != nil {
			panic(err)
		}
	}
	return c
}

// answers is a policy that implements only Answer.
type answers struct{ c *counter }

func (answers) Init(*explore.Problem, rand.Source) error   { panic("not used") }
func (answers) Ask([]explore.Pull) ([]explore.Pull, error) { panic("not used") }
func (answers) Tell([]explore.Batch) error                 { panic("not used") }
func (a answers) Answer() explore.Answer                   { return a.c.Answer() }

func TestTrace(t *testing.T) {
	var tr Trace
	const k, rounds = 3, 100_000
	c := recordRounds(&tr, k, rounds)
	// 3 to 300 000 pulls are 5 decades with at most 60 samples each, and two samples for the ends.
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
	tr.End(
		&explore.Result{
			Pulls:    k * rounds,
			Rounds:   rounds,
			ArmPulls: []int{rounds, rounds, rounds},
			Answer:   c.Answer(),
		},
	)
	last := tr.Samples[len(tr.Samples)-1]
	if last.Pulls != k*rounds || last.class(2) != explore.Optimal {
		t.Errorf("the last sample is %+v", last)
	}
	n := len(tr.Samples)
	tr.End(&explore.Result{Pulls: k * rounds, Rounds: rounds, ArmPulls: []int{rounds, rounds, rounds}})
	if len(tr.Samples) != n {
		t.Error("End twice adds a sample")
	}
	// A course certifies arm i at the first sample from round 10 × (i+1) on; each arm has a third of all pulls.
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
	var none Trace // a run without rounds has no state
	none.End(&explore.Result{Pulls: 3})
	tr.End(nil)
	if len(none.Samples) != 0 || len(tr.Samples) != n {
		t.Errorf("%d and %d samples after runs that have none", len(none.Samples), len(tr.Samples)-n)
	}
	// A second run starts a new trace.
	recordRounds(&tr, k, 5)
	if tr.Samples[len(tr.Samples)-1].Pulls > 15 {
		t.Error("a second run is appended to the first")
	}
}

// colours returns the colours in a figure.
func colours(f *Figure) map[color.Color]bool {
	var r recorder.Canvas
	f.Draw(draw.NewCanvas(&r, f.Width, f.Height))
	cs := map[color.Color]bool{}
	for _, a := range r.Actions {
		if s, ok := a.(*recorder.SetColor); ok {
			cs[s.Color] = true
		}
	}
	return cs
}

// Figures that share a palette draw a method in the same way. Without a palette, the first method of each figure
// has the first look.
func TestPaletteIsShared(t *testing.T) {
	p := Palette{"A", "B", "C", "D"}
	d := p.Look("D").Color
	rows := synthetic("i", "paper", 3, 6, map[string]float64{"D": 100}, "D")
	inst := stairs(3, 20)
	for name, make := range map[string]func(p Palette) (*Figure, error){
		"sweep": func(p Palette) (*Figure, error) {
			return Sweep([]SweepPanel{growing("D")}, &SweepOptions{Palette: p})
		},
		"complexity": func(p Palette) (*Figure, error) {
			return SampleComplexity(rows, &RowOptions{Palette: p})
		},
		"front": func(p Palette) (*Figure, error) {
			return Front(inst, []FrontAnswer{{Name: "D", Items: []int{0, 1}}}, &FrontOptions{Palette: p})
		},
	} {
		if cs := colours(must(make(p))); !cs[d] || cs[canvas.Blue] {
			t.Errorf("%s: D is not drawn in the colour of the fourth method", name)
		}
		if cs := colours(must(make(nil))); cs[d] || !cs[canvas.Blue] {
			t.Errorf("%s: D alone is not drawn in the colour of the first method", name)
		}
	}
}

// A median is exact if it is below the numbers of pulls of all runs that a limit ended; otherwise, it is a lower
// bound.
func TestMedianCutShort(t *testing.T) {
	for _, c := range []struct {
		early []float64
		want  string
	}{
		{nil, "50"},
		{[]float64{60}, "50"},
		{[]float64{50}, "≥ 50"},
		{[]float64{40}, "≥ 50"},
		{[]float64{40, 60}, "≥ 50"},
	} {
		sp := spread{early: c.early, median: tidy.Summary{Center: 50}}
		if got := sp.center(); got != c.want {
			t.Errorf("runs cut short at %v: median %s; want %s", c.early, got, c.want)
		}
	}
}

func spent() []ArmEffort {
	return []ArmEffort{{"A01", 12, 2, 0}, {"A02", 40, 0, 3}, {"A03", 0, 0, 0}, {"A04", 7, 8, 1}}
}

func TestEffort(t *testing.T) {
	f := must(Effort(spent(), nil))
	want := "Measurements of 4 arms: 59 used, 10 pending, 4 failed or not used. Most on A02 (43), A04 (16), A01 (14)."
	if f.Description != want {
		t.Errorf("got  %s\nwant %s", f.Description, want)
	}
	if len(f.Legend) != 3 || len(f.Notes) != 0 {
		t.Errorf("%d entries, notes %q", len(f.Legend), f.Notes)
	}
	// Without pending and lost measurements, the legend has no entries for them.
	if f := must(Effort([]ArmEffort{{Name: "a"}}, nil)); len(f.Legend) != 1 {
		t.Errorf("%d entries for an arm that was not measured", len(f.Legend))
	}
	many := make([]ArmEffort, 35)
	for i := range many {
		many[i] = ArmEffort{fmt.Sprint(i), i / 3, (i + 1) / 3, (i + 2) / 3} // i measurements
	}
	f = must(Effort(many, nil))
	// The five arms with 0 to 4 measurements are left out.
	if full := must(Effort(many[5:], nil)); len(full.Notes) != 0 || !strings.Contains(full.Description, "Most on 34 (34), 33 (33), 32 (32), 31 (31), 30 (30).") {
		t.Errorf("thirty arms: notes %q, %s", full.Notes, full.Description)
	}
	if f := must(Effort(many[:2], nil)); !strings.HasSuffix(f.Description, "Most on 1 (1).") {
		t.Errorf("an arm without measurements is among those with the most: %s", f.Description)
	}
	if want := "The figure shows the 30 of 35 arms with the most measurements; the other arms have 10 in total."; len(f.Notes) != 1 ||
		f.Notes[0] != want {
		t.Errorf("notes %q; want %q", f.Notes, want)
	}
}
