package csvtable

import (
	"regexp"
	"slices"
	"strings"
)

// commaNumber is a number with a decimal comma, or without decimals.
var commaNumber = regexp.MustCompile(`^[+-]?[0-9]+(,[0-9]+)?$`)

// grouped is a number whose comma may as well separate thousands.
var grouped = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)

// noNumber is what cells of results say where there is none.
var noNumber = []string{"failed", "na", "nan"}

// decimalCommas writes the numbers of a column with points, as spreadsheets of many countries write
// commas: if all of its cells are numbers with a decimal comma or whole ones, and one of them
// has a comma that cannot separate thousands. Cells that say that there is no number have no part in it. Otherwise the cells stay as they are, and errors say
// what was probably meant.
func (t *Table) decimalCommas(column int) {
	sure := false
	for _, row := range t.Rows {
		cell := row[column]
		if cell == "" || slices.Contains(noNumber, strings.ToLower(cell)) {
			continue
		}
		if !commaNumber.MatchString(cell) {
			return
		}
		sure = sure || strings.Contains(cell, ",") && !grouped.MatchString(cell)
	}
	if !sure {
		return
	}
	for _, row := range t.Rows {
		row[column] = strings.Replace(row[column], ",", ".", 1)
	}
}
