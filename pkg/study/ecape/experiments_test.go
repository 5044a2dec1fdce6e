package ecape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// played plays reps replicates of an experiment, of the given constants only if
// there are any.
func played(tb testing.TB, e Experiment, reps int, constants ...string) []mc.Row {
	tb.Helper()
	g, err := e.Study().Grid(study.Options{Reps: reps, Seed: 1})
	if err != nil {
		tb.Fatal(err)
	}
	if len(constants) > 0 {
		g.Methods = slices.DeleteFunc(g.Methods, func(m mc.Method) bool { return !slices.Contains(constants, m.Constants) })
	}
	for i := range g.Methods {
		g.Methods[i].Reps = reps
	}
	return studytest.Simulate(tb, g)
}

// Replicates, error probabilities and methods are the paper's.
func TestExperiments(t *testing.T) {
	seen := map[string]bool{Study.Name: true}
	want := map[string]struct {
		reps, instances int
		delta           float64
	}{
		"ecape-polyhedra":       {500, 3, .1},
		"ecape-runtime":         {10, 4, .1},
		"ecape-explainability":  {250, 2, .01},
		"ecape-hard-for-racing": {250, 2, .01},
	}
	for _, e := range Experiments() {
		w, ok := want[e.Name]
		if !ok || seen[e.Name] {
			t.Errorf("experiment %q", e.Name)
		}
		seen[e.Name] = true
		s := e.Study()
		g, err := s.Grid(study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Name != e.Name || g.Study != e.Name || g.Seed != 1 || g.Reps != w.reps || s.Reps != w.reps || len(g.Instances) != w.instances {
			t.Errorf("%s: study %s, grid of %s, seed %d, %d replicates, %d instances; want %+v", e.Name, s.Name, g.Study, g.Seed, g.Reps, len(g.Instances), w)
		}
		for _, m := range g.Methods {
			fewer := m.Constants == Calibrated && e.Name != "ecape-explainability"
			if m.Delta != w.delta || (m.Reps != w.reps && !fewer) || (fewer && m.Reps != 50) {
				t.Errorf("%s: %s (%s): %d replicates at delta %v", e.Name, m.Name, m.Constants, m.Reps, m.Delta)
			}
			name := fmt.Sprint(m.New())
			if !strings.Contains(name, m.Name) || (w.delta == .01 && !strings.Contains(name, "0.01")) {
				t.Errorf("%s: %s at delta %v is %s", e.Name, m.Name, m.Delta, name)
			}
		}
		if _, err := g.Header(); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
		if _, err := e.Instance("sphere"); err == nil || !strings.Contains(err.Error(), g.Instances[0].Name) {
			t.Errorf("%s: an instance that does not exist: %v", e.Name, err)
		}
	}
}

// The arms are what the instances were made for.
func TestInstances(t *testing.T) {
	const o, d, i, b = "optimal", "dominated", "infeasible", "dominated and infeasible"
	for name, want := range map[string][]string{
		SimplexRegion: {o, o, o, d, d, i, b, b},
		CubeRegion:    {o, o, o, d, d, d, b, i, i},
		OrderedRegion: {o, o, o, d, d, b, b, i, i},
		CheapReasons:  {o, o, d, d, i},
		HardReasons:   {o, o, b, i, d},
		Racing5:       {o, d, d, d, d},
		Racing10:      {o, d, d, d, d, d, d, d, d, d},
	} {
		found := false
		for _, e := range []Experiment{Polyhedra(), Explainability(), HardForRacing()} {
			inst, err := e.Instance(name)
			if err != nil {
				continue
			}
			found = true
			truth := inst.Problem.Question.(question.FeasiblePareto).Truth(inst.Truth())
			var got []string
			for a := range inst.Problem.K() {
				got = append(got, statusOf(truth, a))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q; want %q", name, got, want)
			}
			if len(inst.Notes) == 0 {
				t.Errorf("%s does not say whose means these are", name)
			}
			if r := inst.Remarks(); len(r) > len(inst.Notes) {
				t.Errorf("%s: %q", name, r)
			}
		}
		if !found {
			t.Errorf("no instance %q", name)
		}
	}
}

// What appendix F asks of the instances: no dominated arm dominates another, and
// the optimal arm is the only one near the boundary.
//
// The terms 2 sigma^2/gap^2 with sigma = 1/2 are 0.5/gap^2. Arm A: distance 0.05,
// 200. With K = 5 the others are dominated by 0.2, 17/60, 7/30, 0.15: 12.5 + 6.228 +
// 9.184 + 22.222. Sum 250.13. Racing pays 200 for each of the five.
func TestHardForRacing(t *testing.T) {
	e := HardForRacing()
	for _, name := range []string{Racing5, Racing10} {
		inst, err := e.Instance(name)
		if err != nil {
			t.Fatal(err)
		}
		mu := inst.Truth()
		truth := inst.Problem.Question.(question.FeasiblePareto).Truth(mu)
		var others []int
		for i := 1; i < inst.Problem.K(); i++ {
			others = append(others, i)
			if truth.By[i] != 0 || truth.D[i] < .149 || truth.Eta[i] < 3.9*truth.Eta[0] {
				t.Errorf("%s: arm %d is dominated by %d by %v, at %v from the boundary", name, i+1, truth.By[i]+1, truth.D[i], truth.Eta[i])
			}
		}
		if front := pareto.SetOf(mu, others); !slices.Equal(front, others) {
			t.Errorf("%s: without the optimal arm the Pareto set is %v; want all others", name, front)
		}
	}
	inst, err := e.Instance(Racing5)
	if err != nil {
		t.Fatal(err)
	}
	if c := cStar(inst).Value; c < 250.12 || c > 250.15 {
		t.Errorf("C* is %v; want 250.13", c)
	}
}

// The set is as hard as the set with reasons on one instance, and clearly easier
// on the other; reasons are never cheaper.
func TestBoundsOfExperiments(t *testing.T) {
	for _, e := range Experiments() {
		bs, err := e.bounds()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bs {
			if b.setOnly.Lower > b.explained.Upper || !b.explained.Exact {
				t.Errorf("%s: T* is %v for the set and %v with reasons, exact %v", b.inst.Name, b.setOnly.Lower, b.explained.Upper, b.explained.Exact)
			}
			r := b.explained.Upper / b.setOnly.Lower
			if b.inst.Name == CheapReasons && r > 1.1 || b.inst.Name == HardReasons && r < 1.1 {
				t.Errorf("%s: T* with reasons is %.3f times T* of the set", b.inst.Name, r)
			}
		}
		table, err := e.Bounds()
		if err != nil || len(table.Rows) != len(bs) {
			t.Errorf("%s: %v, %v", e.Name, table, err)
		}
	}
}

// No method that is right with probability 1 - delta needs fewer pulls on average
// than the lower bound: e-cAPE with guaranteed constants, on every instance.
func TestAboveLowerBound(t *testing.T) {
	for _, e := range []Experiment{Polyhedra(), Explainability(), HardForRacing()} {
		rows := played(t, e, 3, Calibrated)
		bs, err := e.bounds()
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range bs {
			mean, bound := stat.Mean(pulls(cell(rows, b.inst.Name, ECAPE, Calibrated)), nil), b.setOnly.LowerBound(e.Delta)
			if !(mean > bound) || !(bound > 0) {
				t.Errorf("%s: %v pulls on average, below the lower bound of %v", b.inst.Name, mean, bound)
			}
		}
	}
}

// Replicates at a fixed seed, to the pull, but for runs that are so long that they
// hang on the last bit of a best response.
func TestGoldenExperiments(t *testing.T) {
	var rows []mc.Row
	for _, e := range Experiments() {
		for _, r := range played(t, e, 2, Paper, Heuristic) {
			if r.Pulls <= 10_000 || r.Method != Game {
				r.Instance = r.Study + " " + r.Instance
				rows = append(rows, r)
			}
		}
	}
	studytest.Golden(t, "experiments.csv", rows)
}

// Every claim has a verdict on few rows, and says what is missing without any;
// tables and figures are there if and only if there are rows.
func TestReportOfExperiments(t *testing.T) {
	for _, e := range Experiments() {
		t.Run(e.Name, func(t *testing.T) {
			s, rows := e.Study(), played(t, e, 1)
			for id, v := range studytest.Claims(t, s, rows, "B", "B3") { // of the instances alone
				if strings.HasPrefix(v.Why, "no runs of") {
					t.Errorf("%s: %+v with rows", id, v)
				}
			}
			instances, err := e.Instances()
			if err != nil {
				t.Fatal(err)
			}
			tables := 2 + len(instances) // complexities, bounds, means
			if e.tables != nil {
				tables++
			}
			studytest.Report(t, s, rows, tables, len(instances)+2, "C*", ECAPE)
		})
	}
}

// Reasons can be wrong where the set is right, and not the other way round; a run
// that did not end is wrong.
func TestMistakes(t *testing.T) {
	inst, err := Explainability().Instance(CheapReasons) // O O D D I
	if err != nil {
		t.Fatal(err)
	}
	right := []int{0, 1}
	for _, c := range []struct {
		items          []int
		classes        string
		status         string
		explained, set int
	}{
		{right, "OODDI", "stopped", 0, 0},
		{right, "OOIDI", "stopped", 1, 0}, // C is feasible
		{right, "OODDD", "stopped", 1, 0}, // E is not dominated
		{right, "OODDU", "stopped", 1, 0},
		{right, "", "stopped", 1, 0}, // no reasons
		{[]int{0}, "OIDDI", "stopped", 1, 1},
		{right, "OODDI", "pull limit", 1, 1},
	} {
		e, s := mistakes(inst, []mc.Row{{Items: c.items, Classes: c.classes, Status: c.status}})
		if e != c.explained || s != c.set {
			t.Errorf("%v %q, %s: reasons wrong %d, set wrong %d; want %d and %d", c.items, c.classes, c.status, e, s, c.explained, c.set)
		}
	}
	// What the grid scores is the question with reasons.
	for _, r := range played(t, Explainability(), 1, Heuristic) {
		inst, err := Explainability().Instance(r.Instance)
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := mistakes(inst, []mc.Row{r}); (e == 0) != r.Correct {
			t.Errorf("%s: %d mistakes of %q, correct %v", r.Instance, e, r.Classes, r.Correct)
		}
	}
}

// Verdicts follow the rows, both ways.
func TestVerdictsOfExperiments(t *testing.T) {
	e := HardForRacing()
	row := func(instance, method, constants string, rep, pulls int, correct bool, arms ...int) mc.Row {
		return mc.Row{Study: e.Name, Instance: instance, Method: method, Constants: constants, Rep: rep, Pulls: pulls + rep, ArmPulls: arms, Status: "stopped", Correct: correct}
	}
	rows := func(racing5, racing10, least int) []mc.Row {
		var rs []mc.Row
		for rep := range 40 {
			rs = append(rs,
				row(Racing5, ECAPE, Paper, rep, 1000, true), row(Racing10, ECAPE, Paper, rep, 1000, true),
				row(Racing5, Racing, Paper, rep, racing5, true, 100, least), row(Racing10, Racing, Paper, rep, racing10, true, 100, least))
		}
		return rs
	}
	check := func(name string, v study.Verdict, want study.Outcome) {
		t.Helper()
		if v.Outcome != want {
			t.Errorf("%s: %+v; want %v", name, v, want)
		}
	}
	check("three times", exceeds(Racing10, Racing, ECAPE, Paper, 2)(rows(2000, 3000, 100)), study.Agrees)
	check("one and a half, largely", exceeds(Racing10, Racing, ECAPE, Paper, 2)(rows(2000, 1500, 100)), study.Differs)
	check("growing", grows(rows(2000, 3000, 100)), study.Agrees)
	check("the same", grows(rows(2000, 2000, 100)), study.Differs)
	check("all arms pulled", together(rows(2000, 3000, 95)), study.Agrees)
	check("arms dropped early", together(rows(2000, 3000, 50)), study.Differs)
	both := func(instance, a, b string, x, y int) []mc.Row {
		var rs []mc.Row
		for rep := range 40 {
			rs = append(rs, row(instance, a, Paper, rep, x, true), row(instance, b, Paper, rep, y, true))
		}
		return rs
	}
	for _, c := range []struct {
		own, other int
		want       study.Outcome
	}{{800, 1000, study.Agrees}, {300, 1000, study.Differs}, {1000, 1000, study.Differs}, {1500, 1000, study.Differs}} {
		check(fmt.Sprint("slightly ", c), slightly(CheapReasons, Paper, Paper)(both(CheapReasons, ECAPE, Game, c.own, c.other)), c.want)
	}
	check("dearer", dearer(Paper, Paper)(both(HardReasons, ECAPE, Game, 2000, 1000)), study.Agrees)
	check("not dearer", dearer(Paper, Paper)(both(HardReasons, ECAPE, Game, 1000, 2000)), study.Differs)
	check("uniform wins", uniformWins(Paper)(both(CubeRegion, Uniform, TwoStage, 900, 1000)), study.Agrees)
	check("uniform loses", uniformWins(Paper)(both(CubeRegion, Uniform, TwoStage, 1100, 1000)), study.Differs)

	// Two of five answers give a wrong reason for C, and all sets are right.
	var games []mc.Row
	for rep := range 100 {
		r := row(CheapReasons, Game, Paper, rep, 1000, true)
		r.Items, r.Classes = []int{0, 1}, "OODDI"
		if rep%5 < 2 {
			r.Classes = "OOIDI"
		}
		games = append(games, r)
	}
	x := Explainability()
	one := []string{CheapReasons}
	check("reasons wrong, as the paper has it", wrongReasons(x, CheapReasons, Game, Paper)(games), study.Agrees)
	check("reasons wrong, where they should be right", rarely(x, one, Game, []string{Paper}, true)(games), study.Differs)
	check("set right, in a hundred runs", rarely(x, one, Game, []string{Paper}, false)(games), study.NotComparable)
	var more []mc.Row
	for range 4 {
		more = append(more, games...)
	}
	check("set right", rarely(x, one, Game, []string{Paper}, false)(more), study.Agrees)
	check("constants that were not run", rarely(x, one, Game, []string{Paper, Theory}, false)(more), study.NotComparable)
	for i := range more {
		more[i].Classes = "OODDI"
	}
	check("reasons right", wrongReasons(x, CheapReasons, Game, Paper)(more), study.Differs)
}

// What is timed are the replicates of the study at seed 1.
func TestRuntimes(t *testing.T) {
	ts, err := measure(2)
	if err != nil {
		t.Fatal(err)
	}
	rows := played(t, Runtime(), 2)
	for _, c := range ts {
		if got, want := c.pulls, pulls(cell(rows, c.instance, c.method, Paper)); !slices.Equal(got, want) {
			t.Errorf("%s on %s: runs of %v pulls were timed; want %v", c.method, c.instance, got, want)
		}
	}
	table, err := Runtimes(1)
	if err != nil || len(table.Rows) != 12 || strings.Contains(table.Text(), "NaN") {
		t.Errorf("%v, %v", table, err)
	}
	// 672 ms and 2679 pulls: 0.25 ms each.
	if us := perPull(SimplexRegion, ECAPE); us < 250 || us > 251 {
		t.Errorf("%v us a pull in the paper; want 250.8", us)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic without runs")
		}
	}()
	Runtimes(0)
}

// Table 4 has the paper's numbers beside those of the rows.
func TestTable4(t *testing.T) {
	var rows []mc.Row
	for rep, n := range []int{100, 200, 300} {
		rows = append(rows, mc.Row{Instance: SimplexRegion, Method: ECAPE, Constants: Paper, Rep: rep, Pulls: n})
	}
	table := Table4(rows)
	want := []any{SimplexRegion, ECAPE, 2679., 517., 200., 100., nil, nil}
	if len(table.Rows) != 1 || !slices.Equal(table.Rows[0], want) {
		t.Errorf("%v; want %v", table.Rows, want)
	}
}

// BenchmarkExperiments is one replicate of each experiment.
func BenchmarkExperiments(b *testing.B) {
	for _, e := range Experiments() {
		b.Run(e.Name, func(b *testing.B) {
			b.ReportAllocs()
			g, err := e.Study().Grid(study.Options{Reps: 1})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				g.Seed = uint64(i) + 1
				if _, err := g.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBounds computes the complexities of all instances.
func BenchmarkBounds(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range Experiments() {
			if _, err := e.bounds(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
