package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// A Plot is a figure of a report that is yet to be drawn.
type Plot struct {
	Name, Caption string
	// Constants, if there are any, are those without whose rows the figure is left out.
	Constants []string
	Draw      func(*Results) (*fig.Figure, error)
}

// Plots makes an Experiment.Figures: the plots that of returns, in files that are named after the
// experiment and the plot.
func Plots(of func(*Results) []Plot) func(*Results) ([]Figure, error) {
	return func(r *Results) (fs []Figure, err error) {
		e, runs := r.Experiment, r.Runs()
		for _, p := range of(r) {
			if !slices.ContainsFunc(runs, func(row mc.Row) bool {
				return p.Constants == nil || slices.Contains(p.Constants, row.Constants)
			}) {
				continue
			}
			f, err := p.Draw(r)
			if err != nil {
				return fs, fmt.Errorf("%s: figure %s: %w", e.Name, p.Name, err)
			}
			fs = append(fs, Figure{Name: e.ShortName() + "-" + fileName.Replace(p.Name),
				Caption: p.Caption, Drawing: f})
		}
		return fs, nil
	}
}

// fileName turns the name of a plot, which may have that of an instance, into a part of the name of
// a file.
var fileName = strings.NewReplacer(" ", "-", "=", "")

// PullsPlot is the plot of Results.Distribution for methods with some constants; of all methods if
// there are none.
func PullsPlot(name, caption string, constants ...string) Plot {
	return Plot{name, caption, constants, func(r *Results) (*fig.Figure, error) {
		return r.Distribution(constants...)
	}}
}

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
