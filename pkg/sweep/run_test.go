package sweep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep"
)

// create creates a sweep of the toy study.
func create(t testing.TB, reps, shards int) *sweep.Sweep {
	t.Helper()
	s, err := sweep.Create(filepath.Join(t.TempDir(), "big"), &sweep.Plan{
		Study: sweep.Study{Name: "toy/own", Reps: reps, Seed: 1}, Grid: toy(reps), Shards: shards,
		Command: []string{"run"},
	})
	if err != nil {
		t.Fatal(err)
	}
	// Slurm may be installed on this machine, so the test replaces its commands.
	s.Slurm = sweep.Slurm{Sbatch: "no such command", Squeue: "no such command",
		Sacct: "no such command", Scontrol: "no such command"}
	return s
}

func run(t testing.TB, s *sweep.Sweep, i int) {
	t.Helper()
	if err := s.Run(context.Background(), toy(s.Study.Reps), i, sweep.Settings{}); err != nil {
		t.Fatal(err)
	}
}

// finish runs all shards and compares the merged file with that of one process.
func finish(t *testing.T, s *sweep.Sweep) {
	t.Helper()
	for i := 1; i <= s.Shards; i++ {
		run(t, s, i)
	}
	path := filepath.Join(t.TempDir(), "all.jsonl")
	if err := s.Merge(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	if content(t, path) != content(t, stream(t, toy(s.Study.Reps), mc.Shard{})) {
		t.Error("the merged file is not that of one process")
	}
	if left, _ := filepath.Glob(s.Dir + "/attempts/*/*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestRun(t *testing.T) {
	s := create(t, 5, 3)
	again, err := sweep.Open(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	again.Slurm = s.Slurm
	finish(t, again)
	before, err := os.Stat(filepath.Join(s.Dir, "shards", "0002-of-0003.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	// A kill between the last two steps of an attempt leaves the files of the attempt.
	left := attempt(t, s, 2, "killed", ".jsonl", "x")
	unnamed := attempt(t, s, 2, ".killed", ".jsonl-ABCDEFGH", "x")
	var calls atomic.Int64
	hooked(t, func() { calls.Add(1) })
	run(t, s, 2)
	for _, path := range []string{left, unnamed} {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("left behind at a finished shard: %s, %v", path, err)
		}
	}
	if n := calls.Load(); n >= overhead {
		t.Error("a finished shard was simulated again")
	}
	if after, err := os.Stat(s.Final(2)); err != nil || !os.SameFile(before, after) {
		t.Errorf("a finished shard was written again: %v", err)
	}
	for _, i := range []int{0, 4} {
		if err := s.Run(context.Background(), toy(5), i, sweep.Settings{}); err == nil ||
			!contains(err.Error(), "expected 1 to 3") {
			t.Errorf("shard %d: %v", i, err)
		}
	}
	for want, p := range map[string]*sweep.Plan{"profile: ": {Grid: toy(5), Shards: 3, Profile: []byte("nodes = 3")}, "expected 1 to ": {Grid: toy(5), Shards: 99}} {
		if _, err := sweep.Create(filepath.Join(t.TempDir(), "new"), p); err == nil || !contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// After a killed attempt, the next attempt continues and gives the same rows: it simulates only
// missing rows, and trusts no damaged file.
func TestKilled(t *testing.T) {
	shard := mc.Shard{I: 1, N: 2}
	text := content(t, stream(t, toy(6), shard))
	var runs atomic.Int64
	hooked(t, func() { runs.Add(1) })
	sums := func(rows int) int64 { // number of sums of rewards that are drawn for the rows after the first ones
		each := []int64{6, 6, 4, 4, 4, 6, 6, 4, 4, 6, 6, 4, 4} // sums in each row: two rounds with 3 or 2 arms
		n := int64(0)
		for _, k := range each[rows:] {
			n += k
		}
		return n
	}
	s := create(t, 6, 2)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		cut := rnd.IntN(len(text) + 1)
		left := text[:cut]
		rows := max(strings.Count(left, "\n")-1, 0)
		if rnd.IntN(3) == 0 && rows > 1 { // zeros instead of data, as after the crash of a node
			zero := strings.Repeat("\x00", 100)
			at := strings.LastIndex(left[:len(left)-1], "\n") - 50
			left = left[:at] + zero[:50] + left[at+50:]
			rows = strings.Count(left[:at], "\n") - 1
		} else if strings.HasSuffix(text[:cut], "}") {
			rows++ // the line lacks only its newline
		}
		attempt(t, s, 1, "long", ".jsonl", left)
		attempt(t, s, 1, "short", ".jsonl", text[:cut/2])
		attempt(t, s, 1, "foreign", ".jsonl", strings.Replace(text, `"seed":1`, `"seed":2`, 1))
		runs.Store(0)
		run(t, s, 1)
		if content(t, s.Final(1)) != text {
			t.Fatalf("other rows after a cut at byte %d", cut)
		}
		if got, want := runs.Load()-overhead, sums(rows); got != want {
			t.Fatalf("%d sums were simulated after %d rows; want %d", got, rows, want)
		}
		os.Remove(s.Final(1))
	}
	finish(t, s)
}

// overhead is the number of sums of rewards that are drawn to describe the grid. The grid is described twice, for its
// check and for the run, with one sum for each of its 7 arms.
const overhead = 2 * 7

// A process that is killed at any moment leaves files that the next process can use.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	s := create(t, 6, 2)
	deadline := time.Now().Add(5 * time.Minute)
	program := filepath.Join(s.Dir, "program")
	kills := 0
	for {
		cmd := exec.Command(program, "run", s.Dir, "1")
		cmd.Env = append(os.Environ(), asProgram+"=1", slowly+"=10ms")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			if kills == 0 {
				t.Skip("this machine is so slow, or so quick, that nothing was killed")
			}
			if content(t, s.Final(1)) != content(t, stream(t, toy(6), mc.Shard{I: 1, N: 2})) {
				t.Errorf("other rows after %d kills", kills)
			}
			finish(t, s)
			return
		case <-time.After(time.Duration(200+100*kills) * time.Millisecond):
			_ = cmd.Process.Kill()
			<-ended
			kills++
		}
		if time.Now().After(deadline) {
			t.Fatal("a shard that was killed repeatedly did not finish")
		}
	}
}

// If an attempt without heartbeats continues after another attempt has finished, it changes
// nothing, and ends without an error.
func TestZombie(t *testing.T) {
	s := create(t, 4, 1)
	asleep, wake := make(chan bool), make(chan bool)
	var once sync.Once
	var calls atomic.Int64
	hooked(t, func() {
		if calls.Add(1) == overhead+5 {
			once.Do(func() {
				close(asleep)
				<-wake
			})
		}
	})
	zombie := make(chan error)
	go func() {
		zombie <- s.Run(context.Background(), toy(4), 1, sweep.Settings{Workers: 1})
	}()
	<-asleep
	run(t, s, 1)
	before, err := os.Stat(s.Final(1))
	if err != nil {
		t.Fatal(err)
	}
	close(wake)
	if err := <-zombie; err != nil {
		t.Errorf("the zombie says %v", err)
	}
	if after, err := os.Stat(s.Final(1)); err != nil || !os.SameFile(before, after) {
		t.Errorf("the zombie replaced the rows: %v", err)
	}
	finish(t, s)
}

// Another attempt finishes first. If the rows are equal, both attempts succeed; if they differ, the second attempt
// returns an error. Nothing is overwritten, and no attempt continues.
func TestTwice(t *testing.T) {
	for _, same := range []bool{true, false} {
		s := create(t, 4, 2) // the other shard has not been started
		text := content(t, stream(t, toy(4), mc.Shard{I: 1, N: 2}))
		var once sync.Once
		var calls atomic.Int64
		hooked(t, func() {
			if calls.Add(1) > overhead {
				once.Do(func() { // another attempt finishes first
					own := text
					if !same {
						lines := strings.SplitAfter(text, "\n")
						lines[1] = seal(strings.Replace(strings.TrimSpace(lines[1]), `"pulls":6`,
							`"pulls":8`, 1)) + "\n"
						own = strings.Join(lines, "")
					}
					write(t, s.Final(1), own)
				})
			}
		})
		err := s.Run(context.Background(), toy(4), 1, sweep.Settings{})
		if same {
			if err != nil {
				t.Errorf("the same rows twice: %v", err)
			}
			finish(t, s)
			continue
		}
		wants(t, err, sweep.ErrDisagree, s.Final(1))
		st, err := s.Status(context.Background())
		if err != nil || st.Shards[0].State != sweep.Failed || !st.Shards[0].Disagrees {
			t.Errorf("status %+v, %v", st, err)
		}
		if text, err := json.Marshal(st); err != nil || !contains(string(text), `"disagrees":true},{"shard":2,"state":"missing","rows":0,"want":`) {
			t.Errorf("as JSON: %s, %v", text, err)
		}
		wants(t, s.Merge(context.Background(), filepath.Join(t.TempDir(), "all.jsonl")),
			sweep.ErrDisagree, "check which file is right, and remove the other file")
		if _, err := s.Retry(context.Background()); err == nil || !contains(err.Error(), "remove the other") {
			t.Errorf("retry: %v", err)
		}
		// Files that a person has to inspect stay, whatever other attempts do.
		_ = s.Run(context.Background(), toy(4), 1, sweep.Settings{})
		if st, err := s.Status(context.Background()); err != nil || !st.Shards[0].Disagrees {
			t.Errorf("after another run: %+v, %v", st, err)
		}
	}
}

// Of many failed attempts, the status shows the latest two, the last one first.
func TestLatestReasons(t *testing.T) {
	s := create(t, 4, 2)
	dir := filepath.Join(s.Dir, "attempts", "0001")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"b", "c", "a"} {
		path, at := filepath.Join(dir, name+".failed"), time.Now().Add(time.Duration(i-5)*time.Minute)
		write(t, path, fmt.Sprintf(`{"reason": "reason %d"}`, i))
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	st, err := s.Status(context.Background())
	if want := "reason 2; reason 1; 1 attempts before"; err != nil || st.Shards[0].Why != want {
		t.Errorf("%+v, %v; want %s", st, err, want)
	}
}

// TestEndedProcess: a heartbeat belongs to a running attempt, unless its process ran on this machine and has ended.
func TestEndedProcess(t *testing.T) {
	s := create(t, 4, 2)
	dir := filepath.Join(s.Dir, "attempts", "0001")
	host, err := os.Hostname()
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err = errors.Join(err, os.MkdirAll(dir, 0o777), ended.Run()); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("skipped: there are no signals")
	}
	for _, x := range []struct {
		host    string
		process int
		want    sweep.State
	}{{host, os.Getpid(), sweep.Running}, {"elsewhere", ended.Process.Pid, sweep.Running}, {host, ended.Process.Pid, sweep.Failed}} {
		write(t, filepath.Join(dir, "a.alive"), fmt.Sprintf(`{"host": %q, "process": %d, "began": "2026-01-01T00:00:00Z"}`, x.host, x.process))
		if st, err := s.Status(context.Background()); err != nil || st.Shards[0].State != x.want {
			t.Errorf("%+v: %+v, %v", x, st, err)
		}
	}
}

// A final file that was damaged later is put aside, and its shard is simulated again.
func TestDamaged(t *testing.T) {
	s := create(t, 4, 2)
	finish(t, s)
	text := content(t, s.Final(1))
	bad := strings.Replace(text, `"pulls":6`, `"pulls":5`, 1)
	write(t, s.Final(1), bad)
	st, err := s.Status(context.Background())
	if err != nil || st.Shards[0].State != sweep.Failed || !contains(st.Shards[0].Why, "is damaged after 0 rows") {
		t.Errorf("status %+v, %v", st, err)
	}
	wants(t, s.Merge(context.Background(), filepath.Join(t.TempDir(), "all.jsonl")), sweep.ErrRows, "'sweep retry' or 'sweep run' simulates these")
	run(t, s, 1)
	if content(t, s.Final(1)) != text {
		t.Error("a damaged shard is not repaired")
	}
	aside, _ := filepath.Glob(s.Dir + "/attempts/0001/*.damaged")
	if len(aside) != 1 || content(t, aside[0]) != bad {
		t.Errorf("put aside: %q", aside)
	}
	// If the attempt that put the file aside is killed before its
	// first row, the shard counts as begun, and 'retry' submits it.
	if err := os.Remove(s.Final(1)); err != nil {
		t.Fatal(err)
	}
	if st, err = s.Status(context.Background()); err != nil || st.Shards[0].State != sweep.Failed {
		t.Errorf("without the damaged shard: %+v, %v", st, err)
	}
}

// written waits until an attempt at shard i has written n rows. A run ends a moment before its row is written.
func written(t *testing.T, s *sweep.Sweep, i, n int) {
	t.Helper()
	for range 1000 {
		paths, err := filepath.Glob(filepath.Join(s.Dir, "attempts", fmt.Sprintf("%04d", i), "*.jsonl"))
		if err != nil {
			t.Error(err)
		}
		for _, path := range paths {
			if text, err := os.ReadFile(path); err == nil && bytes.Count(text, []byte("\n")) > n {
				return // the first line is the header
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("shard %d: no attempt has written %d rows", i, n)
}

// Near its time limit, an attempt stops and requeues its shard, unless it made no progress.
func TestTimeLimit(t *testing.T) {
	s := create(t, 6, 2)
	limit := make(chan os.Signal, 1)
	requeued := 0
	set := sweep.Settings{Workers: 1, Limit: limit, Requeue: func() error {
		requeued++
		return nil
	}}
	var calls atomic.Int64
	hooked(t, func() {
		switch n := calls.Add(1) - overhead; {
		case n == 20: // two runs are over by then
			written(t, s, 1, 2)
			limit <- syscall.SIGTERM
		case n > 20:
			time.Sleep(100 * time.Millisecond)
		}
	})
	err := s.Run(context.Background(), toy(6), 1, set)
	wants(t, err, sweep.ErrTimeLimit, "the shard is in the queue again", "rows are saved")
	if requeued != 1 {
		t.Errorf("requeued %d times", requeued)
	}
	st, err := s.Status(context.Background())
	if err != nil || st.Shards[0].State != sweep.Failed || st.Shards[0].Rows < 2 ||
		!contains(st.Shards[0].Why, "its time limit was near") {
		t.Errorf("status %+v, %v", st, err)
	}
	// An attempt without progress does not requeue its shard.
	calls.Store(0)
	hooked(t, func() {
		if n := calls.Add(1) - overhead; n == 1 {
			limit <- syscall.SIGTERM
			time.Sleep(300 * time.Millisecond)
		}
	})
	err = s.Run(context.Background(), toy(6), 1, set)
	wants(t, err, sweep.ErrTimeLimit, "no further run was finished", "profile.toml")
	if requeued != 1 {
		t.Errorf("requeued %d times", requeued)
	}
	// If the queue rejects the shard, or if there is no queue, 'retry' continues the shard.
	for _, set.Requeue = range []func() error{nil, func() error { return errors.New("no") }} {
		calls.Store(0)
		before, err := s.Status(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		hooked(t, func() {
			switch n := calls.Add(1) - overhead; {
			case n == 20:
				written(t, s, 1, before.Shards[0].Rows+1)
				limit <- syscall.SIGTERM
			case n > 20:
				time.Sleep(100 * time.Millisecond)
			}
		})
		wants(t, s.Run(context.Background(), toy(6), 1, set), sweep.ErrTimeLimit, "'sweep retry' continues from them")
	}
	hooked(t, func() {})
	finish(t, s)
}

// A cancelled shard fails and keeps its rows, and a later attempt finishes the shard.
func TestCancelled(t *testing.T) {
	s := create(t, 6, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	hooked(t, func() {
		if calls.Add(1) == overhead+20 {
			written(t, s, 1, 2)
			cancel()
		}
	})
	wants(t, s.Run(ctx, toy(6), 1, sweep.Settings{Workers: 1}), context.Canceled, "shard 1")
	st, err := s.Status(context.Background())
	if err != nil || st.Shards[0].State != sweep.Failed || st.Shards[0].Rows < 2 {
		t.Errorf("status %+v, %v", st, err)
	}
	hooked(t, func() {})
	finish(t, s)
}

// A limit on the size of files simulates a full disk: written rows are safe, and the next attempt continues.
func TestFullDisk(t *testing.T) {
	s := create(t, 30, 1)
	size := len(content(t, stream(t, toy(30), mc.Shard{I: 1, N: 1})))
	program := filepath.Join(s.Dir, "program")
	for _, blocks := range []int{1, 4, 8, 0} { // blocks of 512 bytes, or 1024 in some shells
		if blocks*1024 >= size {
			t.Fatalf("a file of %d bytes is too small for this test", size)
		}
		limit := "ulimit -f " + string(rune('0'+blocks)) + "; "
		if blocks == 0 {
			limit = ""
		}
		cmd := exec.Command("sh", "-c", limit+"exec \"$0\" run \"$1\" 1", program, s.Dir)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		out, err := cmd.CombinedOutput()
		if (err == nil) != (blocks == 0) {
			t.Fatalf("%d blocks: %v\n%s", blocks, err, out)
		}
		st, err := s.Status(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		is := st.Shards[0]
		if blocks > 0 && (is.State != sweep.Failed || blocks > 4 && is.Rows == 0) {
			t.Errorf("%d blocks: %+v\n%s", blocks, is, out)
		}
	}
	finish(t, s)
}

// Of several abandoned attempts, the one with the most rows counts.
func TestMostRows(t *testing.T) {
	s := create(t, 4, 2)
	lines := strings.SplitAfter(content(t, stream(t, toy(4), mc.Shard{I: 1, N: 2})), "\n")
	for name, rows := range map[string]int{"a": 1, "b": 4, "c": 2} {
		attempt(t, s, 1, name, ".jsonl", strings.Join(lines[:1+rows], ""))
	}
	st, err := s.Status(context.Background())
	if err != nil || st.Shards[0].State != sweep.Failed || st.Shards[0].Rows != 4 {
		t.Errorf("status %+v, %v", st, err)
	}
}

// attempt writes a file of an attempt at shard i, and returns its path.
func attempt(t testing.TB, s *sweep.Sweep, i int, name, ending, text string) string {
	t.Helper()
	dir := filepath.Join(s.Dir, "attempts", "000"+string(rune('0'+i)))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name+ending)
	write(t, path, text)
	return path
}
