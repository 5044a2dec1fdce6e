package policy_test

import (
	"fmt"
	"slices"

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
