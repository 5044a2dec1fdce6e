package game

import (
	"math"
	"math/rand/v2"
	"testing"
)

// For the learning rate eta, weights w_k and gains g_k, the mix gain is log(sum_k w_k exp(eta g_k))/eta, and the
// played gain is sum_k w_k g_k. The lag is the sum of their differences over all rounds. For two arms with gains (1,
// 0) and an infinite rate, the mix gain is 1 and the played gain is 1/2. The lag is then 1/2, the next rate is 2 log
// 2, and the weights are (4, 1)/5. With gains (0, 1), the mix gain is log(4/5 + 4/5)/(2 log 2) and the played gain is
// 1/5.
func TestAdaHedgeByHand(t *testing.T) {
	a := NewAdaHedge(2)
	a.Learn([]float64{1, 0})
	if math.Abs(a.lag-.5) > 1e-15 || math.Abs(a.Weights[0]-.8) > 1e-15 {
		t.Errorf("lag %v, weights %v after one round; want 0.5 and 0.8, 0.2", a.lag, a.Weights)
	}
	a.Learn([]float64{0, 1})
	if want := .5 + math.Log(1.6)/(2*math.Ln2) - .2; math.Abs(a.lag-want) > 1e-15 || math.Abs(a.Weights[0]-.5) > 1e-15 {
		t.Errorf("lag %v, weights %v after two; want %v and equal weights", a.lag, a.Weights, want)
	}
}

// For K arms and T rounds, the regret is at most 2 sqrt(V log K) + S (16/3 log K + 2). Here, S is the range of the
// gains, and the cumulative variance V of the gains is at most T S^2/4 (de Rooij et al. 2014, Theorem 8).
func TestAdaHedgeRegret(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{1, 2, 10} {
		for _, scale := range []float64{1e-6, 1, 1e6} {
			const rounds = 2000
			a, gain, total, played := NewAdaHedge(k), make([]float64, k), make([]float64, k), 0.
			for t := range rounds {
				for i := range gain {
					gain[i] = scale * rnd.Float64()
					if t/100%k == i {
						gain[i] = scale
					}
					played += a.Weights[i] * gain[i]
					total[i] += gain[i]
				}
				a.Learn(gain)
			}
			best := 0.
			for _, v := range total {
				best = max(best, v)
			}
			log := math.Log(float64(k))
			if bound := scale * (2*math.Sqrt(rounds/4*log) + 16./3*log + 2); best-played > bound {
				t.Errorf("K = %d, scale %v: regret %v; want at most %v", k, scale, best-played, bound)
			}
		}
	}
}
