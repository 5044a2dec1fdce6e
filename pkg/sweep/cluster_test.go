//go:build linux

package sweep_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurmConf is the configuration of a controller and four nodes on one machine. DIR, HOST and the
// size of nodes are filled in.
const slurmConf = `ClusterName=test
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=DIR/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool/%n
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd-%n.pid
SlurmctldLogFile=DIR/slurmctld.log
SlurmdLogFile=DIR/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=20
MinJobAge=3600
JobRequeue=1
MpiDefault=none
JobCompType=jobcomp/filetxt
JobCompLoc=DIR/jobcomp.txt
NodeName=n[1-4] NodeHostname=HOST NodeAddr=127.0.0.1 Port=[16821-16824] SIZE
PartitionName=main Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=200
`

// A cluster is a Slurm cluster on one machine.
type cluster struct {
	t       *testing.T
	dir     string
	purexp  string // path of the command
	daemons map[string]*exec.Cmd
	slow    float64 // elapsed time per processor time; extends time limits on a busy machine
}

// TestCluster runs a study on a real Slurm cluster and simulates cluster failures. 'make
// cluster-check' runs the test, which takes ten to fifteen minutes.
func TestCluster(t *testing.T) {
	if os.Getenv("PUREXP_CLUSTER") == "" {
		t.Skip("starts a Slurm and takes a quarter of an hour: make cluster-check")
	}
	if os.Getuid() != 0 {
		t.Skip("skipped: only root can start a Slurm")
	}
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("skipped: %v; install slurm-wlm and munge", err)
		}
	}
	c := newCluster(t)
	reps := "160"
	if v := os.Getenv("PUREXP_CLUSTER_REPS"); v != "" {
		reps = v
	}
	study := []string{"ecape/clinical-trials", "--reps", reps}
	one := filepath.Join(c.dir, "one.jsonl")
	start, used := time.Now(), children()
	c.must(c.purexp, append(append([]string{"run"}, study...), "--quiet", "--output", one)...)
	c.slow = max(1, time.Since(start).Seconds()/(children()-used).Seconds())
	t.Logf("one process: %v, %.1f times its processor time", time.Since(start).Round(time.Second), c.slow)

	big, short, small := c.sweep("big", 8, study, "cpus = 1\nmemory = \"200M\"\n"),
		c.sweep("short", 1, study, "cpus = 1\ntime = \"00:01:00\"\nnotice = 10\n"), ""
	program, err := os.Stat(c.purexp)
	if err != nil {
		t.Fatal(err)
	}
	if disk := filepath.Join(c.dir, "disk"); os.Mkdir(disk, 0o777) == nil {
		size := fmt.Sprintf("size=%dm", 8+program.Size()>>20) // a sweep has a copy of the program
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, size); err != nil {
			t.Logf("no small disk (%v): a full one is skipped", err)
		} else {
			t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
			small = c.sweep("disk/small", 2, study, "cpus = 1\n")
		}
	}

	start = time.Now()
	c.must(c.purexp, "sweep", "submit", big)
	if out, code := c.run(c.purexp, "sweep", "submit", big); code != 1 || !strings.Contains(out, "nothing to submit") {
		t.Errorf("submitted twice: exit code %d\n%s", code, out)
	}
	pid := make([]int, 9) // stop each shard after its first rows; on a busy machine, it might end before the test continues
	c.until("all shards have rows", 3*time.Minute, func() bool {
		for _, s := range c.states(big) {
			if s.State == "finished" {
				t.Fatalf("shard %d has finished already; set PUREXP_CLUSTER_REPS to more than %s", s.Shard, reps)
			}
			if s.Rows > 0 && pid[s.Shard] == 0 {
				if pid[s.Shard] = c.task(big, s.Shard); pid[s.Shard] != 0 {
					kill(pid[s.Shard], syscall.SIGSTOP)
				}
			}
		}
		return !slices.Contains(pid[1:], 0)
	})
	job := c.job(big)

	// The node of shard 4 fails: the daemon of the node ends, and so do all its processes except that of shard 4.
	node := c.nodeOf(job, 4)
	var there, rest []int // processes on the node, and shards on the other nodes
	for i := 1; i <= 8; i++ {
		if c.nodeOf(job, i) == node {
			there = append(there, pid[i])
		} else {
			rest = append(rest, i)
		}
	}
	t.Logf("%s: node %s dies, but not shards %v; shard 4 is stopped and not killed", c.since(start), node, rest)
	c.killNode(node, there, pid[4])
	killed, terminated, requeued, cancelled := rest[0], rest[1], rest[2], rest[3]
	t.Logf("%s: shard %d is killed, %d terminated, %d requeued, %d cancelled", c.since(start),
		killed, terminated, requeued, cancelled)
	kill(pid[killed], syscall.SIGKILL)
	kill(pid[terminated], syscall.SIGTERM)
	c.must("scontrol", "requeue", fmt.Sprintf("%s_%d", job, requeued))
	c.must("scancel", fmt.Sprintf("%s_%d", job, cancelled))
	for _, i := range append(rest[4:], terminated) { // Slurm continues the other tasks with its own signals
		kill(pid[i], syscall.SIGCONT)
	}

	want := []int{killed, terminated, cancelled}
	slices.Sort(want)
	c.until("failed tasks are known", 2*time.Minute, func() bool {
		return slices.Equal(c.which(big, "failed"), want)
	})
	// The controller fails: running tasks continue, and no shard is submitted again while the queue is unknown.
	time.Sleep(12 * time.Second) // the controller saves its state every few seconds
	c.stop("slurmctld", syscall.SIGKILL)
	out, code := c.run(c.purexp, "sweep", "retry", big)
	if code != 1 || !strings.Contains(out, "the state of the queue is unknown") {
		t.Errorf("retry without a controller: exit code %d\n%s", code, out)
	}
	t.Logf("%s: the controller died", c.since(start))
	time.Sleep(10 * time.Second)
	c.start("slurmctld", "slurmctld", "-D", "-f", c.path("slurm.conf"))
	c.until("the controller is back", time.Minute, func() bool {
		_, code := c.run("scontrol", "ping")
		return code == 0
	})
	t.Logf("%s: the controller is back", c.since(start))

	out, code = c.run(c.purexp, "sweep", "status", big)
	t.Logf("%s: status, exit code %d:\n%s", c.since(start), code, out)
	if code != 1 {
		t.Errorf("status with failed shards: exit code %d", code)
	}
	out, code = c.run(c.purexp, "sweep", "merge", big, "--output", c.path("gap.jsonl"))
	if code != 1 || !strings.Contains(out, "rows are missing") {
		t.Errorf("merge with gaps: exit code %d\n%s", code, out)
	}
	out = c.must(c.purexp, "sweep", "retry", big)
	if !strings.Contains(out, "submitted 3 shards") {
		t.Errorf("retry: %s", out)
	}
	if out, code := c.run(c.purexp, "sweep", "retry", big); code != 1 || !strings.Contains(out, "nothing to submit") {
		t.Errorf("retried twice: exit code %d\n%s", code, out)
	}

	// Meanwhile, other shards reach their time limit, and a disk is full.
	c.must(c.purexp, "sweep", "submit", short)
	if small != "" {
		c.must(c.purexp, "sweep", "submit", small)
		c.until("rows on the small disk", 5*time.Minute, func() bool {
			return !slices.ContainsFunc(c.states(small), func(s shardState) bool { return s.Rows == 0 })
		})
		ballast := filepath.Join(c.dir, "disk", "ballast")
		fill(t, ballast)
		t.Logf("%s: the small disk is full", c.since(start))
		c.until("shards on the full disk fail", 5*time.Minute, func() bool {
			return len(c.which(small, "failed")) == 2
		})
		out, _ := c.run(c.purexp, "sweep", "status", small)
		t.Logf("%s: a full disk:\n%s", c.since(start), out)
		os.Remove(ballast)
		c.must(c.purexp, "sweep", "retry", small)
	}

	c.until("the node is found dead and shard 4 is begun again", 6*time.Minute, func() bool {
		return len(c.tasks(big, 4)) > 1 || c.state(big, 4).State == "finished"
	})
	t.Logf("%s: shard 4 is begun again", c.since(start))
	c.startNode(node)
	c.until("shard 4 is finished by its second attempt", 15*time.Minute, func() bool {
		return c.state(big, 4).State == "finished"
	})
	before, err := os.ReadFile(filepath.Join(big, "shards", "0004-of-0008.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	kill(pid[4], syscall.SIGCONT)
	c.until("the zombie of shard 4 ends", 5*time.Minute, func() bool {
		return syscall.Kill(pid[4], 0) != nil || zombie(pid[4])
	})
	after, err := os.ReadFile(filepath.Join(big, "shards", "0004-of-0008.jsonl"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the zombie changed the rows: %v", err)
	}
	t.Logf("%s: shard 4 is finished, its zombie woke up and ended", c.since(start))

	for _, s := range []string{big, short, small} {
		if s == "" {
			continue
		}
		c.until(s+" is finished", 25*time.Minute, func() bool {
			out, code := c.run(c.purexp, "sweep", "status", s)
			if code == 1 && !strings.Contains(out, "not known") {
				t.Fatalf("%s: shards failed that should not:\n%s", s, out)
			}
			return code == 0
		})
		merged := s + ".jsonl"
		c.must(c.purexp, "sweep", "merge", s, "--output", merged)
		if err := exec.Command("cmp", one, merged).Run(); err != nil {
			t.Errorf("%s: the merged file differs from that of one process: %v", s, err)
		} else {
			t.Logf("%s: %s has the bytes of one process", c.since(start), filepath.Base(s))
		}
	}
	logs, _ := filepath.Glob(filepath.Join(short, "logs", "*"))
	limits := 0
	for _, l := range logs {
		text, _ := os.ReadFile(l)
		limits += strings.Count(string(text), "the shard is in the queue again")
	}
	t.Logf("time limits met: %d", limits)
	if limits == 0 {
		t.Error("no shard met its time limit")
	}
	if out, code := c.run("squeue", "--noheader"); code != 0 || strings.TrimSpace(out) != "" {
		t.Errorf("the queue is not empty: %s", out)
	}
}

// children returns the processor time of the commands so far.
func children() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func newCluster(t *testing.T) *cluster {
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir, daemons: map[string]*exec.Cmd{}, slow: 10}
	t.Cleanup(c.close)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := strings.NewReplacer("DIR", dir, "HOST", host, "SIZE", "CPUs=2 CoresPerSocket=2 RealMemory=2000").Replace(slurmConf)
	c.write("slurm.conf", conf, 0o644)
	key := make([]byte, 128)
	_, _ = rand.Read(key)
	c.write("munge.key", string(key), 0o400)
	for _, d := range []string{"state", "spool/n1", "spool/n2", "spool/n3", "spool/n4"} {
		if err := os.MkdirAll(c.path(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SLURM_CONF", c.path("slurm.conf"))
	c.start("munged", "munged", "--foreground", "--force", "--socket="+c.path("munge.socket"),
		"--key-file="+c.path("munge.key"), "--pid-file="+c.path("munge.pid"),
		"--log-file="+c.path("munge.log"), "--seed-file="+c.path("munge.seed"))
	c.until("munge answers", 20*time.Second, func() bool {
		_, err := os.Stat(c.path("munge.socket"))
		return err == nil
	})
	c.start("slurmctld", "slurmctld", "-D", "-f", c.path("slurm.conf"))
	for _, n := range []string{"n1", "n2", "n3", "n4"} {
		c.startNode(n)
	}
	c.until("four nodes are idle", time.Minute, func() bool {
		out, _ := c.run("sinfo", "--noheader", "--Node", "--format=%T")
		return strings.Count(out, "idle") == 4
	})
	c.purexp = c.path("purexp")
	build := exec.Command("go", "build", "-o", c.purexp, "github.com/purexp/purexp/cmd/purexp")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, _ := c.run("slurmctld", "-V")
	t.Logf("%s: a controller and four nodes in %s", strings.TrimSpace(out), dir)
	return c
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *cluster) since(start time.Time) string {
	return fmt.Sprintf("%4.0f s", time.Since(start).Seconds())
}

func (c *cluster) write(name, text string, mode os.FileMode) {
	c.t.Helper()
	if err := os.WriteFile(c.path(name), []byte(text), mode); err != nil {
		c.t.Fatal(err)
	}
}

// start starts a daemon in a process group of its own.
func (c *cluster) start(name, program string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.daemons[name] = cmd
}

func (c *cluster) startNode(n string) {
	c.start(n, "slurmd", "-D", "-f", c.path("slurm.conf"), "-N", n)
}

// stop ends a daemon.
func (c *cluster) stop(name string, sig syscall.Signal) {
	if cmd := c.daemons[name]; cmd != nil {
		kill(cmd.Process.Pid, sig)
		_ = cmd.Wait()
		delete(c.daemons, name)
	}
}

// killNode kills the daemon of a node, the tasks on the node, and their monitors. The spared task
// is stopped instead.
func (c *cluster) killNode(n string, tasks []int, spared int) {
	kill(spared, syscall.SIGSTOP)
	for _, pid := range tasks {
		if watcher := parent(pid); strings.HasPrefix(command(watcher), "slurmstepd") {
			kill(watcher, syscall.SIGKILL)
		} else {
			c.t.Errorf("process %d is watched by %q", pid, command(watcher))
		}
	}
	c.stop(n, syscall.SIGKILL)
	for _, pid := range tasks {
		if pid != spared {
			kill(pid, syscall.SIGKILL)
		}
	}
}

// close ends the processes that the test started.
func (c *cluster) close() {
	for _, pid := range processes() {
		if strings.Contains(command(pid), c.dir+"/") && pid != os.Getpid() {
			kill(pid, syscall.SIGKILL)
		}
	}
	for name := range c.daemons {
		c.stop(name, syscall.SIGKILL)
	}
	for _, pid := range processes() {
		if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil &&
			bytes.Contains(env, []byte("SLURM_CONF="+c.dir+"/")) && pid != os.Getpid() &&
			strings.HasPrefix(command(pid), "slurmstepd") {
			kill(pid, syscall.SIGKILL)
		}
	}
	if !c.t.Failed() || os.Getenv("PUREXP_CLUSTER") != "keep" {
		_ = syscall.Unmount(c.path("disk"), syscall.MNT_DETACH)
		os.RemoveAll(c.dir)
	}
}

// run runs a command and returns its output and its exit code.
func (c *cluster) run(name string, args ...string) (string, int) {
	cmd := exec.Command(name, args...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (c *cluster) must(name string, args ...string) string {
	c.t.Helper()
	out, code := c.run(name, args...)
	if code != 0 {
		c.t.Fatalf("%s %v: exit code %d\n%s", name, args, code, out)
	}
	return out
}

// until waits until f returns true.
func (c *cluster) until(what string, most time.Duration, f func() bool) {
	c.t.Helper()
	for start := time.Now(); !f(); time.Sleep(2 * time.Second) {
		if time.Since(start).Seconds() > c.slow*most.Seconds() {
			out, _ := c.run("squeue", "--array")
			c.t.Fatalf("after %.3g times %v still not so: %s\n%s", c.slow, most, what, out)
		}
	}
}

// sweep creates a sweep.
func (c *cluster) sweep(name string, shards int, study []string, profile string) string {
	c.t.Helper()
	toml := strings.ReplaceAll(name, "/", "-") + ".toml"
	c.write(toml, profile, 0o644)
	dir := c.path(name)
	c.must(c.purexp, append([]string{"sweep", "new", study[0], dir, "--shards",
		strconv.Itoa(shards), "--profile", c.path(toml)}, study[1:]...)...)
	return dir
}

// A shardState is the description of a shard in the output of status --json.
type shardState struct {
	Shard, Rows, Want int
	State, Why        string
}

func (c *cluster) states(sweep string) []shardState {
	cmd := exec.Command(c.purexp, "sweep", "status", "--json", sweep)
	out, _ := cmd.Output() // the exit code only repeats the state of the sweep
	var st struct{ Shards []shardState }
	if err := json.Unmarshal(out, &st); err != nil {
		c.t.Fatalf("status: %v\n%s", err, out)
	}
	return st.Shards
}

func (c *cluster) state(sweep string, i int) shardState { return c.states(sweep)[i-1] }

func (c *cluster) which(sweep, state string) (list []int) {
	for _, s := range c.states(sweep) {
		if s.State == state {
			list = append(list, s.Shard)
		}
	}
	return list
}

// job returns the number of the job of a sweep.
func (c *cluster) job(sweep string) string {
	var m struct{ ID string }
	text, err := os.ReadFile(filepath.Join(sweep, "sweep.json"))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range strings.Lines(c.must("squeue", "--noheader", "--format=%F %j")) {
		if f := strings.Fields(line); len(f) == 2 && strings.HasSuffix(f[1], "-"+m.ID) {
			return f[0]
		}
	}
	c.t.Fatalf("%s has no job", sweep)
	return ""
}

func (c *cluster) nodeOf(job string, i int) string {
	return strings.TrimSpace(c.must("squeue", "--noheader", "--array", "--format=%N", "--jobs", fmt.Sprintf("%s_%d", job, i)))
}

// tasks returns the processes that simulate a shard, and task returns the first of these processes.
func (c *cluster) tasks(sweep string, i int) (list []int) {
	args := sweep + "/program sweep run --workers 1 -- " + sweep + " " + strconv.Itoa(i)
	for _, pid := range processes() {
		if command(pid) == args {
			list = append(list, pid)
		}
	}
	return list
}

func (c *cluster) task(sweep string, i int) int {
	if list := c.tasks(sweep, i); len(list) > 0 {
		return list[0]
	}
	return 0
}

func processes() (list []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

func command(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.TrimRight(strings.ReplaceAll(string(text), "\x00", " "), " ")
}

// stat returns a field of /proc/PID/stat; field 0, the first field after the command's name, is the
// state, and field 1 is the parent.
func stat(pid, field int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	if f := strings.Fields(rest); len(f) > field {
		return f[field]
	}
	return ""
}

func parent(pid int) int {
	n, _ := strconv.Atoi(stat(pid, 1))
	return n
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool { return stat(pid, 0) == "Z" }

func kill(pid int, sig syscall.Signal) { _ = syscall.Kill(pid, sig) }

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for block := make([]byte, size); ; {
			if _, err := f.Write(block); err != nil {
				break
			}
		}
	}
}
