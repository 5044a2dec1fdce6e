package policy

import "math"

// starWeights sets w to the proportions in which arms without features are pulled so that the largest
// s_i^2 (1/w_b + 1/w_i) is least, for the leader b and the other active arms i with scales s_i: s is
// by place among the active. Other arms have weight 0. Costs are nil or those of arms; the total cost
// is then what is divided.
//
// With that largest value as the unit, arm i needs w_i = s_i^2 y/(y - s_i^2) if the leader has y, and
// the cost c_b y + sum of c_i w_i is least where c_b = sum of c_i s_i^4/(y - s_i^2)^2. That is found by
// bisection. O(K).
func starWeights(w []float64, b int, active []int, s []float64, costs []float64) {
	cost := func(i int) float64 {
		if costs == nil {
			return 1
		}
		return costs[i]
	}
	lo, sum := 0., 0.
	for a, i := range active {
		if q := s[a] * s[a]; i != b {
			lo = max(lo, q)
			sum += cost(i) * q * q
		}
	}
	hi := lo + math.Sqrt(sum/cost(b))
	for range 60 {
		y := lo + (hi-lo)/2
		slope := cost(b)
		for a, i := range active {
			if q := s[a] * s[a]; i != b {
				slope -= cost(i) * q * q / ((y - q) * (y - q))
			}
		}
		if slope < 0 {
			lo = y
		} else {
			hi = y
		}
	}
	clear(w)
	w[b] = hi
	sum = hi
	for a, i := range active {
		if q := s[a] * s[a]; i != b {
			w[i] = q * hi / (hi - q)
			sum += w[i]
		}
	}
	for i := range w {
		w[i] /= sum
	}
}
