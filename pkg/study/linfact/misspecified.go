package linfact

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

const (
	mixDimension = 4
	mixEpsilon   = .25
)

// mixed returns the features e_1, ..., e_d and the average of each pair of these vectors, with
// names.
func mixed(d int) (*mat.Dense, []string) {
	x, names := basis(d, d*(d-1)/2)
	k := d
	for i := range d {
		for j := range i {
			x.Set(k, i, .5)
			x.Set(k, j, .5)
			names[k] = fmt.Sprintf("(e%d+e%d)/2", j+1, i+1)
			k++
		}
	}
	return x, names
}

// MisspecifiedInstance returns an instance with ten arms: e_1, ..., e_4 and the average of each
// pair of these unit vectors. The linear means are x'theta with theta = (1, 1, 0, 0): three arms
// have mean 1, four arms have mean 1/2, and three arms have mean 0. The argument deviation is added
// to the linear means of the averages, and subtracted from the linear means of the e_i. No linear
// model is closer to all means than this linear model. Epsilon is 1/4, so that without deviations
// each arm is at least 1/4 from the threshold.
//
// As long as e_1, ..., e_4 are active, designs pull only e_1, ..., e_4. Linear estimates are then
// too low: by deviation relative to the linear means of all arms, and by twice the deviation
// relative to the true means of averages. If deviation is above 1/8, e_1 and e_2 are not within
// epsilon of their average, but pulls of e_1, ..., e_4 cannot reveal this difference. After e_3 and
// e_4 are dropped, four averages, now estimated from their own pulls, seem to be within epsilon of
// e_1.
func MisspecifiedInstance(deviation float64) (*bandit.Instance, error) {
	x, names := mixed(mixDimension)
	k, _ := x.Dims()
	mu := mat.NewDense(k, 1, nil)
	mu.Mul(x, mat.NewDense(mixDimension, 1, []float64{1, 1, 0, 0}))
	for i := range k {
		sign := 1.
		if i < mixDimension {
			sign = -1
		}
		mu.Set(i, 0, mu.At(i, 0)+sign*deviation)
	}
	law, err := bandit.NewGaussian(mu, mat.NewSymDense(1, []float64{1}))
	if err != nil {
		return nil, err
	}
	in := &bandit.Instance{
		Law: law, Problem: &explore.Problem{
			X: x, ArmNames: names, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: mixEpsilon},
		},
		Notes: []string{fmt.Sprintf("means deviate from the linear model by %v", deviation)},
	}
	return in, in.Validate()
}

// deviations are the values of L_m in the experiment Misspecified.
var deviations = []float64{0, .01, .02, .03, .04, .05, .06, .08, .1, .12, .13, .15, .2}

func deviation(size int) float64 { return deviations[size] }

// Misspecified is an experiment about section 5, for which the paper has no experiment.
// Misspecified shows the answers of each variant of LinFACT as the deviations from the linear model
// grow. The LinFACT-MIS variants know the deviation L_m.
var Misspecified = study.Experiment{
	Basis: study.AnyInstance,
	Name:  "linfact/misspecified", Title: "Deviations from the linear model",
	Beside: "section 5 has theorems, but no experiment",
	Axis:   "deviation L_m", Sizes: study.Places(len(deviations)), Names: named("L_m", deviations),
	Reps: 200, Delta: Delta,
	Instance: func(size, _ int) (*bandit.Instance, error) {
		return MisspecifiedInstance(deviation(size))
	},
	Methods: []study.Method{
		fact(LinFACTG, policy.LinFACTG, Theory),
		mis(MIS, false, policy.LinFACTMISWhole), mis(MISOrthogonal, true, policy.LinFACTMISWhole),
		mis(MISPrinted, false, policy.LinFACTMISPrinted),
		mis(MISUnchanged, false, policy.LinFACTMISUnchanged),
		{Name: Features, Constants: Theory, New: func(t study.Task) explore.Policy {
			return &featureless{policy.LinFACT{Delta: t.Delta, Design: policy.LinFACTG, Union: policy.PhaseUnionAll}}
		}},
	},
	Measures: []mc.Measure{scores, verdicts},
	Bounds:   []study.Bound{unstructured}, Tables: misspecifiedTables,
	Figures: misspecifiedFigures, Claims: misspecifiedClaims,
	Notes: []string{"With the radius of the linear model, every arm can be classified up to L_m = 0.041, and with " +
		"the radius (35) up to 0.062. However, runs of LinFACT-MIS end when 2^-r is below a quarter of the radius. " +
		"Therefore, from L_m = 0.03 on (with (35), from 0.04 on), some arms remain undecided and are not returned."},
}

// mis returns a variant of LinFACT-MIS that receives the true deviation of each instance.
func mis(name string, orthogonal bool, radius policy.LinFACTMISRadius) study.Method {
	return study.Method{Name: name, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.LinFACTMIS{
			Delta: t.Delta, Deviation: deviation(t.Size), Orthogonal: orthogonal, Radius: radius,
		}
	}}
}

// featureless is LinFACT without features.
type featureless struct{ policy.LinFACT }

// Init implements explore.Policy.
func (p *featureless) Init(prob *explore.Problem, src rand.Source) error {
	return p.LinFACT.Init(withoutFeatures(prob), src)
}

// misspecifiedFigures draws the numbers of undecided arms, of arms with a wrong verdict, and of
// pulls.
func misspecifiedFigures(r *study.Results) ([]study.Figure, error) {
	view := []view{{"", "deviation L_m", r.Experiment.Sizes, deviation}}
	arms, err := drawn("misspecified-arms", means(r, r.Experiment.Methods, view, Wrong, Open), fig.SweepOptions{
		Title: "Returned arms as deviations grow", YLabel: "arms of 10", LinearY: true, Interval: meanBars,
	})
	if err != nil {
		return nil, err
	}
	cost, err := drawn("misspecified-pulls", panels(r, r.Experiment.Methods, view, true, pulls),
		fig.SweepOptions{Title: "Sample complexity at delta = 0.05"})
	return append(arms, cost...), err
}

func named(symbol string, values []float64) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = fmt.Sprintf("%s = %v", symbol, v)
	}
	return names
}
