package fig

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A SweepSeries is a line of a sweep: a method, or a reference.
type SweepSeries struct {
	Name   string
	Points []SweepPoint // in any order
}

// A SweepPanel is one sweep.
type SweepPanel struct {
	Title  string
	XLabel string // with its unit, if it has one
	LogX   bool
	Series []SweepSeries
	// References are drawn as dashed lines without markers: bounds.
	References []SweepSeries
}

// SweepOptions are the settings of [Sweep]. The zero value works.
type SweepOptions struct {
	Title string
	// YLabel is the label of the y axis, above it. Empty means "pulls until stopping".
	YLabel string
	// Interval says what points and bars are. Empty means "Markers and bars:
	// median with its 95 % confidence interval."
	Interval string
	// LinearY draws the y axis on a linear scale.
	LinearY bool
	// Palette gives methods their looks, the same in all figures that share it. Nil
	// means the order of first appearance.
	Palette Palette
	// OwnY gives each panel limits of its own. By default those of a row agree.
	OwnY bool
	// Columns is the number of panels in a row. Zero means 2, or 1 if there is
	// one panel.
	Columns int
	// Width and Height are the size of the figure. Zero means 675 points, and
	// 290 points a row of panels.
	Width, Height vg.Length
}

// Sweep draws how the number of pulls grows with a problem: one panel for each
// sweep, one line for each method with a marker and an interval at each size, on
// a logarithmic y axis. Names stand at the ends of the lines if there is one
// column, else in a legend. A nil o means the zero value.
//
// It is Figure 1 of the RAGE paper (Fiez et al., 2019).
func Sweep(panels []SweepPanel, o *SweepOptions) (*Figure, error) {
	if o == nil {
		o = &SweepOptions{}
	}
	if len(panels) == 0 {
		return nil, fmt.Errorf("fig: there are no panels to draw")
	}
	for _, p := range panels {
		if err := p.check(!o.LinearY); err != nil {
			return nil, err
		}
	}
	palette := o.Palette
	for _, p := range panels {
		for _, s := range p.Series {
			palette = palette.With(s.Name)
		}
	}
	cols := o.Columns
	if cols <= 0 {
		cols = min(2, len(panels))
	}
	ylabel := o.YLabel
	if ylabel == "" {
		ylabel = "pulls until stopping"
	}
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height}
	note := o.Interval
	if note == "" {
		note = "Markers and bars: median with its 95 % confidence interval."
	}
	barless, refs := false, false
	var words []string
	for from := 0; from < len(panels); from += cols {
		group := panels[from:min(from+cols, len(panels))]
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range group {
			a, b := s.limits(!o.LinearY)
			lo, hi = min(lo, a), max(hi, b)
		}
		row := make([]*plot.Plot, cols)
		for k, s := range group {
			if o.OwnY {
				lo, hi = s.limits(!o.LinearY)
			}
			p := canvas.Panel(s.XLabel, "")
			canvas.Span(&p.Y, lo, hi, !o.LinearY, .04)
			s.draw(p, palette, cols == 1)
			p.Add(canvas.TopLabel{Title: canvas.Pretty(s.Title), Axis: ylabel})
			row[k] = p
			words = append(words, s.words(ylabel))
			barless = barless || s.barless()
			refs = refs || len(s.References) > 0
		}
		f.Panels = append(f.Panels, row)
	}
	if cols > 1 {
		f.Legend = sweepLegend(panels, palette)
	}
	if barless {
		note += " No bar: too few runs for an interval."
	}
	if refs {
		note += " Dashed lines without markers: bounds."
	}
	f.Notes = []string{note}
	f.Description = strings.Join(words, " ")
	f.Fit(290 * vg.Length(len(f.Panels)))
	return f, nil
}
