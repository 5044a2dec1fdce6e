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
	r := radius.KaufmannKoolen{}
	return []entry{
		{"feasible Pareto set", "e-cAPE", feasible, of(policy.ECAPE{Radius: r})},
		{"", "MD-APT+APE", feasible, of(policy.TwoStage{Radius: r})},
		{"", "Racing", feasible, of(policy.ConstrainedRacing{Radius: r})},
		{"", "Uniform", feasible, of(policy.Uniform{Radius: r})},
		{"", "Game-cPSI", feasible, of(policy.GameCPSI{})},
		{"", "Track-and-Stop", feasible, of(policy.ParetoTrackAndStop{})},
		{"feasible set", "MD-APT", sets, of(policy.MDAPT{Radius: r})},
		{"best feasible item", "TF-LUCB", top, of(policy.TFLUCB{Radius: r})},
		{"", "Constrained top-two", top, of(policy.ConstrainedTopTwo{})},
		{"Pareto set", "APE", front, of(policy.APE{Radius: r})},
		{"", "PAL", front, of(policy.PAL{})},
		{"", "Sparing", front, of(policy.Sparing{})},
		{"", "Auer", front, of(policy.AuerRacing{})},
		{"", "GEGE, fixed confidence", front, of(policy.GEGEFixedConfidence{})},
		{"Pareto set up to 0.8", "PFIwR", loose, of(policy.PFIwR{Norm: 3})},
		{"best item, linear", "LinGapE", best, of(policy.LinGapE{})},
		{"", "LinGame", best, of(policy.LinGame{})},
		{"", "Lazy TTS", best, of(policy.LazyTrackAndStop{})},
		{"", "FWS", best, of(policy.FWS{})},
		{"", "RAGE", best, of(policy.RAGE{})},
		{"", "XY-static", best, of(policy.XYStatic{})},
		{"", "ALBA", best, of(policy.ALBA{})},
		{"all ε-best items, linear", "All-epsilon game", all, of(policy.AllEpsilonGame{})},
		{"", "LinGIFA (m known)", all, of(policy.LinGIFA{M: 3})},
		{"", "m-LinGapE (m known)", all, of(policy.MLinGapE{M: 3})},
		{"", "Lazy TTS for thresholds (level known)", all, of(policy.LazyThreshold{Level: 1.35})},
		{"", "LinFACT", all, of(policy.LinFACT{})},
		{"all ε-best arms", "(ST)^2", all, of(policy.ST2{})},
		{"", "EAST", all, of(policy.EAST{})},
		{"", "All-epsilon track-and-stop", all, of(policy.AllEpsilonTrackAndStop{})},
		{"", "FAREAST", all, of(policy.FAREAST{})},
	}
}

// of returns what makes policies with the given settings.
func of[T any, P interface {
	*T
	explore.Policy
}](settings T) func() explore.Policy {
	return func() explore.Policy {
		p := settings
		return P(&p)
	}
}
