package arena_test

import (
	"context"
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
)

// A row for a policy of one's own: in a main package of yours, "go run ." prints the table.
func ExampleCompare() {
	mine := study.Method{
		Name: "mine", Constants: arena.Guaranteed,
		New: func(t study.Task) explore.Policy {
			return &policy.BettingElimination{Delta: t.Delta, Growth: 1.3} // your policy
		},
	}
	tables, err := arena.Compare(context.Background(), arena.BestItem, 1, mine)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range tables[0].Rows {
		if row[1] == "mine" {
			fmt.Println("instances:", row[11])
		}
	}
	// Output:
	// instances: 16 of 16
}
