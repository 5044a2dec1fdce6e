package explore_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// The limit is a table of 2^27 numbers of 8 bytes, itself allowed.
func TestCheckTable(t *testing.T) {
	for _, c := range []struct {
		rows, cols int
		ok         bool
	}{
		{1 << 27, 1, true}, {1<<27 + 1, 1, false}, {1 << 14, 1 << 13, true},
		{11_585, 11_585, true}, {11_586, 11_586, false}, {0, 1 << 30, true},
		{math.MaxInt, math.MaxInt, false}, // their product is no int
	} {
		if err := explore.CheckTable("numbers", c.rows, c.cols); (err == nil) != c.ok {
			t.Errorf("%d x %d: %v", c.rows, c.cols, err)
		}
	}
}

func ExampleCheckTable() {
	fmt.Println(explore.CheckTable("covariances of the arms", 100_000, 100_000))
	// Output:
	// a table of covariances of the arms, 100000 x 100000 numbers, takes 74.5 GiB; want at most 1 GiB (explore.LargestTable)
}
