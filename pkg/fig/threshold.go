package fig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// sides lists the verdicts relative to a threshold, in the order of legends.
var sides = []struct {
	name    string
	look    Look
	classes []explore.Class
}{
	{"kept", Look{Color: canvas.Blue, Marker: canvas.Circle}, []explore.Class{explore.Optimal}},
	{"rejected", Look{Color: canvas.Vermilion, Marker: canvas.Square},
		[]explore.Class{explore.Dominated, explore.Infeasible}},
	{"undecided", Look{Color: canvas.Grey, Marker: canvas.Diamond}, []explore.Class{explore.Undecided}},
}

// fewArms is the largest number of arms for which the figure is as narrow as a column.
const fewArms = 12

// mostArms is the largest number of arms that are labelled with their names.
const mostArms = 40

// levelLine is the line style of thresholds.
var levelLine = canvas.Line(canvas.Ink, 1.1, []vg.Length{6, 3})

// line draws items with one objective, from the best to the worst, with their intervals and in the
// colours of their verdicts. Better is upwards. A horizontal line shows the bound of the first
// constraint or, without constraints, the best mean. If there are more than 40 items, their ranks
// replace their names.
func (pl *plane) line() *Figure {
	order := make([]int, pl.m)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(pl.mu.At(j, 0), pl.mu.At(i, 0)) })
	level, name := pl.mu.At(order[0], 0), "best estimate"
	if pl.region != nil && pl.region.Constraint(0).A[0] != 0 {
		bound := pl.region.Constraint(0)
		level, name = bound.B/bound.A[0], bound.Name
	}
	shown := level
	if pl.axes != nil {
		shown = pl.axes[0].Out(level)
	}
	f := &Figure{Title: pl.o.Title, Width: pl.o.Width, Description: fmt.Sprintf("%s, sorted by estimate; %s at %s.",
		plural(pl.m, "arm"), name, tidy.Number(shown))}
	if f.Width <= 0 && pl.m <= fewArms {
		f.Width = canvas.ColumnWidth
	}
	width := cmp.Or(f.Width, canvas.PageWidth)
	p := canvas.Panel("", "")
	p.X.Min, p.X.Max = .3, float64(pl.m)+.7 // ranks count from 1
	pl.ticks(&p.Y, 0)
	lo, hi := pl.limits(0)
	canvas.Span(&p.Y, min(lo, level), max(hi, level), false, .05)
	height := min(260, width*.6) + pl.ranks(p, order, width)
	p.Add(canvas.TopLabel{Axis: strings.Replace(pl.better(0), "→", "↑", 1)}, canvas.Grid(true))
	ends := plotter.XYs{{X: p.X.Min, Y: level}, {X: p.X.Max, Y: level}}
	canvas.Add(p, &plotter.Line{XYs: ends, LineStyle: levelLine})
	radius := vg.Length(min(4, max(2, 160/float64(pl.m))))
	var markers []plot.Plotter
	for _, side := range sides {
		bars := &plotter.YErrorBars{LineStyle: side.look.Solid(1.3), CapWidth: 5}
		var names []string
		for at, i := range order {
			if !slices.Contains(side.classes, pl.classes[i]) {
				continue
			}
			e, m := struct{ Low, High float64 }{}, pl.mu.At(i, 0)
			if low, high := pl.interval(i, 0); canvas.Finite(low, high) {
				e.Low, e.High = m-low, high-m
			}
			bars.XYs, bars.YErrors = append(bars.XYs, plotter.XY{X: float64(at + 1), Y: m}), append(bars.YErrors, e)
			names = append(names, canvas.Pretty(pl.e.Items[i]))
		}
		if names == nil {
			continue
		}
		canvas.Add(p, bars)
		markers = append(markers, &plotter.Scatter{XYs: bars.XYs, GlyphStyle: side.look.Glyph(radius)})
		f.Legend = append(f.Legend, canvas.MarkerEntry(side.name, side.look))
		f.Description += fmt.Sprintf(" %s: %s.", strings.ToUpper(side.name[:1])+side.name[1:], listed(names))
	}
	canvas.Add(p, markers...)
	f.Panels, f.Legend = []*plot.Plot{p}, append(f.Legend, canvas.LineEntry(name, levelLine))
	if pl.e.Low != nil {
		f.Notes = []string{"Vertical lines: confidence intervals."}
	}
	f.Fit(height)
	return f
}

// ranks labels the items below the x axis; if labels would be crowded, they are vertical. If there
// are many items, the labels are ranks instead of names. The result is the height of the labels in
// excess of one line of text.
func (pl *plane) ranks(p *plot.Plot, order []int, width vg.Length) vg.Length {
	if len(order) > mostArms {
		p.X.Label.Text = "rank by estimate"
		p.X.Tick.Marker = canvas.LinearTicks{N: 10}
		return 16
	}
	var ticks plot.ConstantTicks
	widest := vg.Length(0)
	for at, i := range order {
		name := canvas.Clip(p.X.Tick.Label, canvas.Pretty(pl.e.Items[i]), 120)
		ticks = append(ticks, plot.Tick{Value: float64(at + 1), Label: cmp.Or(name, " ")})
		widest = max(widest, p.X.Tick.Label.Width(name))
	}
	p.X.Tick.Marker = ticks
	if widest+6 <= (width-60)/vg.Length(len(order)) {
		return 0
	}
	p.X.Tick.Label = canvas.Aligned(p.X.Tick.Label, draw.XRight, draw.YCenter)
	p.X.Tick.Label.Rotation = math.Pi / 2
	return widest
}
