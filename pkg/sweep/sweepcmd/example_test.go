package sweepcmd_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// doses returns the grid of the only study of this program.
func doses(study string, reps int, seed uint64) (*mc.Grid, error) {
	trial, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		return nil, err
	}
	return &mc.Grid{
		Study: study, Seed: seed, Reps: max(reps, 1), MaxPulls: 1000,
		Instances: []*bandit.Instance{trial},
		Methods: []mc.Method{{Name: "e-cAPE", Delta: .1, New: func() explore.Policy {
			return &policy.ECAPE{Delta: .1}
		}}},
	}, nil
}

// Run a small sweep with the commands of a program whose main function calls sweepcmd.Main.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	big, all := filepath.Join(dir, "big"), filepath.Join(dir, "all.jsonl")
	for _, args := range [][]string{
		{"new", "doses", big, "--shards", "2", "--reps", "6"},
		{"run", big, "1"}, {"run", big, "2"},
		{"merge", big, "--output", all},
	} {
		code := sweepcmd.Run(context.Background(), doses, args, os.Stderr, os.Stderr)
		if code != 0 {
			fmt.Println(args, "ended with", code)
		}
	}
	rows, _, err := mc.Read(all)
	fmt.Println(len(rows), "rows,", err)
	// An unknown shard is an error in the arguments.
	fmt.Println(sweepcmd.Run(context.Background(), doses, []string{"run", big, "two"}, os.Stderr, os.Stdout))
	// Output:
	// 6 rows, <nil>
	// sweep: shard "two"; expected the number of a shard, at least 1
	// 2
}

// With this main function, the program has the commands new, submit, status, retry, merge and run.
func ExampleMain() {
	main := func() { sweepcmd.Main(doses) }
	_ = main
}

// Add the sweep commands below a command of the user's program.
func ExampleNew() {
	root := &cobra.Command{Use: "mine"}
	root.AddCommand(sweepcmd.New(doses))
	root.SetArgs([]string{"sweep", "profile"})
	root.SetOut(os.Stderr)
	if err := root.Execute(); err != nil {
		fmt.Println(err)
	}
	found, _, err := root.Find([]string{"sweep", "merge"})
	fmt.Println(found.CommandPath(), err)
	// Output: mine sweep merge <nil>
}
