package gege

import (
	_ "embed" // table2.csv
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// table2 are K, h, d, and the milliseconds of a run with a given confidence and budget.
//
//go:embed table2.csv
var table2 string

// Runtimes measures how long GEGE takes on this machine, beside what the paper
// states: Table 2, delta = 0.1 and T = 500, means over runs replicates. Instances are those of
// Synthetic; the paper does not say which it used.
func Runtimes(runs int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Runtime of GEGE (Table 2)",
		Columns: tidy.Columns("K, h, d", "delta = 0.1, paper [ms]", "here [ms]", "times faster",
			"T = 500, paper [ms]", "here [ms]", "times faster"),
		Notes: []string{fmt.Sprintf("Means over %d runs, one at a time. The paper's are from a "+
			"personal computer with an ARM processor; ratios compare machines as well as "+
			"programs.", runs)},
	}
	for _, r := range study.ReadRecords(table2) {
		k, h, d := int(r.Numbers[0]), int(r.Numbers[1]), int(r.Numbers[2])
		inst, _, err := Synthetic(k, h, d, 0)
		if err != nil {
			return nil, err
		}
		row := []any{fmt.Sprintf("%d, %d, %d", k, h, d)}
		for _, m := range []struct {
			p     explore.Policy
			paper float64
		}{{&policy.GEGEFixedConfidence{Delta: .1}, r.Numbers[3]},
			{&policy.GEGEFixedBudget{Budget: 500}, r.Numbers[4]}} {
			took, err := study.Try(inst, m.p, runs, nil)
			if err != nil {
				return nil, err
			}
			ms := stat.Mean(took.Milliseconds, nil)
			row = append(row, m.paper, ms, fmt.Sprintf("%.0f", m.paper/ms))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
