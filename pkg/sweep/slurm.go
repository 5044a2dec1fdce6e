package sweep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// Slurm contains the commands of a Slurm cluster; the zero value finds the commands in PATH.
type Slurm struct {
	// Sbatch, Squeue, Sacct and Scontrol are names or paths of commands; empty means the usual
	// name.
	Sbatch, Squeue, Sacct, Scontrol string
}

// ErrNoSlurm reports that a command of Slurm is not installed.
var ErrNoSlurm = errors.New("the Slurm commands are not installed on this machine")

func call(ctx context.Context, own, usual string, args ...string) (string, error) {
	own = cmp.Or(own, usual)
	cmd := exec.CommandContext(ctx, own, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s: %w", own, ErrNoSlurm)
	}
	if err != nil {
		said := strings.TrimSpace(errs.String())
		return "", fmt.Errorf("%s: %w: %s", own, err, said)
	}
	return out.String(), nil
}

// requeue requeues an element of an array job, such as "12_3". A requeue of the whole job would
// restart all elements.
func (c *Slurm) requeue(ctx context.Context, element string) error {
	_, err := call(ctx, c.Scontrol, "scontrol", "requeue", element)
	return err
}

// task is the state of an element of an array job in Slurm.
type task struct {
	Element string // name of the element, such as "12_3"
	Shard   int
	State   string // state as Slurm names it, such as "PENDING" or "NODE_FAIL"
}

// over lists the states in which tasks do not run again without intervention.
var over = map[string]bool{
	"BOOT_FAIL": true, "CANCELLED": true, "COMPLETED": true, "DEADLINE": true, "FAILED": true,
	"NODE_FAIL": true, "OUT_OF_MEMORY": true, "PREEMPTED": true, "REVOKED": true, "TIMEOUT": true,
}

// over reports whether the task does not run again without intervention; a task in an unknown state
// counts as queued.
func (t task) over() bool { return over[t.State] }

// tasks parses lines of Slurm's output such as "12|3|PENDING".
func tasks(text string) (list []task) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) < 3 {
			continue
		}
		shard, err := strconv.Atoi(f[1])
		if err != nil { // sacct prints waiting elements in one line, such as 12_[3-8]
			continue
		}
		state, _, _ := strings.Cut(f[2], " ") // some states have further words, such as CANCELLED by 1000
		list = append(list, task{f[0] + "_" + f[1], shard, state})
	}
	return list
}

// queue returns those tasks of jobs with the given name that Slurm still lists: queued, running,
// and recently ended tasks.
func (c *Slurm) queue(ctx context.Context, name string) ([]task, error) {
	out, err := call(ctx, c.Squeue, "squeue", "--noheader", "--array", "--states=all",
		"--name="+name, "--format=%F|%K|%T")
	if err != nil {
		return nil, err
	}
	return tasks(out), nil
}

// history returns the tasks of jobs with the given name from the accounting database, starting with
// the oldest.
func (c *Slurm) history(ctx context.Context, name, since string) ([]task, error) {
	out, err := call(ctx, c.Sacct, "sacct", "--noheader", "--parsable2", "--allocations", "--array",
		"--name="+name, "--starttime="+since, "--format=JobID,State")
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(out) { // the lines have the form 12_3|NODE_FAIL
		lines = append(lines, strings.Replace(line, "_", "|", 1))
	}
	return tasks(strings.Join(lines, "")), nil
}

// submit submits an array job for shards, and returns the job's number.
func (c *Slurm) submit(ctx context.Context, options []string, script string) (string, error) {
	out, err := call(ctx, c.Sbatch, "sbatch", append(append([]string{"--parsable"}, options...), script)...)
	if err != nil {
		return "", err
	}
	job, _, _ := strings.Cut(strings.TrimSpace(out), ";") // the output has the form 12;cluster
	return job, nil
}
