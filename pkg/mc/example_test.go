package mc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// A study in a file can be interrupted, resumed, and extended.
func ExampleGrid_Stream() {
	dir, err := os.MkdirTemp("", "mc")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "rows.jsonl")

	g := mc.Grid{
		Study:     "one width",
		Seed:      1,
		Reps:      2,
		Instances: []*bandit.Instance{instance("easy", 0, 1, 2)},
		Methods: []mc.Method{{Name: "narrow", New: func() explore.Policy {
			return &race{Batch: 3, Width: 2}
		}}},
	}
	for _, reps := range []int{2, 5} { // the second call simulates 3 more replicates
		g.Reps = reps
		if err := g.Stream(context.Background(), path); err != nil {
			fmt.Println(err)
			return
		}
	}
	rows, header, err := mc.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(header.Study, len(rows), header.Warnings)

	g.Seed = 2
	err = g.Stream(context.Background(), path)
	fmt.Println(filepath.Base(err.Error()))
	// Output:
	// one width 5 []
	// rows.jsonl:1: this file belongs to a different grid: the seed is 1; expected 2; write to another path, or restore the grid
}
