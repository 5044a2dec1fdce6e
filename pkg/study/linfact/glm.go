package linfact

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// GLMInstance returns an instance with the arms of MisspecifiedInstance and an additional constant
// feature. The linear predictors are shift + x'theta with theta = (1, 1, 0, 0). Rewards are
// successes (explore.Logit) or counts (explore.Log) with the linear predictors shift + x'theta.
// Epsilon is 1/4 in units of the predictors.
func GLMInstance(link explore.Link, shift float64) (*bandit.Instance, error) {
	bare, names := mixed(mixDimension)
	k, d := bare.Dims()
	x, theta := mat.NewDense(k, d+1, nil), mat.NewDense(d+1, 1, []float64{shift, 1, 1, 0, 0})
	for i := range k {
		x.SetRow(i, append([]float64{1}, bare.RawRowView(i)...))
	}
	sigma := .5 // sub-Gaussian scale of rewards in [0, 1]
	if link == explore.Log {
		sigma = math.Sqrt(link.Mean(shift + 1)) // the largest standard deviation of a count
	}
	return bandit.NewLinear("glm", &explore.Problem{
		X: x, ArmNames: names, Sigma: sigma, Link: link,
		Question: question.AllEpsilonBest{Epsilon: mixEpsilon},
	}, theta)
}

// steepness returns c_min of an instance: the smallest slope of the mean for predictors from shift
// - 1/2 to shift + 3/2. True predictors are between shift and shift + 1; estimates in the first
// round may be outside this range.
func steepness(link explore.Link, shift float64) float64 {
	return min(link.Slope(shift-.5), link.Slope(shift+1.5))
}

// Successes is an experiment about section 6 with logistic rewards, for which the paper has no
// experiment. Predictors are shifted to values at which the slope of the mean is small.
var Successes = generalised("E", "linfact/glm", "Logistic rewards", explore.Logit, []float64{-4, -3, -2, -1, 0})

// Counts is an experiment about section 6 with counts as rewards, for which the paper has no
// experiment.
var Counts = generalised("F", "linfact/glm-counts", "Counts", explore.Log, []float64{-1, -.5, 0, .5, 1})

// generalised returns an experiment about generalised linear models with shifted predictors.
func generalised(id, name, title string, link explore.Link, shifts []float64) study.Experiment {
	shift := func(size int) float64 { return shifts[size] }
	e := study.Experiment{
		Name: name, Title: title, Beside: "section 6 has a theorem, but no experiment",
		Axis: "shift b", Sizes: study.Places(len(shifts)),
		Basis: study.AnyInstance,
		Names: named(strings.TrimPrefix(name, "linfact/")+" b", shifts), Reps: 200, Delta: Delta,
		Instance: func(size, _ int) (*bandit.Instance, error) {
			return GLMInstance(link, shift(size))
		},
		Methods: []study.Method{{Name: GLM, Constants: Theory, New: func(t study.Task) explore.Policy {
			return &policy.LinFACTGLM{Delta: t.Delta, MinSlope: steepness(link, shift(t.Size))}
		}}},
		Measures: []mc.Measure{scores, verdicts},
		Notes: []string{"Means, errors and epsilon are on the scale of the linear predictors, which range from b " +
			"to b + 1."},
	}
	e.Claims = glmClaims(id, link, shift)
	e.Figures = func(r *study.Results) ([]study.Figure, error) {
		views := []view{{title, "shift b of the predictors", r.Experiment.Sizes, shift}}
		ps := panels(r, r.Experiment.Methods, views, false, pulls)
		for i := range ps {
			ps[i].References = append(ps[i].References, slopeLine(r, link, shift))
		}
		return drawn(e.ShortName(), ps, fig.SweepOptions{Title: "Sample complexity at delta = 0.05"})
	}
	return e
}

// slopeLine returns the line sigma^2/c_min^2, scaled to the pulls at the first size.
func slopeLine(r *study.Results, link explore.Link, shift func(int) float64) fig.SweepSeries {
	line := fig.SweepSeries{Name: "growth as sigma²/c_min²"}
	unit := 0.
	for _, size := range r.Experiment.Sizes {
		rows := r.Cell(size, GLM, Theory)
		if len(rows) == 0 {
			continue
		}
		v := variance(link, shift(size)) / math.Pow(steepness(link, shift(size)), 2)
		if unit == 0 {
			unit = study.MedianPulls(rows).Center / v
		}
		line.Points = append(line.Points, fig.SweepPoint{
			X: shift(size), Center: unit * v, Lo: math.NaN(), Hi: math.NaN(),
		})
	}
	return line
}

// variance returns the square of Problem.Sigma of an instance.
func variance(link explore.Link, shift float64) float64 {
	if link == explore.Log {
		return link.Mean(shift + 1)
	}
	return .25
}
