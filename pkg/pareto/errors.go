package pareto

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Values that functions of this package panic with when the calling code is wrong.
var (
	// ErrShape is the panic value for slices of the wrong length, and for more than 2^31-1 points.
	ErrShape = errors.New("pareto: dimension mismatch")
	// ErrDim is the panic value for points with less than one objective.
	ErrDim = errors.New("pareto: less than one objective")
	// ErrIndex is the panic value for a subset that names a row that does not exist.
	ErrIndex = errors.New("pareto: row index out of range")
)

// ErrNotFinite is the panic value for points with a NaN or infinite coordinate, and what the error of
// Check wraps.
var ErrNotFinite = errors.New("pareto: not a finite number")

// Check returns an error that names the first row and column, counted from 0, of a NaN or infinite entry
// of mu, and nil if there is none. It is for data that users bring. The error wraps ErrNotFinite.
func Check(mu *mat.Dense) error {
	k, _ := mu.Dims()
	for i := range k {
		for c, v := range mu.RawRowView(i) {
			if !finite(v) {
				return fmt.Errorf("%w: row %d, column %d is %v; give each arm a finite mean in each objective, or leave the arm out", ErrNotFinite, i, c, v)
			}
		}
	}
	return nil
}

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 } // Inf-Inf is NaN
