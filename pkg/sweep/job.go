package sweep

import (
	"fmt"
	"strings"
)

// script returns the script of the sweep's array job. The program takes the place of the shell, so
// that it gets the signal that its time is about to end.
func (s *Sweep) script(p *Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/bash\n# Written by 'submit' and 'retry' from %s; change that.\n",
		profileName)
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
	// The number of shards is not taken from Slurm: when shards 1 and 6 are submitted again, its
	// SLURM_ARRAY_TASK_COUNT is 2.
	fmt.Fprintf(&b, "exec %s %s --workers %d -- %s \"$SLURM_ARRAY_TASK_ID\"\n",
		quote(s.path(programName)), strings.Join(s.Command, " "), p.processors(), quote(s.Dir))
	return b.String()
}

// quote writes a path as a word of shell; folder has refused quotes in it.
func quote(path string) string { return "'" + path + "'" }
