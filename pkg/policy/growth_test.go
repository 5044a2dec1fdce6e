//go:build unix

package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// BenchmarkGrowth is what a round costs with 10 to 10 000 arms, early in a run: docs/scale.md has
// its table. Sizes are left out where the rounds before those that are timed take long.
func BenchmarkGrowth(b *testing.B) {
	for _, c := range []struct {
		p    explore.Policy
		q    explore.Question // nil asks for the Pareto set of feasible arms
		h    int              // features, 0 without
		d    int
		most int
	}{
		{&policy.ECAPE{}, nil, 0, 2, 10_000},
		{&policy.APE{}, question.Pareto{}, 0, 2, 10_000},
		{&policy.ConstrainedRacing{}, nil, 0, 2, 10_000},
		{&policy.LinGapE{}, question.Best{}, 5, 1, 10_000},
		{&policy.FWS{}, question.Best{}, 5, 1, 10_000},
		{&policy.LinGame{}, question.Best{}, 5, 1, 1000},
		{&policy.LinFACT{}, question.AllEpsilonBest{Epsilon: .1}, 5, 1, 1000},
		{&policy.BettingElimination{}, question.Best{}, 5, 1, 1000},
		{&policy.PFIwR{}, question.Pareto{}, 5, 2, 100},
		{&policy.Sparing{}, question.Pareto{}, 0, 2, 100},
		{&policy.PSIPS{}, question.Pareto{}, 0, 2, 10_000},
		{&policy.AllEpsilonGame{}, question.AllEpsilonBest{Epsilon: .1}, 5, 1, 100},
	} {
		for k := 10; k <= c.most; k *= 10 {
			b.Run(fmt.Sprintf("%s/K=%d", explore.Name(c.p), k), func(b *testing.B) {
				prob, mu := instance(k, 2, 3)
				prob.Sigma, prob.NormSigma = 1, 1
				if c.q != nil {
					prob.Question, prob.NormSigma = c.q, 0
				}
				if prob.Objectives = c.d; c.h > 0 {
					prob.X, mu = linearArms(k, c.h, c.d)
				}
				s := &gaussian{mu, prob.Sigma, rand.New(rand.NewPCG(1, 2))}
				round := roundsAfter(b, 2*k, c.p, prob, s)
				start, n := processor(b), 0
				b.ReportAllocs()
				for b.Loop() {
					round()
					n++
				}
				b.ReportMetric((processor(b)-start)/float64(n), "cpu-ns/op")
			})
		}
	}
}

// linearArms are k arms on the sphere of h features, and their means in d objectives.
func linearArms(k, h, d int) (x, mu *mat.Dense) {
	rnd := rand.New(rand.NewPCG(3, 2))
	x, mu = mat.NewDense(k, h, nil), mat.NewDense(k, d, nil)
	for i := range k {
		norm := 0.
		for j := range h {
			v := rnd.NormFloat64()
			x.Set(i, j, v)
			norm += v * v
		}
		for j := range h {
			x.Set(i, j, x.At(i, j)/math.Sqrt(norm))
		}
	}
	mu.Copy(x.Slice(0, k, 0, d)) // objective c is feature c
	return x, mu
}

// processor returns the processor time of this process, in nanoseconds.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}
