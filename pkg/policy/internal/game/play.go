package game

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
