package frame

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/tidy"
)

// Of returns rows, which are structs, as a data frame with a column for each
// exported field. A column is called as the field is in JSON. Strings, bools,
// floats and integers have columns of their type (integers that do not fit an
// int: of strings); all other fields, such as slices, are JSON text in a column
// of strings. A field with the tag json:"-" is left out. Of returns an error
// if there are no rows: a frame without rows has no columns.
//
// Gota takes the text "NaN" for a missing string.
func Of[T any](rows []T) (dataframe.DataFrame, error) {
	bad := func(format string, args ...any) (dataframe.DataFrame, error) {
		err := fmt.Errorf("frame: "+format, args...)
		return dataframe.DataFrame{Err: err}, err
	}
	fields, err := fieldsOf[T]()
	if err != nil {
		return bad("%w", err)
	}
	if len(rows) == 0 {
		return bad("no rows")
	}
	columns := make([]series.Series, len(fields))
	for j, f := range fields {
		if columns[j], err = columnOf(rows, f); err != nil {
			return bad("%w", err)
		}
	}
	df := dataframe.New(columns...)
	if df.Err != nil {
		return bad("%w", df.Err)
	}
	return df, nil
}

// columnOf returns the column of a field of rows.
func columnOf[T any](rows []T, f field) (series.Series, error) {
	value := func(i int) reflect.Value { return reflect.ValueOf(&rows[i]).Elem().Field(f.index) }
	kind := f.kind
	if kind == series.Int {
		for i := range rows {
			if !fitsInt(value(i)) {
				kind = series.String
			}
		}
	}
	switch kind {
	case series.Float:
		return columnBy(rows, f.name, kind, func(i int) float64 { return value(i).Float() }), nil
	case series.Bool:
		return columnBy(rows, f.name, kind, func(i int) bool { return value(i).Bool() }), nil
	case series.Int:
		return columnBy(rows, f.name, kind, func(i int) int {
			v := value(i)
			if v.CanUint() {
				return int(v.Uint())
			}
			return int(v.Int())
		}), nil
	}
	x := make([]string, len(rows))
	for i := range rows {
		switch v := value(i); {
		case v.Kind() == reflect.String:
			x[i] = v.String()
		case v.CanInt() || v.CanUint():
			x[i] = fmt.Sprint(v)
		default:
			text, err := json.Marshal(v.Interface())
			if err != nil {
				return series.Series{}, fmt.Errorf("row %d, field %s: %w", i, f.name, err)
			}
			x[i] = string(text)
		}
	}
	return series.New(x, series.String, f.name), nil
}

// columnBy returns a column with a value for each row.
func columnBy[T, V any](rows []T, name string, kind series.Type,
	value func(i int) V) series.Series {
	x := make([]V, len(rows))
	for i := range rows {
		x[i] = value(i)
	}
	return series.New(x, kind, name)
}

// fitsInt reports whether an integer fits an int.
func fitsInt(v reflect.Value) bool {
	if v.CanUint() {
		return v.Uint() <= math.MaxInt
	}
	return int64(int(v.Int())) == v.Int()
}

// A field of a struct that has a column.
type field struct {
	index int
	name  string
	kind  series.Type
}

// fieldsOf returns the fields of the struct T that have a column.
func fieldsOf[T any]() ([]field, error) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("rows are of type %v; want a struct", t)
	}
	var fields []field
	seen := make(map[string]bool)
	for i := range t.NumField() {
		sf := t.Field(i)
		if !sf.IsExported() {
			continue
		}
		tag, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		f := field{index: i, name: sf.Name, kind: series.String}
		if tag != "" {
			f.name = tag
		}
		if seen[f.name] {
			return nil, fmt.Errorf("two fields of %v are called %q", t, f.name)
		}
		seen[f.name] = true
		switch k := sf.Type.Kind(); k {
		case reflect.Bool:
			f.kind = series.Bool
		case reflect.Float32, reflect.Float64:
			f.kind = series.Float
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			f.kind = series.Int
		}
		fields = append(fields, f)
	}
	if len(fields) == 0 {
		return nil, fmt.Errorf("%v has no exported fields", t)
	}
	return fields, nil
}

// OfTable returns t as a data frame, with the columns of its CSV. A column of
// numbers is of integers or floats, where an empty cell is missing; one of
// bools is of bools; any other is of strings.
func OfTable(t *tidy.Table) (dataframe.DataFrame, error) {
	bad := func(format string, args ...any) (dataframe.DataFrame, error) {
		err := fmt.Errorf("frame: "+format, args...)
		return dataframe.DataFrame{Err: err}, err
	}
	names, cells := t.Flat()
	if len(cells) == 0 || len(names) == 0 {
		return bad("table %q has no cells", t.Title)
	}
	columns := make([]series.Series, len(names))
	seen := make(map[string]bool)
	for j, name := range names {
		if seen[name] {
			return bad("two columns of table %q are called %q", t.Title, name)
		}
		seen[name] = true
		columns[j] = cellColumn(cells, j, name)
	}
	df := dataframe.New(columns...)
	if df.Err != nil {
		return bad("%w", df.Err)
	}
	return df, nil
}

// cellColumn returns column j of cells with the narrowest type that fits.
func cellColumn(cells [][]any, j int, name string) series.Series {
	texts := make([]string, len(cells))
	floats := make([]float64, len(cells))
	ints := make([]int, len(cells))
	bools := make([]bool, len(cells))
	isInt, isFloat, isBool, values := true, true, true, false
	for i := range cells {
		v := cells[i][j]
		texts[i] = tidy.Plain(v)
		b, ok := v.(bool)
		bools[i], isBool = b, isBool && ok
		if v == nil {
			floats[i], isInt = math.NaN(), false
			continue
		}
		values = true
		n, err := strconv.Atoi(texts[i])
		ok = isInteger(v)
		ints[i], isInt = n, isInt && ok && err == nil
		switch x := v.(type) {
		case float64:
			floats[i] = x
		case float32:
			floats[i] = float64(x)
		default:
			floats[i] = float64(n)
			isFloat = isFloat && ok && err == nil
		}
	}
	switch {
	case isBool:
		return series.New(bools, series.Bool, name)
	case isInt:
		return series.New(ints, series.Int, name)
	case isFloat && values:
		return series.New(floats, series.Float, name)
	default:
		return series.New(texts, series.String, name)
	}
}

// isInteger reports whether v is of one of Go's own types of integers.
func isInteger(v any) bool {
	switch v.(type) {
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return true
	}
	return false
}
