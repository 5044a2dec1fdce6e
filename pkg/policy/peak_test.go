package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
)

// averaged eliminates Gaussian arms of standard deviation 1, each of which is pulled once a round,
// when the average over all arms of capitals that bet against their means reaches 1/delta, whatever
// means for which arm i is best: the rule of Cho, Gan and Kallus (PEAK, 2024) as far as it is
// described to us, with the mixtures of radius.Mixture for capitals. It returns the pulls.
func averaged(means []float64, delta float64, rnd *rand.Rand) int {
	k, total := len(means), 0
	n, sum, active := make([]float64, k), make([]float64, k), make([]bool, k)
	for i := range active {
		active[i] = true
	}
	capital := func(j int, m float64) float64 {
		e := sum[j] - n[j]*m
		return math.Exp(min(e*e/(2*(n[j]+16)), 700)) / math.Sqrt(1+n[j]/16)
	}
	evidence := func(i int) float64 {
		at := func(m float64) float64 { // i has the mean m, and no other arm a larger one
			c := 0.
			for j := range k {
				if j == i {
					c += capital(j, m)
				} else {
					c += capital(j, min(m, sum[j]/n[j]))
				}
			}
			return c / float64(k)
		}
		lo, hi := sum[i]/n[i], sum[i]/n[i]
		for j := range k {
			hi = max(hi, sum[j]/n[j])
		}
		for range 40 { // convex in m
			a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
			if at(a) < at(b) {
				hi = b
			} else {
				lo = a
			}
		}
		return at(lo)
	}
	for left, next := k, 0; left > 1; {
		for i, is := range active {
			if is {
				sum[i] += means[i] + rnd.NormFloat64()
				n[i]++
				total++
			}
		}
		if total < next {
			continue
		}
		next = total + total/50
		for i, is := range active {
			if is && left > 1 && evidence(i) >= 1/delta {
				active[i] = false
				left--
			}
		}
	}
	return total
}

// Averaged capital against elimination by betting, on arms without features: the numbers of
// docs/betting.md. An average of K capitals asks one arm's for K/delta, and for the whole gap to be
// seen from both sides; a bet on the difference asks for 1/delta from both together.
func TestAveragedCapital(t *testing.T) {
	runs := 20
	if testing.Short() {
		runs = 10
	}
	for name, means := range map[string][]float64{
		"ten arms": {1, .9, .8, .7, .6, .5, .4, .3, .2, .1},
		"needle":   {.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	} {
		rnd := rand.New(rand.NewPCG(6, 6))
		mu := mat.NewDense(len(means), 1, means)
		c := policytest.Gaussian(name, &explore.Problem{Arms: len(means), Sigma: 1,
			Question: question.Best{}}, mu)
		for _, delta := range []float64{.05, 1e-10} {
			average, betting := 0, 0
			for range runs {
				average += averaged(means, delta, rnd)
				r, err := explore.Run(&policy.BettingElimination{Delta: delta}, c.Problem,
					&lawSampler{mu, noisyLaws["Gaussian"], rnd}, nil)
				if err != nil {
					t.Fatal(err)
				}
				betting += r.Pulls
			}
			t.Logf("%s, delta %v: %d pulls by averaged capital, %d by betting", name, delta,
				average/runs, betting/runs)
			if betting >= average {
				t.Errorf("%s, delta %v: averaged capital takes fewer pulls", name, delta)
			}
		}
	}
}
