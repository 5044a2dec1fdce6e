package nb

import (
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

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
	s := fig.Sketch{XLabel: "what a part loses to the best at its place"}
	right := allowed
	var out []string
	for i, site := range sites {
		s.YNames = append(s.YNames, site.Name)
		for j, v := range site.Contributions {
			look := kept
			if !in[i][j] {
				look = left
				out = append(out, site.Name+" "+site.Substituents[j])
			}
			right = max(right, most[i]-v)
			s.Points = append(s.Points, fig.SketchPoint{Name: site.Substituents[j], Look: look,
				Point: canvas.Point{X: most[i] - v, Y: canvas.Lane(i, len(sites))}})
		}
	}
	line := canvas.Line(canvas.Ink, 1, []vg.Length{4, 3})
	s.Lines = []fig.SketchLine{{Style: line, Points: []canvas.Point{{X: allowed, Y: -.5}, {X: allowed, Y: float64(len(sites)) - .5}}}}
	s.X = [2]float64{-.06 * right, 1.12 * right}
	title := fmt.Sprintf("%d of %d combinations are good enough", len(r.Answer.Items), combinations)
	words := fmt.Sprintf("%s: what their parts lose adds up to at most %.3g.", title, allowed)
	if out != nil {
		words += " In none of them: " + strings.Join(out, ", ") + "."
	}
	return fig.Sketches([]fig.Sketch{s}, &fig.SketchOptions{
		Title: title, Words: words, Height: 45 + 42*vg.Length(len(sites)),
		Legend: []fig.Entry{canvas.MarkerEntry("in a good one", kept), canvas.MarkerEntry("in none", left),
			canvas.LineEntry("what all parts may lose together", line)},
	})
}
