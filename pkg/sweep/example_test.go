package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/sweep"
)

// doses is a study: a method on the five doses of a trial, 12 replicates.
func doses() *mc.Grid {
	trial, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	return &mc.Grid{
		Study: "doses", Seed: 1, Reps: 12, MaxPulls: 1000,
		Instances: []*bandit.Instance{trial},
		Methods: []mc.Method{{Name: "e-cAPE", Delta: .1, New: func() explore.Policy {
			return &policy.ECAPE{Delta: .1}
		}}},
	}
}

// make4 makes a sweep of 4 shards in a folder of a moment, on a machine without Slurm.
func make4() (s *sweep.Sweep, remove func()) {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		log.Fatal(err)
	}
	s, err = sweep.Create(filepath.Join(dir, "big"), &sweep.Plan{
		Study: sweep.Study{Name: "doses", Reps: 12, Seed: 1}, Grid: doses(), Shards: 4,
	})
	if err != nil {
		log.Fatal(err)
	}
	s.Slurm.Squeue = "squeue-of-no-cluster"
	return s, func() { os.RemoveAll(dir) }
}

// A study in four shards, which run one after the other here and on four machines elsewhere, and
// the file that one process would have written.
func Example() {
	s, remove := make4()
	defer remove()
	ctx := context.Background()
	for i := range s.Shards {
		if err := s.Run(ctx, doses(), i+1, sweep.Settings{}); err != nil {
			fmt.Println(err)
		}
	}
	all := filepath.Join(s.Dir, "all.jsonl")
	if err := s.Merge(ctx, all); err != nil {
		fmt.Println(err)
	}
	one := filepath.Join(s.Dir, "one.jsonl")
	if err := doses().Stream(ctx, one); err != nil {
		fmt.Println(err)
	}
	a, _ := os.ReadFile(all)
	b, _ := os.ReadFile(one)
	fmt.Println(s.Rows(), "rows; the same bytes:", string(a) == string(b))
	// Output: 12 rows; the same bytes: true
}

func ExampleCreate() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	s, err := sweep.Create(filepath.Join(dir, "big"), &sweep.Plan{
		Study:   sweep.Study{Name: "doses", Reps: 12, Seed: 1},
		Grid:    doses(),
		Shards:  4,
		Profile: []byte("time = \"02:00:00\"\nmemory = \"2G\"\n"),
		Command: []string{"run"},
	})
	if err != nil {
		log.Fatal(err)
	}
	files, err := os.ReadDir(s.Dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		fmt.Println(f.Name())
	}
	// Output:
	// attempts
	// logs
	// profile.toml
	// program
	// shards
	// sweep.json
}

func ExampleOpen() {
	s, remove := make4()
	defer remove()
	again, err := sweep.Open(s.Dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(again.Study.Name, "in", again.Shards, "shards,", again.Rows(), "rows")
	_, err = sweep.Open(filepath.Join(s.Dir, "logs"))
	fmt.Println(errors.Is(err, os.ErrNotExist))
	// Output:
	// doses in 4 shards, 12 rows
	// true
}

func ExampleSweep_Run() {
	s, remove := make4()
	defer remove()
	err := s.Run(context.Background(), doses(), 2, sweep.Settings{
		Workers:  1,
		Requeue:  s.Requeue(context.Background()), // nothing, as this is no job of Slurm
		Progress: nil,                             // or what writes to a log
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, header, err := mc.Read(s.Final(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), "rows of shard", header.Shard)
	// Another seed makes other rows, and they do not belong here.
	other := doses()
	other.Seed = 2
	err = s.Run(context.Background(), other, 3, sweep.Settings{})
	fmt.Println(errors.Is(err, sweep.ErrGrid))
	// Output:
	// 3 rows of shard 2/4
	// true
}

func ExampleSweep_Requeue() {
	s, remove := make4()
	defer remove()
	os.Unsetenv("SLURM_ARRAY_JOB_ID")
	fmt.Println("a job of Slurm:", s.Requeue(context.Background()) != nil)
	// Output: a job of Slurm: false
}

func ExampleSweep_Status() {
	s, remove := make4()
	defer remove()
	ctx := context.Background()
	if err := s.Run(ctx, doses(), 1, sweep.Settings{}); err != nil {
		fmt.Println(err)
	}
	st, err := s.Status(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(st.Summary())
	fmt.Println("to submit:", st.Which(sweep.Missing, sweep.Failed))
	for _, is := range st.Shards[:2] {
		fmt.Printf("shard %d is %v: %d of %d rows\n", is.Shard, is.State, is.Rows, is.Want)
	}
	// Output:
	// doses: of 4 shards 1 finished, 3 missing
	// to submit: [2 3 4]
	// shard 1 is finished: 3 of 3 rows
	// shard 2 is missing: 0 of 3 rows
}

// standIn writes a command that prints text, for examples on machines without Slurm.
func standIn(s *sweep.Sweep, text string) string {
	path := filepath.Join(s.Dir, "logs", "command")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+text+"'\n"), 0o777); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleSweep_Submit() {
	s, remove := make4()
	defer remove()
	s.Slurm.Sbatch = standIn(s, "17") // without it, the command of the cluster
	sub, err := s.Submit(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("job", sub.Job, "has shards", sub.Shards)
	// Output: job 17 has shards [1 2 3 4]
}

func ExampleSweep_Retry() {
	s, remove := make4()
	defer remove()
	ctx := context.Background()
	if err := s.Run(ctx, doses(), 3, sweep.Settings{}); err != nil {
		fmt.Println(err)
	}
	s.Slurm.Sbatch = standIn(s, "18")
	sub, err := s.Retry(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("job", sub.Job, "has shards", sub.Shards)
	// Output: job 18 has shards [1 2 4]
}
