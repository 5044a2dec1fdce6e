package complexity_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// rows returns the matrix with these rows.
func rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

// atLeast returns {x : x[c] >= lower[c]}.
func atLeast(lower ...float64) *polyhedron.Polyhedron {
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return r
}

// randomMeans returns means with a front of some size.
func randomMeans(rnd *rand.Rand, k, d int) *mat.Dense {
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		row, level := mu.RawRowView(i), .5+rnd.Float64()
		for c := range row {
			row[c] = math.Abs(rnd.NormFloat64())
		}
		size := mat.Norm(mu.RowView(i), 2)
		for c := range row {
			row[c] *= level / size
		}
	}
	return mu
}

// randomQuestion returns an instance with at most so many arms, of every kind.
func randomQuestion(rnd *rand.Rand, most int) (question.FeasiblePareto, *mat.Dense) {
	k, d := 1+rnd.IntN(most), 1+rnd.IntN(3)
	mu, lower := mat.NewDense(k, d, nil), make([]float64, d)
	for c := range d {
		lower[c] = -1 + .5*rnd.NormFloat64()
		for i := range k {
			mu.Set(i, c, rnd.NormFloat64())
		}
	}
	return question.FeasiblePareto{Region: atLeast(lower...)}, mu
}
