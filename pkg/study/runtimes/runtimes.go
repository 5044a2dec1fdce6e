// Package runtimes measures how long runs take on this machine, beside what papers state.
//
//	row, err := runtimes.Here(251, inst, &policy.ECAPE{}, 10) // the paper says 251 ms
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

// A Timing is what runs of a method on an instance took.
type Timing struct {
	Instance, Method string
	study.Tries
}

// Stated is what a paper states of its runs: mean and standard deviation of their milliseconds, and
// the mean number of pulls, 0 if it does not.
type Stated struct{ Milliseconds, SD, Pulls float64 }

// A Comparison times the methods of an experiment on its instances, beside a table of a paper.
type Comparison struct {
	Experiment study.Experiment
	// Runs is the number of runs that the paper's means are of.
	Runs   int
	Stated func(instance, method string) Stated
	// Table says where the paper has it: "Table 5". Notes are about what it states.
	Table string
	Notes []string

	once    sync.Once
	timings []Timing
	err     error
}

// Measure times the first replicates of the study at seed 1, one at a time.
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

// OnThisMachine measures as many runs as the paper, once for the table and all claims.
func (c *Comparison) OnThisMachine() ([]Timing, error) {
	c.once.Do(func() { c.timings, c.err = c.Measure(c.Runs) })
	return c.timings, c.err
}

// Beside returns the means and standard deviations over so many runs beside those of the paper.
func (c *Comparison) Beside(runs int) (*tidy.Table, error) {
	measure := func() ([]Timing, error) { return c.Measure(runs) }
	if runs == c.Runs {
		measure = c.OnThisMachine // so that the claims speak of the same runs
	}
	ts, err := measure()
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: "Runtime of one run (" + c.Table + ")",
		Columns: tidy.Columns("instance", "method", "paper [ms]", "sd [ms]", "here [ms]",
			"sd [ms]", "times faster", "here [pulls]", "a pull, paper [us]", "a pull, here [us]",
			"times faster a pull"),
		Notes: append([]string{fmt.Sprintf("Means over %d runs, one at a time, rewards included. "+
			c.Notes[0], runs)}, c.Notes[1:]...),
	}
	for _, took := range ts {
		paper := c.Stated(took.Instance, took.Method)
		ms, sd := stat.MeanStdDev(took.Milliseconds, nil)
		n := stat.Mean(took.Pulls, nil)
		row := []any{took.Instance, took.Method, paper.Milliseconds, paper.SD, ms, sd,
			Faster(paper.Milliseconds, ms), n}
		if runs == 1 {
			row[5] = nil // one run has no standard deviation
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

// Tables is Beside in a report, with as many runs as the paper: an Experiment.Tables.
func (c *Comparison) Tables(*study.Results) ([]*tidy.Table, error) {
	t, err := c.Beside(c.Runs)
	return []*tidy.Table{t}, err
}

// PerPull returns the microseconds a pull that the paper's run took; 0 if it does not say how many
// pulls its runs were.
func (s Stated) PerPull() float64 {
	if s.Pulls == 0 {
		return 0
	}
	return 1e3 * s.Milliseconds / s.Pulls
}

// Here returns cells of a table: what a paper states of the milliseconds of a policy on an
// instance, their mean over so many runs here, and how many times as long the paper's take.
func Here(paper float64, inst *bandit.Instance, p explore.Policy, runs int) ([]any, error) {
	took, err := study.Try(inst, p, runs, nil)
	if err != nil {
		return nil, err
	}
	ms := stat.Mean(took.Milliseconds, nil)
	return []any{paper, ms, Faster(paper, ms)}, nil
}

// Faster writes how many times as long as here the paper's runs take.
func Faster(paper, here float64) string { return fmt.Sprintf("%.0f", paper/here) }

// Sooner judges whether a method takes less time than another on an instance; what names both.
func (c *Comparison) Sooner(what, instance, method, other string) study.Check {
	return func(*study.Results) study.Verdict {
		ts, err := c.OnThisMachine()
		if err != nil {
			return study.Unknown(err)
		}
		return Sooner(ts, what, instance, method, other)
	}
}

// Sooner judges by timings whether a method takes less time than another on an instance; what names
// both.
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
	w.Means = "the ratio of the medians over the runs timed here, on this machine, is below 1"
	return w.Judge(study.RatioOf("time of "+what+" on "+instance, ms(method), ms(other), true))
}
