package lsq

import "gonum.org/v1/gonum/mat"

// A Numbers is a column of numbers of a table.
type Numbers struct {
	Name   string
	Values []float64
}

// A Category is a column whose values are labels: each has an indicator of its own.
type Category struct {
	Name   string
	Values []string
}

// Levels returns the different values in order of appearance, and the number of each row's.
func (c Category) Levels() (of []int, levels []string) {
	of = make([]int, len(c.Values))
	at := make(map[string]int)
	for i, v := range c.Values {
		l, seen := at[v]
		if !seen {
			l = len(levels)
			at[v], levels = l, append(levels, v)
		}
		of[i] = l
	}
	return of, levels
}

// Features returns the features of k rows of a table for a linear model, k x h, and their names: a
// constant 1, then the numbers, one feature each, then for each category an indicator of each of
// its values, in order of appearance ("ligand = PPh3").
func Features(k int, numbers []Numbers, categories []Category) (x *mat.Dense, names []string) {
	names = []string{"1"}
	for _, n := range numbers {
		names = append(names, n.Name)
	}
	first := make([]int, len(categories))
	of := make([][]int, len(categories))
	for c, category := range categories {
		first[c] = len(names)
		var levels []string
		of[c], levels = category.Levels()
		for _, l := range levels {
			names = append(names, category.Name+" = "+l)
		}
	}
	// Many levels are many columns, and a row touches few.
	x = mat.NewDense(k, len(names), nil)
	for i := range k {
		x.Set(i, 0, 1)
		for j, n := range numbers {
			x.Set(i, 1+j, n.Values[i])
		}
		for c := range categories {
			x.Set(i, first[c]+of[c][i], 1)
		}
	}
	return x, names
}
