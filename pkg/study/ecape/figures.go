package ecape

import (
	"fmt"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// Figures returns the figures of a report, without those that there are no rows
// for.
func Figures(rows []mc.Row) ([]study.Figure, error) {
	var fs []study.Figure
	for _, f := range []struct {
		name, caption string
		draw          func() (*fig.Figure, error)
		rows          []mc.Row
	}{
		{"responses-secukinumab", "Mean responses of the doses and the feasible region (paper: Fig. 2).", func() (*fig.Figure, error) { return Responses(Published) }, rows},
		{"responses-covboost", "Mean responses of the strategies and the feasible region (paper: Fig. 3).", func() (*fig.Figure, error) { return Responses(CovBoost) }, rows},
		{"sample-complexity", "Pulls until stopping with the constants of the paper's experiments (paper: Fig. 4).", func() (*fig.Figure, error) { return SampleComplexity(rows, Paper) }, with(rows, Paper)},
		{"sample-complexity-guaranteed", "The same with constants that come with a guarantee.", func() (*fig.Figure, error) { return SampleComplexity(rows, Calibrated, Theory) }, with(rows, Calibrated, Theory)},
		{"arm-pulls", "Mean pulls of each arm.", func() (*fig.Figure, error) { return ArmPullsFigure(rows) }, with(rows, Paper)},
		{"trajectory", "One run of e-cAPE.", func() (*fig.Figure, error) { return Trajectory(Published, ECAPE, 0) }, rows},
	} {
		if len(f.rows) == 0 {
			continue
		}
		d, err := f.draw()
		if err != nil {
			return fs, fmt.Errorf("ecape: figure %s: %w", f.name, err)
		}
		fs = append(fs, study.Figure{Name: f.name, Caption: f.caption, Drawing: d})
	}
	return fs, nil
}

// Responses shows the mean responses of an instance with the feasible region,
// as the paper's Fig. 2 and 3 do: the plane of two objectives, or the planes of
// three, linked by the numbers of the arms.
func Responses(instance string) (*fig.Figure, error) {
	inst, err := Named(instance)
	if err != nil {
		return nil, err
	}
	if inst.Problem.D() == 2 {
		return fig.ResponsePlane(inst, &fig.PlaneOptions{
			Title: "Mean responses: " + inst.Name,
			Units: []string{"ACR20 response rate, week 16", "rate without adverse event, week 20"},
		})
	}
	return fig.ResponsePlanes(inst, &fig.PlaneOptions{
		Title: "Mean responses: " + inst.Name,
		Units: []string{"ELU/mL", "titre", "SFC per million PBMC"},
	})
}

// SampleComplexity shows the distributions of the numbers of pulls with the
// given constants, as the paper's Fig. 4 does, with the complexity C* of the
// instance for comparison.
func SampleComplexity(rows []mc.Row, constants ...string) (*fig.Figure, error) {
	instances, err := Instances()
	if err != nil {
		return nil, err
	}
	o := &fig.RowOptions{Title: "Sample complexity at delta = 0.1", Methods: Methods}
	for _, inst := range instances {
		o.References = append(o.References, fig.Reference{Instance: inst.Name, Name: "C*", Pulls: cStar(inst).Value})
	}
	return fig.SampleComplexity(with(rows, constants...), o)
}

// cStar returns the complexity terms of an instance.
func cStar(inst *bandit.Instance) complexity.CStar {
	q := inst.Problem.Question.(question.FeasiblePareto)
	return complexity.NewCStar(q, inst.Truth(), inst.Problem.Sigma, inst.Problem.SigmaU())
}

// ArmPullsFigure shows the mean pulls of each arm with the paper's constants.
func ArmPullsFigure(rows []mc.Row) (*fig.Figure, error) {
	instances, err := Instances()
	if err != nil {
		return nil, err
	}
	o := &fig.RowOptions{Title: "Pulls of each arm at delta = 0.1", Methods: Methods, ArmNames: map[string][]string{}}
	for _, inst := range instances {
		o.ArmNames[inst.Name] = inst.Problem.ArmNames
	}
	return fig.ArmPulls(with(rows, Paper), o)
}

// with returns the rows with the given constants.
func with(rows []mc.Row, constants ...string) []mc.Row {
	var w []mc.Row
	for _, c := range constants {
		for _, r := range rows {
			if r.Constants == c {
				w = append(w, r)
			}
		}
	}
	return w
}

// Trajectory shows one run of a method, with the constants of the paper's
// experiments and the noise of replicate rep of the study at seed 1.
func Trajectory(instance, method string, rep int) (*fig.Figure, error) {
	inst, err := Named(instance)
	if err != nil {
		return nil, err
	}
	s := seed.New(1).Child(inst.Name, rep)
	var trace fig.Trace
	r, err := explore.Run(New(method, radius.Paper{}), inst.Problem, inst.Sampler(s.Child("noise")), &explore.Settings{Recorder: &trace})
	if err != nil {
		return nil, err
	}
	trace.End(r)
	return fig.Trajectory(inst.Problem, &trace, &fig.TrajectoryOptions{Title: fmt.Sprintf("One run of %s on %s", method, instance)})
}
