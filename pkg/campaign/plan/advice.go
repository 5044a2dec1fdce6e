package plan

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
)

// advice names the method of the plan that takes clearly fewer measurements than the usual one, which
// is the first: its median is below that one's by their intervals. Methods that were given up, or
// err too often, are none.
func (s *study) advice() string {
	first := &s.cells[0]
	best := first
	for i := range s.cells {
		c := &s.cells[i]
		r := &c.row
		if r.Change != "" || r.Runs == 0 || r.GaveUp > 0 || r.Hopeless != "" ||
			r.ErrorLo > c.c.Delta || !(r.Measurements.Median.Hi < first.row.Measurements.Median.Lo) {
			continue
		}
		if best == first || r.Measurements.Median.Value < best.row.Measurements.Median.Value {
			best = c
		}
	}
	if best == first || first.row.Runs == 0 {
		return ""
	}
	needs := ""
	if first.c.Card.Evidence == explore.AnySampling && best.c.Card.Evidence != explore.AnySampling {
		needs = " Its rounds have to be complete: a late result holds up the next plate, and it has no " +
			"use for unsolicited ones."
	}
	return fmt.Sprintf("The cheapest here is %[1]s: %[2]s measurements in the median, where %[3]s takes "+
		"%[4]s.%[5]s To take it, say name = %[1]q under [method].", best.row.Method,
		number(best.row.Measurements.Median.Value), first.row.Method,
		number(first.row.Measurements.Median.Value), needs)
}

// number writes a number of measurements.
func number(x float64) string { return fmt.Sprintf("%.0f", x) }
