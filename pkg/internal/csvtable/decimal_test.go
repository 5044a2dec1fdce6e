package csvtable

import (
	"fmt"
	"strings"
	"testing"
)

// A column of a table without commas between cells has decimal commas if all of it can have them, and
// some of it must. One that may have thousands in groups stays, as does one with a text.
func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\nx;80,0\ny;7\n":               "[[x 80.0] [y 7]]",
		"a\tb\nx\t-0,25\ny\t\n":            "[[x -0.25] [y ]]",
		"a;b\nx;1,234\ny;2,500\n":          "[[x 1,234] [y 2,500]]", // thousands?
		"a;b\nx;1,234\ny;2,50\n":           "[[x 1.234] [y 2.50]]",  // certainly not
		"a;b\nx;2,50\ny;1,234\n":           "[[x 2.50] [y 1.234]]",
		"a;b\nx;0,125\ny;0,250\n":          "[[x 0.125] [y 0.250]]",
		"a;b\nx;1234,567\ny;2\n":           "[[x 1234.567] [y 2]]", // thousands are groups of three
		"a;b\nx;80,0\ny;7.5\n":             "[[x 80,0] [y 7.5]]",   // no agreement
		"a;b\nx;80,0\ny;none\n":            "[[x 80,0] [y none]]",
		"a;b\nx;80,0\ny;failed\nz;NA\n":    "[[x 80.0] [y failed] [z NA]]", // results of a plate
		"a;b\nx;1,2,3\ny;80,0\n":           "[[x 1,2,3] [y 80,0]]",
		"a,b\nx,\"80,0\"\ny,7\n":           "[[x 80,0] [y 7]]", // cells are separated by commas
		"Name;Ausbeute\n1,5;80,0\n2,5;7\n": "[[1.5 80.0] [2.5 7]]",
		"a;b\nx;+1,5\ny;-2\n":              "[[x +1.5] [y -2]]", // signs
		"a;b\nx;-1,234\ny;+12,345\n":       "[[x -1,234] [y +12,345]]",
		"a;b\nx;12,345\ny;123,456\n":       "[[x 12,345] [y 123,456]]",
		"a;b\nx;1,5\ny;NaN\nz;FAILED\n":    "[[x 1.5] [y NaN] [z FAILED]]",
		"a;b\nx;1,5\ny;n/a\n":              "[[x 1,5] [y n/a]]",
	} {
		table, err := Read("t.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(table.Rows); got != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}

// TestWorkbook: .xlsx, .ods and .xls are told apart from tables that are no UTF-8, and what to do is said.
func TestWorkbook(t *testing.T) {
	for _, data := range []string{"PK\x03\x04\x14\x00", "\xd0\xcf\x11\xe0\xa1\xb1"} {
		_, err := Read("plate.xlsx", []byte(data))
		if err == nil || !strings.Contains(err.Error(), `plate.xlsx: a workbook, not a table of text; open it `+
			`and save its sheet as "CSV UTF-8"`) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// A column is found whatever its capital letters, if that leaves no choice.
func TestFind(t *testing.T) {
	table := &Table{Name: "t.csv", Columns: []string{"Yield", "cost", "COST", "a", ""}}
	for name, want := range map[string]int{"Yield": 0, "yield": 0, "cost": 1, "COST": 2, "Cost": -1,
		"A": 3, "b": -1, "": -1} {
		if got := table.Find(name); got != want {
			t.Errorf("%q: column %d; want %d", name, got, want)
		}
	}
}

// TestNumbers: where more numbers have commas than points, commas are decimal, and the cells with points are
// errors; as many of each tell nothing. One fault blames no other cell.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\nx;1,5\ny;2.5\n":                "- 2.5",
		"a;b\nx;1,5\ny;2.5\nz;3,5\n":         "1.5 - 3.5",
		"a;b\nx;1,5\ny;2.5\nz;odd\n":         "- 2.5 -",
		"a;b\nx;1,5\ny;odd\nz;2\n":           "1.5 - 2",
		"a;b\nx;1.5\ny;2.5\nz;odd, 3\n":      "1.5 2.5 -",
		"a;b\nx;1,5\ny;.5\nz;-,5\n":          "- 0.5 -", // a point without a number before it
		"a;b\nx;1,5\ny;+.5\nz;2,5\n":         "1.5 - 2.5",
		"a;b\nx;1,234\ny;odd\nz;2,345\n":     "- - -", // thousands?
		"a;b\nx;12,5\ny;8,0\nz;1.250,00\n":   "12.5 8 -",
		"a;b\nx;12,5 mg\ny;8,0 mg\nz;1 mg\n": "- - 1", // units are removed, commas of such cells are not read
		"a,b\nx,\"1,5\"\ny,odd\n":            "- -",   // cells are separated by commas
	} {
		table, err := Read("t.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		read := table.Numbers(1, "mg")
		var got []string
		for i := range table.Rows {
			cell := "-"
			if x, err := read(i); err == nil {
				cell = fmt.Sprint(x)
			}
			got = append(got, cell)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s; want %s", text, got, want)
		}
	}
}
