package ecape

import (
	_ "embed" // published.csv
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// A maker makes tables of results.
type maker func(*study.Results) ([]*tidy.Table, error)

// tables returns what makes the tables of a report: those of the experiment, and what is known of
// its instances.
func tables(own ...maker) maker {
	return func(r *study.Results) (ts []*tidy.Table, err error) {
		for _, f := range append(own, known) {
			more, err := f(r)
			if ts = append(ts, more...); err != nil {
				return ts, err
			}
		}
		return ts, nil
	}
}

func one(f func(*study.Results) *tidy.Table) maker {
	return func(r *study.Results) ([]*tidy.Table, error) { return []*tidy.Table{f(r)}, nil }
}

// known are the tables of the instances.
func known(r *study.Results) ([]*tidy.Table, error) {
	c, err := Complexity(r.Experiment)
	if err != nil {
		return nil, err
	}
	t, err := Times(r.Experiment)
	if err != nil {
		return nil, err
	}
	means, err := Means(r.Experiment)
	return append([]*tidy.Table{c, t}, means...), err
}

// Means returns a table of the means of each instance of e, with what is true of each arm.
func Means(e study.Experiment) ([]*tidy.Table, error) {
	all, err := e.Instances()
	var ts []*tidy.Table
	for _, inst := range all {
		ts = append(ts, meansOf(inst))
	}
	return ts, err
}

func meansOf(inst *bandit.Instance) *tidy.Table {
	p, mu, q := inst.Problem, inst.Truth(), asked(inst)
	t := q.Truth(mu)
	table := &tidy.Table{Title: "Means: " + inst.Name, Columns: tidy.Columns("arm")}
	for _, o := range p.ObjectiveNames {
		table.Columns = append(table.Columns, tidy.Column{Name: o})
	}
	table.Columns = append(table.Columns, tidy.Columns("status", "distance to the boundary",
		"dominated by", "at least by")...)
	for i := range p.K() {
		row := []any{p.Arm(i)}
		for _, v := range mu.RawRowView(i) {
			row = append(row, v)
		}
		row = append(row, statusOf(t, i), t.Eta[i])
		if t.SubOpt[i] {
			row = append(row, p.Arm(t.By[i]), t.D[i])
		} else {
			row = append(row, "-", nil)
		}
		table.Rows = append(table.Rows, row)
	}
	table.Notes = append([]string{
		fmt.Sprintf("Feasible: %v. Sigma of a reward: %v.", q.Region, p.Sigma),
	}, inst.Notes...)
	return table
}

// statusOf says in words what is true of an arm.
func statusOf(t question.Truth, i int) string {
	switch {
	case t.Optimal[i]:
		return "optimal"
	case t.Feasible[i]:
		return "dominated"
	case t.SubOpt[i]:
		return "dominated and infeasible"
	}
	return "infeasible"
}

// armTables have the mean pulls of each arm with the paper's constants, one an instance that there
// are rows of.
func armTables(r *study.Results) (ts []*tidy.Table, err error) {
	all, err := r.Experiment.Instances()
	for _, inst := range all {
		var rows = r.Rows[:0:0]
		for _, row := range r.Rows {
			if row.Instance == inst.Name && row.Constants == Printed {
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

// published has the numbers of the paper's Tables 4 and 5.
var published = study.ReadRecords(publishedTable)

//go:embed published.csv
var publishedTable string

// Table4 returns means and standard deviations of the numbers of pulls of Polyhedra beside those of
// the paper's Table 4.
func Table4(r *study.Results) *tidy.Table {
	t := &tidy.Table{
		Title: "Sample complexity on polyhedra (Table 4)",
		Columns: tidy.Columns("instance", "method", "mean, paper [pulls]", "sd, paper [pulls]",
			"mean, constants of the paper [pulls]", "sd [pulls]",
			"mean, guaranteed constants [pulls]", "sd [pulls]"),
		Notes: []string{
			"The means of the paper's instances are not published: sizes are not comparable, the " +
				"order of the methods is.",
			"Guaranteed constants are those of Kaufmann and Koolen.",
		},
	}
	for _, name := range r.Experiment.Names {
		for _, m := range trials {
			row, found := []any{name, m, nil, nil}, false
			if p := published.Of("Table 4", name, m); p != nil {
				row[2], row[3] = p[0], p[1]
			}
			for _, c := range []string{Printed, Calibrated} {
				x := study.Pulls(r.On(name, m, c))
				switch len(x) {
				case 0:
					row = append(row, nil, nil)
					continue
				case 1:
					row = append(row, x[0], nil)
				default:
					mean, sd := stat.MeanStdDev(x, nil)
					row = append(row, mean, sd)
				}
				found = true
			}
			if found {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}
