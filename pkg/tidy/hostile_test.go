package tidy_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/tidy"
)

// Text that a spreadsheet would run is text, and comes back as it was; numbers stay numbers.
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
	path := filepath.Join(t.TempDir(), "t.csv")
	df, err := tidy.ParseCSV(strings.NewReader(text), "t.csv")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // as it was read, and as it was written once more
		if df.Names()[0] != "=1+1" {
			t.Errorf("a column is called %q", df.Names()[0])
		}
		for i, s := range df.Col("=1+1").Records() {
			if s != hostile[i] {
				t.Errorf("%q came back as %q", hostile[i], s)
			}
		}
		if err := tidy.WriteCSV(path, df); err != nil {
			t.Fatal(err)
		}
		if df, err = tidy.ReadCSV(path); err != nil {
			t.Fatal(err)
		}
	}
}

// A quoted name may follow the mark of a spreadsheet's file.
func TestCSVMark(t *testing.T) {
	df, err := tidy.ParseCSV(strings.NewReader("\ufeff\"arm\",x\na,1\n"), "t.csv", "arm")
	if err != nil || df.Names()[0] != "arm" {
		t.Errorf("%q, %v", df.Names(), err)
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
