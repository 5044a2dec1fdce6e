package csvtable

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
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
