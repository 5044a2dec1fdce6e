package linfact

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// DrugDiscovery is the experiment of section 7.2, on a SYNTHETIC surrogate for the table of
// contributions. The surrogate has 960 compounds, of which 20 are within 4.325 of the best
// compound. As the size of the experiment grows, the error probability grows from 0.1 to 0.9.
var DrugDiscovery = FreeWilson("linfact/free-wilson-synthetic",
	"Drug discovery, synthetic contributions", dataset.FreeWilson{})

// FreeWilson returns the experiment of section 7.2 for a table of contributions; see
// dataset.ReadFreeWilson and dataset.FitFreeWilson. Figures and claims refer to the paper only if
// the table is the synthetic surrogate.
func FreeWilson(name, title string, table dataset.FreeWilson) study.Experiment {
	shared := table.Name
	if shared == "" {
		shared = "free-wilson"
		if table.Synthetic() {
			shared = "free-wilson-synthetic"
		}
	}
	e := study.Experiment{
		Basis: study.StandIn,
		Name:  name, Title: title, Shared: shared,
		Axis: "error probability (%) delta", Sizes: []int{10, 20, 30, 40, 50, 60, 70, 80, 90},
		Reps:     10,
		Deltas:   func(percent int) float64 { return float64(percent) / 100 },
		Instance: func(int, int) (*bandit.Instance, error) { return table.Instance() },
		Methods:  slices.Concat(own, drugBaselines),
		Measures: []mc.Measure{scores}, Bounds: onShared(),
		Figures: freeWilsonFigures,
	}
	if table.Synthetic() {
		e.Source, e.Claims = "Fig. 8", drugClaims
		e.Notes = append(e.Notes, "The standard deviation of rewards, 1, is an assumption; the paper states none.",
			"SYNTHETIC: the contributions of substituents are drawn, not measured; numbers of pulls are not "+
				"comparable with the paper's.")
	}
	return e
}

// freeWilsonFigures draws the parts of Fig. 8: F1 (c), pulls (d), and precision and recall (a, b).
func freeWilsonFigures(r *study.Results) ([]study.Figure, error) {
	e := r.Experiment
	view := []view{{"", e.Axis, e.Sizes, identity}}
	scores := func(file string, measures ...string) func() ([]study.Figure, error) {
		return func() ([]study.Figure, error) {
			return drawn(e.ShortName()+file, means(r, proven(r), view, measures...), fig.SweepOptions{Title: e.Title,
				YLabel: "score (1: all correct)", LinearY: true, Interval: meanBars, Y: [2]float64{0, 1}})
		}
	}
	var fs []study.Figure
	for _, draw := range []func() ([]study.Figure, error){
		scores("-f1", F1),
		func() ([]study.Figure, error) {
			return drawn(e.ShortName()+"-pulls", panels(r, proven(r), view, true, pulls),
				fig.SweepOptions{Title: e.Title})
		},
		scores("-scores", Precision, Recall),
	} {
		f, err := draw()
		if err != nil {
			return nil, err
		}
		fs = append(fs, f...)
	}
	return fs, nil
}

// drugBaselines are the methods with which the paper compares LinFACT in section 7.2. The methods
// in drugBaselines identify the 20 best compounds, and compare all pairs of the 960 compounds at
// each pull.
var drugBaselines = []study.Method{
	linGIFA(LinGIFA, Published, trueCount), mLinGapE(MLinGapE, Published, trueCount),
}

// SixArms returns an instance with six arms without structure, whose features are unit vectors. The
// means are 0.3 and five values from 0.996 to 1; epsilon is 1/2. For SixArms, the expression of
// Theorem 3.2 is 30 % above the lower bound.
func SixArms() (*bandit.Instance, error) {
	x, names := basis(6, 0)
	return bandit.NewLinear("six arms", &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5},
	}, mat.NewDense(6, 1, []float64{1, .999, .998, .997, .996, .3}))
}

// FiveArms returns an instance with five arms without structure, whose features are unit vectors.
// The means are 1, 0.95, 0.8, 0.2 and 0; three arms are within 1/2 of the best arm. For the fourth
// arm to come within 1/2, the means of the first two arms must decrease.
func FiveArms() (*bandit.Instance, error) {
	x, names := basis(5, 0)
	return bandit.NewLinear("five arms", &explore.Problem{
		X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .5},
	}, mat.NewDense(5, 1, []float64{1, .95, .8, .2, 0}))
}

// Limit is an experiment about section 3: the pulls of methods on SixArms, as multiples of the
// lower bound, for decreasing error probabilities.
var Limit = study.Experiment{
	Basis: study.AnyInstance,
	Name:  "linfact/lower-bounds", Title: "Six arms, decreasing error probability",
	Beside: "section 3 has a theorem, but no experiment", Shared: "six arms",
	Axis: "log10 of 1/delta", Sizes: []int{1, 2, 4, 8, 16}, Reps: 100,
	Deltas:   func(size int) float64 { return math.Pow(10, -float64(size)) },
	Instance: func(int, int) (*bandit.Instance, error) { return SixArms() },
	Methods:  slices.Concat(own, []study.Method{gStatic}, games(), featureFree),
	Measures: []mc.Measure{scores}, Bounds: onShared(), Figures: limitFigures,
	Claims: limitClaims,
}

// limitFigures draws the pulls of methods together with the lower bound.
func limitFigures(r *study.Results) ([]study.Figure, error) {
	view := []view{{r.Experiment.Title, r.Experiment.Axis, r.Experiment.Sizes, identity}}
	return drawn("lower-bounds", panels(r, proven(r), view, true, pulls), fig.SweepOptions{Title: "Sample complexity"})
}

// Paper lists the experiments of section 7. Paper also lists experiments about sections 3, 5 and 6,
// for which the paper reports none.
var Paper = study.Paper{
	Name:  "linfact",
	Title: "All epsilon-best arms of a linear model",
	Reference: "Li, Ma, Hua and Zhu, \"Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits\", " +
		"sections 3 to 7",
	Experiments: []study.Experiment{DecisionRegions, Synthetic, Growth, DrugDiscovery, Limit,
		Misspecified, Successes, Counts},
}
