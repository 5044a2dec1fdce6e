// Package csvtable reads tables of comma-separated values as spreadsheets write them.
//
//	t, err := csvtable.Read("yields.csv", data)
//	c, err := t.Column("yield")
//	v, err := csvtable.Number(t.Rows[0][c]) // an error is at t.Where(0, c)
package csvtable

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// headings are what cells of rows of types and units say.
var headings = regexp.MustCompile(`(?i)^(type|units?|data|metadata|dtype|float|int|integer|str|string|text|number|numeric|%|[\[(].*[\])])$`)

// Units returns an error that names the row below the header that has types or units instead of values: texts in
// the columns that have only numbers below it.
func (t *Table) Units() error {
	for n := min(2, len(t.Rows)-1); n > 0; n-- {
		texts, below := 0, 0 // columns of numbers: with texts here, and all
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
				if row[j] != "" && !slices.Contains(noNumber, strings.ToLower(row[j])) && !strings.ContainsAny(row[j], "0123456789") {
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
			return fmt.Errorf("%s:%d: the row %q has texts where the rows below it have numbers; if they are types or units, "+
				"delete the row, and else the texts", t.Name, t.Lines[0], t.Rows[0])
		}
	}
	return nil
}

// numbersFrom reports whether a column has numbers, and nothing else but empty cells, from a row on.
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

// aggregates are names of rows that sum up others, alone or at the end of a name: BM_sort_median.
var (
	aggregate       = regexp.MustCompile(`(?i)^(grand )?(total|sum|subtotal|mean|average|avg|median|std|stdev|stddev|std\.? dev\.?|standard deviation|count)$`)
	aggregateEnding = regexp.MustCompile(`(?i)[_ /:-](mean|average|avg|median|stdev|stddev|std|cv|min|max)$`)
)

// Aggregate reports whether a name looks like that of a row that sums up others.
func Aggregate(name string) bool {
	return aggregate.MatchString(name) || aggregateEnding.MatchString(name)
}

// Aggregates returns the rows whose names in a column look like means, medians, totals and so on of other rows.
func (t *Table) Aggregates(column int) (rows []int) {
	names := map[string]bool{}
	for _, row := range t.Rows {
		names[row[column]] = true
	}
	for i, row := range t.Rows {
		name := row[column]
		if aggregate.MatchString(name) || names[aggregateEnding.ReplaceAllString(name, "")] && aggregateEnding.MatchString(name) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Listed names lines of a table: "line 3", or "lines 3, 7 and 12".
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

// Mark is the byte order mark with which spreadsheets begin a file in UTF-8.
const Mark = "\ufeff"

// NewReader returns a reader of the records of r, after the byte order mark if there
// is one, also where a quoted name follows it.
func NewReader(r io.Reader) *csv.Reader {
	b := bufio.NewReader(r)
	if head, err := b.Peek(len(Mark)); err == nil && string(head) == Mark {
		_, _ = b.Discard(len(Mark)) // what was peeked at is there
	}
	return csv.NewReader(b)
}

// Header removes the spaces around the names of the columns of a table. Two columns
// of a name are an error: nobody knows which is meant. Columns without a name, such
// as those that a spreadsheet leaves at its right, have none to confuse.
func Header(names []string) error {
	at := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		names[i] = name
		if j, dup := at[name]; dup && name != "" {
			return fmt.Errorf("row 1: columns %d and %d are both called %q; rename one of them",
				j+1, i+1, name)
		}
		at[name] = i
	}
	return nil
}

// Guard returns the text of a cell such that no spreadsheet takes it for a formula: with an
// apostrophe before it if one would, as spreadsheets write it.
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

// formula reports whether a spreadsheet would take s for a formula: it begins with
// =, +, -, @, a tab or a line break, and is no number. Text with apostrophes before
// one counts too, so that taking one away is the inverse of putting one there.
func formula(s string) bool {
	s = strings.TrimLeft(s, "'")
	first, n := utf8.DecodeRuneInString(s)
	if len(s) == n || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return false // a sign alone, such as "-", is none
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil && !errors.Is(err, strconv.ErrRange)
}
