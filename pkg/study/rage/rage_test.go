package rage

import (
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
)

// The schedule of a benchmark has a row for each round, and its pulls sum to the bound.
func TestSchedule(t *testing.T) {
	table, err := Schedule(Newer, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := Newer
	e.Sizes, e.Methods = e.Sizes[:1], nil
	g, err := e.Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	most := e.Results(rows).Bound(5, hardness.ScheduleBound)
	sum := 0
	for _, row := range table.Rows {
		sum += row[3].(int)
	}
	if len(most) != 1 || sum != most[0].Pulls || len(table.Rows) != most[0].Rounds {
		t.Errorf("%d rounds, %d pulls; the bound is %+v", len(table.Rows), sum, most)
	}
}
