package ecape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// A drawer draws one of the figures of results.
type drawer struct {
	name, caption string
	draw          func(*study.Results) (*fig.Figure, error)
}

// figures returns what makes the figures of a report: mean responses, numbers of pulls with each
// kind of constants that there are rows of, pulls of arms, and more.
func figures(more ...drawer) func(*study.Results) ([]study.Figure, error) {
	return func(r *study.Results) ([]study.Figure, error) {
		e := r.Experiment
		var all []drawer
		for _, name := range e.Names {
			all = append(all, drawer{"responses-" + fileName.Replace(name),
				"Mean responses and the feasible region: " + name + ".",
				func(*study.Results) (*fig.Figure, error) { return Responses(name) }})
		}
		var fs []study.Figure
		for _, d := range slices.Concat(all, ofRows(r), more) {
			f, err := d.draw(r)
			if err != nil {
				return fs, fmt.Errorf("%s: figure %s: %w", e.Name, d.name, err)
			}
			fs = append(fs, study.Figure{Name: e.ShortName() + "-" + d.name,
				Caption: d.caption, Drawing: f})
		}
		return fs, nil
	}
}

// fileName turns the name of an instance into a part of the name of a file.
var fileName = strings.NewReplacer(" ", "-", "=", "")

// ofRows are the figures of numbers of pulls that there are rows of: the paper's constants in one,
// those with a guarantee in another, all in one where methods have constants of their own; and of
// the pulls of arms with the paper's constants.
func ofRows(r *study.Results) []drawer {
	show := func(name, caption string, constants ...string) drawer {
		return drawer{name, caption, func(r *study.Results) (*fig.Figure, error) {
			return r.Distribution(constants...)
		}}
	}
	e := r.Experiment
	caption := e.Title + " (paper: " + e.Source + ")."
	arms := drawer{"arm-pulls", "Mean pulls of each arm: " + e.Title + ".",
		func(r *study.Results) (*fig.Figure, error) { return r.ArmPulls(Printed) }}
	if _, mixed := e.Method(Game, Printed); mixed {
		return []drawer{show("sample-complexity", caption), arms}
	}
	var ds []drawer
	printed := func(row mc.Row) bool { return row.Constants == Printed }
	runs := r.Runs()
	if slices.ContainsFunc(runs, printed) {
		ds = append(ds, show("sample-complexity", caption, Printed), arms)
	}
	if len(slices.DeleteFunc(runs, printed)) > 0 {
		ds = append(ds, show("sample-complexity-guaranteed",
			"The same with constants that come with a guarantee.", Calibrated, Theory))
	}
	return ds
}

// planes are what figures of mean responses say of the axes of trials.
var planes = map[string][]string{
	Published: {"ACR20 response rate, week 16", "rate without adverse event, week 20"},
	Described: {"ACR20 response rate, week 16", "rate without adverse event, week 20"},
	CovBoost:  {"ELU/mL", "titre", "SFC per million PBMC"},
}

// Responses shows the mean responses of an instance with the feasible region, as the paper's Fig. 2
// and 3 do: the plane of two objectives, or the planes of three, linked by the numbers of the arms.
func Responses(name string) (*fig.Figure, error) {
	inst, err := instance(name)
	if err != nil {
		return nil, err
	}
	return ResponsesOf(inst)
}

// ResponsesOf is Responses for an instance of your own.
func ResponsesOf(inst *bandit.Instance) (*fig.Figure, error) {
	o := &fig.PlaneOptions{Title: "Mean responses: " + inst.Name, Units: planes[inst.Name]}
	if inst.Problem.D() > 2 {
		return fig.ResponsePlanes(inst, o)
	}
	o.Front = o.Units == nil
	return fig.ResponsePlane(inst, o)
}

// course is the figure of one run in a report.
var course = drawer{"trajectory", "One run of e-cAPE.", func(*study.Results) (*fig.Figure, error) {
	return Trajectory(Published, ECAPE, 0)
}}

// Trajectory shows one run of a method on a trial, with the constants of the paper's experiments
// and the noise of replicate rep of ClinicalTrials at seed 1.
func Trajectory(name, method string, rep int) (*fig.Figure, error) {
	inst, err := instance(name)
	if err != nil {
		return nil, err
	}
	var trace fig.Trace
	e := study.Experiment{Name: "ecape", Delta: delta}
	r, err := e.Replay(with(Printed, 0, method)[0], inst, 0, rep,
		&explore.Settings{Recorder: &trace})
	if err != nil {
		return nil, err
	}
	trace.End(r)
	return fig.Trajectory(inst.Problem, &trace, &fig.TrajectoryOptions{
		Title: fmt.Sprintf("One run of %s on %s", method, name),
	})
}
