package csvtable

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRead reads arbitrary tables: what is accepted is a rectangle of text.
func FuzzRead(f *testing.F) {
	f.Add([]byte("arm,x\nA,1\nB,2\n"))
	f.Add([]byte(Mark + "arm;x\nA;1,5\n;\n"))
	f.Add([]byte("\"a\tb\"\tc\nx\ty\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Read("t.csv", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "t.csv: ") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		if len(table.Rows) != len(table.Lines) {
			t.Fatalf("%d rows, %d lines", len(table.Rows), len(table.Lines))
		}
		last := 0
		for i, row := range table.Rows {
			if len(row) != len(table.Columns) || table.Lines[i] <= last {
				t.Fatalf("row %d: %q, line %d after %d", i, row, table.Lines[i], last)
			}
			last = table.Lines[i]
			for _, cell := range row {
				if !utf8.ValidString(cell) {
					t.Fatalf("cell %q is not UTF-8", cell)
				}
			}
		}
	})
}

// FuzzNumber reads arbitrary cells: a number is one that strconv reads, too.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "-2.5e3", "1,5", "1 000", "40 %", "0x1p4", "NaN", "−3", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		x, err := Number(cell)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		y, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || x != y || math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%q is %v; %v, %v", cell, x, y, err)
		}
	})
}
