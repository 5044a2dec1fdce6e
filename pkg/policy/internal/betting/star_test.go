package betting

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Up to scaling, the weights have the smallest cost for which s_i^2 (1/w_b + 1/w_i) is at most 1 for all arms i other
// than the leader b. The test compares the weights with a grid search over the weight of the leader.
func TestStarWeights(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for rep := range 50 {
		k := 2 + rep%6
		active := make([]int, k)
		s, costs := make([]float64, k), make([]float64, k)
		for i := range active {
			active[i], s[i], costs[i] = i, .1+rnd.Float64(), .2+5*rnd.Float64()
		}
		b := rep % k
		if rep%3 == 0 {
			costs = nil
		}
		price := func(i int) float64 {
			if costs == nil {
				return 1
			}
			return costs[i]
		}
		w := make([]float64, k)
		starWeights(w, b, active, s, costs)
		worst, cost, sum := 0., 0., 0.
		for i, v := range w {
			sum += v
			cost += v * price(i)
			if i != b {
				worst = max(worst, s[i]*s[i]*(1/w[b]+1/v))
			}
		}
		least := math.Inf(1)
		for y := .001; y < 60; y *= 1.002 {
			total, ok := y*price(b), true
			for i := range w {
				if i != b {
					ok = ok && y > s[i]*s[i]
					total += price(i) * s[i] * s[i] * y / (y - s[i]*s[i])
				}
			}
			if ok {
				least = min(least, total)
			}
		}
		if math.Abs(sum-1) > 1e-12 || cost*worst > least*(1+1e-9) || cost*worst < least*(1-1e-3) {
			t.Errorf("%d arms: weights %.3f cost %v, on the grid %v", k, w, cost*worst, least)
		}
	}
}
