package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// The example goes from 'new' to 'merge', and gives the bytes of one process.
func TestExample(t *testing.T) {
	t.Chdir(t.TempDir())
	do := func(args ...string) {
		t.Helper()
		var out bytes.Buffer
		if code := sweepcmd.Run(context.Background(), grid, args, &out, &out); code != 0 {
			t.Fatalf("%q: exit code %d\n%s", args, code, &out)
		}
	}
	do("new", "steps", "big", "--shards", "2", "--reps", "5")
	do("run", "big", "1")
	do("run", "big", "2")
	do("merge", "big")
	g, err := grid("steps", 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	one := filepath.Join(t.TempDir(), "one.jsonl")
	if err := g.Stream(context.Background(), one); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("steps.jsonl"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the merged file is not that of one process: %v", err)
	}
	// Wide steps are found with many pulls: 100 an arm leave an error of .1 in differences of .4.
	rows, _, err := mc.Read("steps.jsonl")
	if err != nil || len(rows) != 30 {
		t.Fatalf("%d rows, %v; want 30", len(rows), err)
	}
	for _, r := range rows {
		if r.Instance == "steps of 0.4" && r.Method == "drop after 100" && !r.Correct {
			t.Errorf("replicate %d is wrong: %v", r.Rep, r.Items)
		}
	}
}
