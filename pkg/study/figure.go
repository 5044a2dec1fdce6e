package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// Drawing is an image that can be written to a file in the format of the file's extension.
type Drawing interface {
	// WriteFile writes the image to the file at path.
	WriteFile(path string) error
}

// Figure is a drawing with the name of its file.
type Figure struct {
	Name    string // name of the file without extension
	Drawing Drawing
}

// Figures returns the figures of a report, or no figures if there are no rows.
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
	return []Figure{{Name: e.ShortName(), Drawing: f}}, nil
}

// Figure draws the numbers of pulls by size, and the bounds. The numbers are medians with intervals
// or, if the paper plots means, means; for an experiment with a budget, Figure draws error rates.
// Each method has one line, for its first constants; the other constants are in the result of
// Table. For an experiment with Names, Figure returns the Distribution.
func (r *Results) Figure() (*fig.Figure, error) {
	e := r.Experiment
	if e.Names != nil {
		return r.Distribution()
	}
	if e.Budget != nil {
		return fig.Sweep([]fig.SweepPanel{r.sweep(e.clear(), ErrorPoint)}, &fig.SweepOptions{
			Palette: Looks, Title: e.Title, YLabel: "wrong answers (%)", LinearY: true, Y: [2]float64{0, 1},
			Interval: "Markers and bars: share of wrong answers with its 95 % interval (Clopper and Pearson).",
		})
	}
	return r.pulls()
}

// clear returns the methods for a figure with one line per method: for each name, the first
// constants that figures show. Methods in InColour come first.
func (e Experiment) clear() []Method {
	var ms, grey []Method
	seen := map[string]bool{}
	for _, m := range e.Methods {
		switch {
		case m.TableOnly || seen[m.Name]:
			continue
		case e.InColour == nil || slices.Contains(e.InColour, m.Name):
			ms = append(ms, m)
		default:
			grey = append(grey, m)
		}
		seen[m.Name] = true
	}
	return append(ms, grey...)
}

// forms returns those methods with the given name that figures show.
func (e Experiment) forms(name string) (ms []Method) {
	for _, m := range e.Methods {
		if m.Name == name && !m.TableOnly {
			ms = append(ms, m)
		}
	}
	return ms
}

// ErrorPoint returns the error rate of rows, with its interval, as a point of a sweep.
func ErrorPoint(size int, rows []mc.Row) fig.SweepPoint {
	s := ErrorRate(rows)
	return fig.SweepPoint{X: float64(size), Center: 100 * s.Center, Lo: 100 * s.Lo, Hi: 100 * s.Hi}
}

// pulls draws the numbers of pulls and the bounds by size.
func (r *Results) pulls() (*fig.Figure, error) {
	e := r.Experiment
	o := &fig.SweepOptions{Title: e.Title, Palette: Looks, YLabel: "median pulls until stopping"}
	point := func(size int, rows []mc.Row) fig.SweepPoint {
		return fig.MedianPoint(float64(size), Pulls(rows), Confidence)
	}
	if e.Means {
		o.YLabel = "mean pulls until stopping"
		o.Interval = "Markers and bars: mean plus and minus one standard error."
		point = func(size int, rows []mc.Row) fig.SweepPoint {
			return fig.MeanPoint(float64(size), Pulls(rows))
		}
	}
	if e.Deltas == nil {
		o.YLabel += fmt.Sprintf(", delta = %v", e.Delta)
	}
	panel := r.sweep(e.clear(), point)
	for _, b := range e.Bounds {
		s := fig.SweepSeries{Name: b.Name}
		for _, size := range e.Sizes {
			if rows := r.Bound(size, b.Name); len(rows) > 0 {
				s.Points = append(s.Points, point(size, rows))
			}
		}
		if s.Points != nil {
			panel.References = append(panel.References, s)
		}
	}
	f, err := fig.Sweep([]fig.SweepPanel{panel}, o)
	if said := e.constants(e.clear()); err == nil && said != "" {
		height := f.Extra()
		f.Notes = append(f.Notes, said)
		f.Height += f.Extra() - height
	}
	return f, err
}

// constants describes which constants a figure shows for the methods that have several.
func (e Experiment) constants(ms []Method) string {
	var all []string
	of := map[string][]string{}
	for _, m := range ms {
		if len(e.forms(m.Name)) > 1 {
			if of[m.Constants] == nil {
				all = append(all, m.Constants)
			}
			of[m.Constants] = append(of[m.Constants], m.Name)
		}
	}
	for i, c := range all {
		if all[i] = fmt.Sprintf("%q", c); len(all) > 1 {
			all[i] += " of " + strings.Join(of[c], ", ")
		}
	}
	if all == nil {
		return ""
	}
	return "Constants: " + strings.Join(all, "; ") + "."
}

// sweep returns the lines of a sweep: one line for each method, with a point for each size. Lines
// are named after methods; if several lines would have the same name, the constants are appended to
// the name.
func (r *Results) sweep(
	ms []Method, point func(size int, rows []mc.Row) fig.SweepPoint,
) fig.SweepPanel {
	e := r.Experiment
	panel := fig.SweepPanel{XLabel: e.Axis, LogX: e.Sizes[len(e.Sizes)-1] >= 20*e.Sizes[0]}
	e.Methods = ms
	for _, m := range ms {
		s := fig.SweepSeries{Name: e.legend(m), Grey: e.InColour != nil && !slices.Contains(e.InColour, m.Name)}
		for _, size := range e.Sizes {
			if rows := r.Cell(size, m.Name, m.Constants); len(rows) > 0 {
				s.Points = append(s.Points, point(size, rows))
			}
		}
		if s.Points != nil {
			panel.Series = append(panel.Series, s)
		}
	}
	return panel
}
