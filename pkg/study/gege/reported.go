package gege

import (
	"math"

	"github.com/purexp/purexp/pkg/tidy"
)

// reportedNoC are the error rates, in %, of the authors' figure of the experiment of Fig. 3, read
// off by eye to about half a per cent: file test.ipynb of their repository linear_psi, means over
// 150 runs at ten budgets, evenly spaced from 2331 = K ceil(log2 K) to 4000.
var reportedNoC = []struct {
	name   string
	errors [10]float64
}{
	{GEGE, [10]float64{9, 6.5, 6, 5, 4.5, 3.5, 2.5, 3, 3, 2.5}},
	{EGESH, [10]float64{70, 63, 63, 62.5, 55, 55.5, 50.5, 49.5, 49, 45.5}},
	{EGESR, [10]float64{74, 70, 66.5, 62, 60, 59.5, 56.5, 54, 52.5, 48}},
	{Uniform, [10]float64{99.5, 99.5, 99.5, 99.5, 100, 98, 98.5, 99, 99, 98.5}},
}

// ReportedNoC returns what the authors report of error rates on NoC with a fixed budget.
func ReportedNoC() *tidy.Table {
	t := &tidy.Table{
		Title:   "NoC, linearised, fixed budget: what the authors report",
		Columns: tidy.Columns("budget T [pulls]"),
		Notes: []string{"Read off the figure in test.ipynb of the authors' repository linear_psi " +
			"(150 runs), to about half a per cent. The paper's Fig. 3 is the same experiment."},
	}
	for _, m := range reportedNoC {
		t.Columns = append(t.Columns, tidy.Column{Name: m.name, Unit: "%"})
	}
	for i := range len(reportedNoC[0].errors) {
		row := []any{int(math.Round(2331 + float64(i)*(4000-2331)/9))}
		for _, m := range reportedNoC {
			row = append(row, m.errors[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
