package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// FiveArms are five arms without structure, written as unit vectors, with means 1, .95, .8, .2 and
// 0: three are within 1/2 of the best. For the fourth to be within 1/2 too, the first and
// the second have to be worse: the paper shows its arms as a picture only.
func FiveArms() (*bandit.Instance, error) {
	x, names := basis(5, 0)
	return bandit.NewLinear("five arms", &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5},
	}, mat.NewDense(5, 1, []float64{1, .95, .8, .2, 0}))
}

// ways returns the cheapest means with another set, for pulls in the proportions of the lower
// bound: one in which an epsilon-best arm falls and one in which another arm enters. An Item of -1
// says that there is none.
func ways(in *bandit.Instance) (falls, enters alternative.Way, err error) {
	falls.Item, enters.Item = -1, -1
	mu := mat.Col(nil, 0, in.Truth())
	g, err := complexity.NewGammaStar(in.Problem, mu, gammaTol)
	if err != nil {
		return falls, enters, err
	}
	r, err := alternative.NewAllEpsilon(in.Problem.Question.(question.AllEpsilonBest), in.Problem.X,
		in.Problem.Z)
	if err != nil {
		return falls, enters, err
	}
	r.SetMeans(mu)
	k := len(mu)
	for _, w := range r.Ways(nil, g.Weights, math.Inf(1), k*k, nil) {
		of := &falls
		if w.By < 0 {
			of = &enters
		}
		if of.Item < 0 || w.Cost < of.Cost {
			*of = w
		}
	}
	return falls, enters, nil
}

// Alternatives is Fig. EC.4.2 on an instance: the cheapest means for which the set of epsilon-best
// arms is another one, (a) because an arm of it is lowered below the threshold while another one is
// raised, (b) because an arm outside is raised while better ones are lowered. Pulls are in the
// proportions of the lower bound, which decide what is cheap.
func Alternatives(in *bandit.Instance) (*fig.Figure, error) {
	q, ok := in.Problem.Question.(question.AllEpsilonBest)
	if !ok {
		return nil, fmt.Errorf("linfact: %s asks for %T; want question.AllEpsilonBest", in.Name,
			in.Problem.Question)
	}
	falls, enters, err := ways(in)
	if err != nil {
		return nil, err
	}
	var panels []fig.Sketch
	for _, w := range []alternative.Way{falls, enters} {
		if w.Item >= 0 {
			panels = append(panels, moved(in, q, w))
		}
	}
	for i := range panels { // one scale
		panels[0].Y[0], panels[0].Y[1] = min(panels[0].Y[0], panels[i].Y[0]),
			max(panels[0].Y[1], panels[i].Y[1])
	}
	for i := range panels {
		panels[i].Y = panels[0].Y
	}
	level := canvas.Line(canvas.Ink, 1, threshold)
	return fig.Sketches(panels, &fig.SketchOptions{
		Title: "The cheapest means with another set: " + in.Name,
		Legend: []fig.Entry{canvas.MarkerEntry("mean", truthLook),
			canvas.MarkerEntry("mean of the alternative", otherLook),
			canvas.LineEntry("threshold: best − ε", level),
			canvas.LineEntry("threshold of the alternative",
				canvas.Line(canvas.Vermilion, 1, threshold))},
		Notes: []string{"Both cost as much where pulls follow the lower bound and both decide."},
	})
}

// moved sketches means and where they move.
func moved(in *bandit.Instance, q question.AllEpsilonBest, w alternative.Way) fig.Sketch {
	p, mu := in.Problem, mat.Col(nil, 0, in.Truth())
	to := make([]float64, len(mu))
	floats.AddTo(to, mu, w.Shift)
	title := fmt.Sprintf("(b) %s enters: raised, better ones lowered", p.Arm(w.Item))
	if w.By >= 0 {
		title = fmt.Sprintf("(a) %s falls: lowered, %s raised", p.Arm(w.Item), p.Arm(w.By))
	}
	lo, hi := min(floats.Min(mu), floats.Min(to)), max(floats.Max(mu), floats.Max(to))
	k := float64(len(mu))
	s := fig.Sketch{Title: title, YLabel: "mean", X: [2]float64{.4, k + .6},
		Y: [2]float64{lo - .1*(hi-lo), hi + .1*(hi-lo)}}
	for _, l := range []struct {
		at    float64
		color bool
	}{{q.Threshold(floats.Max(mu)), false}, {q.Threshold(floats.Max(to)), true}} {
		line := fig.SketchLine{Points: []canvas.Point{{X: s.X[0], Y: l.at}, {X: s.X[1], Y: l.at}},
			Style: canvas.Line(canvas.Ink, 1, threshold)}
		if l.color {
			line.Style.Color = canvas.Vermilion
		}
		s.Lines = append(s.Lines, line)
	}
	for i, m := range mu {
		s.XNames = append(s.XNames, p.Arm(i))
		from := canvas.Point{X: float64(i + 1), Y: m}
		s.Points = append(s.Points, fig.SketchPoint{Point: from, Look: truthLook})
		if math.Abs(to[i]-m) > 1e-3*(hi-lo) {
			end := canvas.Point{X: from.X, Y: to[i]}
			s.Arrows = append(s.Arrows, fig.SketchArrow{From: from, To: end,
				Color: canvas.Vermilion})
			s.Points = append(s.Points, fig.SketchPoint{Point: end, Look: otherLook})
		}
	}
	return s
}
