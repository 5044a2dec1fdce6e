package sweep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// A fake replaces the commands of Slurm by shell scripts: sbatch and scontrol record their arguments, and squeue and
// sacct print files. Each can be made to fail.
type fake struct {
	t   *testing.T
	dir string
}

func newFake(t *testing.T) *fake {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	f := &fake{t, t.TempDir()}
	f.script("sbatch", `for a in "$@"; do echo "$a"; done > sbatch.args
n=$(($(cat job 2>/dev/null || echo 0) + 1)); echo $n > job; echo "$n;test"`)
	f.script("squeue", `echo "$@" > squeue.args; cat squeue.txt 2>/dev/null; exit 0`)
	f.script("sacct", `echo "$@" > sacct.args; cat sacct.txt 2>/dev/null; exit 0`)
	f.script("scontrol", `echo "$@" >> scontrol.args`)
	t.Setenv("PATH", f.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return f
}

// script creates a command of the fake.
func (f *fake) script(name, text string) {
	f.t.Helper()
	text = "#!/bin/sh\ncd '" + f.dir + "'\n" + text + "\n"
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o777); err != nil {
		f.t.Fatal(err)
	}
}

// queue sets the output of squeue.
func (f *fake) queue(lines ...string) {
	write(f.t, filepath.Join(f.dir, "squeue.txt"), strings.Join(lines, "\n"))
}

func (f *fake) said(name string) string { return content(f.t, filepath.Join(f.dir, name)) }

// cli runs a user's program and returns its output and exit code.
func cli(args ...string) (string, int) {
	var out bytes.Buffer
	code := sweepcmd.Run(context.Background(), toys, args, &out, &out)
	return out.String(), code
}

// expect reports differences between the expected and the actual result of a command.
func expect(t *testing.T, code int, says string, args ...string) string {
	t.Helper()
	out, got := cli(args...)
	if got != code || !contains(out, says) {
		t.Errorf("%q: exit code %d; want %d, and %q:\n%s", args, got, code, says, out)
	}
	return out
}

// The test runs a sweep on Slurm from start to end, with the command line of a user's program.
func TestSlurm(t *testing.T) {
	f := newFake(t)
	work := t.TempDir()
	t.Chdir(work)
	dir := filepath.Join(work, "big sweep") // a space in the path
	profile := filepath.Join(work, "cluster.toml")
	expect(t, 0, "#partition", "profile")
	write(t, profile, `partition = "main"
time = "01:30:00"
memory = "2G"
cpus = 2
at_once = 3
notice = 60
options = ["--account=chem"]
setup = ["export GREETING='hello'"]
`)
	expect(t, 0, "created big sweep: 5 shards of about 6 rows; check profile.toml in this folder, then run 'sweep submit \"big sweep\"'\n", "new", "toy/own", "big sweep",
		"--shards", "5", "--reps", "7", "--profile", profile)
	expect(t, 1, "5 missing", "status", dir)
	expect(t, 1, "5 of 5 shards are missing or failed; 'sweep retry \""+dir+"\"' submits them again", "status", dir)
	expect(t, 1, "rows are missing: shards 1-5 are not finished", "merge", dir)

	expect(t, 0, "submitted 5 shards as job 1; see 'sweep status \""+dir+"\"'\n", "submit", dir)
	args := f.said("sbatch.args")
	for _, want := range []string{"--parsable\n", "--array=1-5%3\n",
		"--chdir=" + dir + "\n",
		"--output=" + dir + "/logs/%A_%a.txt\n", "--job-name=purexp-toy-own-", dir + "/job.sh\n"} {
		if !contains(args, want) {
			t.Errorf("sbatch was called without %q:\n%s", want, args)
		}
	}
	script := content(t, filepath.Join(dir, "job.sh"))
	for _, want := range []string{"#!/bin/bash\n", "#SBATCH --partition=main\n",
		"#SBATCH --time=01:30:00\n", "#SBATCH --mem=2G\n", "#SBATCH --cpus-per-task=2\n",
		"#SBATCH --signal=B:USR1@60\n", "#SBATCH --requeue\n", "#SBATCH --account=chem\n",
		"#SBATCH --open-mode=append\n", "\nexport GREETING='hello'\n",
		"\nexec '" + dir + "/program' run --workers 2 -- '" + dir + "' \"$SLURM_ARRAY_TASK_ID\"\n",
	} {
		if !contains(script, want) {
			t.Errorf("the script lacks %q:\n%s", want, script)
		}
	}

	// Waiting and running shards are not submitted again.
	f.queue("1|1|RUNNING", "1|2|PENDING", "1|3|COMPLETING", "1|4|REQUEUE_HOLD", "1|5|RUNNING")
	expect(t, 3, "5 running", "status", dir)
	if name := f.said("squeue.args"); !contains(name, "--name=purexp-toy-own-") ||
		!contains(name, "--array") || !contains(name, "--states=all") {
		t.Errorf("squeue was called with %s", name)
	}
	expect(t, 1, "nothing to submit", "submit", dir)
	expect(t, 1, "nothing to submit", "retry", dir)

	// The job's script runs shard 2 to its end. Of the other shards, three fail in different ways, and one is still
	// running.
	job := exec.Command("bash", filepath.Join(dir, "job.sh"))
	if _, err := exec.LookPath("bash"); err != nil {
		job = exec.Command("sh", filepath.Join(dir, "job.sh"))
	}
	job.Env = append(os.Environ(), asProgram+"=1", "SLURM_ARRAY_JOB_ID=1", "SLURM_ARRAY_TASK_ID=2")
	if out, err := job.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f.queue("1|1|FAILED", "1|2|COMPLETED", "1|3|NODE_FAIL", "1|4|RUNNING", "1|5|CANCELLED")
	out := expect(t, 1, "1 finished, 1 running, 3 failed", "status", dir)
	for _, want := range []string{"1  failed   0 of 9 rows  job 1_1 ended as FAILED",
		"1_3 ended as NODE_FAIL", "4  running  0 of 4 rows  job 1_4 is RUNNING",
		"5  failed   0 of 4 rows  job 1_5 ended as CANCELLED"} {
		if !contains(out, want) {
			t.Errorf("status lacks %q:\n%s", want, out)
		}
	}
	expect(t, 1, "nothing to submit", "submit", dir)
	expect(t, 0, "submitted 3 shards as job 2", "retry", dir)
	if args := f.said("sbatch.args"); !contains(args, "--array=1,3,5%3\n") {
		t.Errorf("retried:\n%s", args)
	}
	// For resubmitted elements, the states in the new job count, whichever job squeue lists first.
	f.queue("1|1|FAILED", "1|3|NODE_FAIL", "1|4|TIMEOUT", "1|5|CANCELLED", "2|1|RUNNING", "2|3|PENDING", "2|5|PENDING")
	expect(t, 1, "1 finished, 3 running, 1 failed", "status", dir)
	f.queue("2|1|RUNNING", "2|3|PENDING", "2|5|PENDING", "1|1|FAILED", "1|3|NODE_FAIL", "1|4|TIMEOUT", "1|5|CANCELLED")
	expect(t, 1, "1 finished, 3 running, 1 failed", "status", dir)
	expect(t, 0, "submitted 1 shards as job 3", "retry", dir)
	if args := f.said("sbatch.args"); !contains(args, "--array=4%3\n") {
		t.Errorf("retried:\n%s", args)
	}

	// Slurm's manual lists final states, and states that a task may leave again.
	for states, want := range map[string]string{
		"BOOT_FAIL CANCELLED DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED REVOKED TIMEOUT":                                   "4  failed   0 of 4 rows  job 1_4 ended as ",
		"CONFIGURING COMPLETING PENDING RUNNING RESIZING REQUEUED REQUEUE_FED REQUEUE_HOLD SIGNALING STAGE_OUT STOPPED SUSPENDED": "4  running  0 of 4 rows  job 1_4 is ",
	} {
		for _, state := range strings.Fields(states) {
			f.queue("1|4|" + state)
			expect(t, 1, want+state, "status", dir)
		}
	}

	// The queue no longer lists the jobs, but the accounting records remain.
	f.queue("")
	write(t, filepath.Join(f.dir, "sacct.txt"), "1_1|FAILED\n1_3|NODE_FAIL\n"+
		"1_5|CANCELLED by 1000\n1_5.batch|CANCELLED\n2_[7-9]|PENDING\n3_4|OUT_OF_MEMORY\n")
	out = expect(t, 1, "1_5 ended as CANCELLED", "status", dir)
	if !contains(out, "3_4 ended as OUT_OF_MEMORY") {
		t.Errorf("status:\n%s", out)
	}
	// Without accounting records, the shards count as missing, because no rows were ever written.
	f.script("sacct", "echo accounting is disabled >&2; exit 1")
	expect(t, 1, "1 finished, 4 missing", "status", dir)

	// If the state of the queue is unknown, nothing is submitted.
	f.script("squeue", "echo 'Unable to contact slurm controller' >&2; exit 1")
	expect(t, 1, "the state of the queue is unknown", "status", dir)
	expect(t, 1, "the state of the queue is unknown", "status", dir, "--json")
	expect(t, 1, "Unable to contact slurm controller", "retry", dir)

	f.script("squeue", "exit 0")
	f.script("sbatch", "echo 'Invalid job array specification' >&2; exit 1")
	expect(t, 1, "MaxArraySize", "retry", dir)
	f.script("sbatch", "echo 'Invalid account' >&2; exit 1")
	expect(t, 1, "Invalid account", "retry", dir)

	for _, i := range []string{"1", "3", "4", "5"} {
		if out, err := program(dir, "run", dir, i).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	expect(t, 0, "5 finished", "status", dir)
	expect(t, 1, "nothing to submit", "retry", dir)
	expect(t, 0, "wrote toy-own.jsonl: 30 rows of 5 shards", "merge", dir)
	if content(t, "toy-own.jsonl") != content(t, stream(t, toy(7), mc.Shard{})) {
		t.Error("the merged file is not that of one process")
	}
	expect(t, 1, "toy-own.jsonl already exists", "merge", dir)
}

// program returns a command that runs the program in the folder of a sweep.
func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(dir, "program"), args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// On USR1 a task stops, keeps its rows and requeues its own element, not the job. On TERM, the signal of scancel,
// the task only stops.
func TestSignals(t *testing.T) {
	f := newFake(t)
	for _, c := range []struct {
		signal, says, asked string
		code                int
	}{
		{"USR1", "the shard is in the queue again", "requeue 7_1\n", 1},
		{"TERM", "context canceled", "", 130},
	} {
		s := create(t, 9, 2)
		os.Remove(filepath.Join(f.dir, "scontrol.args"))
		cmd := program(s.Dir, "run", s.Dir, "1", "--workers", "1")
		cmd.Env = append(cmd.Env, slowly+"=50ms", "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=1")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "rows", func() bool {
			st, err := s.Status(context.Background())
			return err == nil && st.Shards[0].Rows > 0
		})
		st, err := s.Status(context.Background())
		if err != nil || st.Shards[0].State != sweep.Running || !contains(st.Shards[0].Why, "job 7_1, process ") {
			t.Errorf("while it runs: %+v, %v", st, err)
		}
		if err := exec.Command("sh", "-c", "kill -s "+c.signal+" $0", itoa(cmd.Process.Pid)).Run(); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !contains(out.String(), c.says) {
			t.Errorf("%s: exit code %d, %v; want %d\n%s", c.signal, code, err, c.code, &out)
		}
		asked, _ := os.ReadFile(filepath.Join(f.dir, "scontrol.args"))
		if string(asked) != c.asked {
			t.Errorf("%s: scontrol was asked %q; want %q", c.signal, asked, c.asked)
		}
		st, err = s.Status(context.Background())
		if err != nil || st.Shards[0].Rows == 0 || st.Shards[0].State != sweep.Failed || st.Shards[1].State != sweep.Missing {
			t.Errorf("%s: status %+v, %v", c.signal, st, err)
		}
		finish(t, s)
	}
}

func waitFor(t *testing.T, what string, f func() bool) {
	t.Helper()
	for start := time.Now(); !f(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > 5*time.Minute {
			t.Fatalf("waited five minutes for %s", what)
		}
	}
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// Parts of two sweeps of the same study, for example on two clusters, can be merged.
func TestTwoClusters(t *testing.T) {
	here, there := create(t, 6, 3), create(t, 6, 3)
	path := filepath.Join(t.TempDir(), "all.jsonl")
	run(t, here, 1)
	wants(t, here.Merge(context.Background(), path), sweep.ErrGap, "shards 2-3 are not finished")
	run(t, here, 2)
	run(t, there, 2)
	wants(t, here.Merge(context.Background(), path), sweep.ErrGap, "shards 3 are not finished")
	wants(t, here.Merge(context.Background(), path, there.Dir), sweep.ErrGap, "replicate 2 of once")
	run(t, there, 3)
	if err := here.Merge(context.Background(), path, there.Dir); err != nil {
		t.Fatal(err)
	}
	if content(t, path) != content(t, stream(t, toy(6), mc.Shard{})) {
		t.Error("the merged file is not that of one process")
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/.all*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path += "2"
	if err := here.Merge(ctx, path, there.Dir); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a merge that was cancelled left a file")
	}
}
