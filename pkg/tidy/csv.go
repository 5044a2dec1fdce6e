package tidy

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// CSV returns t as comma-separated values: a line of names with units, then the
// rows, numbers with every digit. A column of summaries becomes three, "pulls",
// "pulls lo" and "pulls hi". Title and notes are left out. Text that a spreadsheet
// would take for a formula, such as "=1+1", has an apostrophe before it, as
// spreadsheets write it, which frame.ReadCSV takes away.
func (t *Table) CSV() string {
	names, cells := t.Flat()
	var b strings.Builder
	w := csvWriter{csv.NewWriter(&b), &b}
	_ = w.Write(names) // a strings.Builder does not fail
	for _, row := range cells {
		texts := make([]string, len(row))
		for j, v := range row {
			texts[j] = Plain(v)
		}
		_ = w.Write(texts)
	}
	w.Flush()
	return b.String()
}

// A csvWriter writes a record of one empty field as "", where csv.Writer writes
// an empty line, which readers skip, and text that looks like a formula as text.
type csvWriter struct {
	*csv.Writer
	w io.Writer
}

func (c csvWriter) Write(record []string) error {
	record = slices.Clone(record)
	for j, s := range record {
		record[j] = csvtable.Guard(s)
	}
	if len(record) != 1 || record[0] != "" {
		return c.Writer.Write(record)
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	_, err := io.WriteString(c.w, "\"\"\n")
	return err
}
