package questiontest

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Quadrant is the region of nonnegative objectives.
func Quadrant() *polyhedron.Polyhedron {
	r, err := polyhedron.AtLeast([]float64{0, 0}, []string{"efficacy", "safety"})
	if err != nil {
		panic(err)
	}
	return r
}

// RandomRegion returns a box or a random polyhedron with the point centre inside, all about as
// large as the means of RandomMeans.
func RandomRegion(rnd *rand.Rand, d int) (region *polyhedron.Polyhedron, centre []float64) {
	centre = make([]float64, d)
	var a, b []float64
	add := func(row []float64, bound float64) { a, b = append(a, row...), append(b, bound) }
	axis := func(c int, v float64) []float64 {
		e := make([]float64, d)
		e[c] = v
		return e
	}
	for c := range centre {
		centre[c] = .2 + .7*rnd.Float64()
	}
	if rnd.IntN(3) == 0 {
		for c := range d {
			if rnd.IntN(3) > 0 {
				add(axis(c, -1), -centre[c]+.05+.3*rnd.Float64())
			}
			if rnd.IntN(3) > 0 || c == d-1 && len(b) == 0 {
				add(axis(c, 1), centre[c]+.05+.3*rnd.Float64())
			}
		}
	} else {
		for range 1 + rnd.IntN(6) {
			row := make([]float64, d)
			for c := range row {
				row[c] = rnd.NormFloat64()
			}
			add(row, floats.Dot(row, centre)+.3*rnd.Float64()+.01)
		}
		if rnd.IntN(4) == 0 { // a repetition, and a parallel one that is redundant
			add(a[:d:d], b[0])
			add(a[:d:d], b[0]+.5)
		}
	}
	region, err := polyhedron.New(mat.NewDense(len(b), d, a), b, nil)
	if err != nil {
		panic(err)
	}
	return region, centre
}

// RandomQuestion returns an instance with arms of every kind.
func RandomQuestion(rnd *rand.Rand) (question.FeasiblePareto, *mat.Dense) {
	k, d := 1+rnd.IntN(9), 1+rnd.IntN(3)
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		for c := range d {
			mu.Set(i, c, rnd.NormFloat64())
		}
	}
	lower := make([]float64, d)
	for c := range lower {
		lower[c] = -1 + .5*rnd.NormFloat64()
	}
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return question.FeasiblePareto{Region: r}, mu
}
