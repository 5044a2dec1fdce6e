package campaign

import (
	"fmt"

	"github.com/purexp/purexp/pkg/monitor"
)

// column is the least number of rows that are looked at as a whole.
const column = 3

// askew says which columns of the rows, which are not taken yet, look like others as a whole: two
// that are exchanged, fractions where per cent are expected, or per cent where fractions are. What is
// expected is the guess for a candidate, or else what results before let expect.
func (r *run) askew(l *ledger, rows []rowBody, measured []int,
	expect func(arm int) []monitor.Expectation) (list []string) {
	if len(rows) < column {
		return nil
	}
	p := l.problem
	var told, expected [][]float64 // by row: in the order of measured
	for i := range rows {
		row := &rows[i]
		arm := r.arm[l.at[row.Arm]]
		if row.Failed || arm < 0 {
			continue
		}
		before := expect(arm)
		e := make([]float64, len(measured))
		for at, c := range measured {
			e[at] = before[c].Mean
			if g := p.Objectives[c].Guesses; g != nil {
				if i := l.candidate(row.Arm); uint(i) < uint(len(g)) {
					e[at] = p.Objectives[c].Result(g[i])
				}
			}
		}
		told, expected = append(told, row.Values), append(expected, e)
	}
	if len(told) < column {
		return nil
	}
	all := func(holds func(x, e []float64) bool) bool {
		for i := range told {
			if !holds(told[i], expected[i]) {
				return false
			}
		}
		return true
	}
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	fraction := func(x float64) bool { return x >= 0 && x <= 1 }
	for a, c := range measured {
		name := p.Objectives[c].Name
		switch {
		case all(func(x, e []float64) bool { return fraction(x[a]) && e[a] > 2 }):
			say("all %d values of %s are from 0 to 1, where more is expected. Are they fractions in the "+
				"place of per cent?", len(told), name)
		case all(func(x, e []float64) bool { return fraction(e[a]) && x[a] > 2 }):
			say("all %d values of %s are above 2, where 0 to 1 is expected. Are they per cent in the "+
				"place of fractions?", len(told), name)
		}
		for b := range a {
			high, low := a, b
			if told[0][a] < told[0][b] {
				high, low = b, a
			}
			if all(func(x, e []float64) bool { return x[high] > x[low] && e[high] < e[low] }) {
				say("all %d values of %s are above those of %s, where less is expected. Are the two "+
					"columns exchanged?", len(told), p.Objectives[measured[high]].Name,
					p.Objectives[measured[low]].Name)
			}
		}
	}
	return list
}
