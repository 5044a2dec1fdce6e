package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
)

func topTwo() explore.Policy { return new(policy.ConstrainedTopTwo) }

func TestConstrainedTopTwoReasons(t *testing.T) { bestReasons(t, 1, topTwo) }

// A threshold that is a fraction of another: a planted fault.
type fraction struct {
	policy.Threshold
	of float64
}

func (f fraction) Beta(e policy.Evidence) float64 { return f.Threshold.Beta(e) / f.of }

// nobodyTight has no feasible arm, by a quarter of a standard deviation.
func nobodyTight() policytest.Case {
	c := constrainedCase("nobody, tight", atLeast(0, 0), 1, []float64{2, -.25}, []float64{-.25, 1})
	return bestOf(c, 1)
}

// The tight cases see a threshold that is much too small.
func TestConstrainedTopTwoTightCases(t *testing.T) {
	for _, c := range []policytest.Case{bestTight(1), nobodyTight()} {
		var tb failing
		n := policytest.ErrorRate(&tb, func() explore.Policy {
			return &policy.ConstrainedTopTwo{Threshold: fraction{policy.MixtureMartingales{}, 100}}
		}, c, .1, 100)
		if !tb.failed {
			t.Errorf("%s: %d wrong in 100 with a hundredth of the threshold, and nobody noticed",
				c.Name, n)
		}
	}
}

// Means 1 and 0, sigma 1, one objective, no noise: the evidence against arm 1 is
// N_0 N_1/(N_0 + N_1)/2 without constraints, and the thresholds are those for delta
// over 3 = 2 * 3/2 events: of one mean for a single arm, of two for both. With the
// region x >= -1/2 arm 0 has to be feasible too: (3/2)^2 N_0/2. Where x >= 0.8, it
// is (0.2)^2 N_0/2, and arm 1 can only come as far as max(0.8, N_0/(N_0 + N_1)) to
// get even; or it is infeasible by itself, at 0.8 from the region.
func TestConstrainedTopTwoStopsByHand(t *testing.T) {
	for _, test := range []struct {
		name   string
		region *polyhedron.Polyhedron
		ratios func(a, b float64) (leader, both, alone float64)
	}{
		{"whole", polyhedron.Whole(1), func(a, b float64) (float64, float64, float64) {
			return math.Inf(1), a * b / (a + b) / 2, 0
		}},
		{"slack", atLeast(-.5), func(a, b float64) (float64, float64, float64) {
			return 1.125 * a, a * b / (a + b) / 2, 0
		}},
		{"tight", atLeast(.8), func(a, b float64) (float64, float64, float64) {
			x := max(a/(a+b), .8)
			return .02 * a, a/2*(1-x)*(1-x) + b/2*x*x, .32 * b
		}},
	} {
		c := bestOf(constrainedCase(test.name, test.region, 1, []float64{1}, []float64{0}), 1)
		for seed := range uint64(10) {
			var th policy.Threshold = policy.MixtureMartingales{}
			p := new(policy.ConstrainedTopTwo)
			if seed%2 == 0 {
				th = policy.Heuristic{}
				p.Threshold = th
			}
			a, b, ended := 0., 0., false
			s, err := explore.NewSession(p, c.Problem, &explore.Settings{Src: rand.NewPCG(seed, 1)})
			if err != nil {
				t.Fatal(err)
			}
			for {
				pulls, err := s.Ask()
				if err != nil {
					t.Fatal(err)
				}
				if (len(pulls) == 0) != ended {
					t.Fatalf("%s, %v: after %v and %v pulls it asks for %v; want end %v", test.name,
						p, a, b, pulls, ended)
				}
				if ended {
					break
				}
				for _, x := range pulls {
					if x.Arm == 0 {
						a++
					} else {
						b++
					}
				}
				obs, err := c.Exact().Sample(nil, pulls)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Tell(obs); err != nil {
					t.Fatal(err)
				}
				beta := func(rank int, logDet float64) float64 {
					return th.Beta(policy.Evidence{Delta: .1 / 3, Pulls: int(a + b), Rank: rank,
						LogDet: logDet})
				}
				leader, both, alone := test.ratios(a, b)
				ended = leader > beta(1, math.Log(a)) && (both > beta(2, math.Log(a)+math.Log(b)) ||
					alone > beta(1, math.Log(b)))
			}
			if a+b < 10 {
				t.Errorf("%s: %v pulls: the test cannot see much", test.name, a+b)
			}
		}
	}
}

// Half of the pulls go to the leader; settings are followed.
func TestConstrainedTopTwoShare(t *testing.T) {
	c := bestOf(constrainedCase("two", polyhedron.Whole(1), 1, []float64{.1}, []float64{0}), 1)
	for _, share := range []float64{0, .2} {
		r, err := explore.Run(&policy.ConstrainedTopTwo{Share: share}, c.Problem, c.Exact(),
			&explore.Settings{MaxPulls: 3000})
		if err != nil {
			t.Fatal(err)
		}
		want := share
		if share == 0 {
			want = .5
		}
		// A binomial share of n = 3000 draws: 4.9 standard errors are exceeded with
		// probability 1e-6.
		if got := float64(r.ArmPulls[0]) / 3000; math.Abs(got-want) > 4.9*math.Sqrt(
			want*(1-want)/3000)+1./3000 {
			t.Errorf("share %v: the leader has %v", share, got)
		}
	}
}

func ExampleConstrainedTopTwo() {
	// The dose with the best response among those that are safe enough.
	c := bestOf(constrainedCase("doses", atLeast(math.Inf(-1), .4), .5,
		[]float64{.3, .9}, []float64{.5, .8}, []float64{.7, .7}, []float64{.9, .1}), 1, 1, 0)
	r, err := explore.Run(&policy.ConstrainedTopTwo{Delta: .05}, c.Problem, c.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Answer.Items, "infeasible:", r.Answer.Of(explore.Infeasible))
	// Output:
	// stopped [2] infeasible: [3]
}
