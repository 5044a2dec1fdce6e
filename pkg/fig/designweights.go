package fig

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// DesignOptions are the settings of [DesignWeights]. The zero value works.
type DesignOptions struct {
	Title string
	// Palette gives methods their looks, the same in all figures that share it. Nil
	// means the order of the designs.
	Palette Palette
}

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
			return nil, fmt.Errorf("fig: design %q has %d weights, %q has %d", d.Name,
				len(d.Weights), designs[0].Name, k)
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
	f := &Figure{
		Title:       cmp.Or(o.Title, "Weights of the design"),
		Description: "Weights of designs. " + strings.Join(words, " "),
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
			f.Notes = []string{
				fmt.Sprintf("The %d heaviest of %s points. The others have no weight.", n,
					tidy.Int(k)),
			}
			if left > 0 {
				f.Notes = []string{
					fmt.Sprintf(
						"The %d heaviest of %s points. The others together have at most %.2g %% "+
							"of a design.",
						n, tidy.Int(k), 100*left),
				}
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
			f.Legend = append(f.Legend,
				canvas.MarkerEntry(canvas.Pretty(d.Name), palette.Look(d.Name)))
		}
	}
	labels := make([]string, len(shown))
	for r, i := range shown {
		labels[r] = pointName(names, i)
	}
	f.Width = laneWidth(labels)
	f.Panels = [][]*plot.Plot{{needles(labels, designs, palette, shown, top, f.Width)}}
	lane := max(14, 5+9*vg.Length(len(designs)))
	f.Fit(lane*vg.Length(len(shown)) + 40)
	return f, nil
}

// needles draws a lane for each of the points shown, from top to bottom.
func needles(labels []string, designs []WeightSeries, palette Palette, shown []int,
	top float64, width vg.Length) *plot.Plot {
	p := canvas.Panel("weight", "")
	p.X.Min, p.X.Max = 0, top*1.08
	n := len(shown)
	canvas.Lanes(p, labels)
	if width < canvas.PageWidth {
		canvas.Narrow(p, 2)
	}
	p.Add(canvas.Stripes(1, n), canvas.Grid(false))
	for k, d := range designs {
		look := palette.Look(d.Name)
		off := .8 * (float64(k+1)/float64(len(designs)+1) - .5)
		needles := &plotter.XErrorBars{LineStyle: look.Solid(1.6)} // from the weight to 0
		for r, i := range shown {
			w := d.Weights[i]
			if w < faintest*top {
				continue // a marker at 0 would say that there is some
			}
			needles.XYs = append(needles.XYs, plotter.XY{X: w, Y: canvas.Lane(r, n) - off})
			needles.XErrors = append(needles.XErrors, struct{ Low, High float64 }{Low: w})
		}
		canvas.Add(p, needles, &plotter.Scatter{XYs: needles.XYs, GlyphStyle: look.Glyph(3)})
	}
	return p
}

func checkWeights(name string, ws []float64) error {
	for i, w := range ws {
		if !(w >= 0) || !canvas.Finite(w) {
			return fmt.Errorf("fig: design %q: weight %d is %v; want a number of at least 0", name,
				i, w)
		}
	}
	return nil
}

// weightWords lists the largest weights.
func weightWords(names []string, ws []float64, most int) string {
	order := byWeight(ws)
	var parts []string
	for k, i := range order {
		if ws[i] == 0 {
			break
		}
		if k == most {
			parts = append(parts, "and others")
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", pointName(names, i), inPercent(ws[i])))
	}
	return strings.Join(parts, ", ")
}

func pointName(names []string, i int) string {
	if i < len(names) {
		return canvas.Pretty(names[i])
	}
	return fmt.Sprintf("point %d", i)
}

// byWeight returns the points in order of descending weight.
func byWeight(ws []float64) []int {
	order := make([]int, len(ws))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ws[i] > ws[j]:
			return -1
		case ws[i] < ws[j]:
			return 1
		}
		return 0
	})
	return order
}

// inPercent formats a weight.
func inPercent(w float64) string { return fmt.Sprintf("%.3g %%", 100*w) }
