package study

import (
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Tables combines several functions into one function for Experiment.Tables.
func Tables(fs ...func(*Results) ([]*tidy.Table, error)) func(*Results) ([]*tidy.Table, error) {
	return func(r *Results) (ts []*tidy.Table, err error) {
		for _, f := range fs {
			more, err := f(r)
			if ts = append(ts, more...); err != nil {
				return ts, err
			}
		}
		return ts, nil
	}
}

// OneTable returns a function for Experiment.Tables that returns one table, or no table if it has
// no rows.
func OneTable(f func(*Results) *tidy.Table) func(*Results) ([]*tidy.Table, error) {
	return func(r *Results) ([]*tidy.Table, error) {
		if t := f(r); len(t.Rows) > 0 {
			return []*tidy.Table{t}, nil
		}
		return nil, nil
	}
}

// ArmTables returns a function for Experiment.Tables with the mean pulls of each arm, for the
// methods with the given constants. For each instance that has rows, the function returns a table.
func ArmTables(constants string) func(*Results) ([]*tidy.Table, error) {
	return func(r *Results) ([]*tidy.Table, error) { return r.armTables(constants) }
}

func (r *Results) armTables(constants string) (ts []*tidy.Table, err error) {
	all, err := r.Experiment.Instances()
	for _, inst := range all {
		var rows []mc.Row
		for _, row := range r.Rows {
			if row.Instance == inst.Name && row.Constants == constants {
				rows = append(rows, row)
			}
		}
		if len(rows) == 0 {
			continue
		}
		t, err := tidy.ArmPulls(rows, inst.Problem.ArmNames)
		if err != nil {
			return ts, err
		}
		t.Title = "Pulls of each arm: " + inst.Name
		ts = append(ts, t)
	}
	return ts, err
}

// PullsBeside returns the rows of a table of pulls, one row for each instance in Names and each of
// the methods. A row contains the instance, the method, and the result of stated(instance,
// method): the paper's mean and standard deviation, or two empty cells. For each set of constants,
// a row also contains the mean and the standard deviation of the runs. If a method has no runs,
// its row is omitted.
func (r *Results) PullsBeside(
	stated func(instance, method string) []float64, methods, constants []string,
) (rows [][]any) {
	for _, name := range r.Experiment.Names {
		for _, m := range methods {
			row, found := []any{name, m, nil, nil}, false
			if p := stated(name, m); p != nil {
				row[2], row[3] = p[0], p[1]
			}
			for _, c := range constants {
				x := Pulls(r.On(name, m, c))
				found = found || len(x) > 0
				switch len(x) {
				case 0:
					row = append(row, nil, nil)
				case 1:
					row = append(row, x[0], nil)
				default:
					mean, sd := stat.MeanStdDev(x, nil)
					row = append(row, mean, sd)
				}
			}
			if found {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// Table returns records as the columns of a table: the first word of a record is the heading, and
// its numbers are the cells below. The argument first is a function that returns the first cell of
// a row.
func (rs Records) Table(t tidy.Table, unit string, first func(row int) any) *tidy.Table {
	for _, r := range rs {
		t.Columns = append(t.Columns, tidy.Column{Name: r.Words[0], Unit: unit})
	}
	for i := range rs[0].Numbers {
		row := []any{first(i)}
		for _, r := range rs {
			row = append(row, r.Numbers[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return &t
}
