package arms

import "github.com/purexp/purexp/pkg/explore"

// Sweep asks for one pull of each of k arms.
func Sweep(dst []explore.Pull, k int) []explore.Pull {
	for i := range k {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst
}
