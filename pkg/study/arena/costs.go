package arena

import (
	_ "embed" // costs.csv
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

//go:embed costs.csv
var costs string

// A cost is the time of one run at delta = .1, in seconds of one processor, by method and instance:
// what Measure found. Runs that took longer than its limit have that limit, and are longer.
var cost = sync.OnceValue(func() map[[2]string]float64 {
	rows, err := csv.NewReader(strings.NewReader(costs)).ReadAll()
	if err != nil {
		panic(err)
	}
	m := map[[2]string]float64{}
	for _, r := range rows[1:] {
		s, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			panic(err)
		}
		m[[2]string{r[0], r[1]}] = s
	}
	return m
})

// Rules about what is too expensive.
const (
	// Reps is the number of replicates of cells that are cheap enough.
	Reps = 200
	// cell is the time in seconds that all replicates of a cell may take. Times were measured while
	// others worked: a quiet processor takes a fraction of them.
	cell = 10.
	// fewest is the number of replicates below which a cell is left out.
	fewest = 5
	// most is the multiple of the lower bound after which a run is given up.
	most = 200
	// budget is the multiple of T* that methods with a fixed budget have.
	budget = 5
)

// sampled is a method that takes about 1/delta random draws a round, whatever costs.csv says.
const sampled = "PSIPS"

// replicates is the number of replicates of a cell: as many as are expected to take 10 seconds, up
// to Reps; 0 if these are fewer than 5. Times are those of costs.csv, in proportion to the lower
// bound at delta. What is not in costs.csv, such as a policy of one's own, has Reps.
func replicates(method, instance string, delta float64) int {
	if method == sampled && delta > 0 && delta < 1e-6 {
		return 0
	}
	s, ok := cost()[[2]string{method, instance}]
	if !ok || s == 0 {
		return Reps
	}
	if delta > 0 {
		s *= LowerBound(1, delta) / LowerBound(1, .1)
	}
	n := int(cell / s)
	if n < fewest {
		return 0
	}
	return min(n, Reps)
}

// Measure writes costs.csv: the time of one run of each method on each instance at delta = .1, or
// with the budget. Runs are given up after limit.
func Measure(w io.Writer, limit time.Duration) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"method", "instance", "seconds"}); err != nil {
		return err
	}
	for _, q := range Questions() {
		for _, m := range Methods(q) {
			for _, i := range At(q) {
				inst, err := i.Load()
				if err != nil {
					return err
				}
				if !suits(m, inst) {
					continue
				}
				h, err := Hardness(inst)
				if err != nil {
					return err
				}
				t := study.Task{Instance: inst, Delta: .1, Budget: int(math.Ceil(budget * h))}
				s, err := timed(m, t, limit)
				if err != nil {
					continue // it has a row of failures
				}
				err = out.Write([]string{m.Name, i.Name, fmt.Sprintf("%.3g", s)})
				if err != nil {
					return err
				}
				out.Flush()
			}
		}
	}
	out.Flush()
	return out.Error()
}

// timed returns the seconds that a run takes; the limit if it takes longer.
func timed(m study.Method, t study.Task, limit time.Duration) (float64, error) {
	start := time.Now()
	s, err := explore.NewSession(m.New(t), t.Instance.Problem,
		&explore.Settings{Src: seed.New(1).Source()})
	if err != nil {
		return 0, err
	}
	smp := t.Instance.Sampler(seed.New(2))
	var obs []explore.Batch
	for time.Since(start) < limit {
		pulls, err := s.Ask()
		if err != nil || len(pulls) == 0 {
			return time.Since(start).Seconds(), err
		}
		if obs, err = smp.Sample(obs[:0], pulls); err != nil {
			return 0, err
		}
		if err := s.Tell(obs); err != nil {
			return 0, err
		}
	}
	return limit.Seconds(), nil
}
