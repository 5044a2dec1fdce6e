package complexity_test

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// freeWilson returns the 960 compounds of the LinFACT paper, section 7.2, with
// contributions drawn such that exactly 20 of them are within 4.325 of the best.
func freeWilson(draw uint64) (*explore.Problem, []float64) {
	rnd := rand.New(rand.NewPCG(1, draw))
	sites := []int{4, 5, 4, 3, 4}
	theta := make([]float64, 21)
	for j := range theta {
		theta[j] = rnd.NormFloat64()
	}
	x := mat.NewDense(960, 21, nil)
	mu := make([]float64, 960)
	for i := range mu {
		row, rest, column := x.RawRowView(i), i, 1
		row[0] = 1
		for _, l := range sites {
			row[column+rest%l] = 1
			rest /= l
			column += l
		}
		mu[i] = floats.Dot(row, theta)
	}
	sorted := slices.Clone(mu)
	slices.Sort(sorted)
	floats.Scale(4.325/(sorted[959]-(sorted[939]+sorted[940])/2), mu)
	return &explore.Problem{X: x, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: 4.325}}, mu
}
