package fig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// A CurveSeries is one method over the course of its runs.
type CurveSeries struct {
	Name string
	// X are the places where the runs were observed, such as numbers of pulls, in
	// ascending order.
	X []float64
	// Runs holds one run a row, R x len(X): its value at each place.
	Runs [][]float64
}

// CurveOptions are the settings of [Curves]. The zero value works.
type CurveOptions struct {
	Title string
	// XLabel and YLabel are the labels of the axes. Empty means "pulls" and
	// "cumulative regret".
	XLabel, YLabel string
	// Mean draws the mean of the runs instead of their median.
	Mean bool
	// LogX and LogY draw an axis on a logarithmic scale.
	LogX, LogY bool
	// Palette gives methods their looks, the same in all figures that share it. Nil
	// means the order of the series.
	Palette Palette
}

// share of the runs that a band contains at each place.
const share = .8

// curve is a series as it is drawn.
type curve struct {
	method, name      string
	look              Look
	center, low, high plotter.XYs
	runs              int
}

// Curves draws how a number grows over the course of runs, such as the cumulative
// regret over pulls: the median or the mean of each method as a line, with its name at the end, and a band
// between two quantiles of the runs at each place (see stat.Quantile, with
// linear interpolation). The band is where runs are; it is no confidence interval
// of the line. A nil o means the zero value.
func Curves(series []CurveSeries, o *CurveOptions) (*Figure, error) {
	set := CurveOptions{}
	if o != nil {
		set = *o
	}
	set.XLabel = cmp.Or(set.XLabel, "pulls")
	set.YLabel = cmp.Or(set.YLabel, "cumulative regret")
	if len(series) == 0 {
		return nil, fmt.Errorf("fig: there are no curves to draw")
	}
	var cs []curve
	for _, s := range series {
		if err := s.check(&set); err != nil {
			return nil, err
		}
		set.Palette = set.Palette.With(s.Name)
		cs = append(cs, s.summarise(&set))
	}
	f := &Figure{
		Title: set.Title, Width: canvas.ColumnWidth,
		Panels: []*plot.Plot{curvePanel(cs, &set)},
	}
	center := "median"
	if set.Mean {
		center = "mean"
	}
	var words []string
	for _, c := range cs {
		n := len(c.center) - 1
		words = append(words, fmt.Sprintf("%s: %s %s at %s, %.3g %% of %s between %s and %s",
			c.name, center, tidy.Number(c.center[n].Y), tidy.Number(c.center[n].X), 100*share,
			plural(c.runs, "run"), tidy.Number(c.low[n].Y), tidy.Number(c.high[n].Y)))
	}
	f.Notes = []string{fmt.Sprintf(
		"Lines: %s of the runs. Bands: the middle %.3g %% of the runs at each place.",
		center, 100*share)}
	f.Description = fmt.Sprintf("%s against %s. %s.", set.YLabel, set.XLabel,
		strings.Join(words, "; "))
	f.Fit(max(200, curveNames(cs, set.Palette).height()+axisRoom))
	return f, nil
}

// plural counts things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return tidy.Int(n) + " " + thing + "s"
}

// check reports the first thing that cannot be drawn.
func (s *CurveSeries) check(o *CurveOptions) error {
	if len(s.X) == 0 || len(s.Runs) == 0 {
		return fmt.Errorf("fig: curve %q has %d places and %d runs; want at least one of each",
			s.Name, len(s.X), len(s.Runs))
	}
	for i, x := range s.X {
		switch {
		case !canvas.Finite(x) || i > 0 && x <= s.X[i-1]:
			return fmt.Errorf("fig: curve %q: X[%d] is %v; want finite numbers that increase",
				s.Name, i, x)
		case o.LogX && x <= 0:
			return fmt.Errorf("fig: curve %q: X[%d] is %v on a logarithmic axis; "+
				"want positive numbers, or unset LogX", s.Name, i, x)
		}
	}
	for r, run := range s.Runs {
		if len(run) != len(s.X) {
			return fmt.Errorf("fig: curve %q: run %d has %d values; want one for each of %d places",
				s.Name, r, len(run), len(s.X))
		}
		for i, y := range run {
			switch {
			case !canvas.Finite(y):
				return fmt.Errorf("fig: curve %q: run %d is %v at %v; want finite numbers",
					s.Name, r, y, s.X[i])
			case o.LogY && y <= 0:
				return fmt.Errorf("fig: curve %q: run %d is %v at %v on a logarithmic axis; "+
					"want positive numbers, or unset LogY", s.Name, r, y, s.X[i])
			}
		}
	}
	return nil
}

// summarise returns the line and the ends of the band.
func (s *CurveSeries) summarise(o *CurveOptions) curve {
	c := curve{method: s.Name, name: canvas.Pretty(s.Name), look: o.Palette.Look(s.Name), runs: len(s.Runs)}
	column := make([]float64, len(s.Runs))
	for i, x := range s.X {
		for r, run := range s.Runs {
			column[r] = run[i]
		}
		slices.Sort(column)
		at := func(u float64) plotter.XY {
			return plotter.XY{X: x, Y: stat.Quantile(u, stat.LinInterp, column, nil)}
		}
		center := plotter.XY{X: x, Y: tidy.Median(column, .95).Center}
		if o.Mean {
			center.Y = stat.Mean(column, nil)
		}
		c.center = append(c.center, center)
		c.low = append(c.low, at((1-share)/2))
		c.high = append(c.high, at((1+share)/2))
	}
	return c
}

// curvePanel draws bands, and lines above all of them.
func curvePanel(cs []curve, o *CurveOptions) *plot.Plot {
	p := canvas.Panel(o.XLabel, "")
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range cs {
		x0, x1 = min(x0, c.center[0].X), max(x1, c.center[len(c.center)-1].X)
		for i, q := range c.center { // a mean may be outside of the band
			y0, y1 = min(y0, c.low[i].Y, q.Y), max(y1, c.high[i].Y, q.Y)
		}
	}
	canvas.Span(&p.X, x0, x1, o.LogX, .02)
	canvas.Span(&p.Y, y0, y1, o.LogY, .04)
	p.Add(canvas.TopLabel{Axis: o.YLabel}, canvas.Grid(true))
	for _, c := range cs {
		canvas.Add(p, canvas.Band(c.low, c.high, c.look.Color))
	}
	for _, c := range cs {
		canvas.Add(p, &plotter.Line{XYs: c.center, LineStyle: c.look.Line(1.6)})
	}
	canvas.Narrow(p, 2)
	p.Add(curveNames(cs, o.Palette))
	return p
}

// curveNames writes the names of curves at their ends.
func curveNames(cs []curve, palette Palette) endNames {
	var panel SweepPanel
	for _, c := range cs {
		end := c.center[len(c.center)-1]
		panel.Series = append(panel.Series, SweepSeries{Name: c.method, Label: c.name,
			Points: []SweepPoint{{X: end.X, Center: end.Y}}})
	}
	return endNames{&panel, palette, true}
}
