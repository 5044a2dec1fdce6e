package csvtable

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// commaNumber is a number with a decimal comma, or without decimals.
var commaNumber = regexp.MustCompile(`^[+-]?[0-9]+(,[0-9]+)?$`)

// pointNumber is a number with a decimal point.
var pointNumber = regexp.MustCompile(`^[+-]?[0-9]*\.[0-9]+$`)

// grouped is a number whose comma may as well separate thousands.
var grouped = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)

// noNumber lists the texts that a cell may hold instead of a result.
var noNumber = []string{"failed", "na", "nan"}

// decimalCommas writes the numbers of a column with points, as spreadsheets of many countries write
// commas: if all of its cells are numbers with a decimal comma or whole ones, and one of them
// has a comma that cannot separate thousands. Cells that say that there is no number have no part in
// it. Otherwise the cells stay as they are, and errors say what was probably meant.
func (t *Table) decimalCommas(column int) {
	for _, row := range t.Rows {
		if cell := row[column]; cell != "" && !slices.Contains(noNumber, strings.ToLower(cell)) &&
			!commaNumber.MatchString(cell) {
			return
		}
	}
	t.pointed(column)
}

// pointed writes the decimal commas of a column with points, if one of them cannot separate thousands,
// and returns how many there were.
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

// Numbers returns a reader of a column that is known to have numbers, by row. Decimal commas are read there whatever
// texts are among them, where Read left them since the column does not agree: errors are then about the
// texts, and not about the commas. If more cells have a decimal comma than a point, a point is an error. The reader
// removes the unit at the end of a cell.
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
			err = fmt.Errorf("%s has a decimal point, and %d others of the column have a comma; write %s",
				Short(cell), commas, strings.Replace(cell, ".", ",", 1))
		}
		return x, err
	}
}
