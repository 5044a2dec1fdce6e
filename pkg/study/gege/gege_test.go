package gege

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// quick are experiments with the sizes that take milliseconds.
var quick = []struct {
	e     study.Experiment
	sizes int
}{{SyntheticBudget, 2}, {SyntheticConfidence, 2}, {NoCBudget, 7}, {EnergyBudget, 2},
	{SNWRawBudget, 3}, {SNWRawConfidence, 1}}

// small simulates the first sizes of the quick experiments, without what takes
// seconds: EGE-SR and APE on many arms, PSIPS.
func small(tb testing.TB, reps int) []mc.Row {
	tb.Helper()
	var rows []mc.Row
	for _, q := range quick {
		e := q.e
		e.Sizes, e.Reps, e.Methods = e.Sizes[:q.sizes], reps, nil
		for _, m := range q.e.Methods {
			m.Reps = 0
			switch {
			case m.Name == PSIPS || m.Name == EGESR && e.Axis == "budget T" || m.Name == APE &&
				e.Sizes[0] > 10:
				continue
			case m.Name == APE:
				m.Largest = 10
			}
			e.Methods = append(e.Methods, m)
		}
		g, err := e.Grid(study.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, studytest.Simulate(tb, g)...)
	}
	return rows
}

// The grid is the paper's: 500 replicates of every method that can run.
func TestGrid(t *testing.T) {
	g, err := Paper.Study().Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, c := range g.Cells {
		reps := c.Method.Reps
		if reps != 500 && reps != 100 && reps != 20 && reps != 10 &&
			!(reps == 1 && c.Method.Constants == "bound") {
			t.Errorf("%s on %s: %d replicates", c.Method.Name, c.Instance.Name, reps)
		}
		seen[c.Instance.Name+"/"+c.Method.Name]++
	}
	for cell, want := range map[string]int{
		// 5000 pulls are enough for both
		"synthetic-budget K=500/GEGE": 1, "synthetic-budget K=500/EGE-SH": 1,
		"noc-budget T=100/GEGE": 1, "noc-budget T=100/EGE-SH": 0, "noc-budget T=100/Uniform": 0,
		"noc-budget T=4000/EGE-SH":       1,
		"synthetic-confidence K=100/APE": 3, "synthetic-confidence K=200/APE": 0,
		"energy-confidence K=768/GEGE": 3, "energy-confidence K=768/Auer": 2,
		"noc-confidence K=259/PSIPS": 1, "synthetic-confidence K=20/PSIPS": 1,
		"synthetic-confidence K=50/PSIPS": 0,
		"snw-budget T=1000/EGE-SH":        0, "snw-budget T=2000/EGE-SH": 1,
		"snw-raw-confidence K=206/APE":                      3,
		"noc-confidence K=259/" + hardness.FeatureFree.Name: 1,
		"noc-budget T=100/" + hardness.FeatureFree.Name:     0,
	} {
		if seen[cell] != want {
			t.Errorf("%s: %d cells; want %d", cell, seen[cell], want)
		}
	}
}

func TestGolden(t *testing.T) { studytest.Golden(t, "rows.csv", small(t, 2)) }

func TestLooks(t *testing.T) { studytest.Looks(t, Paper) }

func TestClaims(t *testing.T) {
	verdicts := studytest.Claims(t, Paper.Study(), small(t, 3))
	if v := verdicts["C2"]; v.Outcome != study.Agrees || !strings.Contains(v.Measured, "2331") {
		t.Errorf("C2: %+v; EGE-SH needs 259 * 9 = 2331 pulls", v)
	}
}

func TestReport(t *testing.T) {
	// There is a table of complexities, and one of the bounds of each fixed confidence. One has a
	// figure of constants.
	studytest.Report(t, Paper.Study(), small(t, 3), len(quick)+3, len(quick)+1, GEGE, EGESH,
		UniformLS, APE, "H2lin", "5 000")
	// EGE-SH cannot run and is left out
	if _, err := NoCBudget.Front(1000, GEGE, EGESH, UniformLS); err != nil {
		t.Error(err)
	}
	if _, err := NoCBudget.Front(1000, "Auer"); err == nil {
		t.Error("a method that the experiment does not have is drawn")
	}
	if table, err := Runtimes(1); err != nil || len(table.Rows) != len(study.ReadRecords(table2)) {
		t.Errorf("%v, %v", table, err)
	}
}

// The authors' figure and the rows share axes, and a method has one colour in both.
func TestBesideNoC(t *testing.T) {
	f, err := BesideNoC(NoCBudget.Results(small(t, 3)))
	if err != nil || len(f.Panels) != 2 {
		t.Fatalf("%v, %v; want two panels", f, err)
	}
	a, b := f.Panels[0][0], f.Panels[1][0]
	if a.X.Min != b.X.Min || a.X.Max != b.X.Max || a.Y.Max != b.Y.Max {
		t.Error("panels have axes of their own")
	}
	for _, say := range []string{"GEGE 9 at 2 331, 2.5 at 4 000", "EGE-SH 70 at", "here: "} {
		if alt := strings.Join(strings.Fields(f.Alt()), " "); !strings.Contains(alt, say) {
			t.Errorf("%q is not in %s", say, alt)
		}
	}
	if notes := strings.Join(f.Notes, " "); strings.Contains(notes, "too few runs") {
		t.Errorf("notes %q", notes)
	}
}
