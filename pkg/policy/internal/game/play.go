package game

import "github.com/purexp/purexp/pkg/explore"

// Draw returns the index at which the cumulative sum of the probabilities w
// passes u, which is in [0, 1).
func Draw(w []float64, u float64) int {
	last := 0
	for i, v := range w {
		if v <= 0 {
			continue
		}
		if last = i; u < v {
			break
		}
		u -= v
	}
	return last // the last one, should they sum to less than 1 by rounding
}

// Lagging returns the arm with a positive share of played whose number of pulls
// n is furthest behind it.
func Lagging(n, played []float64) int {
	arm, least := 0, inf
	for k, v := range played {
		if d := n[k] - v; v > 0 && d < least {
			arm, least = k, d
		}
	}
	return arm
}

// Batch appends at most n pulls of the arms whose numbers of pulls are behind their shares of
// played: whole pulls if n is more than 1, and at least one of the arm that is furthest behind.
func Batch(dst []explore.Pull, pulls, played []float64, n int) []explore.Pull {
	before := len(dst)
	if left := n; n > 1 {
		for k, v := range played {
			if lag := min(int(v-pulls[k]), left); lag > 0 {
				dst = append(dst, explore.Pull{Arm: k, N: lag})
				left -= lag
			}
		}
	}
	if len(dst) == before {
		dst = append(dst, explore.Pull{Arm: Lagging(pulls, played), N: 1})
	}
	return dst
}
