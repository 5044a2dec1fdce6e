package study

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// A Drawing can be written to a file whose name's ending gives its format.
type Drawing interface {
	WriteFile(path string) error
}

// A Figure is a drawing with its place in a report.
type Figure struct {
	Name    string // of its file, without ending
	Caption string
	Drawing Drawing
}

// Figures returns the figures of a report; none without rows.
func (r *Results) Figures() ([]Figure, error) {
	e := r.Experiment
	switch {
	case len(r.Rows) == 0:
		return nil, nil
	case e.Figures != nil:
		return e.Figures(r)
	case len(e.Sizes) == 1 && e.Names == nil:
		return nil, nil
	}
	f, err := r.Figure()
	if err != nil {
		return nil, fmt.Errorf("%s: figure: %w", e.Name, err)
	}
	medians := Figure{Name: e.ShortName(), Drawing: f, Caption: e.caption("pulls until stopping")}
	if !e.Means || e.Budget != nil || e.Names != nil {
		return []Figure{medians}, nil
	}
	if f, err = r.MeanFigure(); err != nil {
		return nil, fmt.Errorf("%s: figure of means: %w", e.Name, err)
	}
	medians.Name, medians.Caption = e.ShortName()+"-medians",
		e.caption("median pulls until stopping")
	means := Figure{Name: e.ShortName(), Drawing: f,
		Caption: e.caption("mean pulls until stopping, with standard errors,")}
	return []Figure{means, medians}, nil
}

// caption says what a figure shows.
func (e Experiment) caption(pulls string) string {
	caption := e.Title
	switch {
	case e.Deltas != nil:
		caption += ": " + strings.TrimSuffix(pulls, ",")
	case e.Delta > 0:
		caption += fmt.Sprintf(": %s at delta = %v", pulls, e.Delta)
	}
	return caption + " (paper: " + e.Where() + ")."
}

// Figure shows the experiment as its size grows: medians of the numbers of pulls with their
// intervals, and the bounds; or error rates, if methods have a budget. Of an experiment with Names
// it shows the Distribution.
func (r *Results) Figure() (*fig.Figure, error) {
	e := r.Experiment
	if e.Names != nil {
		return r.Distribution()
	}
	if e.Budget != nil {
		panel := r.sweep(func(size int, rows []mc.Row) (fig.SweepPoint, bool) {
			return ErrorPoint(size, rows), true
		})
		return ErrorSweep(panel, "Error probability with a fixed budget", e.Palette)
	}
	return r.pulls("Sample complexity", "", func(size int, rows []mc.Row) (fig.SweepPoint, bool) {
		return fig.MedianPoint(float64(size), Pulls(rows), Confidence), true
	})
}

// ErrorPoint is the share of wrong answers of rows, with its interval, for an ErrorSweep.
func ErrorPoint(size int, rows []mc.Row) fig.SweepPoint {
	s := ErrorRate(rows)
	return fig.SweepPoint{X: float64(size), Center: 100 * s.Center, Lo: 100 * s.Lo, Hi: 100 * s.Hi}
}

// ErrorSweep draws shares of wrong answers against the size: see ErrorPoint.
func ErrorSweep(panel fig.SweepPanel, title string, looks fig.Palette) (*fig.Figure, error) {
	return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{
		Palette: looks, Title: title, YLabel: "wrong answers (%)", LinearY: true,
		Interval: "Markers and bars: share of wrong answers with its 95 % interval (Clopper and " +
			"Pearson).",
	})
}

// MeanFigure is Figure with means of the numbers of pulls, less and plus their standard errors.
func (r *Results) MeanFigure() (*fig.Figure, error) {
	return r.pulls("Mean sample complexity",
		"Markers and bars: mean, less and plus its standard error.",
		func(size int, rows []mc.Row) (fig.SweepPoint, bool) {
			return fig.MeanPoint(float64(size), Pulls(rows)), true
		})
}

// pulls shows how numbers of pulls, and bounds, change with the size.
func (r *Results) pulls(
	title, interval string, point func(size int, rows []mc.Row) (fig.SweepPoint, bool),
) (*fig.Figure, error) {
	e := r.Experiment
	panel := r.sweep(point)
	for _, b := range e.Bounds {
		s := fig.SweepSeries{Name: b.Name}
		for _, size := range e.Sizes {
			if rows := r.Bound(size, b.Name); len(rows) > 0 {
				p, _ := point(size, rows)
				s.Points = append(s.Points, p)
			}
		}
		if s.Points != nil {
			panel.References = append(panel.References, s)
		}
	}
	if e.Deltas == nil {
		title += fmt.Sprintf(" at delta = %v", e.Delta)
	}
	return fig.Sweep([]fig.SweepPanel{panel},
		&fig.SweepOptions{Title: title, Palette: e.Palette, Interval: interval})
}

// MeasureFigure shows how the mean of a measure changes with the size.
func (r *Results) MeasureFigure(name string) (*fig.Figure, error) {
	panel := r.sweep(func(size int, rows []mc.Row) (fig.SweepPoint, bool) {
		x := Measured(rows, name)
		if len(x) == 0 {
			return fig.SweepPoint{}, false
		}
		return fig.MeanPoint(float64(size), x), true
	})
	return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{
		Title: name, YLabel: name, LinearY: true, Palette: r.Experiment.Palette,
		Interval: "Markers and bars: mean, less and plus its standard error.",
	})
}

// sweep returns a line for each method, with a point of its rows at each size.
func (r *Results) sweep(point func(size int, rows []mc.Row) (fig.SweepPoint, bool)) fig.SweepPanel {
	e := r.Experiment
	panel := fig.SweepPanel{Title: e.Title, XLabel: e.Axis,
		LogX: e.Sizes[len(e.Sizes)-1] >= 20*e.Sizes[0]}
	for _, m := range e.Methods {
		if m.TableOnly {
			continue
		}
		s := fig.SweepSeries{Name: e.legend(m)}
		for _, size := range e.Sizes {
			if rows := r.Cell(size, m.Name, m.Constants); len(rows) > 0 {
				if p, ok := point(size, rows); ok {
					s.Points = append(s.Points, p)
				}
			}
		}
		if s.Points != nil {
			panel.Series = append(panel.Series, s)
		}
	}
	return panel
}
