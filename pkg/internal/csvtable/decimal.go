package csvtable

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// commaNumber matches a number with a decimal comma or without decimals.
var commaNumber = regexp.MustCompile(`^[+-]?[0-9]+(,[0-9]+)?$`)

var pointNumber = regexp.MustCompile(`^[+-]?[0-9]*\.[0-9]+$`)

// grouped matches a number whose comma could also separate thousands.
var grouped = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)

// noNumber lists the texts that a cell may contain instead of a result.
var noNumber = []string{"failed", "na", "nan"}

// decimalCommas replaces the decimal commas in a column, as spreadsheets in many countries write
// them, by decimal points. All cells of the column must be whole numbers or numbers with a comma.
// At least one comma of the column must be impossible as a thousands separator. decimalCommas
// ignores empty cells and the texts in noNumber. In any other column, the cells do not change, and
// later errors suggest the probable meaning of commas.
func (t *Table) decimalCommas(column int) {
	for _, row := range t.Rows {
		if cell := row[column]; cell != "" && !slices.Contains(noNumber, strings.ToLower(cell)) &&
			!commaNumber.MatchString(cell) {
			return
		}
	}
	t.pointed(column)
}

// pointed replaces the decimal commas in a column by points, if at least one comma cannot be a
// thousands separator. pointed returns the number of commas.
func (t *Table) pointed(column int) (commas int) {
	sure := false
	for _, row := range t.Rows {
		if cell := row[column]; commaNumber.MatchString(cell) && strings.Contains(cell, ",") {
			commas++
			sure = sure || !grouped.MatchString(cell)
		}
	}
	if !sure {
		return 0
	}
	for _, row := range t.Rows {
		if commaNumber.MatchString(row[column]) {
			row[column] = strings.Replace(row[column], ",", ".", 1)
		}
	}
	return commas
}

// Numbers returns a function that returns the number in a given row of a column. Read leaves the
// decimal commas of a column that also contains texts; Numbers replaces these commas, so errors are
// about the texts, not about the commas. If more cells have a decimal comma than a decimal point, a
// cell with a decimal point is an error. The returned function ignores a unit at the end of a cell.
func (t *Table) Numbers(column int, unit string) func(row int) (float64, error) {
	commas := 0
	point := map[int]bool{}
	for i, row := range t.Rows {
		if t.Comma != ',' && pointNumber.MatchString(row[column]) {
			point[i] = true
		}
		if t.Comma != ',' && commaNumber.MatchString(row[column]) && strings.Contains(row[column], ",") {
			commas++
		}
	}
	if commas > len(point) {
		commas = t.pointed(column)
	} else {
		commas = 0
	}
	return func(i int) (float64, error) {
		cell := t.Rows[i][column]
		if unit != "" {
			cell = strings.TrimSpace(strings.TrimSuffix(cell, unit))
		}
		x, err := Number(cell)
		if err == nil && commas > 0 && point[i] {
			err = fmt.Errorf("%s has a decimal point, but %d other numbers have a decimal comma; write %s",
				Short(cell), commas, strings.Replace(cell, ".", ",", 1))
		}
		return x, err
	}
}
