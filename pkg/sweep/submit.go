package sweep

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNothing reports that no shard needs to be submitted.
var ErrNothing = errors.New("nothing to submit")

// Submission describes a submitted job.
type Submission struct {
	Job    string // number of the job
	Shards []int
}

// Submit submits all shards as one array job. If a shard was started or is queued, Submit returns
// an error; use Retry instead.
func (s *Sweep) Submit(ctx context.Context) (Submission, error) {
	st, err := s.known(ctx)
	if err != nil {
		return Submission{}, err
	}
	if missing := st.Which(Missing); len(missing) < s.Shards {
		return Submission{}, fmt.Errorf("sweep: %w: %s; 'sweep retry' submits the shards that are "+
			"missing or failed", ErrNothing, st.Summary())
	}
	return s.submit(ctx, st.Which(Missing))
}

// Retry submits missing and failed shards; it does not affect queued and running shards.
func (s *Sweep) Retry(ctx context.Context) (Submission, error) {
	st, err := s.known(ctx)
	if err != nil {
		return Submission{}, err
	}
	again := st.Which(Missing, Failed)
	if len(again) == 0 {
		return Submission{}, fmt.Errorf("sweep: %w: %s", ErrNothing, st.Summary())
	}
	for i := range st.Shards {
		if st.Shards[i].Disagrees {
			return Submission{}, errors.New("sweep: " + st.Shards[i].Why)
		}
	}
	return s.submit(ctx, again)
}

// known returns the status of all shards, or an error if the state of the queue is unknown.
func (s *Sweep) known(ctx context.Context) (*Status, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	if st.QueueErr != nil {
		return nil, fmt.Errorf("sweep: the state of the queue is unknown: %w; try again later", st.QueueErr)
	}
	return st, nil
}

func (s *Sweep) submit(ctx context.Context, shards []int) (Submission, error) {
	p, err := s.Profile()
	if err != nil {
		return Submission{}, err
	}
	if err := writeFile(s.path(scriptName), []byte(s.script(&p))); err != nil {
		return Submission{}, err
	}
	array := ranges(shards)
	if p.AtOnce > 0 {
		array += "%" + strconv.Itoa(p.AtOnce)
	}
	// Options that contain the path are passed as arguments, because lines of a script would need
	// Slurm's own quoting.
	job, err := s.Slurm.submit(ctx, []string{"--array=" + array, "--job-name=" + s.jobName(),
		"--chdir=" + s.Dir, "--output=" + s.path(logsDir, "%A_%a.txt")}, s.path(scriptName))
	if err != nil {
		hint := ""
		if strings.Contains(err.Error(), "array") {
			hint = "; a Slurm array has at most MaxArraySize elements (see 'scontrol show " +
				"config'); create the sweep with fewer shards"
		}
		return Submission{}, fmt.Errorf("sweep: submit: %w%s", err, hint)
	}
	return Submission{job, shards}, nil
}

// ranges formats ascending numbers in the notation of Slurm, such as "1-3,7".
func ranges(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		part := strconv.Itoa(list[i])
		if j > i {
			part += "-" + strconv.Itoa(list[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// script returns the script of the sweep's array job. In the script, the program replaces the
// shell, so that the program receives the signal before the time limit.
func (s *Sweep) script(p *Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n# Written by 'submit' and 'retry' from %s; change that.\n", profileName)
	for _, o := range []struct{ name, value string }{
		{"partition", p.Partition}, {"time", p.Time}, {"mem", p.Memory},
		{"ntasks", "1"}, {"cpus-per-task", fmt.Sprint(p.processors())},
		{"signal", fmt.Sprintf("B:USR1@%d", p.notice())}, {"open-mode", "append"},
	} {
		if o.value != "" {
			fmt.Fprintf(&b, "#SBATCH --%s=%s\n", o.name, o.value)
		}
	}
	b.WriteString("#SBATCH --requeue\n")
	for _, o := range p.Options {
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	for _, line := range p.Setup {
		b.WriteString(line + "\n")
	}
	// The variable SLURM_ARRAY_TASK_COUNT is not the number of shards: for a retry of shards 1 and
	// 6, the variable is 2.
	fmt.Fprintf(&b, "exec %s %s --workers %d -- %s \"$SLURM_ARRAY_TASK_ID\"\n",
		quote(s.path(programName)), strings.Join(s.Command, " "), p.processors(), quote(s.Dir))
	return b.String()
}

// quote quotes a path for the shell; paths with quotes were rejected by the function folder.
func quote(path string) string { return "'" + path + "'" }
