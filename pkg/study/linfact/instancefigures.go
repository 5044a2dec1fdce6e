package linfact

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// Means is Fig. 4 and Fig. EC.12.1: the true means of an instance of e, which arms are
// epsilon-best, and the threshold between them and the others.
func Means(e study.Experiment, size, draw int) (*fig.Figure, error) {
	in, err := e.At(size, draw)
	if err != nil {
		return nil, err
	}
	mu := mat.Col(nil, 0, in.Truth())
	arms := fig.ThresholdArms{Names: in.Problem.ArmNames, Estimates: mu,
		Verdicts: make([]fig.Verdict, len(mu)),
		Level:    in.Problem.Question.(question.AllEpsilonBest).Threshold(mat.Max(in.Truth()))}
	for i := range arms.Verdicts {
		arms.Verdicts[i] = fig.Rejected
	}
	good := right(study.Task{Instance: in})
	for _, i := range good {
		arms.Verdicts[i] = fig.Kept
	}
	return fig.Threshold(arms, &fig.ThresholdOptions{
		Title:  fmt.Sprintf("%s: %d of %d arms are within ε", in.Name, len(good), len(mu)),
		YLabel: "true mean",
	})
}

// Contributions shows the sites of a base molecule instead of the paper's picture of one (Fig.
// 7): what each substituent adds, and the best compound, which has the best substituent at each
// site.
func Contributions(table dataset.FreeWilson) (*fig.Figure, error) {
	sites, err := table.Contributions()
	if err != nil {
		return nil, err
	}
	s := fig.Sketch{XLabel: "what a substituent adds to the efficacy"}
	lo, hi, compounds := math.Inf(1), math.Inf(-1), 1
	var most []string // the best substituent of each site
	for i, site := range sites {
		compounds *= len(site.Contributions)
		s.YNames = append(s.YNames, "site "+site.Name)
		best := 0
		for j, v := range site.Contributions {
			lo, hi = min(lo, v), max(hi, v)
			if v > site.Contributions[best] {
				best = j
			}
		}
		most = append(most, site.Substituents[best]+" at site "+site.Name)
		for j, v := range site.Contributions {
			look := olsLook
			if j == best {
				look = truthLook
			}
			s.Points = append(s.Points, fig.SketchPoint{Name: site.Substituents[j], Look: look,
				Point: canvas.Point{X: v, Y: canvas.Lane(i, len(sites))}})
		}
	}
	s.X = [2]float64{lo - .08*(hi-lo), hi + .08*(hi-lo)}
	kind := cmp.Or(table.Name, "Contributions of substituents")
	if table.Synthetic() {
		kind = "SYNTHETIC contributions of substituents"
	}
	title := fmt.Sprintf("%s: %d sites, %d compounds", kind, len(sites), compounds)
	return fig.Sketches([]fig.Sketch{s}, &fig.SketchOptions{
		Title: title,
		Words: title + ". The best compound has " + strings.Join(most, ", ") + ".",
		Legend: []fig.Entry{canvas.MarkerEntry("substituent of the best compound", truthLook),
			canvas.MarkerEntry("other substituent", olsLook)},
		Height: 55 * vg.Length(len(sites)),
	})
}
