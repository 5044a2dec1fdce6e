package fig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/fig/canvas"

	"github.com/purexp/purexp/pkg/tidy"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// WeightSeries is a design, by its weights.
type WeightSeries struct {
	Name    string
	Weights []float64
}

// Points that DesignWeights shows: all of a few, and of more only those with a
// thousandth of the largest weight in some design, at most the heaviest 30.
const (
	few      = 12
	heaviest = 30
	faintest = 1e-3
)

// DesignWeights draws the weights of designs on the same points, of any
// dimension: a lane for each point, a needle for each design. Of more than 12
// points, those with (almost) no weight are left out, and at most 30 are shown;
// a note says so. Nil names mean "point 0" and so on. A nil o means the zero
// value.
func DesignWeights(names []string, designs []WeightSeries, o *DesignOptions) (*Figure, error) {
	if o == nil {
		o = &DesignOptions{}
	}
	if len(designs) == 0 || len(designs[0].Weights) == 0 {
		return nil, fmt.Errorf("fig: there are no weights to draw")
	}
	k := len(designs[0].Weights)
	if names != nil && len(names) != k {
		return nil, fmt.Errorf("fig: %d names for %d points", len(names), k)
	}
	largest, top := make([]float64, k), 0.
	var words []string
	for _, d := range designs {
		if len(d.Weights) != k {
			return nil, fmt.Errorf("fig: design %q has %d weights, %q has %d", d.Name, len(d.Weights), designs[0].Name, k)
		}
		if err := checkWeights(d.Name, d.Weights); err != nil {
			return nil, err
		}
		for i, w := range d.Weights {
			largest[i] = max(largest[i], w)
			top = max(top, w)
		}
		words = append(words, canvas.Pretty(d.Name)+": "+weightWords(names, d.Weights, 6)+".")
	}
	if top == 0 {
		return nil, fmt.Errorf("fig: all weights are zero")
	}
	shown := byWeight(largest)
	f := &Figure{Title: o.Title, Width: o.Width, Height: o.Height, Description: "Weights of designs. " + strings.Join(words, " ")}
	if f.Title == "" {
		f.Title = "Weights of the design"
	}
	if k > few {
		n := 0
		for n < min(k, heaviest) && largest[shown[n]] >= faintest*top {
			n++
		}
		left := 0.
		for _, d := range designs {
			rest := 0.
			for _, i := range shown[n:] {
				rest += d.Weights[i]
			}
			left = max(left, rest)
		}
		if n < k {
			f.Notes = []string{fmt.Sprintf("The %d heaviest of %s points. The others have no weight.", n, tidy.Int(k))}
			if left > 0 {
				f.Notes = []string{fmt.Sprintf("The %d heaviest of %s points. The others together have at most %.2g %% of a design.", n, tidy.Int(k), 100*left)}
			}
		}
		shown = shown[:n]
	}
	slices.Sort(shown)
	palette := o.Palette
	for _, d := range designs {
		palette = palette.With(d.Name)
	}
	if len(designs) > 1 {
		for _, d := range designs {
			f.Legend = append(f.Legend, canvas.MarkerEntry(canvas.Pretty(d.Name), palette.Look(d.Name)))
		}
	}
	f.Panels = [][]*plot.Plot{{needles(names, designs, palette, shown, top)}}
	lane := max(14, 5+9*vg.Length(len(designs)))
	f.Fit(lane*vg.Length(len(shown)) + 40)
	return f, nil
}

// needles draws a lane for each of the points shown, from top to bottom.
func needles(names []string, designs []WeightSeries, palette Palette, shown []int, top float64) *plot.Plot {
	p := canvas.Panel("weight", "")
	p.X.Min, p.X.Max = 0, top*1.08
	n := len(shown)
	p.Y.Min, p.Y.Max = -.5, float64(n)-.5
	ticks := make(plot.ConstantTicks, n)
	for r, i := range shown {
		ticks[r] = plot.Tick{Value: float64(n - 1 - r), Label: canvas.Clip(canvas.Write(canvas.TickSize, canvas.Ink), pointName(names, i), 170)}
	}
	p.Y.Tick.Marker, p.Y.Tick.Length = ticks, 0
	p.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		_, ty := p.Transforms(&c)
		for r := range shown {
			if r%2 == 0 {
				continue
			}
			y0, y1 := ty(float64(n-1-r)-.5), ty(float64(n-1-r)+.5)
			c.FillPolygon(canvas.Stripe, []vg.Point{{X: c.Min.X, Y: y0}, {X: c.Max.X, Y: y0}, {X: c.Max.X, Y: y1}, {X: c.Min.X, Y: y1}})
		}
	}), canvas.Grid(false), canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		tx, ty := p.Transforms(&c)
		for r, i := range shown {
			for k, d := range designs {
				w := d.Weights[i]
				if w < faintest*top {
					continue // a marker at 0 would say that there is some
				}
				off := .8 * (float64(k+1)/float64(len(designs)+1) - .5)
				look := palette.Look(d.Name)
				y := ty(float64(n-1-r) - off)
				c.StrokeLine2(canvas.Line(look.Color, 1.6, nil), c.Min.X, y, tx(w), y)
				c.DrawGlyph(look.Glyph(3), vg.Point{X: tx(w), Y: y})
			}
		}
	}))
	return p
}
