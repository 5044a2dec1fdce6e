package study

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
)

// OnePlot is the plot of Results.Distribution for an experiment of one size, where there is no
// sweep: an Experiment.Figures.
func OnePlot(r *Results) ([]Figure, error) {
	e := r.Experiment
	f, err := r.Distribution()
	return []Figure{{Name: e.ShortName(), Drawing: f,
		Caption: e.caption("pulls until stopping")}}, err
}

// Trajectory shows the course of one run of a method, with the first of its constants: replicate
// rep at seed 1, on the instance with the given name, one of Names.
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
	r, err := e.Replay(m, inst, slices.Index(e.Names, name), rep,
		&explore.Settings{Recorder: &trace})
	if err != nil {
		return nil, err
	}
	trace.End(r)
	return fig.Trajectory(inst.Problem, &trace, &fig.TrajectoryOptions{
		Title: fmt.Sprintf("One run of %s on %s", method, name),
	})
}

// first returns the first of the methods with a name.
func (e Experiment) first(name string) (Method, error) {
	for _, m := range e.Methods {
		if m.Name == name {
			return m, nil
		}
	}
	return Method{}, fmt.Errorf("%s: no method %q; there are %q", e.Name, name, e.MethodNames())
}
