package nb

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// Errors name what is missing and say what to do.
func TestFiguresExplainThemselves(t *testing.T) {
	silent := Bernoulli(arms(), "design", "speed", "yield")
	inst := Must(dataset.Ask(silent, question.Pareto{}))
	for name, c := range map[string]struct {
		f    func()
		want []string
	}{
		"no instance": {func() { Plot(nil) }, []string{"nb: Plot", "the instance is nil", "nb.On"}},
		"no question": {func() { Plot(silent) },
			[]string{"nb: Plot", "has no question; set", "nb.AtLeast"}},
		"recommended for no instance": {func() { Recommended(nil, policy.Circumstances{}) },
			[]string{"nb: Recommended", "the instance is nil"}},
		"run of no question": {func() { Run(silent, &policy.APE{}, 1) },
			[]string{"nb: Run", "has no question; set"}},
		"table of no result": {func() { Explain(inst, nil) },
			[]string{"nb: Explain", "the result is nil"}},
		"course of no instance": {func() { Trajectory(nil, &policy.APE{}, 1) },
			[]string{"nb: Trajectory", "the instance is nil"}},
	} {
		m, failed := celltest.Fails(t, c.f)
		if !failed {
			t.Errorf("%s: the cell does not fail", name)
		}
		for _, w := range c.want {
			if !strings.Contains(m, w) {
				t.Errorf("%s: %q does not say %q", name, m, w)
			}
		}
	}
}

// A listener stores the first number of the random source that a policy gets.
type listener struct {
	explore.Policy
	first uint64
}

func (l *listener) Init(p *explore.Problem, src rand.Source) error {
	l.first = src.Uint64()
	return l.Policy.Init(p, src)
}

// A policy's random numbers must differ from the random numbers of the noise.
func TestPolicyHasItsOwnSource(t *testing.T) {
	law, err := bandit.NewGaussian(mat.NewDense(2, 1, []float64{0, 5}), mat.NewDiagDense(1, []float64{1}))
	if err != nil {
		t.Fatal(err)
	}
	inst := &bandit.Instance{Name: "two arms", Law: law, Problem: &explore.Problem{
		Question: question.Best{}, Arms: 2, Objectives: 1, Sigma: 1}}
	p := &listener{Policy: &policy.LinGapE{Delta: .1}}
	RunFor(inst, p, 3, 50)
	if s := seed.New(3); p.first != s.Child("policy").Source().Uint64() || p.first == s.Child("noise").Source().Uint64() {
		t.Errorf("the policy's random source starts with %d; want the stream \"policy\"", p.first)
	}
}

// Weighted keeps the constraints of the previous question, whatever its type.
func TestWeightedKeepsConstraints(t *testing.T) {
	free := Bernoulli(arms(), "design", "speed", "yield")
	pareto := AtLeast(free, .15, Free)
	region := pareto.Problem.Question.(question.FeasiblePareto).Region
	feasible := Must(dataset.Ask(free, question.Feasible{Region: region}))
	for name, inst := range map[string]*bandit.Instance{
		"feasible Pareto set": pareto, "feasible arms": feasible,
	} {
		weighted := Weighted(inst, 0, 1).Problem.Question.(question.BestFeasible)
		if got := weighted.Region; got != region {
			t.Errorf("%s: Weighted drops the constraints", name)
		}
	}
}
