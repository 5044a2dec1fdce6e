package arena

import (
	"github.com/purexp/purexp/pkg/study"

	_ "embed" // for the table costs.csv
	"math"
	"sync"
)

//go:embed costs.csv
var costs string

// cost returns the measured duration of a run in seconds of one processor, by method and instance,
// at delta = 0.1 or with a fixed budget. For runs that reached the time limit, the duration is
// infinite.
var cost = sync.OnceValue(func() map[[2]string]float64 {
	m := map[[2]string]float64{}
	for _, r := range study.ReadRecords(costs)[1:] { // skip the header of the table
		s := r.Numbers[0]
		if s >= limit {
			s = math.Inf(1)
		}
		m[[2]string{r.Words[0], r.Words[1]}] = s
	}
	return m
})

// The following constants limit the computing time of cells; a cell is a method on an instance.
const (
	// Reps is the number of replicates of cells that are fast enough.
	Reps = 200
	// cell is the target duration of a cell with all replicates, in seconds of one processor.
	cell = 1.5
	// fewest is the smallest number of replicates of a cell; cells that would have fewer are
	// omitted.
	fewest = 3
	// limit is the time in seconds after which a run whose duration is measured is stopped.
	limit = 3.
	// most is the number of pulls, as a multiple of the lower bound, at which a run is given up.
	most = 200
)

// Budgets returns the budgets of methods with a fixed budget, as multiples of T*.
func Budgets() []int { return []int{2, 5, 10} }

// sampled is the name of a method that needs about 1/delta random draws in each round.
const sampled = "PSIPS"

// expected returns the expected duration of a run in seconds. For methods in costs.csv, the
// duration of a run is proportional to the lower bound at delta or, with a budget, constant. For
// unknown methods, such as your own, expected returns 0.
func expected(method, instance string, delta float64) float64 {
	s := cost()[[2]string{method, instance}]
	if delta > 0 {
		s *= LowerBound(1, delta) / LowerBound(1, .1)
	}
	return s
}

// replicates returns the number of replicates of a cell that fit into 1.5 seconds, at most Reps. If
// fewer than 3 replicates fit, the number is 0. For PSIPS at a delta below 10^-6, the number is also
// 0.
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
