package tidy

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Table is a table with title, columns, rows and notes. A Table can be written for people as text,
// Markdown or HTML, and for programs as CSV, JSON or a data frame.
type Table struct {
	Title   string
	Columns []Column
	// Rows have one cell for each column: nil (empty), a string, a bool, a number, a Summary, or
	// any value that fmt can print.
	Rows [][]any
	// Notes are printed below the table, each as a paragraph.
	Notes []string
}

// Column describes a column of a Table.
type Column struct {
	Name string
	Unit string // unit of the numbers, such as "pulls", or empty
	// Align is the alignment of the cells; the zero value aligns columns of numbers to the right
	// and other columns to the left.
	Align Align
	// Format returns the text of a cell for people; nil means Int or Number for numbers, and
	// Summary.String for summaries. CSV, JSON and data frames ignore Format.
	Format func(v any) string
}

// Columns returns columns with the given names, which may end with a unit in brackets, as in "C*
// [pulls]".
func Columns(names ...string) []Column {
	cs := make([]Column, len(names))
	for i, name := range names {
		cs[i].Name = name
		if before, unit, ok := strings.Cut(name, " ["); ok {
			cs[i] = Column{Name: before, Unit: strings.TrimSuffix(unit, "]")}
		}
	}
	return cs
}

// Align is the alignment of text in a cell.
type Align int

// The following constants are the alignments.
const (
	Auto Align = iota
	Left
	Right
)

func (c *Column) header() string {
	if c.Unit == "" {
		return c.Name
	}
	return c.Name + " (" + c.Unit + ")"
}

func (c *Column) text(v any) string {
	if c.Format != nil {
		return c.Format(v)
	}
	return format(v)
}

func format(v any) string {
	if v == nil {
		return ""
	}
	if n, ok := integer(v); ok {
		return group(n)
	}
	switch v := v.(type) {
	case float64:
		return Number(v)
	case float32:
		return Number(float64(v))
	case bool:
		if v {
			return "yes"
		}
		return "no"
	}
	return fmt.Sprint(v)
}

// integer returns the digits of v if it is an integer.
func integer(v any) (string, bool) {
	switch v.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		if _, named := v.(fmt.Stringer); !named {
			return fmt.Sprint(v), true
		}
	}
	return "", false
}

// number reports whether v is displayed as a number, or is nil.
func number(v any) bool {
	switch v.(type) {
	case nil, float64, float32, Summary:
		return true
	}
	_, ok := integer(v)
	return ok
}

// right reports, for each column, whether its cells are aligned to the right. right reads all
// cells, so call it only once for each table.
func (t *Table) right() []bool {
	right := make([]bool, len(t.Columns))
	for j, c := range t.Columns {
		right[j] = c.Align == Right || c.Align == Auto && len(t.Rows) > 0 &&
			!slices.ContainsFunc(t.Rows, func(row []any) bool { return !number(row[j]) })
	}
	return right
}

// If a row does not have one cell for each column, check panics.
func (t *Table) check() {
	for _, row := range t.Rows {
		if len(row) != len(t.Columns) {
			panic(panicColumns)
		}
	}
}

// WriteFile writes t to a file in the format of its extension: .txt, .md, .html, .csv or .json.
func (t *Table) WriteFile(path string) error {
	ext := strings.ToLower(filepath.Ext(path))
	text, ok := map[string]func(*Table) string{".txt": (*Table).Text, ".md": (*Table).Markdown, ".html": (*Table).HTML,
		".csv": (*Table).CSV, ".json": (*Table).JSON}[ext]
	if !ok {
		return fmt.Errorf("tidy: %s: unknown ending %q; use .txt, .md, .html, .csv or .json", path, ext)
	}
	if err := os.WriteFile(path, []byte(text(t)), 0o666); err != nil {
		return fmt.Errorf("tidy: %w", err)
	}
	return nil
}

// Flat returns names and cells for programs; a column of summaries becomes three columns: the
// center and the two ends of the interval.
func (t *Table) Flat() (names []string, cells [][]any) {
	t.check()
	cells = make([][]any, len(t.Rows))
	for j := range t.Columns {
		c := &t.Columns[j]
		summaries := false
		for _, row := range t.Rows {
			if _, ok := row[j].(Summary); ok {
				summaries = true
			}
		}
		if !summaries {
			names = append(names, c.header())
			for i, row := range t.Rows {
				cells[i] = append(cells[i], row[j])
			}
			continue
		}
		lo, hi := *c, *c
		lo.Name += " lo"
		hi.Name += " hi"
		names = append(names, c.header(), lo.header(), hi.header())
		for i, row := range t.Rows {
			if s, ok := row[j].(Summary); ok {
				cells[i] = append(cells[i], s.Center, s.Lo, s.Hi)
			} else {
				cells[i] = append(cells[i], row[j], nil, nil)
			}
		}
	}
	return names, cells
}

// Plain returns the text of a cell for programs, with all digits of numbers.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return plainFloat(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// plainFloat returns the shortest text that parses as x.
func plainFloat(x float64) string {
	if math.Abs(x) < 1e15 && x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
