package frame

import (
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
	"unicode/utf8"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/regular"
	"github.com/purexp/purexp/pkg/tidy"
)

// ReadCSV reads a file of comma-separated values whose first line names the columns. The file must
// contain all columns that are named in the arguments, and may contain additional columns.
//
// A column is read as integers, floats or bools ("true", "false") if all its values are of that
// type, and as strings otherwise. A column is also read as strings if it contains leading zeros
// (the code "007"), names like 1E5, or integers with too many digits. In a numeric column, an empty
// field, NA and NaN are missing values; a numeric column with missing values is read as floats.
// Spreadsheets put an apostrophe before text that looks like a formula; ReadCSV removes this
// apostrophe.
//
// The fields may be separated by semicolons or tabs; in files with separators other than commas,
// columns may have decimal commas. Errors of ReadCSV state the line number. ReadCSV returns an
// error for rows of different lengths, missing or repeated names, and text that is not UTF-8.
func ReadCSV(path string, columns ...string) (dataframe.DataFrame, error) {
	f, err := regular.Open(path)
	if err != nil {
		return dataframe.DataFrame{Err: err}, fmt.Errorf("frame: %w", err)
	}
	defer f.Close()
	return ParseCSV(f, path, columns...)
}

// lineEnds replaces all line ends in s by Unix line ends, including line ends with several carriage
// returns. Otherwise encoding/csv would drop one carriage return for each line end on each read, and
// the text would change whenever it is written and read again.
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

// CSV encodes df with all digits of numbers, and missing values as empty cells.
func CSV(df dataframe.DataFrame) ([]byte, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("frame: %w", df.Err)
	}
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	row := df.Names()
	if err := out.Write(row); err != nil {
		return nil, err
	}
	for i := range df.Nrow() {
		for j := range row {
			switch e := df.Elem(i, j); {
			case e.IsNA():
				row[j] = ""
			case e.Type() == series.Float:
				row[j] = strconv.FormatFloat(e.Float(), 'g', -1, 64)
			default:
				row[j] = e.String()
			}
		}
		if err := out.Write(row); err != nil {
			return nil, err
		}
	}
	out.Flush()
	return text.Bytes(), out.Error()
}

// ParseCSV reads a data frame from a reader, like ReadCSV. Error messages use the argument
// name as the name of the file.
func ParseCSV(r io.Reader, name string, columns ...string) (dataframe.DataFrame, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return dataframe.DataFrame{Err: err}, fmt.Errorf("frame: %s: %w", name, err)
	}
	df, err := parseCSV(bytes.NewReader(data), columns)
	if errors.Is(err, errSeparated) {
		t, bad := csvtable.Read(name, data)
		if bad != nil {
			return dataframe.DataFrame{Err: bad}, fmt.Errorf("frame: %w", bad)
		}
		var text bytes.Buffer
		_ = csv.NewWriter(&text).WriteAll(append([][]string{t.Columns}, t.Rows...)) // writing to a buffer cannot fail
		df, err = parseCSV(&text, columns)
	}
	if err != nil {
		err = fmt.Errorf("frame: %s%w", name, err)
		return dataframe.DataFrame{Err: err}, err
	}
	return df, nil
}

// OfTable converts t to a data frame, by parsing t in CSV form. In a numeric column, an empty cell
// is a missing value.
func OfTable(t *tidy.Table) (dataframe.DataFrame, error) {
	return ParseCSV(strings.NewReader(t.CSV()), fmt.Sprintf("table %q", t.Title))
}

// errSeparated reports a table whose fields are separated by semicolons or tabs.
var errSeparated = errors.New(": the only column has a semicolon or tab in its name; rename the column")

// parseCSV implements ParseCSV. The errors of parseCSV begin with ":line: " or ": ", so that
// callers can prepend the file name.
func parseCSV(r io.Reader, columns []string) (dataframe.DataFrame, error) {
	bad := func(line int, format string, args ...any) (dataframe.DataFrame, error) {
		return dataframe.DataFrame{}, fmt.Errorf(":%d: %w", line, fmt.Errorf(format, args...))
	}
	c := csvtable.NewReader(r)
	var names []string
	var texts [][]string // one slice of strings for each column
	for {
		rec, err := c.Read()
		if err == io.EOF {
			break
		}
		if pe := (*csv.ParseError)(nil); errors.As(err, &pe) {
			if errors.Is(err, csv.ErrFieldCount) {
				return bad(pe.Line, "%d fields; expected %d, as in the first line", len(rec), len(names))
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
				return dataframe.DataFrame{}, errSeparated
			}
			// When the table is read again, a quoted or repeated byte order mark would be mistaken
			// for the mark of the file.
			rec[0] = strings.TrimLeft(rec[0], csvtable.Mark)
			seen := make(map[string]bool)
			for j, n := range rec {
				switch {
				case strings.TrimSpace(n) == "":
					return bad(line, "column %d has no name; add one to the first line", j+1)
				case seen[n]:
					return bad(line, "two columns are called %q; rename one of them", n)
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
		return bad(1, "empty; expected a first line that names the columns")
	}
	for _, want := range columns {
		if !slices.Contains(names, want) {
			return bad(1, "no column %q; the columns are %q", want, names)
		}
	}
	s := make([]series.Series, len(names))
	for j := range names {
		s[j] = infer(texts[j], names[j])
	}
	return checked(dataframe.New(s...))
}

// checked returns df and, as a separate value, the error that gota stores in df.
func checked(df dataframe.DataFrame) (dataframe.DataFrame, error) {
	if df.Err != nil {
		return df, fmt.Errorf(": %w", df.Err)
	}
	return df, nil
}

// infer converts a column of texts to the narrowest type that can represent all of them.
func infer(texts []string, name string) series.Series {
	ints := make([]int, len(texts))
	floats := make([]float64, len(texts))
	bools := make([]bool, len(texts))
	isInt, isFloat, isBool, exact := true, true, true, true
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
			case padded(s) || strings.ContainsAny(s, "xX_") || well.MatchString(s):
				// Unlike in Go source code, 0x10 and 1_000 are not numbers in a table, and 1E5 is
				// the name of a well.
				isInt, isFloat = false, false
				continue
			}
			ints[i], err = strconv.Atoi(s)
			isInt = isInt && err == nil
			// A float must not lose digits of an integer.
			exact = exact && !errors.Is(err, strconv.ErrRange) &&
				(err != nil || strconv.FormatFloat(float64(ints[i]), 'f', -1, 64) == strconv.Itoa(ints[i]))
			if floats[i], err = strconv.ParseFloat(s, 64); err != nil {
				isInt, isFloat = false, false
			}
			numbers++
		}
	}
	switch {
	case isBool && len(texts) > 0:
		return series.New(bools, series.Bool, name)
	case isFloat && numbers == 0:
		return series.New(texts, series.String, name)
	case isInt:
		return series.New(ints, series.Int, name)
	case isFloat && exact:
		return series.New(floats, series.Float, name)
	}
	return series.New(texts, series.String, name)
}

// well matches the name of a well that looks like a number. Numbers written by programs look
// different, because they have a point, a sign or a small e: 1.0E5, 1E+05 or 1e5.
var well = regexp.MustCompile(`^[0-9]+E[0-9]+$`)

// padded reports whether s has a redundant leading zero, as in 007.
func padded(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9'
}
