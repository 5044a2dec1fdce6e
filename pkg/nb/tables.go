package nb

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// An Objective is a column of a table with the mean of each arm, and the noise of a measurement.
type Objective struct {
	Column string
	// Unit follows the name on axes.
	Unit string
	// Less says that less is better.
	Less bool
	// SD is the standard deviation of a measurement, Variance its square: one of them is set.
	SD, Variance float64
}

// sd returns the standard deviation.
func (o Objective) sd() (float64, error) {
	sd := o.SD
	if o.Variance != 0 && o.SD == 0 {
		sd = math.Sqrt(o.Variance)
	}
	if !(sd > 0) || math.IsInf(sd, 1) || o.SD != 0 && o.Variance != 0 {
		return 0, fmt.Errorf("nb: objective %q has SD %v and Variance %v; want one of them, above 0, the other left "+
			"out", o.Column, o.SD, o.Variance)
	}
	return sd, nil
}

// Gaussian builds an instance of Gaussian arms, one a row of df: the column arm has their names, and each
// objective its means and its own noise, independent of the others. An objective that is left out
// takes its noise along. The objectives name the instance.
//
//	nb.Pareto(nb.Gaussian(table, "design",
//		nb.Objective{Column: "speed", Unit: "GHz", SD: 0.5}, nb.Objective{Column: "cost", Less: true, SD: 20}))
//
// Figures show the objectives as the table has them. Where less is better rewards are negated: a
// cost of at most 100 is AtLeast -100.
func Gaussian(df Frame, arm string, objectives ...Objective) *bandit.Instance {
	c := dataset.Columns{Arm: arm}
	cov := mat.NewSymDense(max(1, len(objectives)), nil)
	for j, o := range objectives {
		sd := Must(o.sd())
		cov.SetSym(j, j, sd*sd)
		c.Objectives = append(c.Objectives, o.Column)
		if o.Less {
			c.Minimise = append(c.Minimise, o.Column)
		}
	}
	inst := Must(dataset.Gaussian(nameOf(c.Objectives), df, c, cov))
	inst.Axes = nil
	for j, o := range objectives {
		inst.Problem.Sigmas = append(inst.Problem.Sigmas, math.Sqrt(cov.At(j, j)))
		a := bandit.Axis{Label: o.Column, PerReward: 1}
		if o.Unit != "" {
			a.Label += " [" + o.Unit + "]"
		}
		if o.Less {
			a.PerReward = -1
		}
		inst.Axes = append(inst.Axes, a)
	}
	inst.Notes = append(inst.Notes, taken(df, append([]string{arm}, c.Objectives...)))
	return inst
}

// taken says which columns of df an instance was made of, and which not.
func taken(df Frame, columns []string) string {
	var other []string
	for _, n := range df.Names() {
		if !slices.Contains(columns, n) {
			other = append(other, n)
		}
	}
	text := fmt.Sprintf("made of all %d rows and the columns %s", df.Nrow(), strings.Join(columns, ", "))
	if other != nil {
		text += "; not used: " + strings.Join(other, ", ")
	}
	return text
}

// Complete returns the rows of df in which none of the columns, or of all if none are named, is empty, and
// says which rows it leaves out and why.
func Complete(df Frame, columns ...string) Frame {
	rows, text, err := complete(df, columns)
	Fail(err)
	Markdown("%s", text)
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
			return df, "", fmt.Errorf("nb: no column %q; there are %q", c, df.Names())
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
		return df, "", fmt.Errorf("nb: none of %d rows has all of %q", df.Nrow(), columns)
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

// ShowParts shows what each part of a model of Free and Wilson loses to the best one at its place, beside what a
// combination may lose in all, and which parts are in the answer of r: a run on the instance of f.
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
	// Combinations are counted with the last place first.
	for _, item := range r.Answer.Items {
		if item >= combinations {
			return nil, errors.New("nb: ShowParts: the result is not one of the model's instance")
		}
		for i := len(sites) - 1; i >= 0; i-- {
			n := len(sites[i].Contributions)
			in[i][item%n] = true
			item /= n
		}
	}
	t := &tidy.Table{
		Title: fmt.Sprintf("%d of %d combinations are good enough: what their parts lose adds up to at most %.3g",
			len(r.Answer.Items), combinations, best-inst.Problem.Question.(question.AllEpsilonBest).Threshold(best)),
		Columns: tidy.Columns("place", "part", "loses to the best there", "in a good one"),
	}
	for i, site := range sites {
		for j, v := range site.Contributions {
			loss := slices.Max(site.Contributions) - v
			t.Rows = append(t.Rows, []any{site.Name, site.Substituents[j], loss, in[i][j]})
		}
	}
	return t, nil
}
