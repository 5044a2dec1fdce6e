package linear

import (
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
)

// ErrUndecidable says that items are so close that a policy gives up telling
// them apart.
var ErrUndecidable = patience.ErrUndecidable

// MostPulls is the largest round that a policy asks for. Beyond it, differences
// are below the rounding of the measurements.
const MostPulls = 1e15

// Allocation appends the pulls of counts, one number an arm.
func Allocation(dst []explore.Pull, counts []int) []explore.Pull {
	for i, n := range counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: i, N: n})
		}
	}
	return dst
}

// Total returns the sum of counts.
func Total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Ceil rounds a number of pulls up.
func Ceil(n float64) int { return int(math.Ceil(min(n, MostPulls))) }

// CeilShift returns ceil(m/2^r).
func CeilShift(m, r int) int { return (m + 1<<r - 1) >> r }

// Weights converts counts to numbers for a design.Criterion.
func Weights(counts []int) []float64 {
	w := make([]float64, len(counts))
	for i, n := range counts {
		w[i] = float64(n)
	}
	return w
}
