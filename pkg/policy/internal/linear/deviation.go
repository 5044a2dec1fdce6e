package linear

import (
	"math"

	"github.com/purexp/purexp/pkg/lsq"
)

// deviationSteps is the largest number of steps of Deviating.
const deviationSteps = 5000

// Deviating fits means that are linear in the features but for deviations of at most bound: it
// minimises the sum over arms k of n_k (mean_k - x_k'theta - delta_k)^2 over theta and |delta_k|
// <= bound ((30) of the LinFACT paper), for arms with features x, one a row, and given means of
// n_k rewards each. It returns the fit as a function of features, and delta. Where the
// minimum is not unique, it is the one that is reached from least squares.
//
// It alternates between theta and delta; the minimum over one is known when the other is. O(K m^2 +
// m^3) a step, and one step if least squares leaves residuals of at most bound.
func Deviating(x [][]float64, n []int, mean []float64, bound float64) (
	predict func(y []float64) float64, delta []float64) {
	fit := lsq.NewFit(len(x[0]), 1)
	delta = make([]float64, len(x))
	for range deviationSteps {
		fit.Reset()
		for k, row := range x {
			fit.Add(row, n[k], []float64{float64(n[k]) * (mean[k] - delta[k])})
		}
		fit.Solve()
		moved := 0.
		for k, row := range x {
			d := mean[k] - fit.Mean(row, 0)
			d = min(max(d, -bound), bound)
			moved = max(moved, math.Abs(d-delta[k]))
			delta[k] = d
		}
		if moved <= 1e-9*bound {
			break
		}
	}
	return func(y []float64) float64 { return fit.Mean(y, 0) }, delta
}
