package tidy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Complexity summarises the replicates of a cell: the numbers of pulls, and the error rate.
type Complexity struct {
	mc.Key
	Reps int // number of replicates, including failed runs
	// Median and Mean summarise the numbers of pulls of all replicates that did not fail. If a
	// limit ended a run, the run counts with its pulls up to the limit, although it would have
	// needed more. Early is the number of such runs.
	Median, Mean Summary
	// Stopped is the number of runs that ended by the policy's stopping rule. Errors is the number
	// of stopped runs with a wrong answer. ErrorRate is Errors divided by Stopped, with its
	// Clopper-Pearson interval.
	Stopped, Errors int
	ErrorRate       Summary
	// Early is the number of runs that were ended by a limit on pulls or rounds. Failed is the
	// number of runs that were ended by an error.
	Early, Failed int
	// Warnings are remarks about the cell and its runs.
	Warnings []error
}

// SampleComplexity summarises rows by mc.Key, in order of first appearance, with intervals at the
// given confidence.
func SampleComplexity(rows []mc.Row, confidence float64) []Complexity {
	checkConfidence(confidence)
	var all []Complexity
	for _, g := range GroupBy(rows, mc.Row.Key) {
		c := Complexity{Key: g.Key, Reps: len(g.Rows)}
		var pulls []float64
		var remarks []runRemark
		firstErr := ""
		for _, r := range g.Rows {
			for _, w := range r.Warnings {
				remarks = remarked(remarks, w)
			}
			switch r.Status {
			case explore.Failure.String():
				if c.Failed++; firstErr == "" {
					firstErr = fmt.Sprintf("replicate %d: %s", r.Rep, r.Err)
				}
				continue
			case explore.Stopped.String():
				if c.Stopped++; !r.Correct {
					c.Errors++
				}
			default:
				c.Early++
			}
			pulls = append(pulls, float64(r.Pulls))
		}
		c.Median, c.Mean = Median(pulls, confidence), Mean(pulls, confidence)
		c.ErrorRate = Rate(c.Errors, c.Stopped, confidence)
		if c.Early > 0 {
			c.Warnings = append(c.Warnings, fmt.Errorf("tidy: a limit ended %d of %d runs, so complete runs would "+
				"need more pulls than shown", c.Early, c.Reps))
		}
		if c.Failed > 0 {
			c.Warnings = append(c.Warnings,
				fmt.Errorf("tidy: an error ended %d of %d runs, which are left out (%s)", c.Failed, c.Reps, firstErr))
		}
		// Compare the lower end of the interval with delta, because the rate itself can exceed
		// delta by chance.
		if c.Delta > 0 && c.ErrorRate.Lo > c.Delta {
			c.Warnings = append(c.Warnings,
				fmt.Errorf("tidy: the error rate exceeds delta = %v: %d errors in %d runs", c.Delta,
					c.Errors, c.Stopped))
		}
		c.Warnings = append(c.Warnings, c.Median.Warnings...)
		if len(pulls) > 0 {
			c.Warnings = append(c.Warnings, c.Mean.Warnings...)
		}
		for _, w := range remarks {
			c.Warnings = append(c.Warnings, errors.New(w.String()))
		}
		all = append(all, c)
	}
	return all
}

// ComplexityTable returns a table of the complexities cs, with a row for each cell. Constants and
// delta have a column if they differ between cells; early ends and failures have a column if any
// occurred. Warnings of the cells become notes of the table.
func ComplexityTable(cs []Complexity) *Table {
	t := &Table{Title: "Sample complexity"}
	values := make(map[string]func(c *Complexity) any)
	column := func(name string, format func(any) string, value func(c *Complexity) any) {
		t.Columns = append(t.Columns, Column{Name: name, Format: format})
		values[name] = value
	}
	some := func(f func(c *Complexity) bool) bool {
		for i := range cs {
			if f(&cs[i]) {
				return true
			}
		}
		return false
	}
	column("instance", nil, func(c *Complexity) any { return c.Instance })
	if some(func(c *Complexity) bool { return c.Constants != cs[0].Constants }) {
		column("constants", nil, func(c *Complexity) any { return c.Constants })
	} else if len(cs) > 0 && cs[0].Constants != "" {
		t.Notes = append(t.Notes, "Constants: "+cs[0].Constants+".")
	}
	if some(func(c *Complexity) bool { return c.Delta != cs[0].Delta }) {
		column("delta", nil, func(c *Complexity) any { return c.Delta })
	} else if len(cs) > 0 && cs[0].Delta != 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Delta: %v.", cs[0].Delta))
	}
	column("method", nil, func(c *Complexity) any { return c.Method })
	column("replicates", nil, func(c *Complexity) any { return c.Reps })
	column("median pulls", nil, func(c *Complexity) any { return c.Median })
	column("mean pulls", nil, func(c *Complexity) any { return c.Mean })
	column("errors", nil, func(c *Complexity) any { return c.Errors })
	column("error rate", Percent, func(c *Complexity) any { return c.ErrorRate })
	if some(func(c *Complexity) bool { return c.Early > 0 }) {
		column("early", nil, func(c *Complexity) any { return c.Early })
	}
	if some(func(c *Complexity) bool { return c.Failed > 0 }) {
		column("failed", nil, func(c *Complexity) any { return c.Failed })
	}
	for i := range cs {
		row := make([]any, len(t.Columns))
		for j := range t.Columns {
			row[j] = values[t.Columns[j].Name](&cs[i])
		}
		t.Rows = append(t.Rows, row)
	}
	if len(cs) > 0 {
		level := Number(100 * cs[0].ErrorRate.Confidence)
		t.Notes = append(t.Notes, "Intervals at "+level+" %: median by order statistics, mean by "+
			"bootstrap, error rate by Clopper and Pearson.")
	}
	t.Notes = append(t.Notes, remarkNotes(cs)...)
	return t
}

// ArmPulls returns a table of the mean pulls of each arm, with a row for each arm and a column for
// each method. The argument names contains the names of the arms; nil means "arm 0" and
// so on. ArmPulls omits failed runs. If rows or names have different numbers of arms,
// ArmPulls returns an error; pass the rows of one instance with one choice of constants.
func ArmPulls(rows []mc.Row, names []string) (*Table, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r mc.Row) bool {
		return r.Status == explore.Failure.String()
	})
	t := &Table{Title: "Mean pulls of each arm", Columns: []Column{{Name: "arm"}}}
	if len(rows) == 0 {
		return t, nil
	}
	arms := len(rows[0].ArmPulls)
	if names != nil && len(names) != arms {
		return nil, fmt.Errorf("tidy: %d names; expected %d, one for each arm", len(names), arms)
	}
	for i := range arms {
		name := "arm " + strconv.Itoa(i)
		if names != nil {
			name = names[i]
		}
		t.Rows = append(t.Rows, []any{name})
	}
	for _, g := range GroupBy(rows, mc.Row.Key) {
		sum := make([]float64, arms)
		for _, r := range g.Rows {
			if len(r.ArmPulls) != arms {
				return nil, fmt.Errorf("tidy: replicate %d of %s on %s has %d arms, but earlier rows have "+
					"%d; select the rows of one instance", r.Rep, r.Method, r.Instance, len(r.ArmPulls), arms)
			}
			for i, n := range r.ArmPulls {
				sum[i] += float64(n)
			}
		}
		t.Columns = append(t.Columns, Column{Name: g.Key.Method})
		for i := range arms {
			t.Rows[i] = append(t.Rows[i], sum[i]/float64(len(g.Rows)))
		}
	}
	return t, nil
}

// PullsRatio returns the ratio of the median pulls in rows a to those in rows b, as RatioOfMedians
// does. For example, the rows may be those of two methods on one instance. Rows of the same
// instance and replicate have the same noise. If each row has a counterpart in the other sample,
// the samples are paired. If only some rows have a counterpart, the samples are not paired, and the
// result has a warning. PullsRatio omits failed rows.
func PullsRatio(a, b []mc.Row, confidence float64) Summary {
	return pullsRatio(a, b, confidence, RatioOfMedians)
}

// MeanPullsRatio returns the ratio of the mean pulls in rows a to those in rows b, as PullsRatio
// does for medians.
func MeanPullsRatio(a, b []mc.Row, confidence float64) Summary {
	return pullsRatio(a, b, confidence, RatioOfMeans)
}

func pullsRatio(a, b []mc.Row, confidence float64, ratio func(a, b []float64, paired bool, confidence float64) Summary,
) Summary {
	type replicate struct {
		study    string
		seed     uint64
		instance string
		rep      int
	}
	of := func(r mc.Row) replicate { return replicate{r.Study, r.Seed, r.Instance, r.Rep} }
	split := func(rows []mc.Row) (pulls []float64, at map[replicate]int) {
		at = make(map[replicate]int)
		for _, r := range rows {
			if r.Status != explore.Failure.String() {
				at[of(r)] = len(pulls)
				pulls = append(pulls, float64(r.Pulls))
			}
		}
		return pulls, at
	}
	x, atX := split(a)
	y, atY := split(b)
	common := 0
	for k := range atX {
		if _, ok := atY[k]; ok {
			common++
		}
	}
	var warnings []error
	paired := common == len(x) && common == len(y) && common > 0
	switch {
	case paired:
		z := make([]float64, len(y))
		for k, i := range atX {
			z[i] = y[atY[k]]
		}
		y = z
	case common > 0:
		warnings = append(warnings, fmt.Errorf("tidy: only %d replicates are in both samples (%d and %d rows), "+
			"so the samples are compared as independent", common, len(x), len(y)))
	}
	s := ratio(x, y, paired, confidence)
	s.Warnings = append(warnings, s.Warnings...)
	return s
}
