package fig

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// ConvergenceSeries is the certificate of a solver after each iteration.
type ConvergenceSeries struct {
	Name     string
	Brackets []design.Bracket // in order of iterations
}

// Convergence draws how solvers approach the optimal design. Above, the value of
// the current design and the best lower bound so far, with the band between
// them, which contains the optimum. Below, how far the value is above the best
// lower bound of all series, on a logarithmic scale: what a user pays. Series
// without lower bounds (those of methods that have no certificate) are judged by
// the bounds of others. A nil o means the zero value.
func Convergence(series []ConvergenceSeries, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	best := 0.
	first, last := math.Inf(1), 0.
	lo, hi := math.Inf(1), 0.
	for _, s := range series {
		for i, b := range s.Brackets {
			switch {
			case b.Iteration < 1 || i > 0 && b.Iteration <= s.Brackets[i-1].Iteration:
				return nil, fmt.Errorf(
					"fig: %s: bracket %d is of iteration %d; want numbers from 1 that increase",
					s.Name, i, b.Iteration)
			case math.IsNaN(b.Value) || b.Value <= 0 || !canvas.Finite(b.Lower) || b.Lower < 0:
				return nil, fmt.Errorf(
					"fig: %s: iteration %d has value %v and lower bound %v; want a positive and "+
						"a nonnegative number",
					s.Name, b.Iteration, b.Value, b.Lower)
			}
			first, last = min(first, float64(b.Iteration)), max(last, float64(b.Iteration))
			best = max(best, b.Lower)
			if canvas.Finite(b.Value) {
				lo, hi = min(lo, b.Value), max(hi, b.Value)
			}
		}
	}
	if last == 0 || hi == 0 {
		return nil, fmt.Errorf(
			"fig: there are no brackets to draw; record them with design.Options.Watch")
	}
	f := &Figure{Title: o.Title, Width: cmp.Or(o.Width, canvas.ColumnWidth), Height: o.Height}
	if f.Title == "" {
		f.Title = "Convergence of the design"
	}
	// Headings and not labels of axes: they are longer than the axes are high.
	above, below := canvas.Panel("", ""), canvas.Panel("iteration", "")
	above.Add(canvas.Heading("Largest variance, and lower bound"))
	below.Add(canvas.Heading("Value above the best lower bound"))
	log := canvas.WantsLog(first, last)
	gaps := rangeBox{}
	var words []string
	palette := o.Palette
	for _, s := range series {
		palette = palette.With(s.Name)
		look := palette.Look(s.Name)
		f.Legend = append(f.Legend, canvas.LineEntry(canvas.Pretty(s.Name), look.Line(1.6)))
		for _, b := range s.Brackets {
			if b.Lower > 0 { // early bounds near 0 would squeeze the rest
				lo = min(lo, max(b.Lower, best/2))
			}
			if g := b.Value/best - 1; canvas.Finite(g) && g > 0 {
				gaps.add(0, max(g, 1e-12))
			}
		}
		if n := len(s.Brackets); n > 0 && best > 0 {
			b := s.Brackets[n-1]
			words = append(
				words,
				fmt.Sprintf("%s: %s %% above the best bound after %s iterations",
					canvas.Pretty(s.Name), tidy.Number(100*(b.Value/best-1)),
					tidy.Int(b.Iteration)),
			)
		}
	}
	for _, p := range []*plot.Plot{above, below} {
		canvas.Span(&p.X, first, last, log, .02)
	}
	if best > 0 {
		f.Notes = []string{
			fmt.Sprintf(
				"Lines: value of the current design; thin lines: best lower bound so far; band: "+
					"contains the optimum, which is at least %s.",
				tidy.Number(best)),
		}
	} else {
		f.Notes = []string{"Lines: value of the current design. No method has a lower bound."}
	}
	canvas.Span(&above.Y, lo, min(hi, 4*max(best, lo)), false, .05)
	if hi > above.Y.Max {
		f.Notes = append(
			f.Notes,
			fmt.Sprintf("Values above the upper panel, up to %s, are drawn at its edge.",
				tidy.Number(hi)),
		)
	}
	above.Add(canvas.Grid(true))
	drawBrackets(above, series, palette)
	f.Panels = [][]*plot.Plot{{above}}
	if gaps.some {
		canvas.Span(&below.Y, gaps.y0, gaps.y1, true, .05)
		below.Y.Tick.Marker = canvas.ShareTicks{LogTicks: canvas.LogTicks{N: 6}}
		below.Add(canvas.Grid(true))
		drawGaps(below, series, palette, best)
		f.Panels = append(f.Panels, []*plot.Plot{below})
	} else {
		above.X.Label.Text = "iteration"
	}
	f.Description = strings.Join(append([]string{"Convergence of design solvers"}, words...),
		". ") + "."
	f.Fit(150 * vg.Length(len(f.Panels)))
	return f, nil
}

// steps returns the path through values that hold from one iteration to the next,
// within the limits of p; values that are not finite and positive are left out.
func steps(p *plot.Plot, bs []design.Bracket, of func(b design.Bracket) float64) plotter.XYs {
	var path plotter.XYs
	for _, b := range bs {
		v := of(b)
		if !canvas.Finite(v) || v <= 0 {
			continue
		}
		q := plotter.XY{X: float64(b.Iteration), Y: min(max(v, p.Y.Min), p.Y.Max)}
		if n := len(path); n > 0 {
			path = append(path, plotter.XY{X: q.X, Y: path[n-1].Y})
		}
		path = append(path, q)
	}
	return path
}

// drawBrackets adds values, the best lower bounds so far, and bands between them.
func drawBrackets(p *plot.Plot, series []ConvergenceSeries, palette Palette) {
	var lines []plot.Plotter // above all bands
	for _, s := range series {
		look := palette.Look(s.Name)
		value := steps(p, s.Brackets, func(b design.Bracket) float64 { return b.Value })
		lower := steps(p, s.Brackets, bestSoFar())
		if len(value) > 1 && len(lower) > 1 {
			canvas.Add(p, canvas.Band(lower, value, look.Color))
		}
		lines = append(lines, &plotter.Line{XYs: value, LineStyle: look.Line(1.6)},
			&plotter.Line{XYs: lower, LineStyle: look.Line(.8)})
	}
	canvas.Add(p, lines...)
}

// bestSoFar returns the largest lower bound of the brackets that it was shown, in order.
func bestSoFar() func(design.Bracket) float64 {
	best := 0.
	return func(b design.Bracket) float64 {
		best = max(best, b.Lower)
		return best
	}
}

// drawGaps adds how far values are above a bound.
func drawGaps(p *plot.Plot, series []ConvergenceSeries, palette Palette, best float64) {
	for _, s := range series {
		look := palette.Look(s.Name)
		gap := steps(p, s.Brackets,
			func(b design.Bracket) float64 { return max(b.Value/best-1, 1e-12) })
		canvas.Add(p, &plotter.Line{XYs: gap, LineStyle: look.Line(1.6)})
		if n := len(gap); n > 0 {
			canvas.Add(p, &plotter.Scatter{XYs: gap[n-1:], GlyphStyle: look.Glyph(3)})
		}
	}
}
