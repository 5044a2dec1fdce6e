package study_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// elimination is an experiment whose runs differ: policies that stop by their data, one of them after 40 pulls at the latest.
func elimination() study.Experiment {
	e := named()
	e.Reps, e.Bounds = 5, nil
	e.Methods = []study.Method{study.NewMethod("LUCB", "", &policy.LUCB{}), study.NewMethod("LUCB", "loose", &policy.LUCB{}),
		study.NewMethod("LinGapE", "", &policy.LUCB{})}
	e.Methods[2].MaxPulls = 40
	return e
}

// A replay is the run that the row is of, whatever the instance, the replicate and the limit of the method; other limits are kept.
func TestReplay(t *testing.T) {
	e := elimination()
	seen := map[int]bool{}
	for _, row := range simulate(t, e, study.Options{}) {
		m, ok := e.Method(row.Method, row.Constants)
		inst, err := e.Named(row.Instance)
		if err != nil || !ok {
			t.Fatal(err, ok)
		}
		for _, set := range []*explore.Settings{nil, {}} {
			r, err := e.Replay(m, inst, row.Size, row.Rep, set)
			if err != nil || r.Pulls != row.Pulls || r.Rounds != row.Rounds || !reflect.DeepEqual(r.Answer.Items, row.Items) ||
				r.Status.String() != row.Status {
				t.Errorf("%+v, %v; the row is %+v", r, err, row)
			}
		}
		limit := &explore.Settings{MaxPulls: 12}
		if r, err := e.Replay(m, inst, row.Size, row.Rep, limit); err != nil || r.Pulls > 12 || limit.MaxPulls != 12 || limit.Src != nil {
			t.Errorf("%+v, %v: want at most 12 pulls, and the settings as they were: %+v", r, err, limit)
		}
		seen[row.Pulls] = true
		f, err := e.Trajectory(row.Instance, row.Method, row.Rep)
		if err != nil || f.Title != "One run of "+row.Method+" on "+row.Instance ||
			!strings.HasPrefix(f.Alt(), fmt.Sprintf("One run of %d pulls.", row.Pulls)) {
			t.Errorf("%s: %s, %v: want the course of a run of %d pulls", f.Title, f.Alt(), err, row.Pulls)
		}
	}
	if len(seen) < 10 {
		t.Errorf("runs have %d numbers of pulls; want many that differ", len(seen))
	}
	for _, names := range [][2]string{{"rope", "LUCB"}, {"long ladder", "nobody"}} {
		if _, err := e.Trajectory(names[0], names[1], 0); err == nil || !strings.Contains(err.Error(), `"LUCB" "LinGapE"`) ==
			(names[1] == "nobody") {
			t.Errorf("%q: error %v; want the names that there are", names, err)
		}
	}
	e.Methods[0].New = func(study.Task) explore.Policy { return &broken{} }
	inst, _ := e.Named("long ladder")
	if _, err := e.Replay(e.Methods[0], inst, 1, 0, nil); !errors.Is(err, errBroken) ||
		!strings.HasPrefix(err.Error(), "toy/ladder: LUCB on long ladder: ") {
		t.Errorf("a policy that cannot begin: %v", err)
	}
}

// Tries are the runs of a study, unless other noise is named, with the most rounds and all wrong answers.
func TestTries(t *testing.T) {
	e := elimination()
	e.Methods = append(e.Methods[:1:1], evenly("rare", "", 1))
	rows := simulate(t, e, study.Options{Reps: 20})
	inst, err := e.Named("long ladder")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range e.Methods {
		own := e.Results(rows).On("long ladder", m.Name, "")
		rounds, wrong := 0, study.Mistakes(own)
		for _, r := range own {
			rounds = max(rounds, r.Rounds)
		}
		p := m.New(e.Task(inst, 1))
		got, err := study.Try(inst, p, 20, nil)
		if err != nil || !slices.Equal(got.Pulls, study.Pulls(own)) || got.Rounds != rounds || got.Wrong != wrong || len(got.Milliseconds) != 20 ||
			slices.Min(got.Milliseconds) <= 0 || !(math.Abs(got.WrongPercent()-5*float64(wrong)) <= 1e-9) || (wrong == 0) == (m.Name == "rare") {
			t.Errorf("%+v, %v; want %d rounds, %d wrong and the pulls %v", got, err, rounds, wrong, study.Pulls(own))
		}
		others, err := study.Try(inst, p, 20, func(run int) seed.Seed { return seed.New(2).Child(run) })
		if err != nil || m.Name == "LUCB" && slices.Equal(others.Pulls, got.Pulls) || m.Name == "rare" && others.Wrong == got.Wrong {
			t.Errorf("%+v, %v: other noise gives the same runs", others, err)
		}
	}
	if _, err := study.Try(inst, &broken{}, 1, nil); !errors.Is(err, errBroken) ||
		!strings.HasPrefix(err.Error(), "study: *study_test.broken on long ladder: ") {
		t.Errorf("a policy that cannot begin: %v", err)
	}
}

// Rows of several runs on each random instance, from whatever order, stand in that of draws and replicates, each with a number of
// its own; methods that ran more often on an instance do not move others.
func TestRowsOfDraws(t *testing.T) {
	e := confident()
	e.Draws, e.Sizes, e.Bounds = 3, []int{2, 4}, e.Bounds[:1]
	e.Reps = 3
	e.Methods[1].Each, e.Methods[2].Reps = 1, 2
	rows := simulate(t, e, study.Options{})
	slices.Reverse(rows)
	before := slices.Clone(rows)
	r := e.Results(append(rows, mc.Row{Experiment: "toy/other", Size: 2, Delta: .1, Rep: 50}))
	if !reflect.DeepEqual(rows, before) || len(r.Rows) != len(rows) || len(r.Runs()) != len(rows)-6 {
		t.Fatalf("%d of %d rows, %d of methods, or the rows themselves changed", len(r.Rows), len(rows), len(r.Runs()))
	}
	for _, size := range e.Sizes {
		for c, want := range map[study.Choice][]int{
			{Method: "even", Constants: "many"}: {0, 1, 2, 3, 4, 5, 6, 7, 8}, {Method: "even", Constants: "few"}: {0, 3, 6},
			{Method: "rare"}: {0, 1, 2, 3, 4, 5}, {Method: "floor", Constants: "bound"}: {0, 3, 6}, {Method: "none"}: nil,
		} {
			var reps []int
			for _, row := range r.Cell(size, c.Method, c.Constants) {
				reps = append(reps, row.Rep)
				if row.Draw != row.Rep/3 || row.Instance != fmt.Sprintf("ladder K=%d", size) {
					t.Errorf("%v: %+v", c, row)
				}
			}
			if !slices.Equal(reps, want) {
				t.Errorf("%v at %d has the replicates %v; want %v", c, size, reps, want)
			}
		}
	}
	// Rows are found as they are now, also if somebody changes them or has results without an experiment.
	r.Rows = r.Rows[:0:0]
	if c := r.Cell(2, "even", "many"); c != nil {
		t.Errorf("rows that are no more: %v", c)
	}
	if c := (&study.Results{Rows: []mc.Row{{Size: 2, Method: "a"}, {Size: 3, Method: "a"}}}).Cell(3, "a", ""); len(c) != 1 || c[0].Size != 3 {
		t.Errorf("rows by hand: %v", c)
	}
}

// Means and standard deviations of pulls stand beside those of the paper: 2, 4 and 6 have mean 4 and deviation 2, one run has none.
func TestPullsBeside(t *testing.T) {
	e := study.Experiment{Name: "e", Names: []string{"x", "y", "z"}, Sizes: []int{0, 1, 2}, Delta: .1}
	row := func(size int, method, constants string, pulls int) mc.Row {
		return mc.Row{Experiment: "e", Size: size, Delta: .1, Method: method, Constants: constants, Pulls: pulls}
	}
	r := e.Results([]mc.Row{row(0, "a", "one", 2), row(0, "a", "one", 4), row(0, "a", "one", 6), row(0, "a", "two", 7),
		row(0, "b", "two", 1), row(0, "b", "two", 3), row(1, "a", "three", 9)})
	got := r.PullsBeside(func(instance, method string) []float64 {
		if instance == "x" && method == "a" {
			return []float64{5, 1.5}
		}
		return nil
	}, []string{"b", "a"}, []string{"one", "two"})
	want := [][]any{{"x", "b", nil, nil, nil, nil, 2., math.Sqrt2}, {"x", "a", 5., 1.5, 4., 2., 7., nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	x := tidy.Table{Title: "T", Columns: tidy.Columns("first")}
	rs := study.ReadRecords("# of the paper\nup,1,2\ndown,\"3\",4\n")
	table := rs.Table(x, "ms", func(row int) any { return "row " + fmt.Sprint(row) })
	if got := table.Title + "\n" + table.CSV(); got != "T\nfirst,up (ms),down (ms)\nrow 0,1,3\nrow 1,2,4\n" {
		t.Errorf("records as a table:\n%s", got)
	}
}

// A part of several tables that cannot be made ends with its error; what was made before it is there.
func TestTablesUntilAnError(t *testing.T) {
	one := study.OneTable(func(r *study.Results) *tidy.Table {
		return &tidy.Table{Title: r.Experiment.Title, Columns: tidy.Columns("a"), Rows: [][]any{{1}}}
	})
	bad := func(*study.Results) ([]*tidy.Table, error) { return []*tidy.Table{{Title: "half"}}, errBroken }
	r := confident().Results(nil)
	ts, err := study.Tables(one, bad, one)(r)
	if err != errBroken || len(ts) != 2 || ts[0].Title != "Ladder" || ts[1].Title != "half" {
		t.Errorf("%v, %v", ts, err)
	}
	if ts, err := study.Tables(one, one)(r); err != nil || len(ts) != 2 {
		t.Errorf("%v, %v", ts, err)
	}
	// So do reports of a paper, which say whose error it is.
	e, other := confident(), confident()
	rows := simulate(t, e, study.Options{})
	other.Name, other.Tables, other.Figures = e.Name, bad, study.Plots(func(*study.Results) []study.Plot {
		return []study.Plot{{Name: "bad one", Draw: func(*study.Results) (*fig.Figure, error) { return nil, errBroken }}}
	})
	extra := func(rows []mc.Row) ([]*tidy.Table, error) { return []*tidy.Table{{Title: fmt.Sprint(len(rows))}}, nil }
	for _, c := range []struct {
		es              []study.Experiment
		tables, figures int
		err             string
	}{
		{[]study.Experiment{e, e}, 7, 4, ""}, {[]study.Experiment{e, other, e}, 6, 2, "toy/ladder: figure bad one: broken"},
	} {
		s := study.Paper{Name: "toy", Title: "Toy", Reference: "2026", Experiments: c.es, Tables: extra}.Study()
		ts, err := s.Tables(rows)
		fs, errs := s.Figures(rows)
		if len(ts) != c.tables || len(fs) != c.figures || (err == nil) != (c.err == "") || (err != nil) && errs.Error() != c.err {
			t.Errorf("%d tables, %v, and %d figures, %v; want %d and %d, %q", len(ts), err, len(fs), errs, c.tables, c.figures, c.err)
		}
		if none, err := s.Tables(nil); len(none) != 0 || err != nil || s.Name != "toy" || s.Paper != "2026" || s.Reps != 6 {
			t.Errorf("%v, %v of %+v", none, err, s)
		}
	}
	e.Instance = func(size, draw int) (*bandit.Instance, error) { return nil, errBroken }
	if _, err := study.ArmTables("few")(e.Results(rows)); err == nil || err.Error() != "toy/ladder: broken" {
		t.Errorf("no instance: %v", err)
	}
}

// The whole is as often as its parts: the replicates of a paper are the most of its experiments, and its runs those of all.
func TestPaperGrid(t *testing.T) {
	a, b := confident(), confident()
	b.Name, b.Draws = "toy/more", 2
	s := study.Paper{Name: "toy", Experiments: []study.Experiment{a, b}}.Study()
	ga, _ := a.Grid(study.Options{})
	gb, _ := b.Grid(study.Options{})
	g, err := s.Grid(study.Options{})
	if err != nil || s.Reps != 12 || len(g.Cells) != len(ga.Cells)+len(gb.Cells) || g.Study != "toy" || g.Seed != 1 ||
		!slices.EqualFunc(g.Cells, append(ga.Cells, gb.Cells...), func(x, y mc.Cell) bool { return x.Key() == y.Key() }) {
		t.Errorf("%d cells of %d and %d, %v, %d replicates", len(g.Cells), len(ga.Cells), len(gb.Cells), err, s.Reps)
	}
	b.Reps = 0
	if _, err := (study.Paper{Name: "toy", Experiments: []study.Experiment{a, b}}).Study().Grid(study.Options{}); err == nil ||
		!strings.Contains(err.Error(), "toy/more") {
		t.Errorf("an experiment that makes no sense: %v", err)
	}
}

// Claims are judged by the rows as they are, also where somebody has changed those of the same results, or has others as many.
func TestClaimsOfRowsThatChange(t *testing.T) {
	e := confident()
	rows := simulate(t, e, study.Options{})
	check := e.Study().Claims()[0].Check
	r := &study.Results{Rows: rows}
	say := func() string { v := check(r); return fmt.Sprint(v.Outcome, " ", v.Measured) }
	got := []string{say(), say()}
	r.Rows = rows[:len(rows)-1]
	got = append(got, say())
	r.Rows = make([]mc.Row, len(rows))
	got = append(got, say())
	r = &study.Results{Rows: rows[:4]}
	if got = append(got, say()); !slices.Equal(got, []string{"agrees 40", "agrees 40", "agrees 39", "not comparable -", "not comparable -"}) {
		t.Errorf("%q", got)
	}
}

// A bound is left out of a figure where it is within 5 % of one before it that is shown.
func TestBoundsBesideOthers(t *testing.T) {
	e := confident()
	e.Bounds = nil
	var rows []mc.Row
	for _, b := range []struct {
		name  string
		pulls int
	}{{"a", 1000}, {"b", 1050}, {"c", 1054}, {"d", 950}, {"none", 0}, {"e", 2}, {"f", 3}, {"g", 3}} {
		e.Bounds = append(e.Bounds, study.Bound{Name: b.name})
		row := mc.Row{Experiment: e.Name, Size: 2, Delta: .1, Method: b.name, Constants: "bound", Pulls: b.pulls, Status: "stopped", Instance: "i"}
		if b.name == "none" {
			row.Status = "failure"
		}
		rows = append(rows, row)
	}
	var got []string
	for _, ref := range study.References(e.Results(rows), 2) {
		got = append(got, fmt.Sprint(ref.Instance, " ", ref.Name, " ", ref.Pulls))
	}
	if want := []string{"i a 1000", "i c 1054", "i d 950", "i e 2", "i f 3"}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// An axis of sizes is logarithmic from a ratio of 20 on.
func TestAxisOfSizes(t *testing.T) {
	for last, want := range map[int]bool{4: false, 39: false, 40: true, 41: true} {
		e := confident()
		e.Sizes = []int{2, last}
		f, err := e.Results(simulate(t, e, study.Options{Reps: 1})).Figure()
		if err != nil {
			t.Fatal(err)
		}
		x := f.Panels[0][0].X
		// On a logarithmic axis the middle is the geometric mean.
		if middle := x.Scale.Normalize(x.Min, x.Max, (x.Min+x.Max)/2); (math.Abs(middle-.5) > 1e-6) != want {
			t.Errorf("sizes 2 and %d: the middle is at %v; want a logarithmic axis: %v", last, middle, want)
		}
	}
}

// What studies make instances of.
func TestMakers(t *testing.T) {
	rnd := study.Stream("makers", 1)
	x := study.OnSphere(rnd, 50, 3)
	var sum [3]float64
	for i := range 50 {
		row := x.RawRowView(i)
		if n := floats.Norm(row, 2); !(math.Abs(n-1) <= 1e-12) {
			t.Errorf("point %d has the norm %v", i, n)
		}
		floats.Add(sum[:], row)
	}
	if floats.Norm(sum[:], 2) > 25 {
		t.Errorf("points are on one side: their sum is %v", sum)
	}
	if a, b, c := study.Stream("a", 1).Uint64(), study.Stream("a", 1).Uint64(), study.Stream("a", 2).Uint64(); a != b || a == c {
		t.Errorf("streams begin with %d, %d and %d; want the first two alike", a, b, c)
	}
	if got := study.Isotropic(2, 3); !mat.Equal(got, mat.NewSymDense(2, []float64{9, 0, 0, 9})) {
		t.Errorf("covariance %v", mat.Formatted(got))
	}
	if got := study.Basis(3, 2); !mat.Equal(got, mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0})) {
		t.Errorf("basis %v", mat.Formatted(got))
	}
	if got := study.Numbered("x", 3); !slices.Equal(got, []string{"x1", "x2", "x3"}) || len(study.Numbered("x", 0)) != 0 {
		t.Errorf("names %q", got)
	}
	if got := study.Places(3); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("places %v", got)
	}
}

// Limits go to the method and the constants that they name, those left out are left out with their constants or with all, and the
// methods themselves stay as they are.
func TestLimits(t *testing.T) {
	ms := twoMethods().Methods
	got := study.Limited(ms, map[study.Choice]study.Method{study.As("a", "code"): {Largest: 1, Reps: 2, MaxPulls: 3, Each: 4},
		study.As("b", "x"): {Reps: 9}})
	var say []string
	for _, m := range append(got, ms...) {
		say = append(say, fmt.Sprint(study.As(m.Name, m.Constants), m.Largest, m.Reps, m.MaxPulls, m.Each))
	}
	if want := []string{"a (theory) 0 0 0 0", "b 0 0 0 0", "a (code) 1 2 3 0",
		"a (theory) 0 0 0 0", "b 0 0 0 0", "a (code) 0 0 0 0"}; !slices.Equal(say, want) {
		t.Errorf("%q; want %q", say, want)
	}
	for _, c := range []struct {
		out  []study.Choice
		left int
	}{{nil, 3}, {[]study.Choice{study.As("a", "code")}, 2}, {[]study.Choice{study.As("a", "")}, 1}, {[]study.Choice{study.As("b", "x")}, 3},
		{[]study.Choice{study.As("b", ""), study.As("a", "theory")}, 1}} {
		if got := study.Without(ms, c.out...); len(got) != c.left || len(ms) != 3 || ms[1].Name != "b" {
			t.Errorf("without %v: %d are left of %v; want %d", c.out, len(got), ms, c.left)
		}
	}
	for _, m := range study.With(7, slices.Clone(ms)...) {
		if m.Reps != 7 {
			t.Errorf("%s has %d replicates; want 7", m.Name, m.Reps)
		}
	}
}
