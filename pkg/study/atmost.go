package study

import (
	"fmt"

	"github.com/purexp/purexp/pkg/tidy"
)

// A Tally counts the wrong answers of a cell: a method on an instance. A run that
// did not end is wrong.
type Tally struct {
	Name        string // of the cell
	Wrong, Runs int
}

// AtMost judges whether error rates are at most delta. They are not if that of one
// cell is above, with its 95 % interval of Clopper and Pearson. They are if that
// of each is below or, where the runs of a cell are too few to tell, that of all
// cells together. Otherwise there is not enough evidence. meaning goes before
// the reason: what the paper's words are taken to mean.
func AtMost(delta float64, cells []Tally, meaning string) Verdict {
	const confidence = .95
	all, high := Tally{}, 0.
	var worst tidy.Summary
	var where string
	for _, t := range cells {
		all.Wrong, all.Runs = all.Wrong+t.Wrong, all.Runs+t.Runs
		r := tidy.Rate(t.Wrong, t.Runs, confidence)
		high = max(high, r.Hi)
		if where == "" || r.Lo > worst.Lo || r.Lo == worst.Lo && r.Center > worst.Center {
			worst, where = r, t.Name
		}
	}
	pool := tidy.Rate(all.Wrong, all.Runs, confidence)
	v := Verdict{Measured: fmt.Sprintf("%d of %d answers wrong, %.2f %% [%.2f %%, %.2f %%]", all.Wrong, all.Runs, 100*pool.Center, 100*pool.Lo, 100*pool.Hi)}
	if all.Wrong > 0 && len(cells) > 1 {
		v.Measured += fmt.Sprintf("; worst cell %.1f %% [%.1f %%, %.1f %%], %s", 100*worst.Center, 100*worst.Lo, 100*worst.Hi, where)
	}
	switch {
	case worst.Lo > delta:
		v.Outcome, v.Why = Differs, meaning+"the error rate of "+where+" exceeds delta, interval included"
	case all.Runs > 0 && high <= delta:
		v.Outcome, v.Why = Agrees, meaning+"in every cell the error rate is below delta, interval included"
	case pool.Hi <= delta:
		v.Outcome, v.Why = Agrees, meaning+"over all cells the error rate is below delta, interval included, and no cell is beyond doubt above it"
	default:
		v.Outcome, v.Why = NotComparable, "too few replicates to tell"
	}
	return v
}
