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

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// Side classifies an arm relative to a threshold.
type Side int

// Values of Side.
const (
	Undecided Side = iota
	Kept           // at or above the threshold
	Rejected       // below the threshold
)

// String returns the side in words.
func (v Side) String() string { return [...]string{"undecided", "kept", "rejected"}[v] }

// look returns the look of arms on a side.
func (v Side) look() Look {
	return map[Side]Look{
		Undecided: {Color: canvas.Grey, Marker: canvas.Diamond},
		Kept:      {Color: canvas.Blue, Marker: canvas.Circle},
		Rejected:  {Color: canvas.Vermilion, Marker: canvas.Square},
	}[v]
}

// ranking holds the estimates of K arms; slices have one entry for each arm.
type ranking struct {
	Names     []string
	Estimates []float64 // estimates of the means
	Lo, Hi    []float64 // ends of the confidence intervals; not drawn if nil or not finite
	Verdicts  []Side
	Level     float64 // threshold: a bound, or the best estimate
}

// rankOptions are the texts and the width of a ranking; width 0 means 308 points for at most 12
// arms, and 675 for more.
type rankOptions struct {
	Title, YLabel, Level string
	Width                vg.Length
}

// fewArms is the largest number of arms for which a figure is as narrow as a column.
const fewArms = 12

// mostArms is the largest number of arms with labels.
const mostArms = 40

// rank draws the verdicts on arms relative to a threshold. Arms are sorted by decreasing estimate,
// with their intervals, in the colour of their verdict. The threshold is a horizontal line. At most
// 40 arms are labelled.
func rank(arms ranking, set rankOptions) *Figure {
	order := make([]int, len(arms.Estimates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(arms.Estimates[j], arms.Estimates[i]) })
	if set.Width <= 0 && len(order) <= fewArms {
		set.Width = canvas.ColumnWidth
	}
	p, height := arms.panel(order, set.YLabel, cmp.Or(set.Width, canvas.PageWidth))
	f := &Figure{
		Title: set.Title, Width: set.Width, Panels: []*plot.Plot{p},
		Description: fmt.Sprintf("%s by estimate; %s at %s.", plural(len(order), "arm"), set.Level,
			tidy.Number(arms.Level)),
	}
	for _, v := range []Side{Kept, Rejected, Undecided} {
		if names := arms.with(v, order); names != nil {
			f.Legend = append(f.Legend, canvas.MarkerEntry(v.String(), v.look()))
			f.Description += fmt.Sprintf(" %s: %s.", strings.ToUpper(v.String()[:1])+v.String()[1:], listed(names))
		}
	}
	f.Legend = append(f.Legend, canvas.LineEntry(set.Level, levelLine))
	if arms.Lo != nil {
		f.Notes = []string{"Vertical lines: confidence intervals."}
	}
	f.Fit(height)
	return f
}

// levelLine is the line style of the threshold.
var levelLine = canvas.Line(canvas.Ink, 1.1, []vg.Length{6, 3})

func (a *ranking) name(i int) string { return canvas.Pretty(a.Names[i]) }

// with returns the names of the arms with verdict v, in the given order.
func (a *ranking) with(v Side, order []int) (names []string) {
	for _, i := range order {
		if a.Verdicts[i] == v {
			names = append(names, a.name(i))
		}
	}
	return names
}

// panel draws the arms in the given order. The panel has a suitable height, which panel also
// returns.
func (a *ranking) panel(order []int, ylabel string, width vg.Length) (
	*plot.Plot, vg.Length,
) {
	k := len(order)
	p := canvas.Panel("", "")
	p.X.Min, p.X.Max = .3, float64(k)+.7 // ranks count from 1
	bars := map[Side]*plotter.YErrorBars{}
	lo, hi := a.Level, a.Level
	for at, i := range order {
		v, x, m := a.Verdicts[i], float64(at+1), a.Estimates[i]
		if bars[v] == nil {
			bars[v] = &plotter.YErrorBars{LineStyle: v.look().Solid(1.3), CapWidth: 5}
		}
		e := struct{ Low, High float64 }{}
		if a.Lo != nil && canvas.Finite(a.Lo[i], a.Hi[i]) {
			e.Low, e.High = m-a.Lo[i], a.Hi[i]-m
		}
		bars[v].XYs = append(bars[v].XYs, plotter.XY{X: x, Y: m})
		bars[v].YErrors = append(bars[v].YErrors, e)
		lo, hi = min(lo, m-e.Low), max(hi, m+e.High)
	}
	canvas.Span(&p.Y, lo, hi, false, .05)
	height := min(260, width*.6) + a.label(p, order, width)
	p.Add(canvas.TopLabel{Axis: ylabel}, canvas.Grid(true))
	level := plotter.XYs{{X: p.X.Min, Y: a.Level}, {X: p.X.Max, Y: a.Level}}
	canvas.Add(p, &plotter.Line{XYs: level, LineStyle: levelLine})
	r := vg.Length(min(4, max(2, 160/float64(k))))
	var markers []plot.Plotter
	for _, v := range []Side{Undecided, Rejected, Kept} {
		if b := bars[v]; b != nil {
			canvas.Add(p, b)
			markers = append(markers, &plotter.Scatter{XYs: b.XYs, GlyphStyle: v.look().Glyph(r)})
		}
	}
	canvas.Add(p, markers...)
	return p, height
}

// label labels the arms below the x axis, vertically if they are crowded. With many arms, it labels
// ranks instead. label returns the height of the labels beyond one line.
func (a *ranking) label(p *plot.Plot, order []int, width vg.Length) vg.Length {
	if len(order) > mostArms {
		p.X.Label.Text = "rank by estimate"
		p.X.Tick.Marker = canvas.LinearTicks{N: 10}
		return 16
	}
	var ticks plot.ConstantTicks
	widest := vg.Length(0)
	for at, i := range order {
		name := canvas.Clip(p.X.Tick.Label, a.name(i), 120)
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
