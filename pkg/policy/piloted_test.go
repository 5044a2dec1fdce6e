package policy_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// pilot returns a constructor of e-cAPE after a pilot.
func pilot(share float64, rewards int) func() explore.Policy {
	return func() explore.Policy {
		return &policy.Piloted{Share: share, Rewards: rewards,
			New: func(delta float64) explore.Policy { return &policy.ECAPE{Delta: delta} }}
	}
}

// unlike returns a case whose objectives have standard deviations 1 and 20, which the problem does not state.
func unlike() policytest.Case {
	c := constrainedCase("unlike objectives", atLeast(0, 0), .001,
		[]float64{5, 60}, []float64{3, 36}, []float64{9, -30}, []float64{2, 90})
	law, err := bandit.NewGaussian(c.Means(), mat.NewDiagDense(2, []float64{1, 400}))
	if err != nil {
		panic(err)
	}
	p := *c.Problem
	p.NormSigma = 0
	c.Problem, c.Law = &p, law
	return c
}

// The guarantee holds for unknown scales of noise, with single measurements and with plates.
func TestPilotedErrorRate(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 40
	}
	new := pilot(0, 0)
	one := policytest.ErrorRate(t, new, unlike(), policy.DefaultDelta, runs)
	eight := policytest.AsynchronousErrorRate(t, new, unlike(), policy.DefaultDelta, runs,
		explore.Plates{Size: 8, Out: 2, Fail: .05, Late: .2})
	t.Logf("%d of %d wrong, by plates %d", one, runs, eight)
}

// For any scale, a bound is below the standard deviation with a probability close to its share of Delta.
func TestPilotedBounds(t *testing.T) {
	const share, delta, runs = .8, .5, 2000
	c := unlike()
	below := 0
	for run := range runs {
		p := pilot(share, 3)().(*policy.Piloted)
		p.Delta = delta
		if err := p.Init(c.Problem, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		pulls, err := p.Ask(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(pulls) != 12 || pulls[5] != (explore.Pull{Arm: 1, N: 1}) {
			t.Fatalf("pilot %v", pulls)
		}
		s := bandit.NewSampler(c.Law, seed.New(uint64(run)))
		for _, pull := range pulls {
			for range pull.N {
				obs, err := s.Sample(nil, []explore.Pull{{Arm: pull.Arm, N: 1}})
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Learn(obs); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := p.Sigmas(); got[0] < 1 || got[1] < 20 {
			below++
		}
	}
	// Each of the two bounds is below the standard deviation with probability 0.2, independently.
	want, sd := 1-.8*.8, math.Sqrt(.36*.64/runs)
	if got := float64(below) / runs; math.Abs(got-want) > 5*sd {
		t.Errorf("a bound is below in %.3f of the runs; want %.3f ± %.3f", got, want, sd)
	}
}

// Results of arms outside the pilot's plan do not affect the bound, even if an experimenter reports such results until
// the bound looks small. Batches with more rewards of an arm than the pilot still needs do not affect the bound
// either.
func TestPilotedCountsItsPlan(t *testing.T) {
	const k = 20
	p := &explore.Problem{X: mat.NewDense(k, 2, nil), Sigma: 1, Question: question.Best{}}
	for i := range k {
		p.X.SetRow(i, []float64{1, float64(i)})
	}
	bound := func(unsolicited bool) float64 {
		x := &policy.Piloted{Rewards: 3, New: func(delta float64) explore.Policy {
			return &policy.LinGapE{Delta: delta}
		}}
		if err := x.Init(p, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		pulls, err := x.Ask(nil)
		if err != nil {
			t.Fatal(err)
		}
		asked := map[int]bool{}
		for _, pull := range pulls {
			asked[pull.Arm] = true
		}
		if len(asked) == k {
			t.Fatal("the pilot pulls all arms, so the test shows nothing")
		}
		for arm := range k {
			n := 2.
			if asked[arm] {
				n = 4
			}
			if unsolicited { // equal values, so that the deviations seem small
				if err := x.Learn([]explore.Batch{{Pull: explore.Pull{Arm: arm, N: int(n)},
					Sum: []float64{n}, Squares: []float64{n + 1e-9}}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, pull := range pulls {
			if err := x.Learn([]explore.Batch{{Pull: pull, Sum: []float64{float64(i * i % 7 * pull.N)}}}); err != nil {
				t.Fatal(err)
			}
		}
		return x.Sigmas()[0]
	}
	if a, b := bound(false), bound(true); a != b {
		t.Errorf("bound %v; with unsolicited results %v", a, b)
	}
}

// The policy gets the part of delta that the pilot leaves.
func TestPilotedDelta(t *testing.T) {
	var got float64
	p := &policy.Piloted{Delta: .1, Share: .3, New: func(delta float64) explore.Policy {
		got = delta
		return &policy.APE{Delta: delta}
	}}
	if err := p.Init(&explore.Problem{Arms: 2, Sigma: 1, Question: question.Pareto{}},
		rand.NewPCG(1, 2)); err != nil || math.Abs(got-.07) > 1e-15 {
		t.Errorf("delta %v, %v; want 0.07", got, err)
	}
	const start = "pilot of 4 (0.3 of delta 0.1), then APE (delta 0.07"
	if s := p.String(); !strings.HasPrefix(s, start) {
		t.Error(s)
	}
}
