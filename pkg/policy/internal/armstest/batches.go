// Package armstest generates random measurements for tests.
package armstest

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
)

// Batches returns random measurements of arms. The rewards are multiples of a fixed step, so that
// ties occur.
func Batches(rnd *rand.Rand, arms []int, d int) []explore.Batch {
	var obs []explore.Batch
	for _, i := range arms {
		b := explore.Batch{Pull: explore.Pull{Arm: i, N: 1 + rnd.IntN(3)}}
		for range d {
			b.Sum = append(b.Sum, float64(rnd.IntN(3)))
		}
		obs = append(obs, b)
	}
	return obs
}
