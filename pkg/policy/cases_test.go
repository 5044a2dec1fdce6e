package policy_test

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// atLeast returns the region of objectives at or above lower.
func atLeast(lower ...float64) *polyhedron.Polyhedron {
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return r
}

// constrainedCase returns a case with question.FeasiblePareto.
func constrainedCase(name string, region *polyhedron.Polyhedron, sigma float64, means ...[]float64) policytest.Case {
	return policytest.Case{
		Instance: policytest.Gaussian(name, &explore.Problem{
			Arms: len(means), Objectives: len(means[0]), Sigma: sigma, NormSigma: sigma,
			Question: question.FeasiblePareto{Region: region},
		}, rows(means)),
		MaxPulls: 500_000,
	}
}

func rows(means [][]float64) *mat.Dense {
	m := mat.NewDense(len(means), len(means[0]), nil)
	for i, row := range means {
		m.SetRow(i, row)
	}
	return m
}

// constrainedCases are small enough for hundreds of runs. The name of a case says which arms or
// which region the case has.
func constrainedCases() []policytest.Case {
	simplex := polyhedron.Simplex(3)
	box, err := polyhedron.Box([]float64{math.Inf(-1), math.Inf(-1)}, []float64{1, 1}, nil)
	if err != nil {
		panic(err)
	}
	return []policytest.Case{
		constrainedCase("all classes", atLeast(0, 0), .5,
			[]float64{2, 1}, []float64{1, 2}, // the front
			[]float64{.8, .5},  // dominated, feasible
			[]float64{1.2, -1}, // infeasible, dominated by arm 0
			[]float64{3, -1},   // infeasible, not dominated
			[]float64{-.5, 1},  // infeasible, dominated by arm 1
		),
		constrainedCase("nobody feasible", atLeast(0, 0), .5,
			[]float64{-1, 2}, []float64{1, -2}, []float64{-1, -1}),
		constrainedCase("one feasible", atLeast(0, 0), .5,
			[]float64{1, 1}, []float64{-1, 3}, []float64{3, -1}),
		constrainedCase("one arm", atLeast(0, 0), .5, []float64{1, 1}),
		constrainedCase("no constraints", polyhedron.Whole(2), .5,
			[]float64{1, 0}, []float64{0, 1}, []float64{-.5, -.5}),
		constrainedCase("three objectives", atLeast(0, 0, math.Inf(-1)), .3,
			[]float64{1, .4, .5}, []float64{.5, 1, .3}, []float64{.4, .3, 1}, []float64{.3, .2, .2},
			[]float64{1.5, -.5, .1}),
		// An infeasible arm dominates a feasible arm long before it is known to be infeasible.
		constrainedCase("upper bounds", box, .5,
			[]float64{.5, .4}, []float64{1.15, 1.15}, []float64{-.2, -.3}, []float64{.1, .9}),
		constrainedCase("simplex", simplex, .2,
			[]float64{.2, .2, .2}, []float64{.1, .1, .1}, []float64{.6, .6, .6},
			[]float64{-.3, .2, .2}, []float64{.1, .6, .1}),
	}
}

// tight returns a problem whose answer depends on differences of 0.2 standard deviations. Members of the front are 0.2
// standard deviations away from a tie and from the boundary. Arm 2 is dominated by 0.2 standard deviations, and arm 3
// is infeasible by 0.2 standard deviations.
func tight() policytest.Case {
	return constrainedCase("tight", atLeast(0, 0), 1,
		[]float64{1.2, .2}, []float64{1, .4}, []float64{.8, .2}, []float64{2, -.2})
}

// unconstrained turns a constrained case into a case about the Pareto set of its arms, relaxed by
// q.
func unconstrained(c policytest.Case, q question.Pareto) policytest.Case {
	p := *c.Problem
	p.Question = q
	c.Problem = &p
	c.Name += fmt.Sprintf(" %+v", q)
	return c
}

// feasibleOnly turns a constrained case into a case about the feasible set.
func feasibleOnly(c policytest.Case) policytest.Case {
	p := *c.Problem
	p.Question = question.Feasible{Region: c.Problem.Question.(question.FeasiblePareto).Region}
	c.Problem = &p
	return c
}

// unitDependent marks cases for a policy whose pulls depend on units by design.
func unitDependent(cases ...policytest.Case) []policytest.Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].UnitDependent = true
	}
	return cases
}

// sequential marks cases for policies that pull each arm once in the first round, and later at most
// n different arms per round, with one reward each.
func sequential(cases []policytest.Case, n int) []policytest.Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Schedule = func(round int, before []int, pulls []explore.Pull) error {
			limit := n
			if round == 1 {
				limit = len(before)
			}
			seen := map[int]bool{}
			for _, p := range pulls {
				if p.N != 1 || seen[p.Arm] {
					return fmt.Errorf("%v; want one reward of different arms", pulls)
				}
				seen[p.Arm] = true
			}
			if len(pulls) > limit {
				return fmt.Errorf("%d pulls; want at most %d", len(pulls), limit)
			}
			return nil
		}
	}
	return cases
}

// level marks cases for policies that, in round r, pull only arms with exactly r - 1 earlier pulls, once each. An arm
// that is skipped once is never requested again.
func level(cases []policytest.Case) []policytest.Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Schedule = func(round int, before []int, pulls []explore.Pull) error {
			for _, p := range pulls {
				if p.N != 1 || before[p.Arm] != round-1 {
					return fmt.Errorf("%v after %v; want one reward of arms with %d", pulls, before, round-1)
				}
			}
			return nil
		}
	}
	return cases
}
