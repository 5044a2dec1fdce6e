package plan

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
)

// advice names the method of the plan that takes clearly fewer measurements than the usual one, which
// is the first, or where candidates have costs, costs clearly less: its median is below that one's by their intervals. Methods that were given up, or
// err too often, are none.
func (s *study) advice() string {
	first := &s.cells[0]
	best := first
	for i := range s.cells {
		c := &s.cells[i]
		r := &c.row
		if r.Change != "" || r.Budget > 0 || r.Runs == 0 || r.GaveUp > 0 || r.Hopeless != "" ||
			r.ErrorLo > c.c.Delta || !(r.price().Hi < first.row.price().Lo) {
			continue
		}
		if best == first || r.price().Value < best.row.price().Value {
			best = c
		}
	}
	if best == first || first.row.Runs == 0 || first.row.Budget > 0 {
		return ""
	}
	needs := ""
	if first.c.Card.Evidence == explore.AnySampling && best.c.Card.Evidence != explore.AnySampling {
		needs = " It measures in rounds, and has no use for unsolicited results; with overlap = true a late result does " +
			"not hold up the next plate."
	}
	what := "measurements"
	if first.row.Cost != nil {
		what = s.plan.CostUnit
	}
	return fmt.Sprintf("The cheapest here is %[1]s: %[2]s %[6]s in the median, where %[3]s takes "+
		"%[4]s.%[5]s To take it, say name = %[1]q under [method].", best.row.Method,
		number(best.row.price().Value), first.row.Method,
		number(first.row.price().Value), needs, what)
}

// price is the median of what methods are compared by: the cost if candidates have some, or the
// number of measurements.
func (r *Row) price() Quantile {
	if r.Cost != nil {
		return r.Cost.Median
	}
	return r.Measurements.Median
}

// number writes a number of measurements.
func number(x float64) string { return fmt.Sprintf("%.0f", x) }
