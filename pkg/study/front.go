package study

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/radius"
)

// Front shows the arms of an instance in the plane of their objectives, the true Pareto set, and
// what one run of each method, or of those with some names, returned: replicate 0 of the study at
// seed 1, with the first of the method's constants. Methods whose budget is too small are left out.
// With a fixed confidence those with a Radius come with their estimates and confidence boxes at the
// time at which they stopped; they hold for all arms at once with probability 1 - Delta.
func (e Experiment) Front(size int, methods ...string) (*fig.Figure, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	if methods == nil {
		methods = e.MethodNames()
	}
	var answers []fig.FrontAnswer
	for _, name := range methods {
		m, err := e.first(name)
		if err != nil {
			return nil, err
		}
		var record explore.Sums
		r, err := e.Replay(m, inst, size, 0, &explore.Settings{Recorder: &record})
		if errors.Is(err, explore.ErrBudget) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a := fig.FrontAnswer{Name: name, Items: r.Answer.Items}
		if m.Radius != nil && e.Delta > 0 {
			a.Means, a.Radius = boxes(&record, inst.Problem, m.Radius, e.Delta)
		}
		answers = append(answers, a)
	}
	title := e.Title + ": one run"
	if e.Axis != "" {
		title += fmt.Sprintf(", %s = %d", e.Axis, size)
	}
	return fig.Front(inst, answers, &fig.FrontOptions{Title: title, Negated: e.Negated, Palette: Looks})
}

// boxes returns the means of the arms of p and the half-widths of their
// confidence boxes. Every arm was pulled.
func boxes(s *explore.Sums, p *explore.Problem, r radius.Radius,
	delta float64) (means *mat.Dense, half []float64) {
	bonus := r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma,
		NormSigma: p.SigmaU(), Delta: delta})
	factor, _ := bonus.Factors(s.Pulls)
	for _, n := range s.N {
		half = append(half, factor*bonus.Mean(n))
	}
	return s.Means(p), half
}
