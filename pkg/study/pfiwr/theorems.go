package pfiwr

import (
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/tidy"
)

// Theorems is a table of what Theorems 3.1, 4.2, 4.3 and 4.4 of the paper amount to on instances,
// at an error probability: numbers of pulls, and the regret that these allow at most.
func Theorems(delta float64, instances ...*bandit.Instance) *tidy.Table {
	t := &tidy.Table{
		Title: "The theorems of the paper in numbers",
		Columns: tidy.Columns("instance", "arms K", "features d", "Delta_eps",
			"Theorem 3.1 [pulls]", "random phase [pulls]", "(12) narrow enough [pulls]",
			"Theorem 4.3 [pulls]", "Theorem 4.4 [regret]"),
		Notes: []string{
			"Theorem 3.1: what some instance of this accuracy takes at least. The random phase " +
				"is " +
				"that of Algorithm 1. Narrow enough: the width (12) is a fifth of Delta_eps, (28).",
			"Theorem 4.4: the largest regret in the random phase, then 2 beta, until (12) is " +
				"narrow enough. S = 1, p = 1/2.",
		},
	}
	for _, inst := range instances {
		c, accuracy := Constants(inst, delta), Accuracy(inst)
		narrow := NarrowAt(c, accuracy)
		row := []any{
			inst.Name, c.Arms, c.Features, accuracy, int(LowerBound(c, accuracy)), int(c.Start()),
			nil, nil, nil,
		}
		if !math.IsInf(narrow, 1) {
			row[6], row[7] = int(narrow), int(SampleBound(c, accuracy))
			row[8] = int(RegretBound(c, 1, largestRegret(inst), int(c.Start()), int(narrow)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
