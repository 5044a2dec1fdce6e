package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
)

// markdown writes each table of a CSV file as the documents show it, by name.
func markdown(file io.Reader) (map[string]string, error) {
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	columns, cells := map[string][]string{}, map[string][]string{}
	numbers := map[[3]string]string{}
	for _, r := range rows[1:] {
		table, cell, column := r[0], r[1], r[3]
		if !slices.Contains(columns[table], column) {
			columns[table] = append(columns[table], column)
		}
		if !slices.Contains(cells[table], cell) {
			cells[table] = append(cells[table], cell)
		}
		numbers[[3]string{table, cell, column}] = shown(r[4])
	}
	out := map[string]string{}
	for table, names := range columns {
		var b strings.Builder
		fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(names, " | "),
			strings.Repeat("---:|", len(names)))
		for _, cell := range cells[table] {
			b.WriteString("| " + cell)
			for _, column := range names {
				b.WriteString(" | " + numbers[[3]string{table, cell, column}])
			}
			b.WriteString(" |\n")
		}
		out[table] = b.String()
	}
	return out, nil
}

// shown writes a number with at most one decimal.
func shown(number string) string {
	if number == "+Inf" {
		return "not reached"
	}
	var x float64
	if _, err := fmt.Sscan(number, &x); err != nil {
		return number
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
