package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
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

// The grid is as many replicates as are asked for, 1000 if nobody does, of two policies on three instances with a best
// arm that is the last.
func TestGrid(t *testing.T) {
	for reps, want := range map[int]int{0: 1000, 1: 1, 7: 7} {
		g, err := grid("own", reps, 5)
		if err != nil || g.Study != "own" || g.Seed != 5 || g.Reps != want {
			t.Fatalf("%d replicates: %+v, %v", reps, g, err)
		}
		var names []string
		for i, inst := range g.Instances {
			names = append(names, inst.Name)
			for arm := range 8 {
				if mean, want := inst.Truth().At(arm, 0), []float64{.1, .2, .4}[i]*float64(arm); mean != want {
					t.Errorf("%s: arm %d has mean %v; want %v", inst.Name, arm, mean, want)
				}
			}
		}
		for _, m := range g.Methods {
			names = append(names, m.Name)
		}
		if want := []string{"steps of 0.1", "steps of 0.2", "steps of 0.4", "drop after 10", "drop after 100"}; !slices.Equal(names, want) {
			t.Errorf("%q; want %q", names, want)
		}
	}
}

// The policy pulls what is left, drops the worst, and begins anew with the next problem.
func TestDropWorst(t *testing.T) {
	p := &dropWorst{N: 3}
	for _, gains := range [][]float64{{1, 5, 2}, {4, 1, 2, 3}} {
		if err := p.Init(&explore.Problem{Arms: len(gains)}, rand.NewPCG(1, 1)); err != nil {
			t.Fatal(err)
		}
		left := slices.Clone(gains)
		for {
			pulls, err := p.Ask(nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(left) == 1 {
				if best := slices.Index(gains, slices.Max(gains)); len(pulls) != 0 || !slices.Equal(p.Answer().Items, []int{best}) {
					t.Errorf("%v: asks for %v, and answers %v; want %d", gains, pulls, p.Answer(), best)
				}
				break
			}
			var obs []explore.Batch
			for _, pull := range pulls {
				if pull.N != 3 || !slices.Contains(left, gains[pull.Arm]) {
					t.Errorf("%v: asks for %+v", left, pull)
				}
				obs = append(obs, explore.Batch{Pull: pull, Sum: []float64{3 * gains[pull.Arm]}})
			}
			if len(pulls) != len(left) {
				t.Errorf("%d pulls of %v", len(pulls), left)
			}
			if err := p.Tell(obs); err != nil {
				t.Fatal(err)
			}
			at := slices.Index(left, slices.Min(left))
			left = slices.Delete(left, at, at+1)
		}
	}
}
