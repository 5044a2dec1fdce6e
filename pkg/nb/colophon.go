package nb

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Colophon ends a notebook: which code ran where, and on what rows.
func Colophon(of ...*Simulation) {
	Markdown("purexp (%s), %s, %s/%s, %d processors, %s.",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(),
		time.Now().Format("2006-01-02"))
	for _, s := range of {
		Markdown("%s", s.colophon())
	}
}

// colophon says how many replicates of which methods an experiment has, and how long they took.
func (s *Simulation) colophon() string {
	rows := s.Results().Runs()
	if len(rows) == 0 {
		return fmt.Sprintf("`%s`: no runs.", s.Experiment.Name)
	}
	reps := map[string]int{}
	var order []string
	for _, r := range rows {
		if _, seen := reps[r.Constants]; !seen {
			order = append(order, r.Constants)
		}
		reps[r.Constants] = max(reps[r.Constants], r.Rep+1)
	}
	var each []string
	for _, c := range order {
		n := fmt.Sprint(reps[c])
		if c != "" {
			n += " (" + c + ")"
		}
		each = append(each, n)
	}
	return fmt.Sprintf("`%s`: seed %d, replicates %s; %s.", s.Experiment.Name,
		rows[0].Seed, strings.Join(each, ", "), s.rows.origin())
}
