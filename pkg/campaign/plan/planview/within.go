package planview

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/tidy"
)

// Within returns the table of how many of the simulated campaigns have their answer by some numbers of
// measurements: what can be afforded, if the problem says it, and numbers around the medians. Methods with a
// fixed budget are left out. Nil if nothing was simulated.
func Within(p *plan.Plan) *tidy.Table {
	t := &tidy.Table{Title: "How many campaigns have their answer by then",
		Columns: []tidy.Column{{Name: "measurements"}}}
	var rows []*plan.Row
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Change == "" && r.Budget == 0 && len(r.Sample) > 0 {
			rows = append(rows, r)
			t.Columns = append(t.Columns, tidy.Column{Name: r.Method, Unit: "%"})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	for _, n := range numbers(p, rows) {
		name := tidy.Int(n)
		if n == p.Affordable {
			name += " (what you can afford)"
		}
		row := []any{name}
		for _, r := range rows {
			share, lo, hi := r.Within(n)
			row = append(row, fmt.Sprintf("%.0f [%.0f, %.0f]", 100*share, 100*lo, 100*hi))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"With 95 % intervals (Clopper and Pearson). The others have no answer yet that is certain enough, but " +
		"a best guess."}
	return t
}

// numbers are those of the table.
func numbers(p *plan.Plan, rows []*plan.Row) []int {
	var all []int
	for _, r := range rows {
		for _, run := range r.Sample {
			all = append(all, run.Measurements)
		}
	}
	slices.Sort(all)
	var list []int
	for _, q := range []float64{.1, .25, .5, .75, .9, .99} {
		list = append(list, round(all[int(q*float64(len(all)-1))]))
	}
	if p.Affordable > 0 {
		list = append(list, p.Affordable)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// round rounds up to two digits.
func round(n int) int {
	if n < 100 {
		return n
	}
	unit := int(math.Pow10(int(math.Log10(float64(n))) - 1))
	return (n + unit - 1) / unit * unit
}
