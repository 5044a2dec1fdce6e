package rage

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// quick are experiments whose small sizes take milliseconds.
var quick = []string{ModerateName, NewerName, SphereName}

// small plays the smallest size of the quick experiments, and the fixed budgets.
func small(tb testing.TB, reps int) []mc.Row {
	tb.Helper()
	var rows []mc.Row
	for _, name := range quick {
		e, err := Named(name)
		if err != nil {
			tb.Fatal(err)
		}
		e.Sizes = e.Sizes[:1]
		g, err := grid(study.Options{Reps: reps}, e)
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, studytest.Simulate(tb, g)...)
	}
	g, err := FixedBudget().Grid(study.Options{Reps: 1})
	if err != nil {
		tb.Fatal(err)
	}
	return append(rows, studytest.Simulate(tb, g)...)
}

// The grid is the paper's: 20 replicates of every method it compares, on every
// experiment, but where a limit says otherwise.
func TestGrid(t *testing.T) {
	g, err := Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reps := map[string]int{}
	for _, c := range g.Cells {
		name, _, _ := strings.Cut(c.Instance.Name, drawn)
		reps[name+"/"+c.Method.Name+"/"+c.Method.Constants] += c.Method.Reps
		if p := c.Method.New(); p == nil {
			t.Errorf("%s has no policy", c.Method.Name)
		}
	}
	for _, e := range Experiments() {
		for _, size := range e.Sizes {
			for _, m := range e.Methods {
				for _, c := range constants(m) {
					want := Reps
					if few, ok := e.Few[m]; ok {
						want = few
					}
					if !e.plays(m, c, size) {
						want = 0
					}
					if got := reps[e.label(size)+"/"+m+"/"+c]; got != want {
						t.Errorf("%s, %s, %s: %d replicates; want %d", e.label(size), m, c, got, want)
					}
				}
			}
		}
	}
	if got := reps["fixed-budget d=10/GSE/T=100"]; got != BudgetReps {
		t.Errorf("%d replicates with a fixed budget; want %d", got, BudgetReps)
	}
	if _, err := Named("cube"); err == nil || !strings.Contains(err.Error(), "sphere") {
		t.Errorf("an experiment that does not exist: %v", err)
	}
}

func TestGolden(t *testing.T) { studytest.Golden(t, "rows.csv", small(t, 2)) }

// The guarantees of the quick experiments hold on few rows already.
func TestClaims(t *testing.T) {
	for id, v := range studytest.Claims(t, Study, small(t, 3)) {
		played := slices.ContainsFunc(quick, func(name string) bool { return strings.HasSuffix(id, " "+name) })
		if strings.HasPrefix(id, "I ") && played && v.Outcome != study.Agrees {
			t.Errorf("%s: %+v", id, v)
		}
	}
	if len(claims(SphereName)) != 3 {
		t.Errorf("%d claims about the sphere", len(claims(SphereName)))
	}
}

// Each experiment has a table of pulls and one of bounds; fixed budgets have one.
func TestReport(t *testing.T) {
	studytest.Report(t, Study, small(t, 3), 2*len(quick)+1, len(quick), RAGE, ALBA, LazyTTS, FWS, "lower bound", GSE)
}

// pooled puts the draws of an instance under one name.
func TestPooled(t *testing.T) {
	e, err := Named(SphereName)
	if err != nil {
		t.Fatal(err)
	}
	got := e.pooled([]mc.Row{{Instance: "sphere n=100 #12"}, {Instance: "sphere n=100 #3"}, {Instance: "benchmark d=5"}})
	if len(got) != 2 || got[0].Rep != 3 || got[1].Rep != 12 || got[0].Instance != "sphere n=100" {
		t.Errorf("%+v", got)
	}
}

// The figures of designs can be drawn, and the certified solver's value is never
// above the paper's by more than its gap.
func TestDesigns(t *testing.T) {
	plane, _, err := ManyArms(12, .3, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := PlaneDesigns(plane); err != nil {
		t.Error(err)
	}
	for _, inst := range []func() error{
		func() error { _, err := Needles(plane); return err },
		func() error { _, err := Convergence(plane); return err },
		func() error { _, err := Roundings(plane, 2, 3, 30); return err },
	} {
		if err := inst(); err != nil {
			t.Error(err)
		}
	}
	sphere, _, err := Sphere(30, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	os, err := Solvers(sphere)
	if err != nil {
		t.Fatal(err)
	}
	if own, paper := os[0].Design, os[1].Design; own.Gap() > 1e-6 || paper.Value < own.Lower {
		t.Errorf("certified %v (gap %v), Frank-Wolfe %v", own.Value, own.Gap(), paper.Value)
	}
	if table, err := Certificates(plane); err != nil || len(table.Rows) != 2 {
		t.Errorf("%v, %v", table, err)
	}
}
