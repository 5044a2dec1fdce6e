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

// Features returns the features of the arms in df for a linear model, one arm in each row, and the
// names of the features. The features are a constant 1, one feature for each column listed in
// numbers, and indicators for each column listed in categories. Each value of a category column has
// an indicator; the indicators are in order of first appearance. Values of a category column, such
// as codes, may look like numbers. If a cell of a numeric column is not a number ("3O", "40%",
// "0,5"), Features returns an error. Features returns errors that name the row and the column.
func Features(df dataframe.DataFrame, numbers, categories []string) (x *mat.Dense, names []string, err error) {
	if df, err = checked(df); err != nil {
		return nil, nil, err
	}
	if err := describing(df, numbers, categories); err != nil {
		return nil, nil, err
	}
	var n []lsq.Numbers
	var c []lsq.Category
	for _, column := range categories {
		values, err := valuesOf(df.Col(column))
		if err != nil {
			return nil, nil, err
		}
		c = append(c, lsq.Category{Name: column, Values: values})
	}
	for _, column := range numbers {
		col := df.Col(column)
		values := make([]float64, df.Nrow())
		for i := range values {
			if values[i], err = numberIn(col, i); err != nil {
				return nil, nil, fmt.Errorf("%w; correct the cell, or list the column under categories if its values "+
					"are labels", err)
			}
		}
		n = append(n, lsq.Numbers{Name: column, Values: values})
	}
	x, names = lsq.Features(df.Nrow(), n, c)
	return x, names, nil
}

// describing returns an error unless each of the columns exists in df and is listed only once.
func describing(df dataframe.DataFrame, numbers, categories []string) error {
	all := slices.Concat(numbers, categories)
	for i, c := range all {
		if !slices.Contains(df.Names(), c) {
			return fmt.Errorf("dataset: no column %q; the columns are %q", c, df.Names())
		}
		if slices.Contains(all[:i], c) {
			return fmt.Errorf("dataset: the column %q is listed twice in the features; leave out one entry", c)
		}
	}
	return nil
}

// valuesOf returns the values of a column, or an error if a value is missing.
func valuesOf(col series.Series) ([]string, error) {
	values := col.Records()
	for i, v := range values {
		if v == "" || col.Elem(i).IsNA() {
			return nil, fmt.Errorf("dataset: row %d, column %q: missing; every arm needs a value", i+1, col.Name)
		}
	}
	return values, nil
}

// numberIn returns the number in row i of col, or an error if the cell is not a finite number.
func numberIn(col series.Series, i int) (float64, error) {
	e := col.Elem(i)
	v := e.Float()
	if col.Type() == series.Bool || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("dataset: row %d, column %q: %q is not a finite number; correct the "+
			"cell", i+1, col.Name, e.String())
	}
	return v, nil
}

// ItemFeatures returns features as Features does, for arms and items in separate tables with the
// same columns. Corresponding features of arms and items have the same names and indicators.
func ItemFeatures(arms, items dataframe.DataFrame, numbers, categories []string) (x, z *mat.Dense,
	names []string, err error) {
	frames := [2]dataframe.DataFrame{arms, items}
	var parts [2]dataframe.DataFrame
	for f, what := range []string{"arms", "items"} {
		if _, _, err := Features(frames[f], numbers, categories); err != nil {
			return nil, nil, nil, fmt.Errorf("%w (table of %s)", err, what)
		}
		df, _ := checked(frames[f]) // no error is possible, because Features has checked df
		var columns []series.Series
		for _, c := range numbers {
			columns = append(columns, series.New(df.Col(c).Float(), series.Float, c))
		}
		for _, c := range categories {
			columns = append(columns, series.New(df.Col(c).Records(), series.String, c))
		}
		parts[f] = dataframe.New(columns...)
	}
	all, names, err := Features(parts[0].RBind(parts[1]), numbers, categories)
	if err != nil {
		return nil, nil, nil, err
	}
	m, h := all.Dims()
	n := arms.Nrow()
	x, z = all.Slice(0, n, 0, h).(*mat.Dense), all.Slice(n, m, 0, h).(*mat.Dense)
	return x, z, names, nil
}

// linearFit returns the fitted values of the least-squares fit of y by the columns of x.
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
