package linfact

import (
	"slices"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// view is the subset of an experiment's sizes that one panel of a figure shows.
type view struct {
	title, label string
	sizes        []int
	x            func(size int) float64
}

// identity returns a size as its x coordinate, for sizes that are themselves numbers.
func identity(size int) float64 { return float64(size) }

// panels draws one panel for each view, with a line for each method. The function summary converts
// the rows at a size to a point. If bounds is true, the panels also show the bounds.
func panels(r *study.Results, methods []study.Method, views []view, bounds bool,
	summary func(x float64, rows []mc.Row) (fig.SweepPoint, bool)) []fig.SweepPanel {
	var ps []fig.SweepPanel
	for _, v := range views {
		p := fig.SweepPanel{Title: v.title, XLabel: v.label}
		line := func(name string, cell func(size int) []mc.Row) fig.SweepSeries {
			s := fig.SweepSeries{Name: name}
			for _, size := range v.sizes {
				if rows := cell(size); len(rows) > 0 {
					if q, ok := summary(v.x(size), rows); ok {
						s.Points = append(s.Points, q)
					}
				}
			}
			return s
		}
		for _, m := range methods {
			cell := func(size int) []mc.Row { return r.Cell(size, m.Name, m.Constants) }
			if s := line(shown(m.Name, m.Constants), cell); !m.TableOnly && s.Points != nil {
				s.Grey = r.Experiment.InColour != nil && !slices.Contains(r.Experiment.InColour, m.Name)
				p.Series = append(p.Series, s)
			}
		}
		for _, b := range r.Experiment.Bounds {
			cell := func(size int) []mc.Row { return r.Bound(size, b.Name) }
			if s := line(b.Name, cell); bounds && s.Points != nil {
				p.References = append(p.References, s)
			}
		}
		if p.Series != nil {
			ps = append(ps, p)
		}
	}
	return ps
}

// proven returns the methods that figures show, which are all methods except those with printed
// constants.
func proven(r *study.Results) (ms []study.Method) {
	for _, m := range r.Experiment.Methods {
		if m.Constants != Printed {
			ms = append(ms, m)
		}
	}
	return ms
}

// pulls converts rows to a point: the median number of pulls.
func pulls(x float64, rows []mc.Row) (fig.SweepPoint, bool) {
	return fig.MedianPoint(x, study.Pulls(rows), study.Confidence), true
}

// mean returns a function that converts rows to a point: the mean of a measure.
func mean(measure string) func(x float64, rows []mc.Row) (fig.SweepPoint, bool) {
	return func(x float64, rows []mc.Row) (fig.SweepPoint, bool) {
		v := study.Measured(rows, measure)
		if len(v) == 0 {
			return fig.SweepPoint{}, false
		}
		return fig.MeanPoint(x, v), true
	}
}

// means returns one panel for the mean of each measure.
func means(r *study.Results, methods []study.Method, view []view, measures ...string) (ps []fig.SweepPanel) {
	for _, m := range measures {
		for _, p := range panels(r, methods, view, false, mean(m)) {
			p.Title = m
			ps = append(ps, p)
		}
	}
	return ps
}

const meanBars = "Markers and bars: mean plus and minus one standard error."

// drawn makes a figure of panels. If there are no panels, drawn returns no figure.
func drawn(name string, ps []fig.SweepPanel, o fig.SweepOptions) ([]study.Figure, error) {
	if len(ps) == 0 {
		return nil, nil
	}
	o.Palette = study.Looks
	f, err := fig.Sweep(ps, &o)
	return []study.Figure{{Name: name, Drawing: f}}, err
}

// regionFigures draws the numbers of pulls in each decision region.
func regionFigures(r *study.Results) ([]study.Figure, error) {
	view := []view{{"", "decision region M1 to M7", r.Experiment.Sizes,
		func(size int) float64 { return float64(size + 1) }}}
	return drawn("decision-regions-pulls", panels(r, own, view, true, pulls),
		fig.SweepOptions{Title: "Sample complexity at delta = 0.05"})
}
