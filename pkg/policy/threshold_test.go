package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/policy"
)

func TestThresholds(t *testing.T) {
	for _, test := range []struct {
		t    policy.Threshold
		e    policy.Evidence
		want float64
	}{
		// The values are 1.1 (log 10 + 1 + log 11) and 2 (log 20 + 1/2 + 3/2 log 2).
		{policy.SelfNormalized{}, policy.Evidence{Delta: .1, Pulls: 9, Rank: 2, LogDet: 2},
			1.1 * (2.302585093 + 1 + 2.397895273)},
		{policy.SelfNormalized{U: 1}, policy.Evidence{Delta: .05, Pulls: 9, Rank: 3, LogDet: 1},
			2 * (2.995732274 + .5 + 1.5*.693147181)},
		// The logarithm of 20 is 2.995732274, so the threshold is log((1 + 2.995732274)/0.1).
		{policy.Heuristic{}, policy.Evidence{Delta: .1, Pulls: 20}, math.Log(10 * 3.995732274)},
		{policy.Heuristic{}, policy.Evidence{Delta: .01, Pulls: 1}, 4.605170186},
	} {
		if got := test.t.Beta(test.e); math.Abs(got-test.want) > 1e-8 {
			t.Errorf("%v at %+v: %v; want %v", test.t, test.e, got, test.want)
		}
	}
}

// SelfNormalized is at least the exact bound of its proof,
// (1+u) (log(1/delta) + 1/2 log det(A + u A_0)/det(u A_0)), and close to it for
// many pulls.
func TestSelfNormalizedProof(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const m, u, delta = 3, .1, .05
	logDet := func(a mat.Symmetric) float64 {
		var c mat.Cholesky
		if !c.Factorize(a) {
			t.Fatal("not positive definite")
		}
		return c.LogDet()
	}
	x := make([]float64, m)
	a := mat.NewSymDense(m, nil)
	pull := func(n int) {
		for range n {
			for i := range x {
				x[i] = rnd.NormFloat64()
			}
			a.SymRankOne(a, 1, mat.NewVecDense(m, x))
		}
	}
	pull(m)
	start := mat.NewSymDense(m, nil)
	start.CopySym(a)
	for range 100 {
		pull(10)
		var prior, both mat.SymDense
		prior.ScaleSym(u, start)
		both.AddSym(a, &prior)
		exact := (1 + u) * (math.Log(1/delta) + (logDet(&both)-logDet(&prior))/2)
		got := policy.SelfNormalized{U: u}.Beta(policy.Evidence{Delta: delta, Rank: m, LogDet: logDet(a) - logDet(start)})
		if most := (1 + u) * m / 2. * math.Log1p(u); got < exact-1e-9 || got > exact+most+1e-9 {
			t.Fatalf("%v; the proof's is %v, and the difference at most %v", got, exact, most)
		}
	}
}
