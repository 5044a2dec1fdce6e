package policy_test

import (
	"fmt"
	"math/rand/v2"
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

// Tolerances never cost: with a larger one in either objective no more is measured, but for chance.
func TestTolerancesNeverCost(t *testing.T) {
	const k, runs, most = 6, 3, 100_000
	ladders := [][][]float64{{{0, .5}, {0, 1}, {0, 3}, {0, 100}}, {{.5, .5}, {.5, 3}, {3, 3}}}
	policies := []func() explore.Policy{
		func() explore.Policy { return &policy.ECAPE{Delta: .1, Radius: radius.KaufmannKoolen{}} },
		func() explore.Policy { return &policy.APE{Delta: .1, Radius: radius.KaufmannKoolen{}} },
		func() explore.Policy {
			return &policy.ConstrainedRacing{Delta: .1, Radius: radius.KaufmannKoolen{}}
		},
	}
	for instance := range 6 {
		rnd := rand.New(rand.NewPCG(uint64(instance), 9))
		mu := mat.NewDense(k, 2, nil)
		for i := range k {
			mu.SetRow(i, []float64{3 * rnd.Float64(), 3 * rnd.Float64()})
		}
		law, err := bandit.NewGaussian(mu, mat.NewDiagDense(2, []float64{1, 1}))
		if err != nil {
			t.Fatal(err)
		}
		for _, make := range policies {
			for _, ladder := range ladders {
				before := most
				for _, tolerance := range ladder {
					p := &explore.Problem{Arms: k, Objectives: 2, Sigma: 1, NormSigma: 1,
						Question: question.FeasiblePareto{Region: polyhedron.Whole(2),
							Tolerance: tolerance}}
					pulls := 0
					for rep := range runs {
						s := bandit.NewSampler(law, seed.New(uint64(rep)))
						r, err := explore.Run(make(), p, s, &explore.Settings{MaxPulls: most})
						if err != nil {
							t.Fatal(err)
						}
						pulls += r.Pulls / runs
						if r.Status == explore.Stopped && !p.Question.Correct(mu, r.Answer) {
							t.Errorf("wrong: %v of\n%.3g", r.Answer.Items, mat.Formatted(mu))
						}
					}
					if pulls > before+before/5+20 {
						t.Errorf("%s, instance %d: %d pulls with tolerances %v, %d with the "+
							"smaller ones", fmt.Sprint(make()), instance, pulls, tolerance, before)
					}
					before = pulls
				}
			}
		}
	}
}
