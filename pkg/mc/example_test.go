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

func ExampleGrid_Run() {
	g := mc.Grid{
		Study:     "two widths",
		Seed:      1,
		Reps:      2,
		Instances: []*bandit.Instance{instance("easy", 0, 1, 2)},
		Methods: []mc.Method{
			{Name: "narrow", Delta: 0.1, New: func() explore.Policy {
				return &race{Batch: 3, Width: 2}
			}},
			{Name: "wide", Delta: 0.01, New: func() explore.Policy {
				return &race{Batch: 3, Width: 6}
			}},
		},
	}
	rows, err := g.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Println(r.Rep, r.Method, r.Pulls, r.Status, r.Correct, r.Items, r.Classes)
	}
	// Output:
	// 0 narrow 30 stopped true [2] DDO
	// 0 wide 110 stopped true [2] DDO
	// 1 narrow 30 stopped true [2] DDO
	// 1 wide 80 stopped true [2] DDO
}

// A study that is streamed to a file can be interrupted, resumed, and extended.
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
	for _, reps := range []int{2, 5} { // the second call simulates 3 replicates
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
	// rows.jsonl:1: this file belongs to another grid: its seed is 1, here it is 2; write to another path, or set the grid back
}

// Eight machines simulate an eighth each; Read puts the files together.
func ExampleParseShard() {
	sh, err := mc.ParseShard("2/8")
	fmt.Println(sh.I, sh.N, err)
	_, err = mc.ParseShard("9/8")
	fmt.Println(err)
	// Output:
	// 2 8 <nil>
	// mc: shard "9/8"; want part/parts, such as 2/8
}

func ExampleRead() {
	dir, err := os.MkdirTemp("", "mc")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	var paths []string
	for i := range 2 {
		g := toy()
		g.Shard = mc.Shard{I: i + 1, N: 3}
		path := filepath.Join(dir, fmt.Sprintf("part%d.jsonl", i+1))
		if err := g.Stream(context.Background(), path); err != nil {
			fmt.Println(err)
			return
		}
		paths = append(paths, path)
	}
	rows, header, err := mc.Read(paths...)
	fmt.Println(len(rows), err)
	fmt.Println(header.Warnings[0])
	// Output:
	// 18 <nil>
	// mc: missing shards: 3/3
}

// The digest names everything that decides about rows, such as for a cache.
func ExampleGrid_Header() {
	g := toy()
	h, err := g.Header()
	if err != nil {
		fmt.Println(err)
		return
	}
	g.Reps, g.Workers = 500, 8
	more, _ := g.Header()
	g.Seed = 2
	other, _ := g.Header()
	fmt.Println(h.Cells[0].Policy, h.Digest == more.Digest, h.Digest == other.Digest)
	// Output: race{3, 0.5} true false
}
