package gege

import (
	_ "embed" // noc.csv
	"math"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// reportedNoC are error rates in the authors' figure of the experiment of Fig. 3.
var reportedNoC = study.ReadRecords(nocTable)

//go:embed noc.csv
var nocTable string

// ReportedNoC returns what the authors report of error rates on NoC with a fixed budget.
func ReportedNoC() *tidy.Table {
	t := &tidy.Table{
		Title:   "NoC, linearised, fixed budget: what the authors report",
		Columns: tidy.Columns("budget T [pulls]"),
		Notes: []string{"Read off the figure in test.ipynb of the authors' repository linear_psi " +
			"(150 runs), to about half a per cent. The paper's Fig. 3 is the same experiment."},
	}
	for _, m := range reportedNoC {
		t.Columns = append(t.Columns, tidy.Column{Name: m.Words[0], Unit: "%"})
	}
	for i := range reportedNoC[0].Numbers {
		row := []any{int(math.Round(2331 + float64(i)*(4000-2331)/9))}
		for _, m := range reportedNoC {
			row = append(row, m.Numbers[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
