package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/tidy"
)

// Table returns a table of the numbers of pulls of the methods or, for an experiment with a budget,
// of their error rates.
func (r *Results) Table() *tidy.Table {
	e := r.Experiment
	if e.Budget != nil {
		return r.errorTable()
	}
	t := tidy.ComplexityTable(tidy.SampleComplexity(r.Runs(), Confidence))
	t.Title = e.Title + " (" + e.Where() + ")"
	t.Notes = append(t.Notes, e.Notes...)
	return t
}

// Tables returns the tables of a report, or no tables if there are no rows.
func (r *Results) Tables() ([]*tidy.Table, error) {
	if len(r.Rows) == 0 {
		return nil, nil
	}
	ts := []*tidy.Table{r.Table()}
	if t := r.MeasureTable(); len(t.Rows) > 0 {
		ts = append(ts, t)
	}
	if r.Experiment.Tables != nil {
		more, err := r.Experiment.Tables(r)
		return append(ts, more...), err
	}
	if t := r.BoundTable(); len(t.Rows) > 0 {
		ts = append(ts, t)
	}
	return ts, nil
}

// errorTable returns a table of error rates with a row for each size and a column for each method.
func (r *Results) errorTable() *tidy.Table {
	e := r.Experiment
	t := &tidy.Table{
		Title:   e.Title + " (" + e.Where() + "): wrong answers",
		Columns: tidy.Columns(e.Axis),
		Notes: append([]string{"Error rates with their 95 % intervals (Clopper and Pearson). A dash: the method was " +
			"not run, for example because it needs a larger budget."}, e.Notes...),
	}
	// If sizes are budgets, no separate column for the budget is needed.
	same := !slices.ContainsFunc(e.Sizes, func(size int) bool { return e.Budget(size) != size })
	if same {
		t.Columns[0].Unit = "pulls"
	} else {
		t.Columns = append(t.Columns, tidy.Column{Name: "budget", Unit: "pulls"})
	}
	for _, m := range e.Methods {
		t.Columns = append(t.Columns, tidy.Column{Name: e.Called(m), Unit: "%"})
	}
	for _, size := range e.Sizes {
		row, found := []any{e.size(size)}, false
		if !same {
			row = append(row, e.Budget(size))
		}
		for _, m := range e.Methods {
			c := r.Cell(size, m.Name, m.Constants)
			if len(c) == 0 {
				row = append(row, "-")
				continue
			}
			found = true
			s := ErrorRate(c)
			row = append(row, fmt.Sprintf("%.1f [%.1f, %.1f]", 100*s.Center, 100*s.Lo, 100*s.Hi))
		}
		if found {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// size formats a size for a table: the number, or the name of the instance.
func (e Experiment) size(size int) any {
	if e.Names != nil {
		return e.Names[size]
	}
	return size
}

func (e Experiment) axis() string {
	if e.Names != nil {
		return "instance"
	}
	return e.Axis
}

// MeasureTable returns a table of the means of the experiment's measures, by size and method.
// Measures within a run, such as "regret@100", appear only in figures.
func (r *Results) MeasureTable() *tidy.Table {
	e := r.Experiment
	t := &tidy.Table{
		Title:   e.Title + ": measures",
		Columns: []tidy.Column{{Name: e.axis()}, {Name: "method"}, {Name: "replicates"}},
		Notes: []string{"Means with their 95 % intervals (bootstrap; Clopper and Pearson where all values are 0 or " +
			"1)."},
	}
	var names []string
	for _, m := range e.Measures {
		for _, name := range m.Names {
			if !strings.Contains(name, "@") {
				names = append(names, name)
				t.Columns = append(t.Columns, tidy.Column{Name: name})
			}
		}
	}
	if names == nil {
		return t
	}
	for _, size := range e.Sizes {
		for _, m := range e.Methods {
			c := r.Cell(size, m.Name, m.Constants)
			if len(c) == 0 {
				continue
			}
			row := []any{e.size(size), e.Called(m), len(c)}
			for _, name := range names {
				if x := Measured(c, name); len(x) > 0 {
					row = append(row, mean(x))
				} else {
					row = append(row, nil)
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func mean(x []float64) tidy.Summary {
	ones := 0
	for _, v := range x {
		switch v {
		case 0:
		case 1:
			ones++
		default:
			return tidy.Mean(x, Confidence)
		}
	}
	return tidy.Rate(ones, len(x), Confidence)
}

// BoundTable returns a table of the bounds by size; if instances are random, it shows medians.
func (r *Results) BoundTable() *tidy.Table {
	e := r.Experiment
	t := &tidy.Table{Title: "Bounds: " + e.Title, Columns: []tidy.Column{{Name: e.axis()}}}
	for _, b := range e.Bounds {
		t.Columns = append(t.Columns, tidy.Column{Name: b.Name, Unit: "pulls"})
	}
	draws := 0
	for _, size := range e.Sizes {
		row, found := []any{e.size(size)}, false
		for _, b := range e.Bounds {
			c := r.Cell(size, b.Name, bound)
			finite := r.Bound(size, b.Name)
			draws = max(draws, len(finite))
			switch {
			case len(c) == 0:
				row = append(row, nil)
				continue
			case len(finite) == 0:
				row = append(row, "none")
			default:
				row = append(row, int(math.Round(MedianPulls(finite).Center)))
			}
			found = true
		}
		if found {
			t.Rows = append(t.Rows, row)
		}
	}
	if e.Delta > 0 && e.Deltas == nil {
		t.Notes = append(t.Notes, fmt.Sprintf("At delta = %v.", e.Delta))
	}
	if draws > 1 {
		t.Notes = append(t.Notes, fmt.Sprintf("Medians over %d instances.", draws))
	}
	return t
}

// legend returns the name of a method for figures; if figures show several sets of constants, the
// name includes the constants.
func (e Experiment) legend(m Method) string {
	return e.among(m, func(other Method) bool { return !other.TableOnly })
}

// Called returns the name of method m for tables. The name includes the constants if other methods
// of the experiment have the same name.
func (e Experiment) Called(m Method) string {
	return e.among(m, func(Method) bool { return true })
}

// among returns the name of a method; if another method for which counts returns true has the same
// name, the result includes the constants.
func (e Experiment) among(m Method, counts func(Method) bool) string {
	for _, other := range e.Methods {
		if other.Name == m.Name && other.Constants != m.Constants && counts(other) {
			return Labelled(m.Name, m.Constants)
		}
	}
	return m.Name
}
