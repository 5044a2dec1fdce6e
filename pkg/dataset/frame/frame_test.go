package frame_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/tidy"
)

func TestParseCSV(t *testing.T) {
	df, err := frame.ParseCSV(strings.NewReader("\ufeffcode,n,x,ok,hole,id,text,late,far,near\r\n007,1,1e-9,true,,12345678901234567890,a,,,\r\n"+
		"010,-2,NA,false,3,1,,12345678901234567,12345678901234567890,1234567890123456\r\n"), "d.csv", "code", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(df.Names(), df.Types()); got != "[code n x ok hole id text late far near] [string int "+
		"float bool float string string string string float]" {
		t.Error(got)
	}
	if df.Col("code").Elem(0).String() != "007" || df.Col("x").Float()[0] != 1e-9 ||
		!math.IsNaN(df.Col("hole").Float()[0]) || df.Col("id").Elem(0).String() != "12345678901234567890" {
		t.Error(df)
	}
	for text, want := range map[string]string{
		"":               "d.csv:1: empty",
		"a,b\n1,2\n3\n":  "d.csv:3: 1 fields; expected 2, as in the first line",
		"a,a\n1,2\n":     `d.csv:1: two columns are called "a"; rename one of them`,
		"a,\n1,2\n":      "d.csv:1: column 2 has no name",
		"a;b\n1;2;3\n":   "d.csv: line 2: expected 2 cells",
		"\"a;\"\"b\"\n1": "d.csv: the only column has a semicolon",
		"c,  \n1,2\n":    "d.csv:1: column 2 has no name",
		"\xff,c\n1,2\n":  `d.csv:1: column 1: "\xff" is not UTF-8`,
		"a,b\n1,\xff\n":  `d.csv:2: column 2: "\xff" is not UTF-8`,
		"a,b\n1,\"2\n":   "d.csv:2: byte 6: ",
		"a,b\n1,2\n":     `d.csv:1: no column "c"; the columns are ["a" "b"]`,
	} {
		df, err := frame.ParseCSV(strings.NewReader(text), "d.csv", "c")
		if err == nil || df.Err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	german, err := frame.ParseCSV(strings.NewReader("name;yield\nA;2,5\nB;3,0\n"), "d.csv")
	if err != nil || german.Col("yield").Float()[0] != 2.5 || german.Nrow() != 2 {
		t.Error(german, err)
	}
	if none, err := frame.ParseCSV(strings.NewReader("a,b\n"), "d.csv"); err != nil || none.Nrow() != 0 || none.Ncol() != 2 {
		t.Error(none, err)
	}
	if _, err := frame.ReadCSV(filepath.Join(t.TempDir(), "none.csv")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A parsed file has the rows, columns and texts that package csvtable finds.
func FuzzParseCSV(f *testing.F) {
	f.Add("a,b\n1,2\n3,x\n")
	f.Add("a,b\n1e-9,true\nNaN,false\n")
	f.Add("a\nx\n\"\"\n")
	f.Add("\ufeffa\n007\n+5\n0x10\nInf\n")
	f.Fuzz(func(t *testing.T, text string) {
		df, err := frame.ParseCSV(strings.NewReader(text), "fuzz")
		if head, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n"); err != nil || strings.ContainsAny(head, ";\t") {
			return
		}
		records, err := csvtable.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if df.Nrow() != len(records)-1 || df.Ncol() != len(records[0]) {
			t.Fatalf("%d x %d; want %d x %d", df.Nrow(), df.Ncol(), len(records)-1, len(records[0]))
		}
		for j, name := range df.Names() {
			for i, got := range df.Col(name).Records() {
				raw := csvtable.Unguard(records[i+1][j])
				if df.Col(name).Type() == series.String && got != raw && !strings.Contains(raw, "\r") {
					t.Fatalf("column %d, row %d: %q of %q", j, i, got, raw)
				}
			}
		}
	})
}

// A table becomes a frame with the narrowest types that fit its cells. Text is not changed.
func TestOfTable(t *testing.T) {
	table := &tidy.Table{Title: "T", Columns: tidy.Columns("n", "x", "ok", "text", "hole", "well"), Rows: [][]any{
		{1, .5, true, "=a", nil, "1E5"}, {-2, 1e-300, false, "007", 2, "2E5"}}}
	df, err := frame.OfTable(table)
	if got, want := fmt.Sprint(err, df.Types(), df.Col("x").Float(), df.Col("text").Records(), df.Col("hole").Float()),
		"<nil> [int float bool string float string] [0.5 1e-300] [=a 007] [NaN 2]"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	table.Columns[1].Name = "n"
	if _, err := frame.OfTable(table); err == nil || !strings.Contains(err.Error(), `table "T":1: two columns are called "n"; rename one of them`) {
		t.Error(err)
	}
}

// Cells that look like Go numbers are read as strings, and a semicolon may be part of a column name. ReadCSV removes
// repeated byte order marks, extra carriage returns, and apostrophes before text that looks like a formula.
func TestOddFiles(t *testing.T) {
	for text, want := range map[string]string{
		"a\n0x1p4\n1\n": `["a"] [string] ["0x1p4" "1"]`, "a\n0X_1P4\n1\n": `["a"] [string] ["0X_1P4" "1"]`, "a\nNaN\n2\n": `["a"] [float] ["NaN" "2.000000"]`,
		"a\nNA\n\"\"\n": `["a"] [string] ["NA" ""]`, "a;b,c\nx,2\n": `["a;b" "c"] [string int] ["x"]`, "\ufeff\ufeff\ufeffa\n1\n": `["a"] [int] ["1"]`,
		"a\n\"x\r\r\ny\r\"\n": `["a"] [string] ["x\ny\r"]`, "'=a\n'+b\n": `["=a"] [string] ["+b"]`,
	} {
		df, err := frame.ParseCSV(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%q %v %q", df.Names(), df.Types(), df.Col(df.Names()[0]).Records()); got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}
