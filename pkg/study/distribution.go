package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// For each instance, Distribution draws the numbers of pulls of all runs, and finite bounds as
// dashed lines. For experiments with Names, the figure of Distribution replaces the sweep over
// sizes. Distribution shows the given constants or, if none are given, all constants that figures
// show.
func (r *Results) Distribution(constants ...string) (*fig.Figure, error) {
	e := r.Experiment
	o := &fig.RowOptions{
		Title:   fmt.Sprintf("%s: sample complexity at delta = %v", e.Title, e.Delta),
		Palette: Looks,
	}
	for _, size := range e.Sizes {
		o.References = append(o.References, r.references(size)...)
	}
	return fig.SampleComplexity(r.lanes(o, constants), o)
}

// references returns the finite bounds at a size. If the line of a bound would nearly coincide with
// the line of an earlier bound, references omits the later bound.
func (r *Results) references(size int) []fig.Reference {
	const near = .05
	var refs []fig.Reference
	for _, b := range r.Experiment.Bounds {
		rows := r.Bound(size, b.Name)
		if len(rows) == 0 {
			continue
		}
		n := MedianPulls(rows).Center
		beside := func(f fig.Reference) bool { return math.Abs(f.Pulls-n) <= near*n }
		if !slices.ContainsFunc(refs, beside) {
			refs = append(refs, fig.Reference{Instance: rows[0].Instance, Name: b.Name, Pulls: n})
		}
	}
	return refs
}

// lanes returns the rows of methods with the given constants, sorted by constants, and stores the
// order of methods in o. If not every method has all constants, the names of methods include the
// constants, because a panel for each of the constants would be nearly empty.
func (r *Results) lanes(o *fig.RowOptions, constants []string) []mc.Row {
	e := r.Experiment
	var own []string // constants of the methods that the figure shows
	count := map[string]int{}
	methods := 0
	for _, m := range e.Methods {
		if !slices.Contains(constants, m.Constants) && (len(constants) > 0 || m.TableOnly) {
			continue
		}
		methods++
		if count[m.Name]++; count[m.Name] == 1 {
			o.Methods = append(o.Methods, m.Name)
		}
		if !slices.Contains(own, m.Constants) {
			own = append(own, m.Constants)
		}
	}
	var rows []mc.Row
	for _, c := range own {
		for _, row := range r.Rows {
			if row.Constants == c && count[row.Method] > 0 {
				rows = append(rows, row)
			}
		}
	}
	if methods == len(o.Methods)*len(own) {
		return rows
	}
	o.Methods = nil
	for i := range rows {
		rows[i].Method, rows[i].Constants = Labelled(rows[i].Method, rows[i].Constants), ""
	}
	return rows
}

// Labelled returns the name of a method followed by its constants, if it has constants.
func Labelled(method, constants string) string {
	if constants == "" {
		return method
	}
	return method + " (" + constants + ")"
}
