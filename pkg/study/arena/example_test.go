package arena_test

import (
	"context"
	"fmt"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study/arena"
)

// Print the row of a user's policy; "purexp arena --policy ./mine" does this for a package.
func ExampleCompare() {
	mine := arena.Own("mine", func(delta float64) *policy.BettingElimination {
		return &policy.BettingElimination{Delta: delta, Growth: 1.3} // your policy
	})
	tables, err := arena.Compare(context.Background(), arena.BestItem, 1, mine)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range tables[0].Rows {
		if row[1] == "mine" {
			fmt.Println("instances:", row[12])
		}
	}
	// Output:
	// instances: 24 of 24
}
