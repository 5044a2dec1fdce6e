package policy_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

func trackQuick() explore.Policy {
	return &policy.ParetoTrackAndStop{Threshold: policy.Heuristic{}}
}

var _ = register(trackPlans)

// trackPlans are as those of Game-cPSI: the guarantee is about the set.
func trackPlans() []plan {
	cases := inexact(sequential(constrainedCases(), 1)...)
	all := slices.Clone(cases)
	for _, c := range cases {
		if c.Name == "all classes" || c.Name == "one arm" || c.Name == "no constraints" ||
			c.Name == "three objectives" {
			all = append(all, unconstrained(c, question.Pareto{}))
		}
	}
	var rates []rate
	for _, c := range []policytest.Case{
		setOnly(tight()), unconstrained(tight(), question.Pareto{}), setOnly(constrainedCases()[0]),
	} {
		rates = append(rates, rate{c, .1, 50})
	}
	return []plan{
		{"ParetoTrackAndStop, log((1 + log t)|delta)", trackQuick, all, rates},
		{"ParetoTrackAndStop, direct",
			form(policy.ParetoTrackAndStop{Threshold: policy.Heuristic{}, Direct: true}),
			append(cases[:2:2], cases[6]), nil},
		{"ParetoTrackAndStop, mixture martingales", form(policy.ParetoTrackAndStop{}),
			cases[1:4], []rate{{unconstrained(tight(), question.Pareto{}), .1, 6}}},
	}
}

// Without noise the proportions climb to the value of the oracle's: 1/F tends to T*.
func TestParetoTrackAndStopProportions(t *testing.T) {
	for _, c := range []policytest.Case{
		setOnly(tight()), unconstrained(tight(), question.Pareto{}), setOnly(constrainedCases()[0]),
	} {
		s := gameTStar(t, c)
		for _, direct := range []bool{false, true} {
			const n = 20_000
			p := &policy.ParetoTrackAndStop{Delta: .1, Threshold: endless{.1}, Direct: direct}
			r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: n})
			if err != nil {
				t.Fatal(err)
			}
			b := bestResponse(t, c)
			share := make([]float64, c.Problem.K())
			for i, v := range r.ArmPulls {
				share[i] = float64(v) / n
				if v < int(math.Sqrt(n)-float64(len(share))/2) {
					t.Errorf("%s: %d pulls of arm %d; want the forced ones at least", c.Name, v, i)
				}
			}
			ratio := 1 / b.Cost(nil, share) / s.Lower
			t.Logf("%s, direct %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name, direct,
				share, s.Weights, ratio)
			if ratio > 1.1 {
				t.Errorf("%s, direct %v: proportions %.3f, oracle %.3f; time %.4f T*", c.Name,
					direct, share, s.Weights, ratio)
			}
		}
	}
}

// Without noise it cannot stop before T* beta/sigma^2 pulls, whatever it pulls, and for
// small delta not much later.
func TestParetoTrackAndStopStoppingTime(t *testing.T) {
	for _, c := range []policytest.Case{setOnly(tight()),
		unconstrained(tight(), question.Pareto{})} {
		s := gameTStar(t, c)
		for _, direct := range []bool{false, true} {
			r, err := explore.Run(&policy.ParetoTrackAndStop{Delta: 1e-9, Direct: direct},
				c.Problem, c.Exact(), nil)
			if err != nil {
				t.Fatal(err)
			}
			e := policy.Evidence{Delta: 1e-9, Pulls: r.Pulls, Rank: c.Problem.K() * c.Problem.D()}
			for _, n := range r.ArmPulls {
				e.LogDet += float64(c.Problem.D()) * math.Log(float64(n))
			}
			sigma := c.Problem.SigmaU()
			ratio := float64(r.Pulls) / (s.Lower * policy.MixtureMartingales{}.Beta(
				e) * sigma * sigma)
			if ratio < 1-1e-9 || ratio > 1.2 {
				t.Errorf("%s, direct %v: %d pulls, %.3f times T* beta", c.Name, direct, r.Pulls,
					ratio)
			}
		}
	}
}

func ExampleParetoTrackAndStop() {
	// Routes by speed and comfort.
	c := unconstrained(constrainedCase("routes", atLeast(0, 0), .2,
		[]float64{1, 0}, []float64{0, 1}, []float64{.7, .6}, []float64{.1, .1}), question.Pareto{})
	r, err := explore.Run(&policy.ParetoTrackAndStop{Delta: .05}, c.Problem, c.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Answer.Items, "dominated:", r.Answer.Of(explore.Dominated))
	// Output:
	// stopped [0 1 2] dominated: [3]
}
