package nb

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// The recommendation uses the noise that the instance declares.
func TestRecommendedKnowsTheNoise(t *testing.T) {
	law, err := bandit.NewBernoulli(mat.NewDense(2, 1, []float64{.9, .2}))
	if err != nil {
		t.Fatal(err)
	}
	inst := &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: 2, Sigma: .5, Question: question.Best{}}}
	p := Recommended(inst, policy.Circumstances{AnySampling: true})
	u, ok := p.(*policy.UGapE)
	if !ok {
		t.Fatalf("%T", p)
	}
	if _, ok := u.Radius.(radius.Bernoulli); !ok {
		t.Errorf("radius %T", u.Radius)
	}
	// If the question is the best item, circumstances sets no radius, because BettingElimination uses only the scale
	// of the noise.
	if c := circumstances(inst, policy.Circumstances{}); c.Radius != nil || c.Gaussian {
		t.Errorf("rates, for the best: %+v", c)
	}
	other := *inst
	other.Problem = &explore.Problem{Arms: 2, Sigma: .5, Question: question.AllEpsilonBest{Epsilon: .1}}
	if c := circumstances(&other, policy.Circumstances{}); c.Radius != radius.Radius(radius.Bernoulli{}) {
		t.Errorf("rates, for all good ones: %+v", c)
	}
	own := radius.EmpiricalBernstein{}
	if c := circumstances(inst, policy.Circumstances{AnySampling: true, Radius: own}); c.Radius != radius.Radius(own) {
		t.Errorf("a given radius is replaced by %T", c.Radius)
	}
	gaussian, err := bandit.NewGaussian(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), mat.NewDiagDense(2, []float64{1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	inst = &bandit.Instance{Law: gaussian, Problem: &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1,
		Question: question.Pareto{}}}
	if p := Recommended(inst, policy.Circumstances{}); explore.TypeName(p) != "BettingPareto" {
		t.Errorf("%T", p)
	}
}
