package ecape

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// timedRuns is over how many runs the paper's Table 5 averages.
const timedRuns = 10

// table5 returns the mean of the paper's runtimes and its standard deviation, in milliseconds.
func table5(instance, method string) []float64 { return published.Of("Table 5", instance, method) }

// A timing is how long a method takes on an instance.
type timing struct {
	instance, method string
	ms, pulls        []float64 // of each run
}

// measure times the first replicates of the study at seed 1, one at a time.
func measure(runs int) ([]timing, error) {
	var ts []timing
	for _, name := range timed {
		inst, err := instance(name)
		if err != nil {
			return nil, err
		}
		for _, m := range compared {
			took, err := study.Try(inst, newPolicy(m, Printed, delta), runs, nil)
			if err != nil {
				return nil, err
			}
			ts = append(ts, timing{name, m, took.Milliseconds, took.Pulls})
		}
	}
	return ts, nil
}

// onThisMachine measures once, for the table and all claims.
var onThisMachine = sync.OnceValues(func() ([]timing, error) { return measure(timedRuns) })

// perPull returns the microseconds a pull that the paper's run took; NaN if it
// does not say how many pulls its runs were.
func perPull(instance, method string) float64 {
	p := published.Of("Table 4", instance, method)
	if p == nil {
		return math.NaN()
	}
	return 1e3 * table5(instance, method)[0] / p[0]
}

// Runtimes measures how long one run takes on this machine, with the constants of
// the paper's experiments, beside what the paper states: means and standard
// deviations over runs replicates (Table 5 has 10). It panics if runs is not
// positive.
func Runtimes(runs int) (*tidy.Table, error) {
	if runs < 1 {
		panic("ecape: Runtimes of no runs")
	}
	var ts []timing
	var err error
	if runs == timedRuns {
		ts, err = onThisMachine() // so that the claims speak of the same runs
	} else {
		ts, err = measure(runs)
	}
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: "Runtime of one run (Table 5)",
		Columns: tidy.Columns("instance", "method", "paper [ms]", "sd [ms]", "here [ms]",
			"sd [ms]", "times faster", "here [pulls]", "a pull, paper [us]", "a pull, here [us]",
			"times faster a pull"),
		Notes: []string{
			fmt.Sprintf("Means over %d runs, one at a time, rewards included. The paper's are "+
				"of Python and Cython on a computer with an ARM processor: ratios compare "+
				"machines as well as programs.", runs),
			"The means of the paper's polyhedra are not published, so that its runs have other " +
				"numbers of pulls; the time of a pull is its Table 5 divided by its Table 4. " +
				"It does not say how many pulls its runs on the trial take.",
		},
	}
	for _, c := range ts {
		p := table5(c.instance, c.method)
		ms, sd := stat.MeanStdDev(c.ms, nil)
		n := stat.Mean(c.pulls, nil)
		row := []any{c.instance, c.method, p[0], p[1], ms, sd, fmt.Sprintf("%.0f", p[0]/ms), n}
		if runs == 1 {
			row[5] = nil // one run has no standard deviation
		}
		us := 1e3 * ms / n
		if theirs := perPull(c.instance, c.method); !math.IsNaN(theirs) {
			row = append(row, theirs, us, fmt.Sprintf("%.0f", theirs/us))
		} else {
			row = append(row, nil, us, "-")
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// runtimeTable is Runtimes in a report.
func runtimeTable(*study.Results) ([]*tidy.Table, error) {
	t, err := Runtimes(timedRuns)
	return []*tidy.Table{t}, err
}

// runtimeClaims are what Table 5 says: on every instance e-cAPE takes less time than the two-stage
// method. They measure time when the first of them is judged, once for the table and all claims.
func runtimeClaims() []study.Claim {
	var cs []study.Claim
	for i, name := range timed {
		cs = append(cs, study.Says(fmt.Sprint("A", i+1), "Table 5", fmt.Sprintf("%s: a run of "+
			"e-cAPE takes less time than one of the two-stage method (%.2f times)", name,
			table5(name, ECAPE)[0]/table5(name, TwoStage)[0]), func(*study.Results) study.Verdict {
			ts, err := onThisMachine()
			if err != nil {
				return study.Unknown(err)
			}
			return sooner(ts, name)
		}))
	}
	return cs
}

// sooner judges whether e-cAPE takes less time than the two-stage method on an instance.
func sooner(ts []timing, instance string) study.Verdict {
	ms := func(method string) []float64 {
		for _, t := range ts {
			if t.instance == instance && t.method == method {
				return t.ms
			}
		}
		return nil
	}
	w := study.Fewer
	w.Says = "less time"
	w.Means = "the ratio of the medians over the runs timed here, on this machine, is below 1"
	return w.Judge(study.RatioOf("time of e-cAPE / two-stage on "+instance,
		ms(ECAPE), ms(TwoStage), true))
}
