package arms

import "github.com/purexp/purexp/pkg/explore"

// Thrift keeps of the pulls after the first from, which are to tell arms apart, the one that says most
// for its cost, where costs differ. The variance of a difference, 1/n_1 + 1/n_2, is bought cheapest
// with n_i in proportion to 1/sqrt(c_i): the arm with the least n_i sqrt(c_i) lags behind. The
// guarantee is about any sampling, and each arm of a pair that stays gets its turn.
func Thrift(dst []explore.Pull, from int, p *explore.Problem, n []int) []explore.Pull {
	if p.Costs == nil || len(dst) < from+2 {
		return dst
	}
	best := from
	for k := from + 1; k < len(dst); k++ {
		if lag(dst[k].Arm, p, n) < lag(dst[best].Arm, p, n) {
			best = k
		}
	}
	dst[from] = dst[best]
	return dst[:from+1]
}

// lag is n_i^2 c_i.
func lag(i int, p *explore.Problem, n []int) float64 {
	return float64(n[i]) * float64(n[i]) * p.Costs[i]
}
