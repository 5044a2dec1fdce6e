package bandit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/seed"
)

// must returns x, and panics on an error.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// laws returns one law of each kind, with 3 arms and 2 objectives.
func laws() map[string]Law {
	means := mat.NewDense(3, 2, []float64{0.2, 0.7, 0.5, 0.5, 0.9, 0.05})
	rows := mat.NewDense(200, 2, nil)
	arms := make([]int, 200)
	rnd := rand.New(seed.New(5).PCG())
	for r := range arms {
		arms[r] = r % 3
		x := rnd.Float64()
		rows.SetRow(r, []float64{x + float64(arms[r]), x * x})
	}
	return map[string]Law{
		"Exact":             must(NewExact(means)),
		"Gaussian/diagonal": must(NewGaussian(means, mat.NewDiagDense(2, []float64{1, 4}))),
		"Gaussian/full":     must(NewGaussian(means, mat.NewSymDense(2, []float64{1, 0.5, 0.5, 4}))),
		"Bernoulli":         must(NewBernoulli(means)),
		"Poisson":           must(NewPoisson(means)),
		"Resample/joint":    must(NewResample(rows, arms, Jointly)),
		"Resample/separate": must(NewResample(rows, arms, Separately)),
	}
}
