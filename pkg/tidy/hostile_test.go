package tidy_test

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/tidy"
)

// Characters that Markdown or a notebook would interpret remain plain text in each cell, title and note.
func TestMarkdownOfText(t *testing.T) {
	const bad = "*a* _b_ ~~c~~ $d$ `e` f|g h\\i <b> &amp; [j](k)"
	const good = "\\*a\\* \\_b\\_ \\~\\~c\\~\\~ \\$d\\$ \\`e\\` f\\|g h\\\\i &lt;b> &amp;amp; [j]\\(k)"
	table := &tidy.Table{Title: bad, Columns: []tidy.Column{{Name: bad}}, Rows: [][]any{{bad}}, Notes: []string{bad}}
	got := table.Markdown()
	if want := "**" + good + "**\n\n| " + good + " |\n| :--- |\n| " + good + " |\n\n" + good + "\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Text that a spreadsheet would execute remains text; numbers remain numbers.
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

// A cell, a title or a note cannot contain a link, which might run a script.
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

// Text is escaped everywhere in HTML.
func TestHTMLOfText(t *testing.T) {
	const bad = "<b>&"
	table := &tidy.Table{Title: bad, Columns: []tidy.Column{{Name: bad, Unit: bad}}, Rows: [][]any{{bad}}, Notes: []string{bad}}
	got := table.HTML()
	if strings.Contains(got, "<b>") || strings.Count(got, "&lt;b&gt;&amp;") < 5 {
		t.Error(got)
	}
}
