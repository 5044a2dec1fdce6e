package planview

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
)

// The table says how many runs have ended by then; what was given up never has.
func TestWithin(t *testing.T) {
	p := &plan.Plan{Affordable: 96}
	row := plan.Row{Method: "e-cAPE", Runs: 4}
	for _, n := range []int{50, 96, 97, 1234} {
		row.Sample = append(row.Sample, plan.Run{Measurements: n})
	}
	row.Sample = append(row.Sample, plan.Run{Measurements: 10, GaveUp: true})
	if n := numbers(p, []*plan.Row{&row}); !slices.Equal(n, []int{10, 50, 96, 97}) {
		t.Errorf("rows for %v measurements", n)
	}
	if n := numbers(&plan.Plan{}, []*plan.Row{{Sample: row.Sample[:1]}}); !slices.Equal(n, []int{50}) {
		t.Errorf("rows for %v measurements, and nothing is said of what can be afforded", n)
	}
	p.Rows = []plan.Row{row, {Method: "e-cAPE", Change: "delta = 0.1", Sample: row.Sample}}
	table := Within(p)
	text := table.Text()
	if len(table.Columns) != 2 || !strings.Contains(text, "96 (what you can afford)  40 [5, 85]") ||
		!strings.Contains(text, "\n97 ") {
		t.Error(text)
	}
	if share, lo, hi := row.Within(2000); share != .8 || !(lo < .3 && hi > .99) {
		t.Error(share, lo, hi)
	}
	if Within(&plan.Plan{Rows: []plan.Row{{Method: "e-cAPE"}}}) != nil {
		t.Error("a table of nothing")
	}
}

// A method that spends a budget stops when that is spent: when it has its answer says nothing.
func TestWithinBudget(t *testing.T) {
	sample := []plan.Run{{Measurements: 24}, {Measurements: 24}}
	p := &plan.Plan{Rows: []plan.Row{{Method: "e-cAPE", Runs: 2, Sample: sample},
		{Method: "EGE-SR", Runs: 2, Budget: 24, Sample: sample}}}
	if table := Within(p); len(table.Columns) != 2 || table.Columns[1].Name != "e-cAPE" {
		t.Errorf("%+v; want the column of e-cAPE alone", table.Columns)
	}
	p.Rows = p.Rows[1:]
	if Within(p) != nil {
		t.Error("a table of methods with a budget")
	}
}
