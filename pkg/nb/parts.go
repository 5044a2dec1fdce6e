package nb

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/question"
)

// PlotParts shows what each part of a model of Free and Wilson loses to the best one at its place, beside what a combination
// may lose in all, and which parts are in the answer of r: a run on the instance of f.
func PlotParts(f dataset.FreeWilson, r *explore.Result) {
	Fail(ran("PlotParts", r))
	Draw(partsFigure(f, r))
}

func partsFigure(f dataset.FreeWilson, r *explore.Result) (*fig.Figure, error) {
	sites, err := f.Contributions()
	if err != nil {
		return nil, err
	}
	combinations := 1
	best := f.Base
	most := make([]float64, len(sites))
	for i, s := range sites {
		most[i] = s.Contributions[0]
		for _, v := range s.Contributions {
			most[i] = max(most[i], v)
		}
		best += most[i]
		combinations *= len(s.Contributions)
	}
	inst, err := f.Instance()
	if err != nil {
		return nil, err
	}
	allowed := best - inst.Problem.Question.(question.AllEpsilonBest).Threshold(best)
	// Combinations are counted with the last place first.
	in := make([][]bool, len(sites))
	for i, s := range sites {
		in[i] = make([]bool, len(s.Contributions))
	}
	for _, item := range r.Answer.Items {
		if item >= combinations {
			return nil, errors.New("nb: PlotParts: the result is not one of the model's instance")
		}
		for i := len(sites) - 1; i >= 0; i-- {
			n := len(sites[i].Contributions)
			in[i][item%n] = true
			item /= n
		}
	}
	kept, left := fig.Look{Color: canvas.Blue, Marker: canvas.Circle}, fig.Look{Color: canvas.Grey, Marker: canvas.Square}
	panel := canvas.Panel("what a part loses to the best at its place", "")
	var names, out []string
	var loses [][]float64
	right := allowed
	for i, site := range sites {
		names, loses = append(names, site.Name), append(loses, nil)
		for j, v := range site.Contributions {
			if !in[i][j] {
				out = append(out, site.Name+" "+site.Substituents[j])
			}
			loses[i] = append(loses[i], most[i]-v)
			right = max(right, most[i]-v)
		}
	}
	line := canvas.Line(canvas.Ink, 1, []vg.Length{4, 3})
	panel.X.Min, panel.X.Max = -.06*right, 1.12*right
	canvas.Lanes(panel, names)
	canvas.Narrow(panel, 2)
	panel.Add(canvas.Paint(func(c draw.Canvas, p *plot.Plot) {
		x, y := p.Transforms(&c)
		c.StrokeLine2(line, x(allowed), c.Min.Y, x(allowed), c.Max.Y)
		sty := canvas.Write(canvas.NoteSize, canvas.Ink)
		var at, sizes []vg.Point
		var taken []vg.Rectangle
		var labels []string
		for i, site := range sites {
			for j, v := range loses[i] {
				look := kept
				if !in[i][j] {
					look = left
				}
				pt, label := vg.Point{X: x(v), Y: y(canvas.Lane(i, len(sites)))}, canvas.Pretty(site.Substituents[j])
				c.DrawGlyphNoClip(look.Glyph(4), pt)
				at, labels = append(at, pt), append(labels, label)
				sizes = append(sizes, vg.Point{X: sty.Width(label), Y: sty.Height(label)})
				taken = append(taken, canvas.Grow(vg.Rectangle{Min: pt, Max: pt}, 4))
			}
		}
		lines := []canvas.Segment{{P: vg.Point{X: x(allowed), Y: c.Min.Y}, Q: vg.Point{X: x(allowed), Y: c.Max.Y}}}
		for i, l := range canvas.Place(at, sizes, taken, lines, c.Rectangle) {
			if l.Leader {
				c.StrokeLines(canvas.Line(canvas.Muted, .5, nil), []vg.Point{at[i], canvas.Anchor(l.Box, at[i])})
			}
			canvas.Put(c, sty, l.Box.Min, labels[i])
		}
	}))
	title := fmt.Sprintf("%d of %d combinations are good enough", len(r.Answer.Items), combinations)
	words := fmt.Sprintf("%s: what their parts lose adds up to at most %.3g.", title, allowed)
	if out != nil {
		words += " In none of them: " + strings.Join(out, ", ") + "."
	}
	figure := &fig.Figure{Title: title, Description: words, Width: canvas.ColumnWidth, Panels: []*plot.Plot{panel},
		Legend: []fig.Entry{canvas.MarkerEntry("in a good one", kept), canvas.MarkerEntry("in none", left),
			canvas.LineEntry("what all parts may lose together", line)}}
	figure.Fit(45 + 42*vg.Length(len(sites)))
	return figure, nil
}
