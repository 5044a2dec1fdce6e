package tidy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// What Markdown, or a notebook, would take for markup is text in each cell, title and note.
func TestMarkdownOfText(t *testing.T) {
	const bad = "*a* _b_ ~~c~~ $d$ `e` f|g h\\i <b> &amp; [j](k)"
	const good = "\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\$d\\$ \\`e\\` f\\|g h\\\\i &lt;b> &amp;amp; [j]\\(k)"
	table := &tidy.Table{Title: bad, Columns: []tidy.Column{{Name: bad}}, Rows: [][]any{{bad}}, Notes: []string{bad}}
	got := table.Markdown()
	if want := "**" + good + "**\n\n| " + good + " |\n| :--- |\n| " + good + " |\n\n" + good + "\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Text that a spreadsheet would run is text; numbers stay numbers.
func TestCSVFormula(t *testing.T) {
	hostile := []string{"=cmd|'/C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\n=1+1",
		"'=1+1", "''=1", "=", "-", "-5", "+3", "-1e-5", "-Inf", "placebo",
		"'tis", "a=b", "-0", "＝1+1"}
	table := &tidy.Table{Columns: []tidy.Column{{Name: "=1+1"}, {Name: "pulls"}}}
	for _, s := range hostile {
		table.Rows = append(table.Rows, []any{s, -2.5})
	}
	text := table.CSV()
	for _, want := range []string{"'=1+1,pulls\n", "\n'=cmd|'/C calc'!A0,-2.5\n", "\n'+1+1,",
		"\n'-1+1,", "\n'@SUM(A1),", "\n'\t=1+1,", "\"'\n=1+1\",", "\n''=1+1,", "\n'''=1,", "\n=,",
		"\n-,", "\n-5,", "\n+3,", "\n-1e-5,", "\n-Inf,", "\nplacebo,", "\n'tis,", "\na=b,", "\n-0,",
		"\n'＝1+1,"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A cell, a title or a note makes no link, which may run a script.
func TestMarkdownLink(t *testing.T) {
	const script = "javascript:alert(1)"
	table := &tidy.Table{
		Title: "[a](" + script + ")", Columns: []tidy.Column{{Name: "![b](" + script + ")"}},
		Rows:  [][]any{{"[c](" + script + ")"}, {"<a href=\"" + script + "\">"}, {"12 [10, 14]"}},
		Notes: []string{"[d]: " + script},
	}
	text := table.Markdown()
	for _, bad := range []string{"](", "]:", "<a"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in\n%s", bad, text)
		}
	}
	if !strings.Contains(text, "12 [10, 14]") {
		t.Errorf("an interval has changed:\n%s", text)
	}
}

// Text is text in HTML, wherever it stands.
func TestHTMLOfText(t *testing.T) {
	const bad = "<b>&"
	table := &tidy.Table{Title: bad, Columns: []tidy.Column{{Name: bad, Unit: bad}}, Rows: [][]any{{bad}}, Notes: []string{bad}}
	got := table.HTML()
	if strings.Contains(got, "<b>") || strings.Count(got, "&lt;b&gt;&amp;") < 5 {
		t.Error(got)
	}
}

// A cell of a text table is one line without tabs, which would move the columns beside it.
func TestTextOfWhiteSpace(t *testing.T) {
	table := &tidy.Table{Columns: tidy.Columns("name", "pulls"), Rows: [][]any{{"a\tb\nc\r\nd\re", 1}}}
	if got := table.Text(); !strings.Contains(got, "a b c d e  ") {
		t.Errorf("%q; want the name on one line, with spaces", got)
	}
}

// Code is text in Markdown; an interval with one end says which one.
func TestRareTexts(t *testing.T) {
	table := &tidy.Table{Columns: tidy.Columns("name", "x"), Rows: [][]any{{"`a`", tidy.Summary{Center: 3, Lo: math.Inf(-1), Hi: 5, N: 9}},
		{"b", tidy.Summary{Center: 3, Lo: 1, Hi: math.Inf(1), N: 9}}}}
	if want, got := "| \\`a\\` | 3 [-∞, 5] |\n| b | 3 [1, ∞] |\n", table.Markdown(); !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A delta that differs has a column, whichever is larger; one for all a note, unless there is none. Of runs that all failed it is said
// once that there are no values.
func TestDeltasAndFailures(t *testing.T) {
	for want, deltas := range map[string][]float64{"true false": {.1, .05}, "true  false": {.05, .1}, "false true": {.1, .1}, "false false": {0, 0}} {
		var rows []mc.Row
		for i, delta := range deltas {
			rows = append(rows, mc.Row{Method: string(rune('A' + i)), Delta: delta, Status: explore.Failure.String(), Err: "broke"})
		}
		cells := tidy.SampleComplexity(rows, .9)
		text := tidy.ComplexityTable(cells).Text()
		if got := fmt.Sprint(strings.Contains(text, "  delta"), " ", strings.Contains(text, "Delta: ")); got != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%v: a column, a note: %s; want %s\n%s", deltas, got, want, text)
		}
		if n := strings.Count(fmt.Sprint(cells[0].Warnings), "no values"); n != 1 {
			t.Errorf("%d times no values: %v", n, cells[0].Warnings)
		}
	}
}
