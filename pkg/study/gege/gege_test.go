package gege

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
	"github.com/purexp/purexp/pkg/tidy"
)

var update = flag.Bool("update", false, "write the golden rows anew")

// quick are experiments with the sizes that take milliseconds.
var quick = map[string]int{SyntheticBudget: 2, SyntheticConfidence: 2, NoCBudget: 7, EnergyBudget: 2}

// small plays the first sizes of the quick experiments, without EGE-SR on many
// arms.
func small(tb testing.TB, reps int) []mc.Row {
	tb.Helper()
	var rows []mc.Row
	for _, e := range Experiments() {
		n, ok := quick[e.Name]
		if !ok {
			continue
		}
		e.Sizes = e.Sizes[:n]
		e.Limits = map[string]int{APE: 10}
		if e.Axis == "budget T" {
			e.Limits[EGESR] = 0
		}
		g, err := grid(study.Options{Reps: reps}, e)
		if err != nil {
			tb.Fatal(err)
		}
		for i := range g.Cells {
			g.Cells[i].Method.Reps = reps
		}
		own, err := g.Run(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, own...)
	}
	return rows
}

// The grid is the paper's: 500 replicates of every method that can run.
func TestGrid(t *testing.T) {
	g, err := Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, c := range g.Cells {
		reps := c.Method.Reps
		if reps != 500 && reps != 100 && reps != 20 {
			t.Errorf("%s on %s: %d replicates", c.Method.Name, c.Instance.Name, reps)
		}
		seen[c.Instance.Name+"/"+c.Method.Name]++
	}
	for cell, want := range map[string]int{
		"synthetic-budget K=500/GEGE": 1, "synthetic-budget K=500/EGE-SH": 1, // 5000 pulls are enough for both
		"noc-budget T=100/GEGE": 1, "noc-budget T=100/EGE-SH": 0, "noc-budget T=100/Uniform": 0, "noc-budget T=4000/EGE-SH": 1,
		"synthetic-confidence K=100/APE": 2, "synthetic-confidence K=200/APE": 0, "energy-confidence K=768/GEGE": 2, "energy-confidence K=768/Auer": 1,
	} {
		if seen[cell] != want {
			t.Errorf("%s: %d cells; want %d", cell, seen[cell], want)
		}
	}
	if _, err := Named("energie"); err == nil || !strings.Contains(err.Error(), EnergyBudget) {
		t.Errorf("an experiment that does not exist: %v", err)
	}
}

// Replicates at a fixed seed, to the pull: a change of these numbers is a change
// of results, and is to be explained in the changelog.
func TestGolden(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("written on amd64; %s may round designs otherwise", runtime.GOARCH)
	}
	var b strings.Builder
	b.WriteString("instance,method,constants,rep,pulls,rounds,items,correct\n")
	for _, r := range small(t, 2) {
		fmt.Fprintf(&b, "%s,%s,%s,%d,%d,%d,%v,%v\n", r.Instance, r.Method, r.Constants, r.Rep, r.Pulls, r.Rounds, r.Items, r.Correct)
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
	rows := small(t, 3)
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
		if none := c.Check(nil); none.Outcome != study.NotComparable {
			t.Errorf("%s without rows: %+v", c.ID, none)
		}
	}
	for _, c := range claims(NoCBudget) {
		if c.ID == "C2" {
			if v := c.Check(rows); v.Outcome != study.Agrees || !strings.Contains(v.Measured, "2 331") {
				t.Errorf("C2: %+v; EGE-SH needs 259 * 9 = 2331 pulls", v)
			}
		}
	}
}

// Tables and figures of few rows are there, and of no rows are not.
func TestReport(t *testing.T) {
	rows := small(t, 3)
	ts, err := Tables(rows)
	if err != nil || len(ts) != len(quick)+1 {
		t.Errorf("%d tables, %v; want %d", len(ts), err, len(quick)+1)
	}
	for _, s := range []string{GEGE, EGESH, UniformLS, APE, "H2lin", "5 000"} {
		if !slices.ContainsFunc(ts, func(tb *tidy.Table) bool { return strings.Contains(tb.Text(), s) }) {
			t.Errorf("no table has %q", s)
		}
	}
	fs, err := Figures(rows)
	if err != nil || len(fs) != len(quick) {
		t.Errorf("%d figures, %v; want %d", len(fs), err, len(quick))
	}
	if ts, err := Tables(nil); len(ts) != 0 || err != nil {
		t.Errorf("%d tables without rows, %v", len(ts), err)
	}
	e, err := Named(NoCBudget)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Front(1000, GEGE, EGESH, UniformLS); err != nil { // EGE-SH cannot run and is left out
		t.Error(err)
	}
	if table, err := Runtimes(1); err != nil || len(table.Rows) != len(published) {
		t.Errorf("%v, %v", table, err)
	}
}
