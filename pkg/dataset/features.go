package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// Features returns the features of the arms in df, one a row, for a linear model,
// and their names: a constant 1, then each of columns. A column of numbers is one
// feature; a column of text has an indicator for each of its values, in order of
// appearance. Errors name row and column.
func Features(df dataframe.DataFrame, columns ...string) (x *mat.Dense, names []string, err error) {
	if df.Err != nil {
		return nil, nil, fmt.Errorf("dataset: %w", df.Err)
	}
	if df.Nrow() == 0 {
		return nil, nil, fmt.Errorf("dataset: the data frame has no rows; want one an arm")
	}
	constant := make([]float64, df.Nrow())
	for i := range constant {
		constant[i] = 1
	}
	names, features := []string{"1"}, [][]float64{constant}
	for _, c := range columns {
		if !slices.Contains(df.Names(), c) {
			return nil, nil, fmt.Errorf("dataset: no column %q; there are %q", c, df.Names())
		}
		col := df.Col(c)
		if col.Type() == series.String {
			values := col.Records()
			var levels []string
			for i, v := range values {
				if v == "" || col.Elem(i).IsNA() {
					return nil, nil, fmt.Errorf("dataset: row %d, column %q: missing; "+
						"every arm needs a value", i+1, c)
				}
				if !slices.Contains(levels, v) {
					levels = append(levels, v)
				}
			}
			for _, l := range levels {
				f := make([]float64, len(values))
				for i, v := range values {
					if v == l {
						f[i] = 1
					}
				}
				names, features = append(names, c+" = "+l), append(features, f)
			}
			continue
		}
		f := col.Float()
		for i, v := range f {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, fmt.Errorf("dataset: row %d, column %q: %v is not a finite number",
					i+1, c, col.Elem(i))
			}
		}
		names, features = append(names, c), append(features, f)
	}
	x = mat.NewDense(df.Nrow(), len(features), nil)
	for j, f := range features {
		x.SetCol(j, f)
	}
	return x, names, nil
}

// ItemFeatures returns the features of the arms and of the items, where the items
// asked about are in a table of their own, with the same columns; see Features.
// Both have the same features.
func ItemFeatures(arms, items dataframe.DataFrame,
	columns ...string) (x, z *mat.Dense, names []string, err error) {
	for _, df := range []struct {
		what string
		df   dataframe.DataFrame
	}{{"arms", arms}, {"items", items}} {
		if _, _, err := Features(df.df, columns...); err != nil {
			return nil, nil, nil, fmt.Errorf("%w (table of %s)", err, df.what)
		}
	}
	for _, c := range columns {
		if (arms.Col(c).Type() == series.String) != (items.Col(c).Type() == series.String) {
			return nil, nil, nil, fmt.Errorf("dataset: column %q is text in one of the tables of "+
				"arms and items, and numbers in the other", c)
		}
	}
	both := arms.Select(columns).RBind(items.Select(columns))
	all, names, err := Features(both, columns...)
	if err != nil {
		return nil, nil, nil, err
	}
	_, h := all.Dims()
	n := arms.Nrow()
	x, z = all.Slice(0, n, 0, h).(*mat.Dense), all.Slice(n, both.Nrow(), 0, h).(*mat.Dense)
	return x, z, names, nil
}

// linearFit returns the least-squares fit of y by the columns of x.
func linearFit(x *mat.Dense, y []float64) []float64 {
	span := lsq.NewSpan(x)
	z := span.Coordinates(x)
	f := lsq.NewFit(span.Rank(), 1)
	for i, v := range y {
		f.Add(z.RawRowView(i), 1, []float64{v})
	}
	f.Solve()
	fit := make([]float64, len(y))
	for i := range fit {
		fit[i] = f.Mean(z.RawRowView(i), 0)
	}
	return fit
}
