package linfact

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// SixArms are six arms without structure, written as unit vectors, on which the expression of
// Theorem 3.2 is 30 % above the lower bound: means .996 to 1 and .3, with epsilon 1/2.
func SixArms() (*bandit.Instance, error) {
	x, names := basis(6, 0)
	return bandit.NewLinear("six arms", &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5},
	}, mat.NewDense(6, 1, []float64{1, .999, .998, .997, .996, .3}))
}

// FiveArms are five arms without structure, written as unit vectors, with means 1, .95, .8, .2 and
// 0: three are within 1/2 of the best. For the fourth to be within 1/2 too, the first and
// the second have to be worse.
func FiveArms() (*bandit.Instance, error) {
	x, names := basis(5, 0)
	return bandit.NewLinear("five arms", &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5},
	}, mat.NewDense(5, 1, []float64{1, .95, .8, .2, 0}))
}

// Limit is section 3: what methods need on SixArms, as a multiple of the lower bound, while the
// error probability falls.
var Limit = study.Experiment{
	Ground: study.AnyInstance,
	Name:   "linfact/lower-bounds", Title: "Six arms, while the error probability falls",
	Beside: "section 3 has a theorem only", Shared: "six arms",
	Axis: "log10 of 1/delta", Sizes: []int{1, 2, 4, 8, 16}, Reps: 100,
	Deltas:   func(size int) float64 { return math.Pow(10, -float64(size)) },
	Instance: func(int, int) (*bandit.Instance, error) { return SixArms() },
	Methods:  slices.Concat(own, []study.Method{gStatic}, games(), featureFree),
	Measures: []mc.Measure{scores}, Bounds: onShared(), Figures: limitFigures,
	Claims: limitClaims,
}

// limitFigures show how many times the lower bound methods need.
func limitFigures(r *study.Results) ([]study.Figure, error) {
	view := []view{{r.Experiment.Title, r.Experiment.Axis, r.Experiment.Sizes, identity}}
	return drawn("lower-bounds", "Pulls until stopping, and the bounds.",
		panels(r, proven(r), view, true, pulls), fig.SweepOptions{Title: "Sample complexity"})
}
