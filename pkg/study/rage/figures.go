package rage

import (
	"fmt"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Figures returns the figures of a report, one for each experiment that there
// are rows of, and what an optimal design looks like.
func Figures(rows []mc.Row) ([]study.Figure, error) {
	var fs []study.Figure
	for _, e := range Experiments() {
		if len(e.pooled(rows)) == 0 || len(e.Sizes) == 1 {
			continue
		}
		f, err := e.Figure(rows)
		if err != nil {
			return fs, fmt.Errorf("rage: figure of %s: %w", e.Name, err)
		}
		fs = append(fs, study.Figure{Name: e.Name, Drawing: f,
			Caption: fmt.Sprintf("%s: pulls until stopping at delta = %v (paper: %s).", e.Title, Delta, e.Paper)})
	}
	return fs, nil
}

// palette gives methods the same looks in all figures of the paper.
func palette() fig.Palette {
	var p fig.Palette
	for _, e := range Experiments() {
		p = p.With(e.Methods...)
	}
	return p
}

// Figure shows how the number of pulls grows, as the paper's Fig. 1 and 2 do:
// medians with their intervals, the lower bound, and what RAGE's schedule allows.
// An experiment of one size has none; see Complexities.
func (e Experiment) Figure(rows []mc.Row) (*fig.Figure, error) {
	own := e.pooled(rows)
	panel := fig.SweepPanel{Title: e.Title, XLabel: e.Axis, LogX: e.Sizes[len(e.Sizes)-1] >= 20*e.Sizes[0]}
	for _, m := range e.Methods {
		s := fig.SweepSeries{Name: m}
		for _, size := range e.Sizes {
			if c := cell(e, own, m, size); len(c) > 0 {
				s.Points = append(s.Points, fig.MedianPoint(float64(size), pulls(c), confidence))
			}
		}
		if s.Points != nil {
			panel.Series = append(panel.Series, s)
		}
	}
	for _, name := range []string{LowerBound, ScheduleName} {
		s := fig.SweepSeries{Name: name}
		for _, size := range e.Sizes {
			if c := e.bounds(own, name, size); len(c) > 0 {
				s.Points = append(s.Points, fig.MedianPoint(float64(size), pulls(c), confidence))
			}
		}
		if s.Points != nil {
			panel.References = append(panel.References, s)
		}
	}
	return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{
		Title: fmt.Sprintf("Sample complexity at delta = %v", Delta), Palette: palette(),
	})
}
