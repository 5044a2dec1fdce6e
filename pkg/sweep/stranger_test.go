package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep"
)

// A folder that could not be made leaves nothing, so that the corrected command can be called.
func TestCreateFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "big")
	plan := &sweep.Plan{Study: sweep.Study{Name: "toy/own", Reps: 4, Seed: 1}, Grid: toy(4),
		Shards: 2, Command: []string{"run"}, Program: filepath.Join(t.TempDir(), "nothing")}
	_, err := sweep.Create(dir, plan)
	wants(t, err, fs.ErrNotExist, plan.Program)
	plan.Program = t.TempDir()
	if _, err := sweep.Create(dir, plan); err == nil || !contains(err.Error(), plan.Program) {
		t.Errorf("a folder in the place of a program: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left behind: %s, %v", dir, err)
	}
	plan.Program = ""
	if _, err := sweep.Create(dir, plan); err != nil {
		t.Error(err)
	}
	if _, err := sweep.Create("", plan); err == nil || !contains(err.Error(), "is empty") {
		t.Errorf("no name: %v", err)
	}
}

// What does not stop a shard leaves no sign of a failure, and an interrupt says what is safe.
func TestRunRefused(t *testing.T) {
	s := create(t, 6, 2)
	err := s.Run(context.Background(), toy(6), 1, sweep.Settings{Workers: -2})
	if err == nil || !contains(err.Error(), "-2 workers") {
		t.Errorf("-2 workers: %v", err)
	}
	st, err := s.Status(context.Background())
	if err != nil || len(st.Which(sweep.Missing)) != 2 {
		t.Errorf("after an error of whoever called: %v, %v", st.Summary(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var once sync.Once
	set := sweep.Settings{Workers: 1, Progress: func(done, _ int, _ time.Duration) {
		if done == 5 {
			once.Do(cancel)
		}
	}}
	err = s.Run(ctx, toy(6), 1, set)
	wants(t, err, context.Canceled, "of 13 rows are safe", "go on with them")
	rows := 0
	if _, e := fmt.Sscanf(err.Error(), "sweep: shard 1: interrupted: %d of 13", &rows); e != nil ||
		rows < 5 {
		t.Errorf("%v; want at least 5 rows to be safe", err)
	}
	finish(t, s)
}

// Files to merge are named as they are, and so is what is wrong with one.
func TestMergeElsewhere(t *testing.T) {
	here, there := create(t, 4, 2), create(t, 4, 2)
	run(t, here, 1)
	run(t, there, 2)
	odd := filepath.Join(t.TempDir(), "a [1] folder")
	if err := os.Rename(there.Dir, odd); err != nil {
		t.Fatal(err)
	}
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "all.jsonl")
	wants(t, here.Merge(ctx, path, t.TempDir()), fs.ErrNotExist, "not the folder of a sweep")
	wants(t, here.Merge(ctx, filepath.Join(path, "all"), odd), fs.ErrNotExist,
		"all.jsonl/all cannot be written")
	file := filepath.Join(odd, "shards", "0002-of-0002.jsonl")
	text := content(t, file)
	write(t, file, text[:len(text)/2])
	err := here.Merge(ctx, path, odd)
	wants(t, err, sweep.ErrGap, "'sweep status' names shards")
	write(t, file, text[:100]+"?"+text[101:])
	wants(t, here.Merge(ctx, path, odd), sweep.ErrGrid, file+":1", "'sweep retry'")
	write(t, file, text)
	if err := here.Merge(ctx, path, odd); err != nil {
		t.Error(err)
	}
	if content(t, path) != content(t, stream(t, toy(4), mc.Shard{})) {
		t.Error("the merged file is not that of one process")
	}
}
