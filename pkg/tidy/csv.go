package tidy

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// CSV returns t as comma-separated values: a line of names with units, then the
// rows, numbers with every digit. A column of summaries becomes three, "pulls",
// "pulls lo" and "pulls hi". Title and notes are left out. Text that a spreadsheet
// would take for a formula, such as "=1+1", has an apostrophe before it, as
// spreadsheets write it, which ReadCSV takes away.
func (t *Table) CSV() string {
	names, cells := t.flat()
	var b strings.Builder
	w := csvWriter{csv.NewWriter(&b), &b}
	_ = w.Write(names) // a strings.Builder does not fail
	for _, row := range cells {
		texts := make([]string, len(row))
		for j, v := range row {
			texts[j] = plain(v)
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

// WriteCSV writes df to a file of comma-separated values, with every digit.
// Missing values are written as NaN, and text that looks like a formula as in
// [Table.CSV].
func WriteCSV(path string, df dataframe.DataFrame) (err error) {
	if df.Err != nil {
		return fmt.Errorf("tidy: %s: the data frame is not valid: %w", path, df.Err)
	}
	columns, err := columnsOf(df)
	if err != nil {
		return fmt.Errorf("tidy: %s: %w", path, err)
	}
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("tidy: %w", err)
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("tidy: %w", e)
		}
	}()
	w := csvWriter{csv.NewWriter(f), f}
	texts := df.Names()
	if err := w.Write(texts); err != nil {
		return fmt.Errorf("tidy: %s: %w", path, err)
	}
	for i := range df.Nrow() {
		for j := range columns {
			texts[j] = elementText(columns[j].Elem(i))
		}
		if err := w.Write(texts); err != nil {
			return fmt.Errorf("tidy: %s: %w", path, err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return fmt.Errorf("tidy: %s: %w", path, err)
	}
	return nil
}

// columnsOf returns the columns of df, which are copied once.
func columnsOf(df dataframe.DataFrame) ([]series.Series, error) {
	columns := make([]series.Series, 0, df.Ncol())
	for _, name := range df.Names() {
		c := df.Col(name)
		if c.Err != nil {
			return nil, fmt.Errorf("column %q: %w", name, c.Err)
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// elementText returns the text of e, with every digit.
func elementText(e series.Element) string {
	if e.Type() == series.Float {
		return plainFloat(e.Float())
	}
	return e.String()
}

// ReadCSV reads a file of comma-separated values whose first line names the
// columns. All columns listed must be there; others may be.
//
// A column is of integers, floats or bools ("true", "false") if all its values are, and of strings
// otherwise; leading zeros make a string, such as a code "007", and so do integers of too many
// digits. In a column of numbers, an empty field, NA and NaN are missing values, and make it one of
// floats. The apostrophe with which spreadsheets keep text from being a formula is taken away. A
// file that is not as it should be gives an error with its line: rows of different
// lengths, names that are missing or there twice, text that is not UTF-8, and files separated by
// semicolons or tabs.
func ReadCSV(path string, columns ...string) (dataframe.DataFrame, error) {
	f, err := os.Open(path)
	if err != nil {
		return dataframe.DataFrame{Err: err}, fmt.Errorf("tidy: %w", err)
	}
	defer f.Close()
	return ParseCSV(f, path, columns...)
}

// lineEnds returns s with lines that end as those of Unix do, however many carriage returns there
// are: package csv drops one each time that a field is read.
func lineEnds(s string) string {
	if !strings.Contains(s, "\r\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines[:len(lines)-1] {
		lines[i] = strings.TrimRight(l, "\r")
	}
	return strings.Join(lines, "\n")
}

// ParseCSV is ReadCSV for a reader; name stands for the file in errors.
func ParseCSV(r io.Reader, name string, columns ...string) (dataframe.DataFrame, error) {
	df, err := parseCSV(r, columns)
	if err != nil {
		err = fmt.Errorf("tidy: %s%w", name, err)
		return dataframe.DataFrame{Err: err}, err
	}
	return df, nil
}

// parseCSV does the work of ParseCSV. Its errors begin with ":line: ", or ": ".
func parseCSV(r io.Reader, columns []string) (dataframe.DataFrame, error) {
	bad := func(line int, format string, args ...any) (dataframe.DataFrame, error) {
		return dataframe.DataFrame{}, fmt.Errorf(":%d: %w", line, fmt.Errorf(format, args...))
	}
	c := csvtable.NewReader(r)
	var names []string
	var texts [][]string // one slice a column
	for {
		rec, err := c.Read()
		if err == io.EOF {
			break
		}
		if pe := (*csv.ParseError)(nil); errors.As(err, &pe) {
			if errors.Is(err, csv.ErrFieldCount) {
				return bad(pe.Line, "%d fields; the first line has %d", len(rec), len(names))
			}
			return bad(pe.Line, "byte %d: %w", pe.Column, pe.Err)
		}
		if err != nil {
			return dataframe.DataFrame{}, fmt.Errorf(": %w", err)
		}
		line, _ := c.FieldPos(0)
		for j, s := range rec {
			rec[j] = lineEnds(csvtable.Unguard(s))
		}
		if names == nil {
			if len(rec) == 1 && strings.ContainsAny(rec[0], ";\t") {
				return bad(line, "one column, %q; if semicolons or tabs separate the fields, "+
					"export the file with commas", rec[0])
			}
			// Marks that were quoted, or that came twice, would be taken for the file's own when
			// the table is read again.
			rec[0] = strings.TrimLeft(rec[0], csvtable.Mark)
			seen := make(map[string]bool)
			for j, n := range rec {
				switch {
				case strings.TrimSpace(n) == "":
					return bad(line, "column %d has no name", j+1)
				case seen[n]:
					return bad(line, "two columns are called %q", n)
				}
				seen[n] = true
			}
			names = rec
			texts = make([][]string, len(names))
		} else {
			for j, s := range rec {
				texts[j] = append(texts[j], s)
			}
		}
		for j, s := range rec {
			if !utf8.ValidString(s) {
				return bad(line, "column %d: %q is not UTF-8; export the file as UTF-8", j+1, s)
			}
		}
	}
	if names == nil {
		return bad(1, "empty; the first line should name the columns")
	}
	for _, want := range columns {
		if !slices.Contains(names, want) {
			return bad(1, "no column %q; the columns are %q", want, names)
		}
	}
	if len(texts[0]) == 0 {
		return bad(1, "no rows below the names of the columns")
	}
	s := make([]series.Series, len(names))
	for j := range names {
		s[j] = infer(texts[j], names[j])
	}
	return checked(dataframe.New(s...))
}

// checked returns df with its error, which gota leaves inside.
func checked(df dataframe.DataFrame) (dataframe.DataFrame, error) {
	if df.Err != nil {
		return df, fmt.Errorf(": %w", df.Err)
	}
	return df, nil
}

// infer returns the column of texts, of the narrowest type that holds them.
func infer(texts []string, name string) series.Series {
	ints := make([]int, len(texts))
	floats := make([]float64, len(texts))
	bools := make([]bool, len(texts))
	isInt, isFloat, isBool := true, true, true
	numbers := 0
	for i, s := range texts {
		if s != "true" && s != "false" {
			isBool = false
		}
		bools[i] = s == "true"
		if isFloat {
			var err error
			switch {
			case s == "" || s == "NA" || s == "NaN":
				isInt = false
				floats[i] = math.NaN()
				continue
			case padded(s) || strings.ContainsAny(s, "xX_"):
				// 0x10 and 1_000 are numbers of Go, not of a table.
				isInt, isFloat = false, false
				continue
			}
			if isInt {
				if ints[i], err = strconv.Atoi(s); err != nil {
					isInt = false
				}
				if errors.Is(err, strconv.ErrRange) { // a float would lose digits
					isFloat = false
					continue
				}
			}
			if floats[i], err = strconv.ParseFloat(s, 64); err != nil {
				isInt, isFloat = false, false
			}
			numbers++
		}
	}
	switch {
	case isBool:
		return series.New(bools, series.Bool, name)
	case isFloat && numbers == 0:
		return series.New(texts, series.String, name)
	case isInt:
		return series.New(ints, series.Int, name)
	case isFloat:
		return series.New(floats, series.Float, name)
	}
	return series.New(texts, series.String, name)
}

// padded reports whether s starts with a zero that a number would not have.
func padded(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9'
}
