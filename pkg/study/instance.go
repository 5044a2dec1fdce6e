package study

import (
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/seed"
)

// Stream returns the random numbers of a drawn instance, named by a path such as its paper, its
// name, its size and its draw. They are not those of a study: an instance is the same whatever else
// is drawn, and in every run.
func Stream(path ...any) *rand.Rand { return rand.New(seed.New(1).Child(path...).Source()) }

// Basis returns the features of n arms in d dimensions of which the first d are the canonical
// basis, and the others zero.
func Basis(n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range d {
		x.Set(i, i, 1)
	}
	return x
}

// Numbered returns names with numbers from 1: "x1", "x2".
func Numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i+1)
	}
	return names
}

// OnSphere returns n points that are drawn uniformly on the unit sphere of R^d.
func OnSphere(rnd *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for norm := 0.; norm == 0; norm = floats.Norm(row, 2) { // zero has probability 0
			for j := range row {
				row[j] = rnd.NormFloat64()
			}
		}
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	return x
}

// Isotropic returns the covariance of d independent numbers of standard deviation sigma.
func Isotropic(d int, sigma float64) *mat.SymDense {
	cov := mat.NewSymDense(d, nil)
	for c := range d {
		cov.SetSym(c, c, sigma*sigma)
	}
	return cov
}

// Same makes an Experiment.Instance of one instance for all sizes.
func Same(load func() (*bandit.Instance, error)) func(size, draw int) (*bandit.Instance, error) {
	return func(int, int) (*bandit.Instance, error) { return load() }
}

// Places are the sizes of an experiment with n Names.
func Places(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

// Instances returns the instance of each size, the first draw where they are random.
func (e Experiment) Instances() ([]*bandit.Instance, error) {
	var all []*bandit.Instance
	for _, size := range e.Sizes {
		inst, err := e.At(size, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, inst)
	}
	return all, nil
}
