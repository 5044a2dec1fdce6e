package gege

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// confidence of all intervals.
const confidence = 0.95

// Study is the reproduction.
var Study = study.Study{
	Name:    "gege",
	Title:   "Pareto sets in linear models",
	Paper:   "Kone, Kaufmann and Richert, \"Bandit Pareto Set Identification in a Multi-Output Linear Model\", section 5 and appendix I.2",
	Reps:    Reps,
	Grid:    Grid,
	Tables:  Tables,
	Figures: Figures,
	Claims:  Claims,
}

// of returns the rows of the experiment.
func (e Experiment) of(rows []mc.Row) []mc.Row {
	var own []mc.Row
	for _, r := range rows {
		if strings.HasPrefix(r.Instance, e.Name+" ") {
			own = append(own, r)
		}
	}
	return own
}

// cell returns the rows of a method at a size.
func (e Experiment) cell(rows []mc.Row, method, constants string, size int) []mc.Row {
	var c []mc.Row
	for _, r := range rows {
		if r.Instance == e.label(size) && r.Method == method && r.Constants == constants {
			c = append(c, r)
		}
	}
	return c
}

// wrong returns the error rate of rows. Runs that did not end are errors.
func wrong(rows []mc.Row) tidy.Summary { return tidy.Rate(mistakes(rows), len(rows), confidence) }

// mistakes counts the wrong answers.
func mistakes(rows []mc.Row) (n int) {
	for _, r := range rows {
		if !r.Correct || r.Status != "stopped" {
			n++
		}
	}
	return n
}

func pulls(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Pulls)
	}
	return x
}

// Tables returns, for each experiment that there are rows of, error rates or
// sample complexities; and the complexities of the instances.
func Tables(rows []mc.Row) ([]*tidy.Table, error) {
	var ts []*tidy.Table
	for _, e := range Experiments() {
		if len(e.of(rows)) > 0 {
			ts = append(ts, e.Table(rows))
		}
	}
	if len(ts) == 0 {
		return nil, nil
	}
	b, err := Bounds()
	return append(ts, b), err
}

// Table returns the error rates of an experiment with fixed budgets, and the
// sample complexities of one with a fixed confidence.
func (e Experiment) Table(rows []mc.Row) *tidy.Table {
	if e.Delta > 0 {
		t := tidy.ComplexityTable(tidy.SampleComplexity(e.of(rows), confidence))
		t.Title = e.Title + " (" + e.Paper + ")"
		return t
	}
	t := &tidy.Table{
		Title:   e.Title + " (" + e.Paper + "): wrong answers",
		Columns: []tidy.Column{{Name: e.Axis}, {Name: "budget", Unit: "pulls"}},
		Notes:   []string{"Error rates with their 95 % intervals (Clopper and Pearson). A dash: the method needs a larger budget."},
	}
	for _, m := range e.Methods {
		t.Columns = append(t.Columns, tidy.Column{Name: m, Unit: "%"})
	}
	for _, size := range e.Sizes {
		row, found := []any{size, e.budget(size)}, false
		for _, m := range e.Methods {
			c := e.cell(rows, m, "", size)
			if len(c) == 0 {
				row = append(row, "-")
				continue
			}
			found = true
			s := wrong(c)
			row = append(row, fmt.Sprintf("%.1f [%.1f, %.1f]", 100*s.Center, 100*s.Lo, 100*s.Hi))
		}
		if found {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// Bounds returns the complexities of the instances. Those whose table is not
// found, see dataset.Folder, are left out, and a note says so.
func Bounds() (*tidy.Table, error) { return bounds(Experiments()) }

func bounds(es []Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Complexity of the instances",
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "arms"}, {Name: "rank"}, {Name: "optimal"}, {Name: "smallest gap"}, {Name: "H1"}, {Name: "H2"}, {Name: "H1lin"}, {Name: "H2lin"}, {Name: "T*", Unit: "pulls"},
		},
		Notes: []string{"In units of 1/reward^2: pulls are of order sigma^2 times these, up to logarithms. H1 and H2 are what methods without the linear model pay, H1lin and H2lin what GEGE pays.",
			"T*: a method that does not know the features and is right with probability 1 - delta needs T* log(1/(2.4 delta)) pulls on average; certified to 1 %."},
	}
	for _, e := range es {
		sizes := e.Sizes[:1]
		if e.Name == SyntheticBudget {
			sizes = e.Sizes
		}
		if e.Name == SyntheticConfidence || e.Delta > 0 {
			continue
		}
		for _, size := range sizes {
			inst, err := e.Instance(size)
			if err != nil {
				t.Notes = append(t.Notes, fmt.Sprintf("Without %s: %v.", e.Title, err))
				continue
			}
			row, err := complexityRow(inst)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// Figures returns the figures of a report.
func Figures(rows []mc.Row) ([]study.Figure, error) {
	var fs []study.Figure
	for _, e := range Experiments() {
		if len(e.of(rows)) == 0 || len(e.Sizes) == 1 {
			continue
		}
		f, err := e.Figure(rows)
		if err != nil {
			return fs, fmt.Errorf("gege: figure of %s: %w", e.Name, err)
		}
		fs = append(fs, study.Figure{Name: e.Name, Drawing: f, Caption: e.Title + " (paper: " + e.Paper + ")."})
	}
	return fs, nil
}

// Figure shows error rates with fixed budgets, and medians of the numbers of
// pulls with a fixed confidence, with their intervals.
func (e Experiment) Figure(rows []mc.Row) (*fig.Figure, error) {
	panel := fig.SweepPanel{Title: e.Title, XLabel: e.Axis, LogX: true}
	for _, m := range e.Methods {
		for _, c := range e.constants(m) {
			s := fig.SweepSeries{Name: m}
			if len(e.constants(m)) > 1 {
				s.Name += " (" + c + ")"
			}
			for _, size := range e.Sizes {
				own := e.cell(rows, m, c, size)
				switch {
				case len(own) == 0:
				case e.Delta > 0:
					s.Points = append(s.Points, fig.MedianPoint(float64(size), pulls(own), confidence))
				default:
					w := wrong(own)
					s.Points = append(s.Points, fig.SweepPoint{X: float64(size), Center: 100 * w.Center, Lo: 100 * w.Lo, Hi: 100 * w.Hi})
				}
			}
			if s.Points != nil {
				panel.Series = append(panel.Series, s)
			}
		}
	}
	if e.Delta > 0 {
		bound := fig.SweepSeries{Name: "lower bound without features"}
		for _, size := range e.Sizes {
			inst, err := e.Instance(size)
			if err != nil {
				return nil, err
			}
			t, err := characteristicTime(inst)
			if err != nil {
				return nil, err
			}
			if b := t.LowerBound(e.Delta); !math.IsInf(b, 0) {
				bound.Points = append(bound.Points, fig.SweepPoint{X: float64(size), Center: b, Lo: b, Hi: b})
			}
		}
		panel.References = append(panel.References, bound)
		return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{Title: fmt.Sprintf("Sample complexity at delta = %v", e.Delta)})
	}
	return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{
		Title: "Error probability with a fixed budget", YLabel: "wrong answers (%)", LinearY: true,
		Interval: "Markers and bars: share of wrong answers with its 95 % interval (Clopper and Pearson).",
	})
}
