package questiontest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Rows returns the matrix with these rows.
func Rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

// Flat returns the elements of mu, row-major.
func Flat(mu *mat.Dense) []float64 {
	var f []float64
	for i := range mu.RawMatrix().Rows {
		f = append(f, mu.RawRowView(i)...)
	}
	return f
}

// RandomMeans returns means with a front of some size.
func RandomMeans(rnd *rand.Rand, k, d int) *mat.Dense {
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		size, level := 0., .5+rnd.Float64()
		for c := range d {
			v := math.Abs(rnd.NormFloat64())
			mu.Set(i, c, v)
			size = math.Hypot(size, v)
		}
		for c := range d {
			mu.Set(i, c, level*mu.At(i, c)/size)
		}
	}
	return mu
}

// RandomWeights returns k proportions, some of them small.
func RandomWeights(rnd *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = rnd.ExpFloat64() * math.Exp(rnd.NormFloat64())
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

// RandomCovariance returns a covariance of correlated objectives, far from singular.
func RandomCovariance(rnd *rand.Rand, d int) *mat.SymDense {
	l := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			l.Set(i, j, .4*rnd.NormFloat64())
		}
		l.Set(i, i, l.At(i, i)+2)
	}
	var s mat.SymDense
	s.SymOuterK(.3, l)
	return &s
}
