package policy_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// lenientPolicies returns the policies that support tolerances and known values. APE supports no
// constraints.
func lenientPolicies(r radius.Radius) map[string]func() explore.Policy {
	return map[string]func() explore.Policy{
		"ECAPE":             func() explore.Policy { return &policy.ECAPE{Radius: r} },
		"Uniform":           func() explore.Policy { return &policy.Uniform{Radius: r} },
		"TwoStage":          func() explore.Policy { return &policy.TwoStage{Radius: r} },
		"ConstrainedRacing": func() explore.Policy { return &policy.ConstrainedRacing{Radius: r} },
		"APE":               func() explore.Policy { return &policy.APE{Radius: r} },
	}
}

// tolerant adds tolerances to a case.
func tolerant(c policytest.Case, tolerance, slack []float64) policytest.Case {
	p := *c.Problem
	q := p.Question.(question.FeasiblePareto)
	q.Tolerance, q.Slack = tolerance, slack
	p.Question = q
	c.Problem = &p
	return c
}

// knowing marks the given objectives of a case as known.
func knowing(c policytest.Case, which ...int) policytest.Case {
	p := *c.Problem
	mu := c.Means()
	p.Known = mat.NewDense(p.Arms, p.Objectives, nil)
	for i := range p.Arms {
		for j := range p.Objectives {
			p.Known.Set(i, j, math.NaN())
			if slices.Contains(which, j) {
				p.Known.Set(i, j, mu.At(i, j))
			}
		}
	}
	p.Question = c.Problem.Question
	c.Problem = &p
	return c
}

// lenientCases are small enough for hundreds of runs. None has an answer without its tolerances or
// known values: there are ties, an arm on the boundary, or equal prices.
func lenientCases() []policytest.Case {
	cases := []policytest.Case{
		tolerant(constrainedCase("ties", polyhedron.Whole(2), .5,
			[]float64{1, 0}, []float64{0, 1}, []float64{1, 0}, []float64{.95, -.05},
			[]float64{-.6, -.5}), []float64{.4, .3}, nil),
		tolerant(constrainedCase("on the boundary", atLeast(0, 0), .5,
			[]float64{2, 1}, []float64{1, 2}, []float64{.5, .3}, []float64{3, 0},
			[]float64{3.3, -.1}, []float64{-1, 3}), []float64{.3, .3}, []float64{.5, .6}),
		tolerant(constrainedCase("slack only", atLeast(0, 0), .5,
			[]float64{2, 1}, []float64{1, 2}, []float64{3, 0}, []float64{.5, .3}),
			nil, []float64{.5, .6}),
		tolerant(constrainedCase("one objective matters exactly", atLeast(0, math.Inf(-1)), .5,
			[]float64{1, .1}, []float64{.2, 1}, []float64{.3, .3}, []float64{-1, 2}),
			[]float64{.5, 0}, nil),
		knowing(constrainedCase("equal prices", atLeast(0, -2.5), .5,
			[]float64{1, -2}, []float64{.4, -2}, []float64{2, -2}, []float64{.5, -1},
			[]float64{3, -3}, []float64{2.5, -2.5}), 1),
		knowing(constrainedCase("all but one known", polyhedron.Whole(2), .5,
			[]float64{1, -2}, []float64{1, -1}, []float64{2, -3}, []float64{.5, .5}), 0, 1),
		tolerant(knowing(constrainedCase("prices that hardly differ", atLeast(0, -2.5), .5,
			[]float64{1, -2}, []float64{1.1, -2.1}, []float64{2, -2.4}, []float64{.5, -2.05},
			[]float64{3, -2.6}), 1), []float64{.4, .2}, []float64{.3, 0}),
	}
	for i := range cases {
		cases[i].Inexact = cases[i].Problem.Known != nil // equal prices
	}
	return cases
}

// withoutConstraints returns the cases without constraints.
func withoutConstraints(cases []policytest.Case) []policytest.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c policytest.Case) bool {
		return c.Problem.Question.(question.FeasiblePareto).Region.Rows() > 0
	})
}

// lenientFor returns the cases that a policy supports.
func lenientFor(name string) []policytest.Case {
	cases := lenientCases()
	if name != "APE" {
		return cases
	}
	return append(withoutConstraints(cases), knowing(unconstrainedPrices(), 1))
}

// unconstrainedPrices has two arms of each price.
func unconstrainedPrices() policytest.Case {
	return constrainedCase("two of a price", polyhedron.Whole(2), .5,
		[]float64{1, -2}, []float64{.2, -2}, []float64{0, -1}, []float64{-.8, -1})
}

func TestLenientConformance(t *testing.T) {
	for name, new := range lenientPolicies(radius.KaufmannKoolen{}) {
		t.Run(name, func(t *testing.T) {
			cases := lenientFor(name)
			if testing.Short() {
				cases = cases[:min(1, len(cases))]
			}
			conforms(t, new, true, cases...)
			policytest.TestAsynchronous(t, new, cases...)
		})
	}
}

// tightTolerances depends on margins of 0.4 standard deviations beyond tolerances and slacks: A
// beats B by the tolerance plus this margin. C is outside by the slack plus this margin. D is
// inside by this margin. E leads A in the second objective by the tolerance plus this margin.
func tightTolerances() policytest.Case {
	return tolerant(constrainedCase("tight tolerances", atLeast(0, 0), 1,
		[]float64{2, 1.2}, []float64{1.3, .5}, []float64{3.6, -.6}, []float64{2.8, .4},
		[]float64{1, 1.9}), []float64{.3, .3}, []float64{.2, .2})
}

// tightPrices depends on differences of 0.4 standard deviations in the measured objective: between two arms of
// equal price, and from the boundary of the region.
func tightPrices() policytest.Case {
	return knowing(constrainedCase("tight prices", atLeast(0, -3), 1,
		[]float64{1.2, -2}, []float64{.8, -2}, []float64{.4, -1}, []float64{-.4, 0},
		[]float64{5, -4}), 1)
}

// tightFor returns tight problems that a policy supports.
func tightFor(name string) []policytest.Case {
	cases := []policytest.Case{tightTolerances(), tightPrices()}
	if name != "APE" {
		return cases
	}
	for i := range cases {
		p := *cases[i].Problem
		q := p.Question.(question.FeasiblePareto)
		q.Region, q.Slack = polyhedron.Whole(2), nil
		p.Question = q
		cases[i].Problem = &p
		cases[i].Name += ", unconstrained"
	}
	return cases
}

// On tight problems, the error probability is at most delta, both with one measurement at a time and with plates of 8
// that have failures and delays.
func TestLenientErrorRates(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 20
	}
	for name, new := range lenientPolicies(nil) {
		for _, c := range tightFor(name) {
			t.Run(name+"/"+c.Name, func(t *testing.T) {
				one := policytest.ErrorRate(t, new, c, policy.DefaultDelta, runs)
				eight := policytest.AsynchronousErrorRate(t, new, c, policy.DefaultDelta, runs/5,
					explore.Plates{Size: 8, Out: 2, Fail: .05, Late: .2})
				t.Logf("%d of %d wrong, by plates %d of %d", one, runs, eight, runs/5)
			})
		}
	}
}

// Arms that are known to be infeasible, and arms without unknown values, are not measured.
func TestKnownNotMeasured(t *testing.T) {
	// Arms 0, 1 and 2 have equal prices. Arm 4 is too expensive. All values of arm 5 are known.
	c := knowing(constrainedCase("too dear", atLeast(0, -2.5), .5,
		[]float64{1, -2}, []float64{.4, -2}, []float64{2, -2}, []float64{.5, -1},
		[]float64{3, -3}, []float64{.2, -.5}), 1)
	c.Problem.Known.Set(5, 0, .2)
	for name, new := range lenientPolicies(nil) {
		if name == "APE" {
			continue
		}
		r, err := explore.Run(new(), c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Answer.Items, []int{2, 3, 5}) || r.ArmPulls[4] > 0 ||
			r.ArmPulls[5] > 0 || slices.Min(r.ArmPulls[:4]) == 0 {
			t.Errorf("%s: answer %v after %v pulls", name, r.Answer.Items, r.ArmPulls)
		}
	}
}

// If everything is known, the answer needs no measurement.
func TestAllKnown(t *testing.T) {
	c := knowing(constrainedCase("all known", atLeast(0, 0), .5,
		[]float64{1, 1}, []float64{1, 1}, []float64{2, 0}, []float64{.5, 1}, []float64{3, -.01}),
		0, 1)
	for name, new := range lenientPolicies(nil) {
		if name == "APE" {
			continue
		}
		r, err := explore.Run(new(), c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pulls > 0 || r.Status != explore.Stopped || !c.Problem.Question.Correct(c.Truth(), r.Answer) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
