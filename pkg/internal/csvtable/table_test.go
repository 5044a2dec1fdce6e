package csvtable

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Tables in the formats of common spreadsheets are read; line numbers refer to the file.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\nx,1\n\n,\ny,2\n":              `, ["a" "b"] [["x" "1"] ["y" "2"]] [2 5]`, // empty rows are left out
		"a,b,\nx,1,\n":                      `, ["a" "b" ""] [["x" "1" ""]] [2]`,
		"a,b\nx,1,,\n":                      `, ["a" "b"] [["x" "1"]] [2]`, // empty cells at the right
		" a , b\n x ,\" 1 \"\n":             `, ["a" "b"] [["x" "1"]] [2]`,
		"a;b,c;d\nx;y;z\n":                  `; ["a" "b,c" "d"] [["x" "y" "z"]] [2]`,
		"a;b,c\nx;1,y\n":                    `, ["a;b" "c"] [["x;1" "y"]] [2]`, // as many semicolons as commas: the separator is a comma
		"a;b\tc\nx;1\ty\n":                  `; ["a" "b\tc"] [["x" "1\ty"]] [2]`,
		"Zn²⁺,CO₂,ﬁ\nm²,½,Å\n":              `, ["Zn²⁺" "CO₂" "ﬁ"] [["m²" "½" "Å"]] [2]`, // compatibility characters are kept
		"a\tb\nx\ty;z\n":                    "\t" + ` ["a" "b"] [["x" "y;z"]] [2]`,
		"\"a\nx\";b\n1;2,5\n":               `; ["a` + `\n` + `x" "b"] [["1" "2.5"]] [3]`,          // a quoted newline does not end the header
		"\"a;;;\nx\",b,c\n1,2,3\n":          `, ["a;;;` + `\n` + `x" "b" "c"] [["1" "2" "3"]] [3]`, // quoted separators do not count
		"a,b\nx;;;;,1\n":                    `, ["a" "b"] [["x;;;;" "1"]] [2]`,                     // separators below the header do not count
		"a,b\n\"x\ny\",1\nz,2\n":            `, ["a" "b"] [["x` + `\n` + `y" "1"] ["z" "2"]] [2 4]`,
		"a\nO\u0308l\n\u00d6l\n":            `, ["a"] [["Öl"] ["Öl"]] [2 3]`,        // composed and decomposed letters are equal
		"a,b\nPK\x03\x04,\ufffd\n":          `, ["a" "b"] [["PK\x03\x04" "�"]] [2]`, // a cell may begin with the signature of a workbook, or contain U+FFFD
		"a;b\nx;1.000\ny;2,5\n":             `; ["a" "b"] [["x" "1.000"] ["y" "2,5"]] [2 3]`,
		"a,b\rx,1\r\ry,2\r":                 `, ["a" "b"] [["x" "1"] ["y" "2"]] [2 4]`, // line endings of old Macs
		"sep=;\r\na,1;b\r\nx;y\r\n":         `; ["a,1" "b"] [["x" "y"]] [3]`,
		Mark + "\"sep=\t\"\na\tb\nx\ty\n":   "\t" + ` ["a" "b"] [["x" "y"]] [3]`,
		Mark + "a,b\r\nx,1\r\ny,\U0001f9ea": `, ["a" "b"] [["x" "1"] ["y" "🧪"]] [2 3]`,
	} {
		table, err := Read("t.csv", []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%c %q %q %v", table.Comma, table.Columns, table.Rows, table.Lines); got != want {
			t.Errorf("%q\n is %s\nwant %s", text, got, want)
		}
	}
}

// Errors state the location of the problem and how to fix it.
func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "t.csv: the table is empty; expected a first row that names the columns",
		"\n\n":                             "t.csv: the table is empty; expected a first row that names the columns",
		"a,b\nx,1\ny,2,3\n":                "t.csv: line 3: expected 2 cells, one per column, but found 3; quote cells that contain a comma",
		"a;b\nx\n":                         "t.csv: line 2: expected 2 cells, one per column, but found 1; quote cells that contain a semicolon",
		"a\tb\nx\t\ty\n":                   "t.csv: line 2: expected 2 cells, one per column, but found 3; quote cells that contain a tab",
		"# by robot\na,b\nx,1\n":           `t.csv: line 1: "# by robot" does not name the columns, because line 2 has 2 cells; delete`,
		"Export\nName,x\n\na,b,c\nx,1,2\n": `t.csv: line 1: "Export" does not name the columns, because line 2 has 2 cells; delete`,
		"a,a\nx,1\n":                       `t.csv: row 1: columns 1 and 2 are both called "a"; rename one of them`,
		"a,b\nx,\xff\n":                    `t.csv: line 2 is not valid UTF-8 text; save the table as "CSV UTF-8"`,
		"a,b\nx,1\n\xc3,2\n":               `t.csv: line 3 is not valid UTF-8 text; save the table as "CSV UTF-8"`,
		"\x00a,b\n":                        `t.csv: line 1 is not valid UTF-8 text; save the table as "CSV UTF-8"`,
		"a,b\nx,1\ny\x00,2\n":              `t.csv: line 3 is not valid UTF-8 text; save the table as "CSV UTF-8"`,
		"a,b\nx,\"1\" or so\n":             `t.csv: `,
		"\"a;b\nx;1\ny;2\nz;3\n":           `t.csv: `,
	} {
		if table, err := Read("t.csv", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, table, err, want)
		}
	}
	long := make([]byte, Largest+1)
	for i := range long {
		long[i] = 'a'
	}
	if _, err := Read("t.csv", long); err == nil || !strings.Contains(err.Error(), "expected at most 67108864") {
		t.Errorf("a table that is too large: %v", err)
	}
}

// A column is found by its name. Errors list the columns, or name the line and the column of a cell.
func TestColumn(t *testing.T) {
	table, err := Read("t.csv", []byte("name,Yield,b,B\nx,1,2,3\n\ny,4,5,6\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"name": 0, "Yield": 1, "YIELD": 1, "b": 2, "B": 3} {
		if i, err := table.Column(name); err != nil || i != want {
			t.Errorf("column %q is %d, %v; want %d", name, i, err, want)
		}
	}
	const want = `t.csv: no column "cost"; the columns are ["name" "Yield" "b" "B"]`
	if _, err := table.Column("cost"); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	// If no name matches exactly and several names match when case is ignored, no column is found.
	for header, want := range map[string]int{"yIeld,b,YIELD": -1, "b,YieLD,YIELD": -1, "YIELD,b": 0, "b,YIELD": 1, "yield,YIELD": 0} {
		other, err := Read("t.csv", []byte(header+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := other.Find("yield"); got != want {
			t.Errorf("of %s column %d is called yield; want %d", header, got, want)
		}
	}
	if at := table.Where(1, 2); at != `t.csv:4: column "b"` {
		t.Error(at)
	}
}

// Valid numbers are parsed. For other cells, errors suggest what was probably meant.
func TestNumber(t *testing.T) {
	for cell, want := range map[string]float64{
		"0": 0, " -2.5 ": -2.5, "1e3": 1000, "+.5": .5, "12345678901": 12345678901, "-0.1E-2": -.001,
	} {
		if x, err := Number(cell); err != nil || x != want {
			t.Errorf("%q is %v, %v; want %v", cell, x, err, want)
		}
	}
	for cell, want := range map[string]string{
		"":            "the cell is empty; expected a number",
		"  ":          "the cell is empty; expected a number",
		"1,5":         `"1,5" is not a finite number; if the comma is a decimal comma, write 1.5`,
		"1,234,567":   `"1,234,567" is not a finite number; write the digits without group separators`,
		"1'000.5":     `"1'000.5" is not a finite number; write the digits without group separators`,
		"10\u00a0000": "\"10\\u00a0000\" is not a finite number; write the digits without group separators",
		"10\u202f000": "\"10\\u202f000\" is not a finite number; write the digits without group separators",
		"1,000":       `"1,000" is not a finite number; write 1000 if the comma separates thousands, or 1.000 if it is a decimal comma`,
		"1.250,00":    `"1.250,00" is not a finite number; write the digits without group separators: 1250,00`,
		"−1 000":      `"−1 000" is not a finite number`,
		"1,5 %":       `"1,5 %" is not a finite number`,
		".":           `"." is not a finite number`,
		"1.2.3":       `"1.2.3" is not a finite number`,
		"10 000":      `"10 000" is not a finite number; write the digits without group separators`,
		"−3":          `"−3" is not a finite number; write the sign as - (a hyphen)`,
		"71.2 %":      `"71.2 %" is not a finite number; write only the number, 71.2`,
		"5 mg":        `"5 mg" is not a finite number; write only the number, 5`,
		"5. mg":       `"5. mg" is not a finite number; write only the number, 5.`,
		"5o":          `"5o" is not a finite number; if the letter O means zero, write 50`,
		"5O":          `"5O" is not a finite number; if the letter O means zero, write 50`,
		"n.d.":        `"n.d." is not a finite number`,
		"< 5":         `"< 5" is not a finite number`,
		"0x1p4":       `"0x1p4" is not a finite number`,
		"1_000":       `"1_000" is not a finite number`,
		"NaN":         `"NaN" is not a finite number`,
		"-Inf":        `"-Inf" is not a finite number`,
		"infinity":    `"infinity" is not a finite number`,
		"1e999":       `"1e999" is not a finite number`,
		"1,5 or 2,5":  `"1,5 or 2,5" is not a finite number`,
	} {
		if x, err := Number(cell); err == nil || err.Error() != want {
			t.Errorf("%q is %v, %v; want %s", cell, x, err, want)
		}
	}
}

// A whole number is rejected if a point or a comma may separate thousands.
func TestWhole(t *testing.T) {
	for cell, want := range map[string]int{"12": 12, " 1.0 ": 1, "7.00": 7, "0": 0, "-3": -3, "1000": 1000, "0.000": 0} {
		if n, err := Whole(cell); err != nil || n != want {
			t.Errorf("%q is %d, %v; want %d", cell, n, err, want)
		}
	}
	for _, cell := range []string{"1,000", "1.000", "10,470", "1 000", "1,0", "1.5", "1e10", "", "x", "-1.000"} {
		if n, err := Whole(cell); err == nil {
			t.Errorf("%q is %d", cell, n)
		}
	}
}

// A row of types or units below the header is an error that states the line. A row of values is not an error, even if
// some values are text.
func TestUnits(t *testing.T) {
	for text, line := range map[string]int{
		"NAME,catalyst,t\nTYPE,DATA,DATA\n0,P1,600\n1,P1,600\n":                           2,
		",solvent,yield,ee\n,DATA,DATA,DATA\nid,,,\n0,126-33-0,40,75\n1,108-88-3,89,95\n": 2,
		"name,price\n,EUR\nA,3\n":             2,
		"name,price\nname,[EUR]\nA,\"3,5\"\n": 2,
		"name,price\nA,EUR\nB,3\n":            0, // EUR may be a typo
		"name,price\nA,3\n,EUR\n":             0,
		"name,x,y\nA,failed,failed\nB,3,4\n":  0,
		"name,x,y\nA,$1.50,3 mg\nB,3,4\n":     0,
		"name,stock,kind\nA,none,\nB,5,x\n":   0,
		"name,kind\n,x\nA,y\n":                0,
		"name,price\nA,EUR\n":                 0,
	} {
		table, err := Read("t.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		err = table.Units()
		if (err != nil) != (line > 0) || err != nil && !strings.HasPrefix(err.Error(), fmt.Sprintf("t.csv:%d: ", line)) {
			t.Errorf("%q: %v; want line %d", text, err, line)
		}
	}
}

// Rows that aggregate other rows, such as a mean, are recognised by their names.
func TestAggregates(t *testing.T) {
	table, err := Read("t.csv", []byte("name\nA\nsort\nsort_mean\nsort_cv\nmax_cv\nTotal\nStd. dev.\nmean field\nsort median\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Listed(table.Aggregates(0)); got != "lines 4, 5, 7, 8 and 10" {
		t.Error(got)
	}
}

// Text of up to 40 characters is quoted in full.
func TestShort(t *testing.T) {
	for _, letter := range []string{"x", "ö"} {
		whole := strings.Repeat(letter, 40)
		if got := Short(whole); got != `"`+whole+`"` {
			t.Errorf("40 characters: %s", got)
		}
		if got := Short(whole + letter); got != `"`+whole+`…"` {
			t.Errorf("41 characters: %s", got)
		}
	}
}

// Text that a spreadsheet would interpret as a formula gets an apostrophe; numbers and other text do not. Unguard
// restores any text.
func TestGuard(t *testing.T) {
	for text, guarded := range map[string]bool{
		"=1+1": true, "+A1": true, "-A1": true, "@SUM(A1)": true, "\t=1": true, "\r1": true, "\n1": true,
		"＝1": true, "－A": true, "＋A": true, "＠A": true,
		"＝": false, "＋5": true, "'＠A": true, "'=1": true, "''=1": true, "=": false, "-": false, "-1.5": false, "+2": false,
		"-1e999": false, "A-1": false, "'tis": false, "": false, "'": false, "1=1": false,
	} {
		got := Guard(text)
		if (got != text) != guarded || guarded && got != "'"+text {
			t.Errorf("Guard(%q) = %q", text, got)
		}
		if back := Unguard(got); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
}

func TestMark(t *testing.T) {
	for _, text := range []string{"arm,x\n", Mark + "arm,x\n", Mark + "\"arm\",x\n"} {
		rec, err := NewReader(strings.NewReader(text)).Read()
		if err != nil || !slices.Equal(rec, []string{"arm", "x"}) {
			t.Errorf("%q: %q, %v", text, rec, err)
		}
	}
	if rec, err := NewReader(strings.NewReader("a")).Read(); err != nil || rec[0] != "a" {
		t.Errorf("a short table: %q, %v", rec, err)
	}
}

func TestHeader(t *testing.T) {
	names := []string{" a", "b ", "", ""}
	if err := Header(names); err != nil || !slices.Equal(names, []string{"a", "b", "", ""}) {
		t.Errorf("%q, %v", names, err)
	}
	err := Header([]string{"a", "b", "a "})
	want := `columns 1 and 3 are both called "a"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v; want %q", err, want)
	}
}

// If the separator is not a comma, commas in a column are read as decimal commas. A column does not change if all its
// commas may separate thousands, or if it contains points or other text.
func TestDecimalCommas(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\nx;80,0\ny;7\n":               "[[x 80.0] [y 7]]",
		"a\tb\nx\t-0,25\ny\t\n":            "[[x -0.25] [y ]]",
		"a;b\nx;1,234\ny;2,500\n":          "[[x 1,234] [y 2,500]]", // may be thousands
		"a;b\nx;1,234\ny;2,50\n":           "[[x 1.234] [y 2.50]]",  // not thousands
		"a;b\nx;2,50\ny;1,234\n":           "[[x 2.50] [y 1.234]]",
		"a;b\nx;0,125\ny;0,250\n":          "[[x 0.125] [y 0.250]]",
		"a;b\nx;1234,567\ny;2\n":           "[[x 1234.567] [y 2]]", // not thousands: 1234 has four digits
		"a;b\nx;80,0\ny;7.5\n":             "[[x 80,0] [y 7.5]]",   // commas and points
		"a;b\nx;80,0\ny;none\n":            "[[x 80,0] [y none]]",
		"a;b\nx;80,0\ny;failed\nz;NA\n":    "[[x 80.0] [y failed] [z NA]]", // failed and NA are ignored
		"a;b\nx;1,2,3\ny;80,0\n":           "[[x 1,2,3] [y 80,0]]",
		"a,b\nx,\"80,0\"\ny,7\n":           "[[x 80,0] [y 7]]", // cells are separated by commas
		"Name;Ausbeute\n1,5;80,0\n2,5;7\n": "[[1.5 80.0] [2.5 7]]",
		"a;b\nx;+1,5\ny;-2\n":              "[[x +1.5] [y -2]]", // with signs
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

// Workbooks (.xlsx, .ods and .xls) are distinguished from tables that are not UTF-8, and the error says what to do.
func TestWorkbook(t *testing.T) {
	for _, data := range []string{"PK\x03\x04\x14\x00", "\xd0\xcf\x11\xe0\xa1\xb1"} {
		_, err := Read("plate.xlsx", []byte(data))
		if err == nil || !strings.Contains(err.Error(), `plate.xlsx: the file is a workbook, not a text table; open it, `+
			`and save the sheet as "CSV UTF-8"`) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

// A column is found regardless of case if the match is unique.
func TestFind(t *testing.T) {
	table := &Table{Name: "t.csv", Columns: []string{"Yield", "cost", "COST", "a", ""}}
	for name, want := range map[string]int{"Yield": 0, "yield": 0, "cost": 1, "COST": 2, "Cost": -1, "A": 3, "b": -1, "": -1} {
		if got := table.Find(name); got != want {
			t.Errorf("%q: column %d; want %d", name, got, want)
		}
	}
}

// If more numbers have commas than points, commas are decimal commas, and cells with points are errors. If commas and
// points are equally frequent, cells with commas are errors. An error in one cell does not affect other cells.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"a;b\nx;1,5\ny;2.5\n":                "- 2.5",
		"a;b\nx;1,5\ny;2.5\nz;3,5\n":         "1.5 - 3.5",
		"a;b\nx;1,5\ny;2.5\nz;odd\n":         "- 2.5 -",
		"a;b\nx;1,5\ny;odd\nz;2\n":           "1.5 - 2",
		"a;b\nx;1.5\ny;2.5\nz;odd, 3\n":      "1.5 2.5 -",
		"a;b\nx;1,5\ny;.5\nz;-,5\n":          "- 0.5 -", // no digit before the point
		"a;b\nx;1,5\ny;+.5\nz;2,5\n":         "1.5 - 2.5",
		"a;b\nx;1,234\ny;odd\nz;2,345\n":     "- - -", // may be thousands
		"a;b\nx;12,5\ny;8,0\nz;1.250,00\n":   "12.5 8 -",
		"a;b\nx;12,5 mg\ny;8,0 mg\nz;1 mg\n": "- - 1", // units are removed; commas in such cells are not read
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

// FuzzRead reads arbitrary tables: in an accepted table, every row has one valid UTF-8 cell per column.
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

// FuzzNumber parses arbitrary cells: strconv parses an accepted number to the same value.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "-2.5e3", "1,5", "1 000", "40 %", "0x1p4", "NaN", "−3", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		x, err := Number(cell)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without a message")
			}
			return
		}
		y, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || x != y || math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%q is %v; %v, %v", cell, x, y, err)
		}
	})
}
