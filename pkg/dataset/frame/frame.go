package frame

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/tidy"
)

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
