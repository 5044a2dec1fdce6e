package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

func psips() explore.Policy { return new(policy.PSIPS) }

var _ = register(psipsPlans)

func psipsPlans() []plan {
	var rates []rate
	for _, c := range []policytest.Case{palPlainCases()[0], palLinearCases()[0], palTight(), palTightLinear()} {
		rates = append(rates, rate{c, .1, 150})
	}
	return []plan{{"PSIPS", psips, append(palPlainCases(), palLinearCases()...), rates}}
}

// For small delta, the stopping time is near T* log(1/delta).
func TestPSIPSPulls(t *testing.T) {
	c := palTight()
	s, err := complexity.NewTStar(question.Pareto{}, c.Means(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	const delta, n = .01, 20
	mean, share := 0., make([]float64, c.Problem.K())
	for seed := range uint64(n) {
		r, err := explore.Run(&policy.PSIPS{Delta: delta}, c.Problem,
			&palNoise{c.Means(), 1, rand.New(rand.NewPCG(seed, 3)), nil},
			&explore.Settings{Src: rand.NewPCG(seed, 4)})
		if err != nil {
			t.Fatal(err)
		}
		mean += float64(r.Pulls) / n
		for i, v := range r.ArmPulls {
			share[i] += float64(v) / float64(r.Pulls) / n
		}
	}
	t.Logf("%.0f pulls, T* kl = %.0f; shares %.3f, oracle %.3f", mean, s.LowerBound(delta), share, s.Weights)
	if mean > 6*s.LowerBound(delta) {
		t.Errorf("%.0f pulls on average; T* log(1/delta) is %.0f", mean, s.LowerBound(delta))
	}
	for i, w := range s.Weights {
		if math.Abs(share[i]-w) > .15 {
			t.Errorf("shares %.3f; an oracle has %.3f", share, s.Weights)
			break
		}
	}
}

// The numbers of samples of the stopping rule are computed by hand. At delta = 0.1 after t = 2 pulls,
// ceil(log(20)/log(1/0.9)) = ceil(28.43) = 29 samples of 2 means each must have the same best arm as the estimates.
// After 16 pulls, the number is ceil(log(160)/log(1/0.9)) = ceil(48.17) = 49 samples. The inflation of the variance is
// c = 2, its minimum, because 1 + log(log 16)/log 10 = 1.44289 is smaller. At delta = 0.4 after 16 pulls, the number
// is ceil(log(40)/log(1/0.6)) = ceil(7.22) = 8 samples, and c = 1 + log(log 16)/log 2.5 = 2.112945. The random source
// shows how many numbers were drawn.
func TestPSIPSStopsByHand(t *testing.T) {
	stopped := map[float64]int{}
	for seed := range uint64(300) {
		delta, k, samples, c, gap := .1, 16, 49, 2., 4.6
		switch {
		case seed == 0:
			k, samples, gap = 2, 29, 50
		case seed%2 == 0:
			delta, samples, c, gap = .4, 8, 2.112945, 3
		}
		means := make([][]float64, k)
		for i := range means {
			means[i] = []float64{-6}
		}
		means[0][0], means[1][0] = 0, gap
		test := palPlain("by hand", 1, means...)
		src, same := rand.NewPCG(seed, 7), rand.NewPCG(seed, 7)
		r, err := explore.Run(&policy.PSIPS{Delta: delta}, test.Problem, test.Exact(), &explore.Settings{Src: src, MaxPulls: k})
		if err != nil {
			t.Fatal(err)
		}
		rnd, agree := rand.New(same), true
		for n := 0; n < samples && agree; n++ {
			top, at := math.Inf(-1), -1
			for i := range k {
				if v := means[i][0] + math.Sqrt(c)*rnd.NormFloat64(); v > top {
					top, at = v, i
				}
			}
			agree = at == 1
		}
		if agree != (r.Status == explore.Stopped) {
			t.Errorf("seed %d: %v; want agreement %v", seed, r.Status, agree)
		}
		if src.Uint64() != same.Uint64() {
			t.Errorf("seed %d: not the same number of samples", seed)
		}
		if agree {
			stopped[delta]++
		}
	}
	for delta, n := range stopped {
		if n < 20 || n > 130 {
			t.Errorf("delta %v: %d of 150 stop: the test cannot see much", delta, n)
		}
	}
}

func ExamplePSIPS() {
	problem := &explore.Problem{Arms: 4, Objectives: 2, Sigma: .2, Question: question.Pareto{}}
	test := palPlain("example", .2, []float64{1, 0}, []float64{0, 1}, []float64{.7, .6}, []float64{.1, .1})
	result, err := explore.Run(&policy.PSIPS{Delta: .05}, problem, test.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("Pareto set:", result.Answer.Items)
	// Output:
	// Pareto set: [0 1 2]
}
