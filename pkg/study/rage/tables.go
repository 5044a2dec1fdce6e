package rage

import (
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Study is the reproduction.
var Study = study.Study{
	Name:    "rage",
	Title:   "Transductive linear bandits",
	Paper:   "Fiez, Jain, Jamieson and Ratliff, \"Sequential Experimental Design for Transductive Linear Bandits\", section 5",
	Reps:    Reps,
	Grid:    Grid,
	Tables:  Tables,
	Figures: Figures,
	Claims:  Claims,
}

// Tables returns, for each experiment that there are rows of, the sample
// complexities and the bounds.
func Tables(rows []mc.Row) ([]*tidy.Table, error) {
	var ts []*tidy.Table
	for _, e := range Experiments() {
		own := e.pooled(rows)
		if len(own) == 0 {
			continue
		}
		ts = append(ts, e.Complexities(rows), e.Bounds(rows))
	}
	if b := BudgetErrors(rows); len(b.Rows) > 0 {
		ts = append(ts, b)
	}
	return ts, nil
}

// Complexities returns the numbers of pulls and of wrong answers of an
// experiment, with intervals.
func (e Experiment) Complexities(rows []mc.Row) *tidy.Table {
	var own []mc.Row
	for _, r := range e.pooled(rows) {
		if r.Constants != Bound {
			own = append(own, r)
		}
	}
	t := tidy.ComplexityTable(tidy.SampleComplexity(own, confidence))
	t.Title = e.Title + " (" + e.Paper + ")"
	return t
}
