package study

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
)

// OnePlot returns the figure of Results.Distribution. Use OnePlot as the field Figures of an
// experiment with one size.
func OnePlot(r *Results) ([]Figure, error) {
	f, err := r.Distribution()
	return []Figure{{Name: r.Experiment.ShortName(), Drawing: f}}, err
}

// Trajectory draws one run of a method with its first constants: replicate rep with seed 1 on the
// named instance, which must be one of Names.
func (e Experiment) Trajectory(name, method string, rep int) (*fig.Figure, error) {
	inst, err := e.Named(name)
	if err != nil {
		return nil, err
	}
	m, err := e.first(method)
	if err != nil {
		return nil, err
	}
	var trace fig.Trace
	r, err := e.Replay(m, inst, slices.Index(e.Names, name), rep, &explore.Settings{Recorder: &trace})
	if err != nil {
		return nil, err
	}
	trace.End(r)
	return fig.Trajectory(inst.Problem, &trace, &fig.TrajectoryOptions{
		Title: fmt.Sprintf("One run of %s on %s", method, name),
	})
}

func (e Experiment) first(name string) (Method, error) {
	for _, m := range e.Methods {
		if m.Name == name {
			return m, nil
		}
	}
	return Method{}, fmt.Errorf("%s: no method %q; the methods are %q", e.Name, name, e.MethodNames())
}

// Front draws the arms of an instance in the plane of two objectives, and the true Pareto set.
// Front also shows the answer of one run of each method or of the named methods. Each run is
// replicate 0 with seed 1 and the first constants of the method. Methods whose budget is too small
// are omitted.
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
		r, err := e.Replay(m, inst, size, 0, nil)
		if errors.Is(err, explore.ErrBudget) {
			continue
		}
		if err != nil {
			return nil, err
		}
		answers = append(answers, fig.FrontAnswer{Name: name, Items: r.Answer.Items})
	}
	title := e.Title + ": one run"
	if e.Axis != "" {
		title += fmt.Sprintf(", %s = %d", e.Axis, size)
	}
	return fig.Front(inst, answers, &fig.FrontOptions{Title: title, Palette: Looks})
}
