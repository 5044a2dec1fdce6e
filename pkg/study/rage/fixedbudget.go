package rage

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The experiment with fixed budgets, which is not in the paper: the benchmark
// example with d = 10 and x' 0.0893 behind, so that H2lin = 2/gap^2 = 251.
const (
	budgetDimension = 10
	budgetAngle     = .3
	// BudgetReps is the number of replicates for each 20 of the others.
	BudgetReps = 400
)

// Budgets are the numbers of pulls.
var Budgets = []int{100, 200, 400, 800, 1600, 3200}

// Names of the methods with a fixed budget.
const (
	PEACE    = "PEACE"
	ODLinBAI = "OD-LinBAI"
	GSE      = "GSE"
)

func budgeted(method string, budget int) explore.Policy {
	switch method {
	case PEACE:
		return &policy.PEACE{Budget: budget}
	case ODLinBAI:
		return &policy.ODLinBAI{Budget: budget}
	case GSE:
		return &policy.GSE{Budget: budget}
	}
	panic("rage: no method " + method)
}

// budgetLabel stands in the place of constants in rows.
func budgetLabel(budget int) string { return fmt.Sprintf("T=%d", budget) }

// FixedBudget returns the experiment with fixed budgets as a study of its own.
func FixedBudget() study.Study {
	s := Study
	s.Name, s.Title = "rage-fixed-budget", "Fixed budgets on the benchmark example"
	s.Grid = func(o study.Options) (*mc.Grid, error) {
		g := newGrid(o)
		return g, addBudgets(g, o)
	}
	s.Tables = func(rows []mc.Row) ([]*tidy.Table, error) { return []*tidy.Table{BudgetErrors(rows)}, nil }
	s.Figures = func([]mc.Row) ([]study.Figure, error) { return nil, nil }
	s.Claims = func() []study.Claim { return nil }
	return s
}

// addBudgets adds the runs with fixed budgets.
func addBudgets(g *mc.Grid, o study.Options) error {
	inst, _, err := Benchmark(budgetDimension, budgetAngle)
	if err != nil {
		return err
	}
	inst.Name = fmt.Sprintf("fixed-budget d=%d", budgetDimension)
	for _, t := range Budgets {
		for _, m := range []string{PEACE, ODLinBAI, GSE} {
			g.Cells = append(g.Cells, mc.Cell{Instance: inst, Method: mc.Method{
				Name: m, Constants: budgetLabel(t), Reps: o.Scaled(BudgetReps, Reps),
				New: func() explore.Policy { return budgeted(m, t) },
			}})
		}
	}
	return nil
}

// BudgetErrors returns the error rates with fixed budgets, with intervals.
func BudgetErrors(rows []mc.Row) *tidy.Table {
	t := &tidy.Table{
		Title:   "Fixed budgets: wrong answers on the benchmark example, d = 10, angle 0.3",
		Columns: []tidy.Column{{Name: "budget T", Unit: "pulls"}},
		Notes:   []string{"Error rates with their 95 % intervals (Clopper and Pearson). H2lin = 251."},
	}
	methods := []string{PEACE, ODLinBAI, GSE}
	for _, m := range methods {
		t.Columns = append(t.Columns, tidy.Column{Name: m, Unit: "%"})
	}
	for _, b := range Budgets {
		row := []any{b}
		found := false
		for _, m := range methods {
			wrong, n := 0, 0
			for _, r := range rows {
				if strings.HasPrefix(r.Instance, "fixed-budget ") && r.Method == m && r.Constants == budgetLabel(b) {
					n++
					if !r.Correct {
						wrong++
					}
				}
			}
			if n == 0 {
				row = append(row, "-")
				continue
			}
			found = true
			s := tidy.Rate(wrong, n, confidence)
			row = append(row, fmt.Sprintf("%.1f [%.1f, %.1f]", 100*s.Center, 100*s.Lo, 100*s.Hi))
		}
		if found {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
