package ecape

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// small plays the study with the constants of the paper's experiments only.
func small(tb testing.TB, reps int, seed uint64) []mc.Row {
	tb.Helper()
	g, err := Grid(study.Options{Reps: reps, Seed: seed})
	if err != nil {
		tb.Fatal(err)
	}
	g.Methods = slices.DeleteFunc(g.Methods, func(m mc.Method) bool { return m.Constants != Paper })
	return studytest.Simulate(tb, g)
}

// The grid is the paper's: 500 replicates with its constants, all baselines.
func TestGrid(t *testing.T) {
	g, err := Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g.Reps != 500 || g.Seed != 1 || len(g.Instances) != 3 || len(g.Methods) != 12 {
		t.Errorf("%d replicates, seed %d, %d instances, %d methods", g.Reps, g.Seed, len(g.Instances), len(g.Methods))
	}
	for _, m := range g.Methods {
		want := 50
		if m.Constants == Paper {
			want = 500
		}
		if m.Reps != want || m.Delta != .1 {
			t.Errorf("%s, %s: %d replicates at delta %v; want %d at 0.1", m.Name, m.Constants, m.Reps, m.Delta, want)
		}
		if name := fmt.Sprint(m.New()); !strings.Contains(name, m.Name) || !strings.Contains(name, m.Constants) {
			t.Errorf("%s, %s is %s", m.Name, m.Constants, name)
		}
	}
	if g, err = Grid(study.Options{Reps: 20}); err != nil || g.Methods[0].Reps != 20 || g.Methods[11].Reps != 2 {
		t.Errorf("20 replicates scale to %d and %d", g.Methods[0].Reps, g.Methods[11].Reps)
	}
}

// Three replicates at a fixed seed, to the pull.
func TestGolden(t *testing.T) { studytest.Golden(t, "rows.csv", small(t, 3, 1)) }

// Every claim has a verdict on few rows, and says what is missing without any.
func TestClaims(t *testing.T) {
	rows := small(t, 8, 2)
	verdicts := studytest.Claims(t, Study, rows, "E1", "F1", "F2") // of the instances alone
	if v := verdicts["D2"]; v.Outcome != study.NotComparable {
		t.Errorf("D2 is judged without its rows: %+v", v)
	}
	table := study.Judge(Claims(), rows).Text()
	for _, say := range []string{"agree", "differ", "not comparable", "A1"} {
		if !strings.Contains(table, say) {
			t.Errorf("the table of claims does not say %q", say)
		}
	}
}

// A report of some of the constants has the figures that there are rows for, and
// all tables.
func TestReport(t *testing.T) {
	studytest.Report(t, Study, small(t, 2, 3), 5, 5, ECAPE, Racing, "C*")
}

// A claim's verdict follows the rows, both ways.
func TestVerdictFollowsRows(t *testing.T) {
	rows := func(own, other int) []mc.Row {
		var rs []mc.Row
		for rep := range 40 {
			rs = append(rs,
				mc.Row{Instance: Published, Method: ECAPE, Constants: Paper, Rep: rep, Pulls: own + rep, Rounds: own / 2, ArmPulls: make([]int, 5), Status: "stopped", Correct: true, Delta: Delta},
				mc.Row{Instance: Published, Method: TwoStage, Constants: Paper, Rep: rep, Pulls: other + rep, ArmPulls: make([]int, 5), Status: "stopped", Correct: true, Delta: Delta})
		}
		return rs
	}
	check := below(Published, TwoStage)
	if v := check(rows(1000, 2000)); v.Outcome != study.Agrees {
		t.Errorf("half: %+v", v)
	}
	if v := check(rows(2000, 1000)); v.Outcome != study.Differs || !strings.Contains(v.Why, "more") || !strings.Contains(v.Why, "rounds") {
		t.Errorf("twice: %+v", v)
	}
	if v := check(rows(1000, 1000)); v.Outcome != study.Differs || !strings.Contains(v.Why, "no difference") {
		t.Errorf("equal: %+v", v)
	}
	wrong := rows(1000, 2000)
	for i := range wrong {
		wrong[i].Correct = i%2 == 0
	}
	errors := negligible(Delta, []string{Published}, []string{ECAPE, TwoStage}, Paper, "")
	if v := errors(wrong); v.Outcome != study.Differs {
		t.Errorf("half of the answers wrong: %+v", v)
	}
	if v := errors(rows(1000, 2000)); v.Outcome != study.Agrees {
		t.Errorf("no errors in 40 runs at delta 0.1: %+v", v)
	}
	if v := negligible(Delta, []string{Published}, []string{ECAPE, Racing}, Paper, "")(rows(1000, 2000)); v.Outcome != study.NotComparable || !strings.Contains(v.Why, Racing) {
		t.Errorf("a method that was not run: %+v", v)
	}
}

// Complexities by hand: on secukinumab the terms 2 sigma^2 / gap^2 with sigma
// 1/2 are 0.5 / gap^2.
//
//	150 mg, optimal: max over distances 0.065 to the region's boundary and what
//	  the explained arms demand: 0.5/0.065^2 = 118.3; nothing demands more.
//	placebo: dominated by min(0.105, 0.115) = 0.105: 45.4 (0.040 infeasible: 312.5)
//	25 mg: dominated by 0.054: 171.5, infeasible by 0.060: 138.9
//	75 mg: 0.012: 3472.2. 300 mg: 0.010: 5000.
//
// Sum 118.3 + 45.4 + 138.9 + 3472.2 + 5000 = 8774.8.
func TestBounds(t *testing.T) {
	all, err := Instances()
	if err != nil {
		t.Fatal(err)
	}
	table := Bounds(all)
	if c := table.Rows[0][1].(float64); c < 8774.7 || c > 8774.9 {
		t.Errorf("C* of secukinumab is %v; want 8774.8", c)
	}
	if _, err := Named("nothing"); err == nil || !strings.Contains(err.Error(), CovBoost) {
		t.Errorf("error %v; want the names that there are", err)
	}
}

// BenchmarkSection5 is one replicate of all methods on all instances with the
// paper's constants; the paper has 500.
func BenchmarkSection5(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		small(b, 2, uint64(i)+1)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/2*500, "s/500reps")
}

// BenchmarkDoseFinding is one run of e-cAPE on the dose-finding trial with the
// paper's constants, which takes the authors' program 2759 ms (Table 5).
func BenchmarkDoseFinding(b *testing.B) {
	g, err := Grid(study.Options{Reps: 1})
	if err != nil {
		b.Fatal(err)
	}
	g.Instances, g.Methods, g.Workers = g.Instances[:1], g.Methods[:1], 1
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Seed = uint64(i) + 1
		if _, err := g.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
