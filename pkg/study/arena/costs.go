package arena

import (
	"github.com/purexp/purexp/pkg/study"

	_ "embed" // costs.csv
	"math"
	"sync"
)

//go:embed costs.csv
var costs string

// A cost is the time of a run at delta = .1, or with the budget, in seconds of one processor, by
// method and instance, as it was measured once. It is infinite for those that took limit.
var cost = sync.OnceValue(func() map[[2]string]float64 {
	m := map[[2]string]float64{}
	for _, r := range study.ReadRecords(costs)[1:] { // below the names of the columns
		s := r.Numbers[0]
		if s >= limit {
			s = math.Inf(1)
		}
		m[[2]string{r.Words[0], r.Words[1]}] = s
	}
	return m
})

// Rules about what is too expensive.
const (
	// Reps is the number of replicates of cells that are cheap enough.
	Reps = 200
	// cell is the time in seconds of one processor that all replicates of a cell may take.
	cell = 1.5
	// fewest is the number of replicates below which a cell is left out.
	fewest = 3
	// limit is the time in seconds after which runs are not measured on.
	limit = 3.
	// most is the multiple of the lower bound after which a run is given up.
	most = 200
)

// Budgets are the multiples of T* that methods with a fixed budget have.
func Budgets() []int { return []int{2, 5, 10} }

// sampled is a method that takes about 1/delta random draws a round, whatever costs.csv says.
const sampled = "PSIPS"

// expected returns the seconds that a run is expected to take: those of costs.csv, in proportion to
// the lower bound at delta, or whatever the budget; 0 for what is not there, such as a policy of one's own.
func expected(method, instance string, delta float64) float64 {
	s := cost()[[2]string{method, instance}]
	if delta > 0 {
		s *= LowerBound(1, delta) / LowerBound(1, .1)
	}
	return s
}

// replicates is the number of replicates of a cell: as many as are expected to take 1.5 seconds, up
// to Reps; 0 if these are fewer than 3.
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
