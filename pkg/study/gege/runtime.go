package gege

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// published are the runtimes of Table 2, in milliseconds, with a given
// confidence and with a given budget.
var published = []struct {
	k, h, d            int
	confidence, budget float64
}{{10, 2, 2, 6, 217}, {50, 8, 2, 7, 464}, {100, 8, 4, 545, 791}, {200, 8, 8, 768, 1139},
	{500, 8, 8, 1013, 2425}}

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
	for _, c := range published {
		inst, _, err := Synthetic(c.k, c.h, c.d, 0)
		if err != nil {
			return nil, err
		}
		row := []any{fmt.Sprintf("%d, %d, %d", c.k, c.h, c.d)}
		for _, m := range []struct {
			p     explore.Policy
			paper float64
		}{{&policy.GEGEFixedConfidence{Delta: .1}, c.confidence},
			{&policy.GEGEFixedBudget{Budget: 500}, c.budget}} {
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
