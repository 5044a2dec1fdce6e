package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

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

// Draw returns how often each point is drawn in n draws from the weights w, which
// sum to 1, by conditional binomials.
func Draw(n int, w []float64, rnd *rand.Rand) []int {
	counts := make([]int, len(w))
	left, mass := float64(n), 1.
	for i, v := range w {
		c := left
		switch q := v / mass; {
		case i == len(w)-1:
		case v == 0:
			c = 0
		case q < 1:
			c = distuv.Binomial{N: left, P: q, Src: rnd}.Rand()
		}
		counts[i] = int(c)
		left, mass = left-c, mass-v
	}
	return counts
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
