package policy_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// Policies that say that they use costs spend less than if they did not know them, and answer as well.
func TestCostsAreKeptLow(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{-1, -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := mat.NewDense(4, 1, []float64{1, .6, 0, 0})
	two := mat.NewDense(4, 2, []float64{1, 1, .6, .6, 0, 0, 0, 0})
	mix := radius.Mixture{}
	for _, c := range []struct {
		means *mat.Dense
		ask   explore.Question
		make  func() explore.Carded
	}{
		{one, question.Best{}, func() explore.Carded { return &policy.BettingElimination{} }},
		{one, question.Best{}, func() explore.Carded { return &policy.LinGapE{} }},
		{one, question.Best{}, func() explore.Carded { return &policy.LinGapE{Select: policy.LinGapEGreedy} }},
		{one, question.Best{}, func() explore.Carded { return &policy.UGapE{Radius: mix} }},
		{one, question.AllEpsilonBest{Epsilon: .2}, func() explore.Carded { return &policy.BettingAllEpsilon{} }},
		{two, question.Pareto{}, func() explore.Carded { return &policy.BettingPareto{} }},
		{two, question.Pareto{}, func() explore.Carded { return &policy.APE{Radius: mix} }},
		{two, question.FeasiblePareto{Region: region}, func() explore.Carded { return &policy.BettingFeasible{} }},
		{two, question.FeasiblePareto{Region: region}, func() explore.Carded { return &policy.ECAPE{Radius: mix} }},
		{two, question.Pareto{Epsilon: .05}, func() explore.Carded { return &policy.ECAPE{Radius: mix} }},
	} {
		p := c.make()
		card := p.Card()
		if !card.Uses.Has(explore.UsesCosts) {
			t.Errorf("%s does not say that it uses costs", card.Name)
		}
		costs := []float64{1, 25, 1, 1} // what is hard is to tell the first two apart
		mean := func(costs, known []float64) (sum float64) {
			for rep := range uint64(20) {
				law, err := bandit.NewGaussian(c.means, mat.NewDiagDense(cols(c.means),
					slices.Repeat([]float64{.09}, cols(c.means))))
				if err != nil {
					t.Fatal(err)
				}
				res, err := explore.Run(c.make(), &explore.Problem{Arms: 4, Sigma: .3,
					Objectives: cols(c.means), Question: c.ask, Costs: known},
					bandit.NewSampler(law, seed.New(rep)), nil)
				if err != nil || res.Status != explore.Stopped {
					t.Fatalf("%s: %v, %v", card.Name, err, res)
				}
				sum += (&explore.Problem{Costs: costs}).Spent(res.ArmPulls) / 20
			}
			return sum
		}
		with, without := mean(costs, costs), mean(costs, nil)
		t.Logf("%s, %T: %.0f with costs, %.0f without", explore.Name(p), c.ask, with, without)
		if with > .9*without || math.IsNaN(with) {
			t.Errorf("%s: %.0f with costs, %.0f without", explore.Name(p), with, without)
		}
	}
}

func cols(m *mat.Dense) int { _, c := m.Dims(); return c }
