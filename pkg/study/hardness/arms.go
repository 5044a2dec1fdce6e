package hardness

import (
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Means returns a table for each instance of e that shows the true mean and the true status of each
// arm.
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
		row = append(row, Status(t, i), t.Eta[i])
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

// Status describes the true status of arm i in words.
func Status(t question.Truth, i int) string {
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

// Costs returns a table that shows, for each arm of an instance, the cost for e-cAPE (the arm's
// term in C*) and for a two-stage method (the arm's term in HPSI + HF).
func Costs(inst *bandit.Instance) *tidy.Table {
	c := CStar(inst)
	t := meansOf(inst)
	t.Title = "Cost of each arm: " + inst.Name
	t.Notes = append(t.Notes, fmt.Sprintf("C* = %.0f pulls, up to constants and logarithms; a two-stage method "+
		"needs HPSI + HF = %.0f.", c.Value, c.HPSI+c.HF))
	return t
}
