// Package csvtable reads tables of comma-separated values, as spreadsheets write them.
//
//	t, err := csvtable.Read("yields.csv", data)
//	c, err := t.Column("yield")
//	v, err := csvtable.Number(t.Rows[0][c]) // an error is at t.Where(0, c)
package csvtable

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Table is a table of text: a header and rows of the same length.
type Table struct {
	Name    string // name of the file, for error messages
	Columns []string
	Rows    [][]string
	Lines   []int // line of the file at which each row begins, from 1
	Comma   rune  // separator of cells
}

// Largest is the maximum size of a table in bytes: 64 MiB.
const Largest = 64 << 20

// Read reads a table from data, the contents of the file with the given name. Cells are separated
// by commas, semicolons or tabs. The separator is the most frequent of comma, semicolon and tab in
// the header, unless a first line such as "sep=;" declares the separator. Lines end with LF, CR LF
// or CR. Read converts text to composed form (NFC) and removes spaces around cells. If the
// separator is not a comma, Read replaces decimal commas by points; see decimalCommas for the
// conditions on the column. Read skips rows without text. Errors of Read state the file name and,
// where possible, the line number.
func Read(name string, data []byte) (*Table, error) {
	bad := func(format string, args ...any) (*Table, error) {
		return nil, fmt.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
	}
	if len(data) > Largest {
		return bad("the table has %d bytes; expected at most %d bytes", len(data), Largest)
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) || bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) {
		return bad("the file is a workbook, not a text table; open it, and save the sheet as \"CSV UTF-8\"")
	}
	if at := notText(data); at >= 0 {
		return bad("line %d is not valid UTF-8 text; save the table as \"CSV UTF-8\"",
			1+bytes.Count(data[:at], []byte("\n")))
	}
	if !bytes.ContainsRune(data, '\n') {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n")) // replace the line ends of Excel's "CSV (Macintosh)"
	}
	comma := separator(data)
	if at := separatorLine.FindSubmatchIndex(data); at != nil {
		comma = rune(data[at[2]])
		data = append([]byte("\n"), data[at[1]:]...) // the added empty line preserves the line numbers
	}
	r := NewReader(bytes.NewReader(norm.NFC.Bytes(data)))
	r.Comma = comma
	r.FieldsPerRecord = -1
	t := &Table{Name: name, Comma: r.Comma}
	header := 0 // line number of the header
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return bad("%v", err)
		}
		line, _ := r.FieldPos(0)
		for i, cell := range rec {
			rec[i] = strings.TrimSpace(cell)
		}
		if t.Columns == nil {
			if err := Header(rec); err != nil {
				return bad("%v", err)
			}
			t.Columns, header = rec, line
			continue
		}
		if !slices.ContainsFunc(rec, func(cell string) bool { return cell != "" }) {
			continue
		}
		if n := len(t.Columns); len(rec) != n {
			if len(rec) > n && !slices.ContainsFunc(rec[n:], func(cell string) bool { return cell != "" }) {
				rec = rec[:n]
			} else if n < len(rec) && len(t.Rows) == 0 && (n == 1 || strings.HasPrefix(t.Columns[0], "#")) {
				return bad("line %d: %s does not name the columns, because line %d has %d cells; delete the lines "+
					"above the header", header, Short(t.Columns[0]), line, len(rec))
			} else {
				return bad("line %d: expected %d cells, one per column, but found %d; quote cells that contain a %s",
					line, n, len(rec), separatorName[r.Comma])
			}
		}
		t.Rows = append(t.Rows, rec)
		t.Lines = append(t.Lines, line)
	}
	if t.Columns == nil {
		return bad("the table is empty; expected a first row that names the columns")
	}
	if r.Comma != ',' {
		for j := range t.Columns {
			t.decimalCommas(j)
		}
	}
	return t, nil
}

// notText returns the position of the first zero byte or invalid UTF-8 byte, or -1.
func notText(data []byte) int {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i
	}
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// separatorLine matches a first line that declares the separator, such as "sep=;", which Excel
// understands.
var separatorLine = regexp.MustCompile(`^(?:\x{feff})?"?sep=([,;\t])"?\r?\n`)

var separatorName = map[rune]string{',': "comma", ';': "semicolon", '\t': "tab"}

// separator returns the most frequent separator in the first line, ignoring quoted text.
func separator(data []byte) rune {
	count := map[rune]int{}
	quoted := false
	for _, b := range data {
		if b == '"' {
			quoted = !quoted
		}
		if b == '\n' && !quoted {
			break
		}
		if !quoted {
			count[rune(b)]++
		}
	}
	best := ','
	for _, c := range []rune{';', '\t'} {
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}

// Find returns the index of the column called name. If no name matches exactly, Find returns the
// only column whose name matches except for case, or -1.
func (t *Table) Find(name string) int {
	if name == "" {
		return -1
	}
	if i := slices.Index(t.Columns, name); i >= 0 {
		return i
	}
	found := -1
	for i, c := range t.Columns {
		if strings.EqualFold(c, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// Column finds a column in the same way as Find, but returns an error that lists the columns if it
// finds none.
func (t *Table) Column(name string) (int, error) {
	if i := t.Find(name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s: no column %q; the columns are %q", t.Name, name, t.Columns)
}

// Where returns the location of a cell for error messages: file, line and column.
func (t *Table) Where(row, column int) string {
	return fmt.Sprintf("%s:%d: column %q", t.Name, t.Lines[row], t.Columns[column])
}

// Number parses the number in a cell. For a cell that is not a number, the error suggests the
// probable meaning: a decimal comma, groups of digits, or a unit. The error does not state the
// location of the cell.
func Number(cell string) (float64, error) {
	text := strings.TrimSpace(cell)
	if x, ok := number(text); ok {
		return x, nil
	}
	hint := ""
	digits := strings.TrimRightFunc(text, func(r rune) bool {
		return !unicode.IsDigit(r) && r != '.'
	})
	switch {
	case text == "":
		return 0, errors.New("the cell is empty; expected a number")
	case pointGroups.MatchString(text): // an example of such a number is 1.250,00
		hint = fmt.Sprintf("; write the digits without group separators: %s", strings.ReplaceAll(text, ".", ""))
	case grouped.MatchString(text):
		hint = fmt.Sprintf("; write %s if the comma separates thousands, or %s if it is a decimal comma",
			strings.Replace(text, ",", "", 1), strings.Replace(text, ",", ".", 1))
	case strings.Count(text, ",") == 1 && plain(strings.Replace(text, ",", ".", 1)):
		hint = fmt.Sprintf("; if the comma is a decimal comma, write %s", strings.Replace(text, ",", ".", 1))
	case plain(strings.NewReplacer(",", "", "'", "", " ", "", "\u00a0", "", "\u202f", "").
		Replace(text)):
		hint = "; write the digits without group separators"
	case plain(strings.ReplaceAll(text, "−", "-")):
		hint = "; write the sign as - (a hyphen)"
	case plain(noughts.Replace(text)):
		hint = fmt.Sprintf("; if the letter O means zero, write %s", noughts.Replace(text))
	case digits != text && plain(digits):
		hint = fmt.Sprintf("; write only the number, %s", digits)
	}
	return 0, fmt.Errorf("%s is not a finite number%s", Short(cell), hint)
}

// pointGroups matches a number with points between groups of digits.
var pointGroups = regexp.MustCompile(`^[+-]?[0-9]{1,3}(\.[0-9]{3})+,[0-9]+$|^[+-]?[0-9]{1,3}(\.[0-9]{3}){2,}$`)

// thousands matches a number whose point or comma may separate thousands, for columns of whole
// numbers.
var thousands = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}$`)

// Whole parses the whole number in a cell, like [Number]; its absolute value must be at most 1e9.
// Whole accepts decimals that are all zero, which spreadsheets add, as in 1.0. Whole rejects the
// cell 1.000, which may mean a thousand.
func Whole(cell string) (int, error) {
	text := strings.TrimSpace(cell)
	if thousands.MatchString(text) {
		return 0, fmt.Errorf("%s is ambiguous: its separator may mark thousands or decimals; write %s, or leave out "+
			"the decimals", Short(cell),
			strings.NewReplacer(".", "", ",", "").Replace(text))
	}
	x, err := Number(text)
	if err == nil && (x != math.Trunc(x) || math.Abs(x) > 1e9) {
		err = fmt.Errorf("%s is not a whole number of at most 1e9; use e.g. 8", Short(cell))
	}
	return int(x), err
}

// Whole returns the whole number in a cell of the table, parsed like the function [Whole]. If the
// separator is not a comma, Whole accepts a decimal comma, as in 1,0.
func (t *Table) Whole(row, column int) (int, error) {
	cell := t.Rows[row][column]
	if t.Comma != ',' && commaNumber.MatchString(cell) && !grouped.MatchString(cell) {
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return Whole(cell)
}

var noughts = strings.NewReplacer("O", "0", "o", "0")

// number parses decimal numbers. number rejects hexadecimal numbers, underscores, and infinities.
func number(text string) (float64, bool) {
	if strings.ContainsAny(text, "xX_pPiInN") {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

func plain(text string) bool {
	_, ok := number(text)
	return ok
}

// Short returns text in quotes, abbreviated if it is long.
func Short(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return strconv.Quote(text)
}

// headings matches cells that are typical for a row of types or units.
var headings = regexp.MustCompile(`(?i)^(type|units?|data|metadata|dtype|float|int|integer|str|string|text|number|numeric|%|[\[(].*[\])])$`)

// Units returns an error if the one or two rows below the header look like rows of types or units.
// A row of types or units has texts in columns that otherwise contain only numbers.
func (t *Table) Units() error {
	for n := min(2, len(t.Rows)-1); n > 0; n-- {
		// Numbers of columns that are numeric from row n on: with text in the first n rows, and in
		// total.
		texts, below := 0, 0
		for j := range t.Columns {
			if !t.numbersFrom(n, j) {
				continue
			}
			below++
			text := 0
			for _, row := range t.Rows[:n] {
				if _, err := Number(row[j]); err == nil {
					text = -1
					break
				}
				if row[j] != "" && !slices.Contains(noNumber, strings.ToLower(row[j])) &&
					!strings.ContainsAny(row[j], "0123456789") {
					text = 1
				}
			}
			if text < 0 {
				texts = -1
				break
			}
			texts += text
		}
		sure := below > 1 || t.Rows[0][0] == "" || slices.ContainsFunc(t.Rows[0], headings.MatchString)
		if sure && texts == below && below > 0 {
			return fmt.Errorf("%s:%d: the row %q contains text where the rows below contain numbers; if the text "+
				"states types or units, delete the row; otherwise delete the text", t.Name, t.Lines[0], t.Rows[0])
		}
	}
	return nil
}

// numbersFrom reports whether all cells of a column from row first on are numbers or empty, with at
// least one number.
func (t *Table) numbersFrom(first, column int) bool {
	some := false
	for _, row := range t.Rows[first:] {
		if row[column] == "" || slices.Contains(noNumber, strings.ToLower(row[column])) {
			continue
		}
		if _, err := Number(row[column]); err != nil && !commaNumber.MatchString(row[column]) {
			return false
		}
		some = true
	}
	return some
}

// The following expressions match names of rows that aggregate other rows; such a name may also end
// a longer name, as in BM_sort_median.
var (
	aggregate       = regexp.MustCompile(`(?i)^(grand )?(total|sum|subtotal|mean|average|avg|median|std|stdev|stddev|std\.? dev\.?|standard deviation|count)$`)
	aggregateEnding = regexp.MustCompile(`(?i)[_ /:-](mean|average|avg|median|stdev|stddev|std|cv|min|max)$`)
)

// Aggregate reports whether a name looks like that of a row that aggregates other rows, such as a
// total.
func Aggregate(name string) bool {
	return aggregate.MatchString(name) || aggregateEnding.MatchString(name)
}

// Aggregates returns the rows whose names, in the given column, suggest that the rows are means,
// medians or totals of other rows.
func (t *Table) Aggregates(column int) (rows []int) {
	names := map[string]bool{}
	for _, row := range t.Rows {
		names[row[column]] = true
	}
	for i, row := range t.Rows {
		name := row[column]
		base := aggregateEnding.ReplaceAllString(name, "")
		if aggregate.MatchString(name) || base != name && names[base] {
			rows = append(rows, i)
		}
	}
	return rows
}

// Listed returns the line numbers of the given rows as text: "line 3", or "lines 3, 7 and 12".
func (t *Table) Listed(rows []int) string {
	const most = 10
	var list []string
	for _, i := range rows[:min(len(rows), most)] {
		list = append(list, fmt.Sprint(t.Lines[i]))
	}
	switch more := len(rows) - most; {
	case more > 0:
		return fmt.Sprintf("lines %s and %d more", strings.Join(list, ", "), more)
	case len(list) == 1:
		return "line " + list[0]
	}
	return fmt.Sprintf("lines %s and %s", strings.Join(list[:len(list)-1], ", "), list[len(list)-1])
}

// Mark is the byte order mark that spreadsheets write at the beginning of a UTF-8 file.
const Mark = "\ufeff"

// NewReader returns a CSV reader of the records in r. NewReader skips a byte order mark, even in
// front of a quoted name.
func NewReader(r io.Reader) *csv.Reader {
	b := bufio.NewReader(r)
	if head, err := b.Peek(len(Mark)); err == nil && string(head) == Mark {
		_, _ = b.Discard(len(Mark)) // Peek ensures that the bytes of the mark are available, so Discard cannot fail
	}
	return csv.NewReader(b)
}

// Header removes spaces around the column names of a table. Header returns an error if two columns
// have the same name. Columns without a name are allowed, for example columns that a spreadsheet
// leaves at the right.
func Header(names []string) error {
	at := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		names[i] = name
		if j, dup := at[name]; dup && name != "" {
			return fmt.Errorf("row 1: columns %d and %d are both called %q; rename one of them", j+1, i+1, name)
		}
		at[name] = i
	}
	return nil
}

// Guard protects the text of a cell from being interpreted as a formula by a spreadsheet. If
// necessary, Guard puts an apostrophe in front of the text, as spreadsheets do.
func Guard(s string) string {
	if formula(s) {
		return "'" + s
	}
	return s
}

// Unguard is the inverse of Guard.
func Unguard(s string) string {
	if strings.HasPrefix(s, "'") && formula(s) {
		return s[1:]
	}
	return s
}

// formula reports whether a spreadsheet would interpret s as a formula. A formula begins with =, +,
// -, @, a tab or a line break, but is not a number. Text with apostrophes before a formula also
// counts as a formula, so that Unguard is the inverse of Guard.
func formula(s string) bool {
	s = strings.TrimLeft(s, "'")
	first, n := utf8.DecodeRuneInString(s)
	if len(s) == n || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return false // a sign alone, such as "-", is not a formula
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil && !errors.Is(err, strconv.ErrRange)
}
