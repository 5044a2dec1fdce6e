package policy_test

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// bestOf turns a constrained case into a case about its best feasible arms.
func bestOf(c policytest.Case, count int, weights ...float64) policytest.Case {
	p := *c.Problem
	p.Question = question.BestFeasible{Region: c.Problem.Question.(question.FeasiblePareto).Region,
		Weights: weights, Count: count}
	c.Problem = &p
	c.Name += fmt.Sprintf(" weights %v", weights)
	if count > 1 {
		c.Name += fmt.Sprintf(" count %d", count)
	}
	c.MaxPulls = 2_000_000
	return c
}

// bestFeasibleCases returns cases with exactly one right answer.
func bestFeasibleCases(count int) (cases []policytest.Case) {
	add := func(c policytest.Case, weights ...float64) {
		cases = append(cases, bestOf(c, count, weights...))
	}
	for _, c := range constrainedCases() {
		switch c.Name {
		case "all classes":
			add(c, 1, 0)
			add(c, 1, 2)
		case "nobody feasible":
			add(c)
		case "one feasible":
			add(c, 1, 1)
			add(c, 0, 1)
		case "one arm":
			add(c, -1, 0)
		case "no constraints":
			add(c, 2, 1)
		case "three objectives":
			add(c, 1, 3, -1)
		case "upper bounds":
			add(c, 1, .1)
		case "simplex":
			add(c)
		}
	}
	// The other arms are known to be worse long before the leader is known to be feasible.
	add(constrainedCase("leader at the edge", atLeast(0, 0), .5, []float64{3, .1}, []float64{-1, 3}, []float64{.5, 2}), 1, 0)
	return cases
}

// bestTight returns a case whose answer depends on differences of 0.2 standard deviations. Arm 0 is better
// than arm 1 by this amount, and inside the region by this amount. Arm 3 is better than arm 0, but outside by
// this amount.
func bestTight(count int) policytest.Case { return bestOf(tight(), count, 1, 0) }

var _ = register(bestFeasiblePlans)

// bestFeasiblePlans returns plans of BettingFeasible and TFLUCB for the same cases.
func bestFeasiblePlans() (all []plan) {
	for _, count := range []int{1, 2, 9} {
		bets := plan{name: fmt.Sprintf("BettingFeasible, %d best", count), new: form(policy.BettingFeasible{}),
			cases: append(bestFeasibleCases(count), bestTight(count))}
		if count < 9 {
			bets.rates = []rate{{bestTight(count), .1, 100}, {bestTight(count), .8, 100}}
		}
		all = append(all, bets)
		p := plan{name: fmt.Sprintf("TFLUCB, %d arms", count), new: tfLUCB}
		p.cases = append(bestFeasibleCases(count), bestTight(count))
		if count > 2 {
			all = append(all, p)
			continue
		}
		p.rates = []rate{{bestTight(count), .1, 100}}
		theory := form(policy.TFLUCB{Radius: radius.Theory{}})
		all = append(all, p, plan{name: p.name + ", Theory", new: theory, rates: []rate{{bestTight(count), .1, 20}}})
	}
	return all
}

// bestOneCases returns cases about the best arm by one objective. In the last case the other
// objective is known.
func bestOneCases() (cases []policytest.Case) {
	for _, c := range append(bestFeasibleCases(1), bestTight(1)) {
		w := c.Problem.Question.(question.BestFeasible).Weights
		if len(w) == 2 && math.Max(w[0], w[1]) > 0 && w[0]*w[1] == 0 {
			cases = append(cases, c)
		}
	}
	last := knowing(cases[0], 1)
	last.Name += ", the other is known"
	return append(cases, last)
}

var _ = register(func() (all []plan) {
	for name, new := range lenientPolicies(radius.Mixture{}) {
		if name != "APE" {
			all = append(all, plan{name + ", best by one objective", new, bestOneCases(), []rate{{bestTight(1), .1, 50}}})
		}
	}
	return all
})
