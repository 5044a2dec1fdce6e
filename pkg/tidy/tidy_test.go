package tidy_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

func TestGroupBy(t *testing.T) {
	type key struct {
		a string
		b int
	}
	rows := []key{{"x_1", 2}, {"x", 12}, {"x_1", 2}, {"", 0}, {"x", 12}}
	groups := tidy.GroupBy(rows, func(r key) key { return r })
	var got []string
	for _, g := range groups {
		got = append(got, fmt.Sprint(g.Key, len(g.Rows)))
	}
	if want := "[{x_1 2}2 {x 12}2 { 0}1]"; strings.ReplaceAll(fmt.Sprint(got), "} ", "}") != want {
		t.Errorf("groups %v; want %v", got, want)
	}
	if g := tidy.GroupBy([]int(nil), func(i int) int { return i }); g != nil {
		t.Error(g)
	}
}

func table() *tidy.Table {
	return &tidy.Table{
		Title: "Pulls <& errors>",
		Columns: []tidy.Column{
			{Name: "method"},
			{Name: "pulls", Unit: "10³"},
			{Name: "errors", Format: tidy.Percent},
			{Name: "n"},
			{Name: "ok"},
			{Name: "code", Align: tidy.Right},
		},
		Rows: [][]any{
			{"e_cAPE*|x", tidy.Summary{Center: 12345.678901234567, Lo: 11934, Hi: 12795, N: 500},
				tidy.Rate(0, 500, 0.95), 500, true, "007"},
			{"方法, \"β̂\"\n$x$", nil, nil, 1234567, false, nil},
		},
		Notes: []string{"Intervals at 95 %."},
	}
}

// The golden file shows a table in every format, with columns that are wrapped at narrow widths.
func TestFormats(t *testing.T) {
	x := table()
	x.Rows = append(x.Rows, []any{"a name of several words, which is wrapped", tidy.Summary{Center: 1.5e9, Lo: math.Inf(-1), Hi: math.NaN(), N: 3}, tidy.Rate(3, 4, .95), -2, nil, "x"})
	x.Notes = append(x.Notes, "A long note is wrapped at the width of the page, and <b> is no tag.")
	one := &tidy.Table{Columns: tidy.Columns("only"), Rows: [][]any{{""}, {"=1+1"}, {nil}, {2}}}
	var b strings.Builder
	for _, t := range []*tidy.Table{x, one, {Title: "Nothing", Columns: tidy.Columns("a", "b"), Notes: []string{"No rows."}}} {
		for _, text := range []string{t.Text(), t.Fit(100), t.Fit(80), t.Fit(60), t.Fit(40), t.Fit(10), t.Markdown(), t.HTML(), t.CSV(), t.JSON()} {
			b.WriteString(text + "\n----\n")
		}
	}
	golden.Check(t, "formats.txt", b.String())
}

// row returns a row of a study with K = 2 arms.
func row(method string, rep, pulls int, status string, correct bool) mc.Row {
	return mc.Row{
		Study: "s", Seed: 1, Instance: "easy", Method: method, Delta: 0.1, Rep: rep,
		Pulls: pulls, Status: status, Correct: correct, Items: []int{1}, ArmPulls: []int{pulls - 2, 2},
	}
}

func TestSampleComplexity(t *testing.T) {
	var rows []mc.Row
	for i := range 100 {
		rows = append(rows, row("a", i, 10+i%5, "stopped", true))
		rows = append(rows, row("b", i, 1000, "stopped", i%2 == 0))
	}
	rows = append(rows, row("a", 100, 99, "pull limit", false), row("a", 101, 0, "failure", false))
	rows[len(rows)-1].Err = "boom"
	rows[0].Warnings = []string{"a remark"}
	cs := tidy.SampleComplexity(rows, 0.95)
	if len(cs) != 2 {
		t.Fatal(cs)
	}
	a, b := cs[0], cs[1]
	if a.Method != "a" || a.Reps != 102 || a.Stopped != 100 || a.Early != 1 || a.Failed != 1 || a.Errors != 0 ||
		a.Median.Center != 12 || a.Median.N != 101 ||
		math.Abs(a.Mean.Center-(1200+99)/101.) > 1e-12 || a.ErrorRate.N != 100 {
		t.Errorf("%+v", a)
	}
	const want = "[tidy: a limit ended 1 of 102 runs, so complete runs would need more pulls than shown " +
		"tidy: an error ended 1 of 102 runs, which are left out (replicate 101: boom) a remark]"
	if got := fmt.Sprint(a.Warnings); got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if b.Errors != 50 || b.ErrorRate.Center != 0.5 || !strings.Contains(fmt.Sprint(b.Warnings),
		"the error rate exceeds delta = 0.1: 50 errors in 100 runs") {
		t.Errorf("%+v", b)
	}
	text := tidy.ComplexityTable(cs).Text()
	for _, part := range []string{"easy      a              102           12 [12, 13]",
		"< 3.7 %      1       1", "50 % [39.8, 60.2]      0       0",
		"\nDelta: 0.1.\n", "\nIntervals at 95 %:", "\na on easy: a remark.\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if strings.Contains(text, "constants") {
		t.Error("a column of constants although there are none")
	}
}

// There is a warning if the whole interval of the error rate is above delta. In 100 runs with delta = 0.1,
// the Clopper-Pearson interval begins at 0.094 for 16 errors, and at 0.102 for 17 errors.
func TestErrorRateWarning(t *testing.T) {
	for wrong, warned := range map[int]bool{9: false, 12: false, 16: false, 17: true} {
		rows := []mc.Row{row("a", 100, 9, "pull limit", false)}
		for i := range 100 {
			rows = append(rows, row("a", i, 10, "stopped", i >= wrong))
		}
		c := tidy.SampleComplexity(rows, .95)[0]
		if c.Errors != wrong || c.Stopped != 100 || c.Early != 1 {
			t.Errorf("%d errors in %d runs and %d early, not %d in 100 and 1", c.Errors, c.Stopped, c.Early, wrong)
		}
		if got := strings.Contains(fmt.Sprint(c.Warnings), "exceeds delta"); got != warned {
			t.Errorf("%d errors in 100 runs: warnings %v", wrong, c.Warnings)
		}
	}
}

func TestArmPulls(t *testing.T) {
	rows := []mc.Row{row("a", 0, 10, "stopped", true), row("b", 0, 5, "stopped", true),
		row("a", 1, 12, "stopped", true), row("a", 2, 0, "failure", false)}
	tb, err := tidy.ArmPulls(rows, []string{"75 mg", "150 mg"})
	if err != nil {
		t.Fatal(err)
	}
	if got := tb.CSV(); got != "arm,a,b\n75 mg,9,3\n150 mg,2,2\n" {
		t.Errorf("got %s", got)
	}
	if _, err := tidy.ArmPulls(rows, []string{"75 mg"}); err == nil {
		t.Error("1 name for 2 arms")
	}
	rows[2].ArmPulls = []int{1}
	if _, err := tidy.ArmPulls(rows, nil); err == nil || !strings.Contains(err.Error(), "replicate 1 of a on easy has 1 arms") {
		t.Error(err)
	}
}

func TestPullsRatio(t *testing.T) {
	var a, b []mc.Row
	for i := range 30 {
		a = append(a, row("a", i, 20*(1+i), "stopped", true))
		b = append([]mc.Row{row("b", i, 10*(1+i), "stopped", true)}, b...) // in another order
	}
	s := tidy.PullsRatio(a, b, 0.95)
	if s.Center != 2 || s.Lo != 2 || s.Hi != 2 || len(s.Warnings) != 0 {
		t.Errorf("each pair has ratio 2: %+v", s)
	}
	s = tidy.PullsRatio(a, b[1:], 0.95)
	if s.Lo == s.Hi || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Error(), "only 29 replicates are in both") {
		t.Errorf("a replicate is missing: %+v", s)
	}
	s = tidy.PullsRatio(a[:20], b, 0.95) // b has more rows
	if s.Lo == s.Hi || len(s.Warnings) == 0 || !strings.Contains(s.Warnings[0].Error(), "only 20 replicates are in both") {
		t.Errorf("one sample has more replicates: %+v", s)
	}
	later := make([]mc.Row, len(b)) // as many rows, half of them with the same replicates
	for i := range later {
		later[i] = row("b", 15+i, 10*(16+i), "stopped", true)
	}
	s = tidy.PullsRatio(a, later, 0.95)
	if s.Lo == s.Hi || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Error(), "only 15 replicates are in both") {
		t.Errorf("half of the replicates are missing: %+v", s)
	}
	// Rows of another study, seed or instance have other noise, so they form no pairs.
	for name, change := range map[string]func(*mc.Row){"study": func(r *mc.Row) { r.Study = "t" }, "seed": func(r *mc.Row) { r.Seed = 9 },
		"instance": func(r *mc.Row) { r.Instance = "hard" }, "replicate": func(r *mc.Row) { r.Rep += 100 }} {
		others := slices.Clone(b)
		for i := range others {
			change(&others[i])
		}
		if s := tidy.PullsRatio(a, others, 0.95); s.Center != 2 || s.Lo == s.Hi || len(s.Warnings) != 0 {
			t.Errorf("another %s: %+v", name, s)
		}
	}
}

// A table that is too wide wraps its cells, then becomes blocks, and loses no word. In JSON, NaN becomes null.
func TestFit(t *testing.T) {
	table := tidy.Table{Columns: tidy.Columns("name", "note", "n"), Rows: [][]any{
		{"a", strings.Repeat("nine nine ", 10), 12345}, {"中文", "", math.NaN()}}}
	for width, lines := range map[int]int{1000: 4, 50: 6, 34: 8, 10: 10} {
		text := table.Fit(width)
		if strings.Count(text, "nine") != 20 || !strings.Contains(text, "12 345") || strings.Count(text, "\n") != lines {
			t.Errorf("%d: %d lines\n%s", width, strings.Count(text, "\n"), text)
		}
		for line := range strings.Lines(text) {
			if n := uniseg.StringWidth(strings.TrimSpace(line)); n > max(width, 26) {
				t.Errorf("%d: a line of %d", width, n)
			}
		}
	}
	short := tidy.Table{Columns: tidy.Columns("method", "a (median)", "b (median)", "c (median)"), Rows: [][]any{{"Betting Pareto", 1, 2, 3}}}
	if text := short.Fit(38); strings.Count(text, "\n") != 5 || !strings.HasPrefix(text, "method           a         b         c\n") {
		t.Error(text) // two lines for the header and two for the row
	}
	if text, want := table.JSON(), `"n": 12345},`+"\n"+` {"name": "中文", "note": "", "n": null}]`; !strings.HasSuffix(text, want) {
		t.Error(text)
	}
}
