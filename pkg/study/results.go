package study

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Confidence is the confidence level of all intervals.
const Confidence = 0.95

// Results contains an experiment and its rows.
type Results struct {
	// Experiment describes the runs.
	Experiment Experiment
	// Rows are the rows of the experiment, including bounds. Runs on several random instances of a
	// size have the same instance name, SizeLabel, and differ in Rep. Runs on the same instance
	// have the same Draw.
	Rows []mc.Row

	cells *cells
}

// cells is an index of rows by cell. Without the index, figures, tables and claims would search a
// hundred thousand rows for each of a hundred cells.
type cells struct {
	sync.Mutex
	of    []mc.Row            // the rows that byKey refers to
	byKey map[cellKey][]int32 // indices of rows by cell
}

type cellKey struct {
	size              int
	method, constants string
}

// rows returns the rows of the cell with key k.
func (c *cells) rows(rows []mc.Row, k cellKey) []mc.Row {
	if c == nil {
		c = &cells{}
	}
	c.Lock()
	defer c.Unlock()
	if c.byKey == nil || !same(c.of, rows) {
		c.of, c.byKey = rows, make(map[cellKey][]int32)
		for i := range rows {
			r := &rows[i]
			k := cellKey{r.Size, r.Method, r.Constants}
			c.byKey[k] = append(c.byKey[k], int32(i))
		}
	}
	places := c.byKey[k]
	if places == nil {
		return nil
	}
	own := make([]mc.Row, len(places))
	for n, i := range places {
		own[n] = rows[i]
	}
	return own
}

func same(a, b []mc.Row) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// Results returns the experiment, together with those of the given rows that belong to the
// experiment.
func (e Experiment) Results(rows []mc.Row) *Results {
	each := 1 // number of replicates for each draw
	own := make([]int, 0, len(rows))
	sizes := make(map[int]float64, len(e.Sizes)) // error probability for each size
	for _, size := range e.Sizes {
		sizes[size] = e.DeltaAt(size)
	}
	for i := range rows {
		row := &rows[i]
		if row.Experiment != e.Name {
			continue
		}
		if delta, ok := sizes[row.Size]; ok && (row.Budget > 0 || row.Delta == delta) {
			own = append(own, i)
			each = max(each, row.Rep+1)
		}
	}
	rep := func(i int) int { return rows[i].Draw*each + rows[i].Rep }
	if e.Draws > 0 {
		slices.SortFunc(own, func(i, j int) int {
			return cmp.Or(cmp.Compare(rep(i), rep(j)), cmp.Compare(i, j))
		})
	}
	r := &Results{Experiment: e, cells: &cells{}, Rows: make([]mc.Row, len(own))}
	labels := make(map[int]string)
	for k, i := range own {
		r.Rows[k] = rows[i]
		if e.Draws == 0 {
			continue
		}
		row := &r.Rows[k]
		if labels[row.Size] == "" {
			labels[row.Size] = e.SizeLabel(row.Size)
		}
		row.Instance, row.Rep = labels[row.Size], rep(i)
	}
	return r
}

// Cell returns the rows of a method at a size, in the order of replicates.
func (r *Results) Cell(size int, method, constants string) []mc.Row {
	return r.cells.rows(r.Rows, cellKey{size, method, constants})
}

// On returns the rows of a method on the named instance, which must be one of Names.
func (r *Results) On(instance, method, constants string) []mc.Row {
	return r.Cell(slices.Index(r.Experiment.Names, instance), method, constants)
}

// Shown returns the rows of a method at a size, with the first constants that figures show.
func (r *Results) Shown(size int, method string) []mc.Row {
	for _, m := range r.Experiment.Methods {
		if m.Name == method && !m.TableOnly {
			return r.Cell(size, m.Name, m.Constants)
		}
	}
	return nil
}

// Bound returns the rows of a bound at a size, one row for each draw; if the bound is infinite,
// there are no rows.
func (r *Results) Bound(size int, name string) []mc.Row {
	return slices.DeleteFunc(r.Cell(size, name, bound), func(row mc.Row) bool {
		return row.Status != stopped
	})
}

// Runs returns the rows of methods, without rows of bounds.
func (r *Results) Runs() []mc.Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), IsBound)
}

var stopped = explore.Stopped.String()

// Pulls returns the number of pulls in each row.
func Pulls(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Pulls)
	}
	return x
}

// MedianPulls returns the median number of pulls in rows, with its confidence interval.
func MedianPulls(rows []mc.Row) tidy.Summary { return tidy.Median(Pulls(rows), Confidence) }

// Mistakes counts the wrong answers in rows; an unfinished run counts as wrong.
func Mistakes(rows []mc.Row) (n int) {
	for _, r := range rows {
		if !r.Correct || r.Status != stopped {
			n++
		}
	}
	return n
}

// GivenUp counts the runs that a limit ended before the policy stopped or failed.
func GivenUp(rows []mc.Row) (n int) {
	for _, r := range rows {
		if givenUp(r) {
			n++
		}
	}
	return n
}

// ErrorRate returns the fraction of wrong answers in rows, with its Clopper-Pearson interval.
func ErrorRate(rows []mc.Row) tidy.Summary {
	return tidy.Rate(Mistakes(rows), len(rows), Confidence)
}

// Measured returns the values of a measure in rows, without rows that lack the measure.
func Measured(rows []mc.Row, name string) []float64 {
	var x []float64
	for i := range rows {
		if v, ok := rows[i].Measure(name); ok {
			x = append(x, v)
		}
	}
	return x
}

// Records are the lines of a table of numbers, such as a table in a paper.
type Records []Record

// Record is a line of a table: it begins with words, followed by numbers.
type Record struct {
	Words   []string
	Numbers []float64
}

// ReadRecords reads lines of comma-separated values: each line has words, followed by numbers.
// Lines that begin with # are comments, which state the source of the table. For other input,
// ReadRecords panics, because the tables are compiled into the program.
func ReadRecords(table string) Records {
	r := csv.NewReader(strings.NewReader(table))
	r.Comment, r.FieldsPerRecord = '#', -1
	lines, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("study: numeric table: %v", err))
	}
	all := make(Records, len(lines))
	for i, line := range lines {
		for _, cell := range line {
			v, err := strconv.ParseFloat(cell, 64)
			switch {
			case err == nil:
				all[i].Numbers = append(all[i].Numbers, v)
			case all[i].Numbers == nil:
				all[i].Words = append(all[i].Words, cell)
			default:
				panic(fmt.Sprintf("study: numeric table: line %q: unexpected text %q after the numbers", line, cell))
			}
		}
	}
	return all
}

// Of returns the numbers of the record with the given words, or nil.
func (rs Records) Of(words ...string) []float64 {
	for _, r := range rs {
		if slices.Equal(r.Words, words) {
			return r.Numbers
		}
	}
	return nil
}

// Looks assigns colours and markers to methods for the figures of all papers, so that a method
// looks the same everywhere. Each row of Looks has the hues of a palette in order, from blue to
// black. Methods that papers compare are in different columns as far as possible; variants of a
// method are in the same column. For the effect of constants on colours and markers, see
// fig.Palette.
var Looks = fig.Palette{
	"RAGE", "XY-static", "XY-adaptive", "LinGapE", "ALBA", "G-allocation", "XY-oracle",
	"GEGE", "EGE-SH", "APE", "EGE-SR", "PAL", "Uniform", "Uniform LS",
	"e-cAPE", "Racing", "Game-cPSI", "PSIPS", "MD-APT+APE", "uniform", "Betting Pareto",
	"LinFACT-G", "LinFACT-XY", "BayesGap", "m-LinGapE", "LinGIFA", "KGCB", "Lazy TTS",
	"LinFACT-GLM", "LinGapE greedy", "LinGame", "m-LinGapE, told m", "LinGIFA, told m",
	"(ST)^2", "Lazy TTS, told the threshold",
	"PFIwR", "PFIMulti", "PFIwR, doubly robust", "Sparing", "FWS", "(ST)^2, no features",
	"track-and-stop, no features",
	"PFIwR (8)-(10)", "ridge, p lambda_t", "ridge, 1", "doubly robust, drawn anew",
	"EAST, no features", "FAREAST, no features", "Lazy TTS for thresholds",
	"LinFACT-G, one feature an arm", "LinFACT-MIS", "LinFACT-MIS orthogonal",
	"LinFACT-MIS, radius (35)", "LinFACT-MIS, Theorem 5.1", "FAREAST", "Betting feasible Pareto",
	"p = 0.1", "p = 0.5", "p = 0.9", "G-static", "EAST", "", "",
	"PEACE", "OD-LinBAI", "GSE", "", "", "", "",
	"GEGE, mirror descent", "EGE-SH, cumulative", "all-epsilon game", "", "LUCB", "", "",
	"", "Auer", "UGapE", "", "", "", "",
	"", "Betting", "All-epsilon game", "", "", "", "",
	"", "Betting all epsilon-best",
}
