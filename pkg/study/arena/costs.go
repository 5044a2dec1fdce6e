package arena

import (
	"github.com/purexp/purexp/pkg/study"

	_ "embed" // costs.csv
	"math"
	"sync"
)

//go:embed costs.csv
var costs string

// cost returns the measured time of a run at delta = .1, or with the budget, in seconds of one
// processor, by method and instance. It is infinite for runs that took limit.
var cost = sync.OnceValue(func() map[[2]string]float64 {
	m := map[[2]string]float64{}
	for _, r := range study.ReadRecords(costs)[1:] { // without the header
		s := r.Numbers[0]
		if s >= limit {
			s = math.Inf(1)
		}
		m[[2]string{r.Words[0], r.Words[1]}] = s
	}
	return m
})

// Limits on the cost of cells.
const (
	// Reps is the number of replicates of cheap cells.
	Reps = 200
	// cell is the time in seconds of one processor for all replicates of a cell.
	cell = 1.5
	// fewest is the least number of replicates of a cell; others are omitted.
	fewest = 3
	// limit is the time in seconds at which the measurement of a run's cost stops.
	limit = 3.
	// most is the multiple of the lower bound at which a run is given up.
	most = 200
)

// Budgets returns the multiples of T* for methods with a fixed budget.
func Budgets() []int { return []int{2, 5, 10} }

// sampled is a method that needs about 1/delta random draws a round.
const sampled = "PSIPS"

// expected returns the expected seconds of a run: those of costs.csv, in proportion to the lower
// bound at delta, or unchanged with a budget. It is 0 for unknown methods, such as your own.
func expected(method, instance string, delta float64) float64 {
	s := cost()[[2]string{method, instance}]
	if delta > 0 {
		s *= LowerBound(1, delta) / LowerBound(1, .1)
	}
	return s
}

// replicates returns the number of replicates of a cell: as many as take 1.5 seconds, at most Reps,
// or 0 if these are fewer than 3.
func replicates(method, instance string, delta float64) int {
	if method == sampled && delta > 0 && delta < 1e-6 {
		return 0
	}
	n := Reps
	if s := expected(method, instance, delta); s*Reps > cell {
		n = int(cell / s)
	}
	if n < fewest {
		return 0
	}
	return n
}
