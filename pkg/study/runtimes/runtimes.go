// Package runtimes measures how long runs take on this machine, and compares these durations with
// those that papers state.
//
//	row, err := runtimes.Here(251, inst, &policy.ECAPE{}, 10) // the paper states 251 ms
package runtimes

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Timing contains the durations of runs of a method on an instance.
type Timing struct {
	Instance, Method string
	study.Tries
}

// Stated contains the numbers that a paper states: mean and standard deviation of the duration of a
// run in milliseconds, and the mean number of pulls. Pulls is 0 if the paper does not state the
// number of pulls.
type Stated struct{ Milliseconds, SD, Pulls float64 }

// Comparison compares the durations of an experiment's methods on its instances with a table in a
// paper.
type Comparison struct {
	Experiment study.Experiment
	// Runs is the number of runs over which the paper averages.
	Runs   int
	Stated func(instance, method string) Stated
	// Table is the name of the table in the paper, such as "Table 5". Notes are printed below the
	// table.
	Table string
	Notes []string

	once    sync.Once
	timings []Timing
	err     error
}

// Measure times the first replicates of the study with seed 1, one at a time.
func (c *Comparison) Measure(runs int) (ts []Timing, err error) {
	e := c.Experiment
	for _, size := range e.Sizes {
		inst, err := e.At(size, 0)
		if err != nil {
			return nil, err
		}
		for _, m := range e.Methods {
			took, err := study.Try(inst, m.New(e.Task(inst, size)), runs, nil)
			if err != nil {
				return nil, err
			}
			ts = append(ts, Timing{inst.Name, m.Name, took})
		}
	}
	return ts, nil
}

// OnThisMachine measures as many runs as the paper does. The runs are measured only once, for the
// table and all claims.
func (c *Comparison) OnThisMachine() ([]Timing, error) {
	c.once.Do(func() { c.timings, c.err = c.Measure(c.Runs) })
	return c.timings, c.err
}

// Beside returns a table of means and standard deviations over the given number of runs, together
// with those in the paper.
func (c *Comparison) Beside(runs int) (*tidy.Table, error) {
	measure := func() ([]Timing, error) { return c.Measure(runs) }
	if runs == c.Runs {
		measure = c.OnThisMachine // measure the same runs as for the claims
	}
	ts, err := measure()
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: "Runtime of one run (" + c.Table + ")",
		Columns: tidy.Columns("instance", "method", "paper [ms]", "sd [ms]", "here [ms]",
			"sd [ms]", "times faster", "here [pulls]", "time per pull, paper [us]", "time per pull, here [us]",
			"times faster per pull"),
		Notes: append([]string{fmt.Sprintf("Means over %d runs, one at a time, including the time to draw rewards. "+
			c.Notes[0], runs)}, c.Notes[1:]...),
	}
	for _, took := range ts {
		paper := c.Stated(took.Instance, took.Method)
		ms, sd := stat.MeanStdDev(took.Milliseconds, nil)
		n := stat.Mean(took.Pulls, nil)
		row := []any{took.Instance, took.Method, paper.Milliseconds, paper.SD, ms, sd,
			Faster(paper.Milliseconds, ms), n}
		if runs == 1 {
			row[5] = nil // a single run has no standard deviation
		}
		us := 1e3 * ms / n
		if theirs := paper.PerPull(); theirs > 0 {
			row = append(row, theirs, us, Faster(theirs, us))
		} else {
			row = append(row, nil, us, "-")
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// Tables returns the table of Beside for the paper's number of runs; it can be used as
// Experiment.Tables.
func (c *Comparison) Tables(*study.Results) ([]*tidy.Table, error) {
	t, err := c.Beside(c.Runs)
	return []*tidy.Table{t}, err
}

// PerPull returns the microseconds per pull of the runs in the paper, or 0 if the paper does not
// state the number of pulls.
func (s Stated) PerPull() float64 {
	if s.Pulls == 0 {
		return 0
	}
	return 1e3 * s.Milliseconds / s.Pulls
}

// Here returns three table cells about a policy on an instance: the duration that the paper states
// and the mean duration on this machine, both in milliseconds, and their ratio.
func Here(paper float64, inst *bandit.Instance, p explore.Policy, runs int) ([]any, error) {
	took, err := study.Try(inst, p, runs, nil)
	if err != nil {
		return nil, err
	}
	ms := stat.Mean(took.Milliseconds, nil)
	return []any{paper, ms, Faster(paper, ms)}, nil
}

// Faster formats the ratio of the paper's duration to the duration on this machine.
func Faster(paper, here float64) string { return fmt.Sprintf("%.0f", paper/here) }

// Sooner returns a check that one method is faster than another method on an instance. In the
// verdict, the argument what names the two methods.
func (c *Comparison) Sooner(what, instance, method, other string) study.Check {
	return func(*study.Results) study.Verdict {
		ts, err := c.OnThisMachine()
		if err != nil {
			return study.Unknown(err)
		}
		return Sooner(ts, what, instance, method, other)
	}
}

// Given timings, Sooner judges whether one method is faster than another method on an instance. In
// the verdict, the argument what names the two methods.
func Sooner(ts []Timing, what, instance, method, other string) study.Verdict {
	ms := func(method string) []float64 {
		for _, t := range ts {
			if t.Instance == instance && t.Method == method {
				return t.Milliseconds
			}
		}
		return nil
	}
	w := study.Fewer
	w.Says = "less time"
	w.Means = "the ratio of the median run times on this machine is below 1"
	return w.Judge(study.RatioOf("time of "+what+" on "+instance, ms(method), ms(other), true))
}
