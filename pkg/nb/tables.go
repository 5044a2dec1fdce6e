package nb

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// taken lists in words which columns of df an instance uses, and which columns it does not use.
func taken(df Frame, columns []string) string {
	var other []string
	for _, n := range df.Names() {
		if !slices.Contains(columns, n) {
			other = append(other, n)
		}
	}
	text := fmt.Sprintf("built from all %d rows and the columns %s", df.Nrow(), strings.Join(columns, ", "))
	if other != nil {
		text += "; not used: " + strings.Join(other, ", ")
	}
	return text
}

// Complete returns those rows of df that have no empty cells in the named columns or, without
// names, in any column. Complete reports which rows it omits, and why. A notebook shows the same
// report only once.
func Complete(df Frame, columns ...string) Frame {
	rows, text, err := complete(df, columns)
	Fail(err)
	if once(fmt.Sprintf("complete-%x", sha256.Sum256([]byte(text)))) {
		Markdown("%s", text)
	}
	return rows
}

func complete(df Frame, columns []string) (rows Frame, text string, err error) {
	if df.Err != nil {
		return df, "", fmt.Errorf("nb: %w", df.Err)
	}
	if len(columns) == 0 {
		columns = df.Names()
	}
	var keep []int
	var out []string
	for _, c := range columns {
		if !slices.Contains(df.Names(), c) {
			return df, "", fmt.Errorf("nb: no column %q; the columns are %q", c, df.Names())
		}
	}
	for i := range df.Nrow() {
		bad := slices.IndexFunc(columns, func(c string) bool {
			e := df.Col(c).Elem(i)
			return e.IsNA() || strings.TrimSpace(e.String()) == ""
		})
		if bad < 0 {
			keep = append(keep, i)
			continue
		}
		out = append(out, fmt.Sprintf("row %d (no %s)", i+1, columns[bad]))
	}
	if len(keep) == 0 {
		return df, "", fmt.Errorf("nb: none of the %d rows has values in all of the columns %q", df.Nrow(), columns)
	}
	text = fmt.Sprintf("%d of %d rows", len(keep), df.Nrow())
	if len(out) > 10 {
		out = append(out[:10], fmt.Sprintf("and %d more", len(out)-10))
	}
	if out != nil {
		text += "; left out: " + strings.Join(out, ", ")
	}
	rows = df.Subset(keep)
	return rows, text + ".", rows.Err
}

// Save writes a frame as CSV, with all digits of its numbers.
func Save(df Frame, path string) {
	Fail(os.WriteFile(path, Must(frame.CSV(df)), 0o666))
}

// ShowParts shows the substituents of a Free-Wilson model. For each substituent, the table shows
// the loss relative to the best substituent at its site. The table also shows whether the
// substituent occurs in the answer of r, a run on the instance of f. The title of the table states
// the maximum total loss of a compound in the answer.
func ShowParts(f dataset.FreeWilson, r *explore.Result) {
	Fail(ran("ShowParts", r))
	Show(Must(partsTable(f, r)))
}

func partsTable(f dataset.FreeWilson, r *explore.Result) (*tidy.Table, error) {
	sites, err := f.Contributions()
	if err != nil {
		return nil, err
	}
	inst, err := f.Instance()
	if err != nil {
		return nil, err
	}
	combinations, best := inst.Problem.M(), f.Base
	in := make([][]bool, len(sites))
	for i, s := range sites {
		best += slices.Max(s.Contributions)
		in[i] = make([]bool, len(s.Contributions))
	}
	// Compounds are numbered such that the last site varies fastest.
	for _, item := range r.Answer.Items {
		if item >= combinations {
			return nil, errors.New("nb: ShowParts: the result is from another instance; pass a result for this data " +
				"set")
		}
		for i := len(sites) - 1; i >= 0; i-- {
			n := len(sites[i].Contributions)
			in[i][item%n] = true
			item /= n
		}
	}
	t := &tidy.Table{
		Title: fmt.Sprintf("%d of %d combinations are in the answer: the losses of their parts add up to at most %.3g",
			len(r.Answer.Items), combinations, best-inst.Problem.Question.(question.AllEpsilonBest).Threshold(best)),
		Columns: tidy.Columns("site", "part", "loss relative to the best part", "in the answer"),
	}
	for i, site := range sites {
		for j, v := range site.Contributions {
			loss := slices.Max(site.Contributions) - v
			t.Rows = append(t.Rows, []any{site.Name, site.Substituents[j], loss, in[i][j]})
		}
	}
	return t, nil
}

// Means returns a table with one row for each candidate, in order of appearance. The argument by
// names the column with the names of the candidates. Columns in which each candidate has the same
// value in all its rows are kept; if no candidate has several rows, only columns of text are kept.
// For each other numeric column, such as "yield", the table has columns with the mean, the standard
// deviation and the number of values: "yield", "yield sd" and "yield n". Empty cells are ignored.
// Other columns of text are omitted.
//
//	var q = nb.On(nb.Means(raw, "compound"), "compound").Max("activity").Best()
//
// Queries on the returned table estimate the noise from the replicates.
func Means(raw Frame, by string) Frame {
	cs := columns(Must(frame.CSV(raw)))
	by = Must(problem.FindColumn(cs, by))
	names, rows := []string{}, map[string][]int{}
	for i, name := range raw.Col(by).Records() {
		if rows[name] == nil {
			names = append(names, name)
		}
		rows[name] = append(rows[name], i)
	}
	out := []series.Series{series.New(names, series.String, by)}
	for _, column := range raw.Names() {
		col := raw.Col(column)
		var first []string
		var mean, sd []float64
		var n []int
		numbers := col.Type() == series.Int || col.Type() == series.Float
		same := !numbers || len(names) < raw.Nrow()
		for _, name := range names {
			var xs []float64
			for _, i := range rows[name] {
				same = same && col.Elem(i).String() == col.Elem(rows[name][0]).String()
				if numbers && !col.Elem(i).IsNA() {
					xs = append(xs, col.Elem(i).Float())
				}
			}
			m, s := stat.MeanStdDev(xs, nil)
			mean, sd, n = append(mean, m), append(sd, s), append(n, len(xs))
			first = append(first, col.Elem(rows[name][0]).String())
		}
		switch {
		case column == by:
		case same:
			out = append(out, series.New(first, col.Type(), column))
		case numbers:
			out = append(out, series.New(mean, series.Float, column), series.New(sd, series.Float, column+" sd"),
				series.New(n, series.Int, column+" n"))
		}
	}
	return dataframe.New(out...)
}

// replicates describes the noise of a column of Means as a line of a problem file, with the pooled
// standard deviation and its degrees of freedom. If there are no replicates, or if replicates never
// differ, it returns "".
func (q Query) replicates(column string) string {
	df := Must(frame.ParseCSV(bytes.NewReader(q.csv), "table"))
	if !slices.Contains(df.Names(), column+" sd") || !slices.Contains(df.Names(), column+" n") {
		return ""
	}
	squares, free := 0., 0.
	for i, n := range df.Col(column + " n").Float() {
		if sd := df.Col(column + " sd").Elem(i).Float(); n > 1 {
			squares, free = squares+(n-1)*sd*sd, free+n-1
		}
	}
	if free == 0 || squares == 0 {
		return ""
	}
	return fmt.Sprintf("noise = { pilot = { sd = %.6g, df = %.0f, delta = 0.01 } } # from the replicates in the table",
		math.Sqrt(squares/free), free)
}
