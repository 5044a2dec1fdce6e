package ecape

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

var update = flag.Bool("update", false, "write the golden rows anew")

// small plays the study with the constants of the paper's experiments only.
func small(tb testing.TB, reps int, seed uint64) []mc.Row {
	tb.Helper()
	g, err := Grid(study.Options{Reps: reps, Seed: seed})
	if err != nil {
		tb.Fatal(err)
	}
	g.Methods = slices.DeleteFunc(g.Methods, func(m mc.Method) bool { return m.Constants != Paper })
	rows, err := g.Run(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return rows
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

// Three replicates at a fixed seed, to the pull: a change of these numbers is a
// change of results, and is to be explained in the changelog.
func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Logf("written on amd64; %s may round otherwise", runtime.GOARCH)
	}
	var b strings.Builder
	b.WriteString("instance,method,rep,pulls,rounds,classes,correct\n")
	for _, r := range small(t, 3, 1) {
		fmt.Fprintf(&b, "%s,%s,%d,%d,%d,%s,%v\n", r.Instance, r.Method, r.Rep, r.Pulls, r.Rounds, r.Classes, r.Correct)
	}
	const path = "testdata/rows.csv"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("rows differ from %s:\n%s", path, b.String())
	}
}

// Every claim has a verdict on few rows, and says what is missing without any.
func TestClaims(t *testing.T) {
	rows := small(t, 8, 2)
	seen := map[string]bool{}
	for _, c := range Claims() {
		if seen[c.ID] || c.Source == "" || c.Statement == "" {
			t.Errorf("claim %+v", c)
		}
		seen[c.ID] = true
		v := c.Check(rows)
		if v.Measured == "" || v.Why == "" || strings.Contains(v.Measured+v.Why, "NaN") {
			t.Errorf("%s: %+v", c.ID, v)
		}
		if c.ID == "D2" && v.Outcome != study.NotComparable {
			t.Errorf("%s is judged without its rows: %+v", c.ID, v)
		}
		none := c.Check(nil)
		if strings.ContainsAny(c.ID, "ABCD") && none.Outcome != study.NotComparable {
			t.Errorf("%s without rows: %+v", c.ID, none)
		}
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
	rows := small(t, 2, 3)
	figures, err := Figures(rows)
	if err != nil || len(figures) != 5 {
		t.Errorf("%d figures, %v; want all but the one of guaranteed constants", len(figures), err)
	}
	for _, f := range figures {
		if f.Name == "" || f.Caption == "" || f.Drawing == nil {
			t.Errorf("figure %+v", f)
		}
	}
	if figures, err = Figures(nil); err != nil || len(figures) != 0 {
		t.Errorf("%d figures of no rows, %v", len(figures), err)
	}
	tables, err := Tables(rows)
	if err != nil || len(tables) != 5 {
		t.Errorf("%d tables, %v", len(tables), err)
	}
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
	if v := negligible(Paper, "")(wrong); v.Outcome != study.Differs {
		t.Errorf("half of the answers wrong: %+v", v)
	}
	if v := negligible(Paper, "")(rows(1000, 2000)); v.Outcome != study.Agrees {
		t.Errorf("no errors in 40 runs at delta 0.1: %+v", v)
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
