package pareto

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// What this package panics with when the calling code is wrong.
const (
	panicShape  = "pareto: wrong length of a slice, or more than 2^31-1 points"
	panicDim    = "pareto: less than one objective"
	panicIndex  = "pareto: row index out of range"
	panicFinite = "pareto: a coordinate is NaN or infinite; see Check"
)

// ErrNotFinite is what the error of Check wraps.
var ErrNotFinite = errors.New("pareto: not a finite number")

// Check returns an error that names the first row and column, counted from 0, of a NaN or infinite
// entry of mu, and nil if there is none. It is for data that users bring. The error wraps
// ErrNotFinite.
func Check(mu *mat.Dense) error {
	k, _ := mu.Dims()
	for i := range k {
		for c, v := range mu.RawRowView(i) {
			if !finite(v) {
				return fmt.Errorf("%w: row %d, column %d is %v; "+
					"give each arm a finite mean in each objective, or leave the arm out",
					ErrNotFinite, i, c, v)
			}
		}
	}
	return nil
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 } // Inf-Inf is NaN
