package nb

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/mc"
)

// Colophon ends a notebook: which code ran where, and on what rows.
func Colophon(rows ...mc.Row) {
	s := fmt.Sprintf("purexp (%s), %s, %s/%s, %d processors, %s.",
		Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format("2006-01-02"))
	if len(rows) > 0 {
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
			each = append(each, fmt.Sprintf("%d (%s)", reps[c], c))
		}
		s += fmt.Sprintf(" Seed %d; replicates: %s; %d runs, played in %v.", rows[0].Seed, strings.Join(each, ", "), len(rows), elapsed.Round(time.Second))
	}
	Markdown("%s", s)
}
