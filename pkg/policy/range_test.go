package policy_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Radii for rewards in a range refuse others: coins of -.5 and .5 are none of 0 and 1, and what is
// in no range of the length of two Sigmas has no empirical Bernstein bound.
func TestRewardsOutOfRange(t *testing.T) {
	for _, x := range []struct {
		r       radius.Radius
		rewards [2]float64
		says    string // "" if they are taken
	}{
		{radius.Bernoulli{}, [2]float64{-.5, .5}, "between 0 and 1, or between -1 and 0"},
		{radius.Bernoulli{}, [2]float64{0, 1.1}, "between 0 and 1"},
		{radius.Bernoulli{}, [2]float64{0, 1}, ""},
		{radius.Bernoulli{}, [2]float64{-1, 0}, ""},
		{radius.Bernoulli{Trials: 4}, [2]float64{0, 2}, ""},
		{radius.EmpiricalBernstein{}, [2]float64{-.5, .6}, "in a range of the length 1"},
		{radius.EmpiricalBernstein{}, [2]float64{-.5, .5}, ""},
		{radius.KaufmannKoolen{}, [2]float64{-5, 5}, ""},
	} {
		p := &policy.ECAPE{Radius: x.r}
		prob := &explore.Problem{Arms: 2, Sigma: .5, Question: question.Pareto{}}
		if err := p.Init(prob, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		pulls, err := p.Ask(nil)
		if err != nil || len(pulls) != 2 {
			t.Fatal(pulls, err)
		}
		var obs []explore.Batch
		for i, pull := range pulls {
			obs = append(obs, explore.Batch{Pull: pull, Sum: x.rewards[i : i+1]})
		}
		switch err := p.Tell(obs); {
		case x.says == "" && err != nil:
			t.Errorf("%v, %v: %v", x.r, x.rewards, err)
		case x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says)):
			t.Errorf("%v, %v: error %v", x.r, x.rewards, err)
		}
	}
}
