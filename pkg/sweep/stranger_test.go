package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
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
	if err := os.Mkdir(dir, 0o777); err != nil { // a folder that was there stays, as it was
		t.Fatal(err)
	}
	if _, err := sweep.Create(dir, plan); err == nil {
		t.Error("a folder in the place of a program")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the empty folder has now %v, %v", left, err)
	}
	plan.Program = ""
	if _, err := sweep.Create(dir, plan); err != nil {
		t.Error(err)
	}
	for _, c := range "%\\\n\r\"'" {
		odd := filepath.Join(t.TempDir(), "a"+string(c)+"b")
		_, err := sweep.Create(odd, plan)
		_, open := sweep.Open(odd)
		for _, err := range []error{err, open} {
			if err == nil || !contains(err.Error(), fmt.Sprintf("has a %q, which Slurm reads as something else", c)) {
				t.Errorf("%q: %v", odd, err)
			}
		}
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

// What sweep.json says is read as it was written, by this version; what cannot be is refused with the file.
func TestManifestRefused(t *testing.T) {
	s := create(t, 4, 2)
	path := filepath.Join(s.Dir, "sweep.json")
	text := content(t, path)
	if again, err := sweep.Open(s.Dir); err != nil || !reflect.DeepEqual(again.Manifest, s.Manifest) {
		t.Errorf("%+v, %v; want %+v", again, err, s.Manifest)
	}
	for says, change := range map[string]func(m, outline map[string]any){
		`format is "sweep", want "purexp sweep"`:     func(m, _ map[string]any) { m["format"] = "sweep" },
		"version is 0, this program reads 1":         func(m, _ map[string]any) { m["version"] = 0 },
		"version is 2, this program reads 1":         func(m, _ map[string]any) { m["version"] = 2 },
		`2 shards, id "";`:                           func(m, _ map[string]any) { m["id"] = "" },
		`2 shards, id "a b";`:                        func(m, _ map[string]any) { m["id"] = "a b" },
		fmt.Sprintf("-1 shards, id %q;", s.ID):       func(m, _ map[string]any) { m["shards"] = -1 },
		"an outline of 5 cells with replicates of 4": func(_, o map[string]any) { o["reps"] = []int{4, 4, 4, 4} },
		"an outline with 0 replicates of once":       func(_, o map[string]any) { o["reps"] = []int{0, 4, 4, 4, 1} },
		"an outline of 0 cells with replicates of 0": func(m, _ map[string]any) { delete(m, "outline") },
		"not what was written there (shards: ":       func(m, _ map[string]any) { m["shards"] = "two" },
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		change(m, m["outline"].(map[string]any))
		changed, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, string(changed))
		if _, err := sweep.Open(s.Dir); err == nil || !contains(err.Error(), path+": ") || !contains(err.Error(), says) || !contains(err.Error(), "make the sweep anew") {
			t.Errorf("%v; want %q", err, says)
		}
	}
	if _, err := sweep.Open(path); !errors.Is(err, fs.ErrNotExist) || !contains(err.Error(), "not the folder of a sweep") {
		t.Errorf("a file: %v", err)
	}
}

// One worker simulates one run after the other.
func TestOneWorker(t *testing.T) {
	s := create(t, 6, 1)
	var now, most atomic.Int64
	hooked(t, func() {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		now.Add(-1)
	})
	if err := s.Run(t.Context(), toy(6), 1, sweep.Settings{Workers: 1}); err != nil || most.Load() != 1 {
		t.Errorf("%v, %d at the same time", err, most.Load())
	}
}

// What stands under the name of the rows when an attempt ends, and is damaged, is put aside for those of the attempt.
func TestDamagedMeanwhile(t *testing.T) {
	s := create(t, 4, 2)
	text := content(t, stream(t, toy(4), mc.Shard{I: 1, N: 2}))
	var calls atomic.Int64
	hooked(t, func() {
		if calls.Add(1) == overhead+1 {
			write(t, s.Final(1), text[:len(text)/2])
		}
	})
	run(t, s, 1)
	aside, _ := filepath.Glob(s.Dir + "/attempts/0001/*")
	if content(t, s.Final(1)) != text || len(aside) != 1 || filepath.Ext(aside[0]) != ".damaged" || content(t, aside[0]) != text[:len(text)/2] {
		t.Errorf("put aside: %q", aside)
	}
	if st, err := s.Status(t.Context()); err != nil || st.Shards[0].State != sweep.Finished || st.Shards[0].Disagrees {
		t.Errorf("%+v, %v", st, err)
	}
}

// What is of the same study and seed may be of another division: a file belongs to the shard that its name says.
func TestOtherDivision(t *testing.T) {
	s := create(t, 6, 3)
	o := outline(t, toy(6))
	for _, shard := range []mc.Shard{{I: 1, N: 2}, {I: 2, N: 3}, {}} {
		path := stream(t, toy(6), shard)
		p, err := o.Check(path, mc.Shard{I: 1, N: 3})
		want := "it is shard " + shard.String() + ", and should be shard 1/3"
		if shard == (mc.Shard{}) {
			want = "it is the whole, and should be shard 1/3"
		}
		if err != nil || p.Complete || p.Rows != 0 || p.Fault == nil || !contains(p.Fault.Error(), want) {
			t.Errorf("%v: %+v, %v; want %s", shard, p, err, want)
		}
		write(t, s.Final(1), content(t, path))
		if st, err := s.Status(t.Context()); err != nil || st.Shards[0].State != sweep.Failed || !contains(st.Shards[0].Why, want) {
			t.Errorf("%v: %+v, %v", shard, st, err)
		}
	}
}
