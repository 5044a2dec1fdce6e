package conform

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Standard returns cases for a policy of which nothing is known: by question, easy ones for the rules,
// and a tight one for error rates. Names tell questions apart.
func Standard() (easy, tight []Case) {
	box, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		panic(err)
	}
	add := func(list *[]Case, name string, q explore.Question, sigma float64, x *mat.Dense, rows ...[]float64) {
		means := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, row := range rows {
			means.SetRow(i, row)
		}
		p := &explore.Problem{Arms: len(rows), Objectives: len(rows[0]), Sigma: sigma, NormSigma: sigma, Question: q, X: x}
		*list = append(*list, Case{Instance: Gaussian(name, p, means), MaxPulls: 200_000,
			Inexact: true, Solves: true, UnitDependent: true})
	}
	add(&easy, "best item", question.Best{}, .5, nil, []float64{1}, []float64{.2}, []float64{-.4}, []float64{.3})
	add(&easy, "best item with features", question.Best{}, .5, mat.NewDense(4, 2, []float64{1, 0, 0, 1, .8, .6, -1, 0}),
		[]float64{1}, []float64{-.2}, []float64{.68}, []float64{-1})
	add(&easy, "all epsilon-best", question.AllEpsilonBest{Epsilon: .5}, .5, nil, []float64{1}, []float64{.9}, []float64{-.2}, []float64{-.4})
	add(&easy, "Pareto set", question.Pareto{}, .5, nil, []float64{1, 0}, []float64{0, 1}, []float64{-.5, -.4}, []float64{.3, -1})
	add(&easy, "feasible Pareto set", question.FeasiblePareto{Region: box}, .5, nil, []float64{2, 1}, []float64{1, 2},
		[]float64{.5, .6}, []float64{3, -1})
	add(&tight, "best item", question.Best{}, 1, nil, []float64{.2}, []float64{0}, []float64{0}, []float64{0}, []float64{-.1})
	add(&tight, "best item with features", question.Best{}, 1, mat.NewDense(3, 2, []float64{1, 0, 0, 1, .9, .1}),
		[]float64{1}, []float64{.5}, []float64{.95})
	add(&tight, "all epsilon-best", question.AllEpsilonBest{Epsilon: .5}, 1, nil, []float64{1}, []float64{.7}, []float64{.3}, []float64{.3})
	add(&tight, "Pareto set", question.Pareto{}, 1, nil, []float64{.2, 0}, []float64{0, .2}, []float64{-.1, 0}, []float64{0, -.1})
	add(&tight, "feasible Pareto set", question.FeasiblePareto{Region: box}, 1, nil, []float64{1.2, .2}, []float64{1, .4},
		[]float64{.8, .2}, []float64{2, -.2})
	return easy, tight
}
