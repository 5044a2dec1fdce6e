package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// candidates are eight arms with two objectives: a front of three, and some of every kind outside.
var candidates = []float64{
	2, 1, 1.5, 1.5, 1, 2, // the front
	1, .8, .5, 1.2, // dominated
	1.4, -.7, 3, -.7, -.8, 1, // infeasible
}

// asked returns the candidates with a question.
func asked(name string, q explore.Question) policytest.Case {
	p := &explore.Problem{Arms: len(candidates) / 2, Objectives: 2, Sigma: 1, NormSigma: 1,
		Question: q}
	return policytest.Case{Instance: policytest.Gaussian(name, p,
		mat.NewDense(p.Arms, 2, candidates))}
}

// ring returns six arms on a half circle and one beside the best, with means along the axis.
func ring(name string, q explore.Question) policytest.Case {
	x := mat.NewDense(7, 2, nil)
	for i := range 6 {
		angle := math.Pi * float64(i) / 6
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
	}
	x.SetRow(6, []float64{math.Cos(.6), math.Sin(-.6)})
	p := &explore.Problem{X: x, Sigma: 1, Question: q}
	var means mat.Dense
	means.Mul(x, mat.NewDense(2, 1, []float64{2, 0}))
	return policytest.Case{Instance: policytest.Gaussian(name, p, &means)}
}

// entries are the rows of the table.
func entries() []entry {
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		panic(err)
	}
	feasible := asked("feasible", question.FeasiblePareto{Region: region})
	sets := asked("sets", question.Feasible{Region: region})
	top := asked("top", question.BestFeasible{Region: region,
		Weights: []float64{2, 1}})
	front := asked("front", question.Pareto{})
	loose := asked("loose", question.Pareto{Epsilon: .8})
	best := ring("best", question.Best{})
	all := ring("all", question.AllEpsilonBest{Epsilon: .65})
	r := radius.Mixture{}
	return []entry{
		{"feasible Pareto set", feasible, of(policy.ECAPE{Radius: r})},
		{"", feasible, of(policy.TwoStage{Radius: r})},
		{"", feasible, of(policy.ConstrainedRacing{Radius: r})},
		{"", feasible, of(policy.Uniform{Radius: r})},
		{"", feasible, of(policy.GameCPSI{})},
		{"", feasible, of(policy.ParetoTrackAndStop{})},
		{"", feasible, of(policy.BettingFeasible{})},
		{"feasible set", sets, of(policy.MDAPT{Radius: r})},
		{"best feasible item", top, of(policy.TFLUCB{Radius: r})},
		{"", top, of(policy.ConstrainedTopTwo{})},
		{"", top, of(policy.BettingFeasible{})},
		{"Pareto set", front, of(policy.APE{Radius: r})},
		{"", front, of(policy.PAL{})},
		{"", front, of(policy.Sparing{})},
		{"", front, of(policy.AuerRacing{})},
		{"", front, of(policy.GEGEFixedConfidence{})},
		{"", front, of(policy.BettingPareto{})},
		{"Pareto set up to 0.8", loose, of(policy.PFIwR{Norm: 3})},
		{"best item, linear", best, of(policy.LinGapE{})},
		{"", best, of(policy.LinGame{})},
		{"", best, of(policy.LazyTrackAndStop{})},
		{"", best, of(policy.FWS{})},
		{"", best, of(policy.RAGE{})},
		{"", best, of(policy.XYStatic{})},
		{"", best, of(policy.ALBA{})},
		{"", best, of(policy.BettingElimination{})},
		{"all ε-best items, linear", all, of(policy.AllEpsilonGame{})},
		{"", all, of(policy.LinGIFA{M: 3})},
		{"", all, of(policy.MLinGapE{M: 3})},
		{"", all, of(policy.LazyThreshold{Level: 1.35})},
		{"", all, of(policy.LinFACT{})},
		{"", all, of(policy.BettingAllEpsilon{})},
		{"all ε-best arms", all, of(policy.ST2{})},
		{"", all, of(policy.EAST{})},
		{"", all, of(policy.AllEpsilonTrackAndStop{})},
		{"", all, of(policy.FAREAST{})},
	}
}

// of returns what makes policies with the given settings.
func of[T any, P interface {
	*T
	explore.Carded
}](settings T) func() explore.Carded {
	return func() explore.Carded {
		p := settings
		return P(&p)
	}
}
