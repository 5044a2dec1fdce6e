//go:build unix

package arena

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"syscall"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// PUREXP_ARENA_COSTS=FILE writes costs.csv with the times that it lacks, which takes some minutes.
// Lines that are deleted from it are measured anew.
func TestMeasure(t *testing.T) {
	path := os.Getenv("PUREXP_ARENA_COSTS")
	if path == "" {
		t.Skip("PUREXP_ARENA_COSTS names no file")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := measure(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// A full run is expected to take less than fifty minutes of one processor.
func TestFullRun(t *testing.T) {
	runs, seconds := 0, 0.
	for _, q := range Questions() {
		cells, err := Cells(q, Methods(q), study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			runs += c.Method.Reps
			seconds += float64(c.Method.Reps) * expected(c.Method.Name, c.Instance.Name,
				c.Method.Delta)
		}
	}
	t.Logf("%d runs, %.0f s of one processor", runs, seconds)
	if seconds > 3000 {
		t.Errorf("%d runs are expected to take %.0f s of one processor; want at most 3000", runs,
			seconds)
	}
}

// measure writes costs.csv: the time of a run of each method on each instance at delta = .1, or
// with the budget, as it was if it is there. Runs are given up after limit.
func measure(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"method", "instance", "seconds"}); err != nil {
		return err
	}
	for _, q := range Questions() {
		for _, m := range Methods(q) {
			for _, i := range At(q) {
				if s, ok := cost()[[2]string{m.Name, i.Name}]; ok {
					err := out.Write([]string{m.Name, i.Name, fmt.Sprint(min(s, limit))})
					if err != nil {
						return err
					}
					continue
				}
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
				s, err := timed(m, t)
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

// timed returns the seconds that a run takes, the mean of up to ten if these take a tenth of a
// second; limit if it takes longer.
func timed(m study.Method, t study.Task) (float64, error) {
	start, runs := used(), 0
	for runs < 10 && (runs == 0 || used()-start < .1) {
		begun := used()
		s, err := explore.NewSession(m.New(t), t.Instance.Problem,
			&explore.Settings{Src: seed.New(1).Child("run", "", runs).Source()})
		if err != nil {
			return 0, err
		}
		smp := t.Instance.Sampler(seed.New(2).Child("noise", "", runs))
		var obs []explore.Batch
		for {
			pulls, err := s.Ask()
			if err != nil {
				return 0, err
			}
			if len(pulls) == 0 {
				break
			}
			if obs, err = smp.Sample(obs[:0], pulls); err != nil {
				return 0, err
			}
			if err := s.Tell(obs); err != nil {
				return 0, err
			}
			if used()-begun >= limit {
				return limit, nil
			}
		}
		runs++
	}
	return (used() - start) / float64(runs), nil
}

// used returns the seconds of processors that this process has taken, whoever else does.
func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
