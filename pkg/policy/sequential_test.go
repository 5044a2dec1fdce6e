package policy_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/seed"
)

// seqCase returns a case with arms x, items z (nil means x), and parameter theta.
func seqCase(name string, x, z [][]float64, theta []float64, sigma, epsilon float64) policytest.Case {
	p := &explore.Problem{X: rows(x), Sigma: sigma, Question: question.Best{Epsilon: epsilon}}
	// Ties between arms are broken by the order of the arms.
	c := policytest.Case{Instance: policytest.Gaussian(name, p, seqMeans(p.X, theta)), Inexact: true, MaxPulls: 200_000}
	if z != nil {
		p.Z = rows(z)
		c.ItemMeans = seqMeans(p.Z, theta)
	}
	return c
}

// seqMeans returns x theta, as a column.
func seqMeans(x *mat.Dense, theta []float64) *mat.Dense {
	k, _ := x.Dims()
	mu := mat.NewDense(k, 1, nil)
	mu.Mul(x, mat.NewVecDense(len(theta), theta))
	return mu
}

// seqSoare is the instance of Soare, Lazaric and Munos 2014, section 6: e_1 to e_d, an arm at the angle omega from
// e_1, and theta = 2 e_1. The best arm for distinguishing e_1 from that arm is e_2.
func seqSoare(d int, omega, sigma float64) policytest.Case {
	x, theta := make([][]float64, d+1), make([]float64, d)
	for i := range x {
		x[i] = make([]float64, d)
		if i < d {
			x[i][i] = 1
		}
	}
	x[d][0], x[d][1], theta[0] = math.Cos(omega), math.Sin(omega), 2
	return seqCase(fmt.Sprintf("Soare d=%d", d), x, nil, theta, sigma, 0)
}

// seqPolicies returns the sequential policies with all rules.
func seqPolicies() []func() explore.Policy {
	return []func() explore.Policy{
		func() explore.Policy { return new(policy.LinGapE) },
		func() explore.Policy { return &policy.LinGapE{Select: policy.LinGapEGreedy} },
		func() explore.Policy { return &policy.LinGapE{EachArm: true} },
		func() explore.Policy { return new(policy.LinGame) },
		func() explore.Policy { return new(policy.LazyTrackAndStop) },
		func() explore.Policy { return new(policy.FWS) },
		func() explore.Policy { return &policy.FWS{EachArm: true} },
	}
}

func seqName(p explore.Policy) string { return strings.ReplaceAll(explore.Name(p), "/", "|") }

// seqCases returns small problems, at least one for each structure of a linear problem.
func seqCases() []policytest.Case {
	unstructured := seqCase("unstructured", [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, nil, []float64{1, .2, 0}, .5, 0)
	unstructured.Problem.X, unstructured.Problem.Arms = nil, 3
	return []policytest.Case{
		unstructured,
		seqSoare(2, .5, .3),
		seqCase("three features", [][]float64{{1, 0, 0}, {.6, .8, 0}, {0, .8, .6}, {0, 0, 1},
			{.5, .5, .5}}, nil, []float64{1, -.5, .3}, .4, 0),
		seqCase("other items", [][]float64{{1, 0}, {0, 1}, {.7, .7}},
			[][]float64{{1, 1}, {2, -1}, {-1, .5}, {1.5, .5}}, []float64{.8, .4}, .15, 0),
		seqCase("items outside the span", [][]float64{{1, 0, 0}, {0, 1, 0}},
			[][]float64{{1, 0, 5}, {0, 1, 5}, {-1, 0, 5}}, []float64{1, .2, 0}, .4, 0),
		seqCase("rank 2 of 3", [][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {1, -1, 0}}, nil,
			[]float64{.5, -.2, .3}, .2, 0),
		seqCase("one feature", [][]float64{{1}, {2}, {-1}}, nil, []float64{1}, .7, 0),
		seqCase("copies", [][]float64{{1, 0}, {0, 1}, {1, 0}, {0, 1}}, nil, []float64{.7, 0}, .4, 0),
		seqCase("badly scaled", [][]float64{{1e-6, 0}, {0, 1e5}, {1e-6, 2e5}}, nil,
			[]float64{3e6, 1e-5}, .8, 0),
		seqCase("tolerant", [][]float64{{1, 0}, {0, 1}, {.6, .6}}, nil, []float64{.5, .45}, .3, .2),
		seqCase("one item", [][]float64{{1, 0}, {0, 1}}, [][]float64{{1, 1}}, []float64{1, 2}, 1, 0),
	}
}

var _ = register(sequentialPlans)

// sequentialPlans checks errors on an easy instance and on a tight instance, whose gap is 0.18 sigma.
func sequentialPlans() (all []plan) {
	easy := seqCase("easy", [][]float64{{1, 0}, {0, 1}, {.6, .6}}, nil, []float64{1, .3}, .5, 0)
	tight := seqSoare(2, .3, .5) // gap 2 (1 - cos 0.3) = 0.089
	rates := []rate{{easy, .1, 100}, {tight, .1, 50}}
	for _, new := range seqPolicies() {
		// The last case has more rounds than the suite checks for memory allocations.
		cases := append(sequential(seqCases(), 1), seqSoare(2, .25, .7))
		switch new().(type) {
		case *policy.LazyTrackAndStop, *policy.FWS: // compute designs and games
			for i := range cases {
				cases[i].Solves = true
			}
		}
		all = append(all, plan{seqName(new()), new, cases, rates})
	}
	// The regularised forms depend on the units of rewards and features by design.
	var regularised []policytest.Case
	for _, c := range seqCases() {
		if c.Name != "badly scaled" && c.Name != "items outside the span" {
			c.UnitDependent = true
			regularised = append(regularised, c)
		}
	}
	for _, p := range []plan{
		{new: form(policy.LinGapE{Norm: 4}), cases: regularised},
		{
			new:   form(policy.LinGapE{Width: policy.LinGapETrace, Select: policy.LinGapEGreedy}),
			cases: regularised,
		},
		{new: form(policy.LinGapE{Norm: 2}), rates: rates},
		{new: form(policy.LinGame{Threshold: policy.Heuristic{}}), rates: rates},
		{new: form(policy.LazyTrackAndStop{Threshold: policy.Heuristic{}}), rates: rates},
		{new: form(policy.FWS{Threshold: policy.Heuristic{}}), rates: rates},
	} {
		p.name = seqName(p.new())
		all = append(all, p)
	}
	return all
}

// With two orthogonal arms, theta = (1, 0) and no noise, all methods keep the counts balanced: n
// each after t = 2 n pulls. Numbers are computed by hand.
func TestSequentialStop(t *testing.T) {
	balanced := seqCase("balanced", [][]float64{{1, 0}, {0, 1}}, nil, []float64{1, 0}, 1, 0)
	tolerant := seqCase("tolerant", [][]float64{{1, 0}, {0, 1}}, nil, []float64{.75, 0}, 1, .25)
	line := seqCase("line", [][]float64{{1}, {2}}, nil, []float64{1}, 2, 0)
	for _, test := range []struct {
		c           policytest.Case
		p           explore.Policy
		least, most int
	}{
		// The ratio is 1/(2 (1/n_1 + 1/n_2)), and the threshold is 1.1 (log 10 + log(n_1 n_2)/2 + log 11). Ratio
		// and threshold are 9.1233 and 9.1275 at t = 73, and 9.25 and 9.1425 at t = 74.
		{balanced, &policy.LinGapE{}, 74, 74},
		{balanced, &policy.LinGapE{Select: policy.LinGapEGreedy}, 74, 74},
		{balanced, &policy.LinGapE{EachArm: true}, 74, 74},
		{balanced, &policy.LazyTrackAndStop{}, 74, 74},
		{balanced, &policy.FWS{}, 74, 74},
		// The learner of LinGame does not balance the counts exactly, so the run may take longer.
		{balanced, &policy.LinGame{}, 74, 80},
		// A gap of 0.75 with a tolerance of 0.25 equals a gap of 1 with an exact answer.
		{tolerant, &policy.LinGapE{}, 74, 74},
		{tolerant, &policy.LazyTrackAndStop{}, 74, 74},
		{tolerant, &policy.FWS{}, 74, 74},
		{tolerant, &policy.LinGame{}, 74, 80},
		// With the threshold log((1 + log t)/0.1), ratio and threshold are 3.75 and 3.7845 at t = 30, and 3.871 and
		// 3.792 at t = 31.
		{balanced, &policy.LazyTrackAndStop{Threshold: policy.Heuristic{}}, 31, 31},
		{balanced, &policy.FWS{Threshold: policy.Heuristic{}}, 31, 31},
		{balanced, &policy.LinGame{Threshold: policy.Heuristic{}}, 31, 35},
		// With u = 1, the threshold is 2 (log 10 + log(n_1 n_2)/2 + log 2). Ratio and threshold are 14 and 14.0422
		// at t = 112, and 14.1239 and 14.0599 at t = 113 with (57, 56) pulls.
		{balanced, &policy.LazyTrackAndStop{Threshold: policy.SelfNormalized{U: 1}}, 113, 113},
		// For ridge regression with Reg = 1 and S = 1, n/(n + 1) is compared with (sqrt(2 log(40 (n + 1))) + 1)
		// sqrt(2/(n + 1)): 0.98000 with 0.98426 at t = 97, and 0.98000 with 0.97979 at t = 98.
		{balanced, &policy.LinGapE{Norm: 1}, 98, 98},
		// With Reg = 4, n/(n + 4) is compared with (sqrt(2 log(40 (n + 4)/4)) + 2) sqrt(2/(n + 4)): 0.94366 with
		// 0.94385 at t = 134, and 0.94444 with 0.94089 at t = 135, after 68 pulls of the first arm.
		// With Reg = 1/4 and S = 2, the run stops at t = 112.
		{balanced, &policy.LinGapE{Norm: 1, Reg: 4}, 135, 135},
		{balanced, &policy.LinGapE{Norm: 2, Reg: .25}, 112, 112},
		// With LinGapETrace, the factor is sqrt(2 log(40 (1 + t))) + 2: 0.98718 is compared with 0.98944 at t = 154,
		// and 0.98734 with 0.98655 at t = 155, after 78 pulls of the first arm.
		{balanced, &policy.LinGapE{Width: policy.LinGapETrace}, 155, 155},
		// Two points are on a line, at 1 and 2, and sigma = 2. It is best to pull the second point. If each arm is
		// pulled once at first, the information is A = 5 + 4 n after 2 + n pulls. A/8 is compared with 1.1 (log 10 +
		// log(A/5)/2 + log(11)/2): 4.625 with 4.9525 for n = 8, and 5.125 with 5.0090 for n = 9.
		{line, &policy.LinGapE{EachArm: true}, 11, 11},
		{line, &policy.LinGapE{EachArm: true, Select: policy.LinGapEGreedy}, 11, 11},
		// If only the second point is pulled, A = 4 n. After n pulls, n/2 is compared with 1.1 (log 10 + log(n)/2 +
		// log(11)/2): 5 with 5.1180 for n = 10, and 5.5 with 5.1705 for n = 11.
		{line, &policy.LinGapE{}, 11, 11},
		{line, &policy.LinGapE{Select: policy.LinGapEGreedy}, 11, 11},
		{line, &policy.FWS{}, 11, 11},
		// The first point is pulled once, because the proportions are uniform until t = 2. Then A = 5 + 4 n after
		// 2 + n pulls, and A/4 replaces A/5 in the threshold: 5.125 and 5.1317 for n = 9, 5.625 and 5.1830 for n = 10.
		{line, &policy.LazyTrackAndStop{}, 12, 12},
	} {
		r, err := explore.Run(test.p, test.c.Problem, test.c.Exact(), &explore.Settings{MaxPulls: test.c.MaxPulls})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != explore.Stopped || r.Pulls < test.least || r.Pulls > test.most {
			t.Errorf("%s, %s: %v after %d pulls; want %d to %d", test.c.Name, explore.Name(test.p),
				r.Status, r.Pulls, test.least, test.most)
		}
	}
}

// Pulls go to the useful arm: two neighbours are distinguished by the orthogonal arm. The proportions are those of
// the characteristic time, psi* = 110.0749 for an angle of 0.1 (Elfving's theorem).
func TestSequentialAllocation(t *testing.T) {
	c := seqSoare(2, .1, 1)
	const psi = 110.0749
	for _, new := range seqPolicies() {
		r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
		if err != nil {
			t.Fatal(err)
		}
		if r.ArmPulls[1] < r.Pulls*3/4 {
			t.Errorf("%s: %d of %d pulls are of arm 1; want three quarters", seqName(new()), r.ArmPulls[1], r.Pulls)
		}
		// A run needs at least 2 psi* beta pulls, and beta is above 1.1 (log 10 + log 11).
		if best := 2 * psi * 1.1 * math.Log(110); float64(r.Pulls) < best {
			t.Errorf("%s: %d pulls; no allocation stops before %.1f", seqName(new()), r.Pulls, best)
		}
	}
}

// seqShow runs p with noise on three mixtures of two ingredients, of which the third is close to
// the first. The question is which mixture is best.
func seqShow(p explore.Policy) {
	c := seqCase("mixtures", [][]float64{{1, 0}, {0, 1}, {.9, .3}}, nil, []float64{1, .1}, .5, 0)
	c.Problem.ArmNames = []string{"A", "B", "mixture"}
	law, err := bandit.NewGaussian(c.Means(), mat.NewDense(1, 1, []float64{.25}))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := explore.Run(p, c.Problem, bandit.NewSampler(law, seed.New(1)), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "after", r.Pulls, "pulls:", r.ArmPulls)
	fmt.Println(r.Answer.Explain(c.Problem)[0])
}

func ExampleLinGapE() {
	// The policy distinguishes the two best arms. The mixture has 0.1 less of A and 0.3 more of B
	// than arm A, so A and B are pulled in the ratio 1 to 3.
	seqShow(&policy.LinGapE{Delta: .05})
	// Output:
	// stopped after 158 pulls: [40 118 0]
	// A: optimal: ahead of mixture by an estimated 0.07383
}

func ExampleLinGame() {
	seqShow(&policy.LinGame{Delta: .05, Threshold: policy.Heuristic{}})
	// Output:
	// stopped after 83 pulls: [28 52 3]
	// A: optimal: ahead of mixture by an estimated 0.07083
}

func ExampleLazyTrackAndStop() {
	seqShow(&policy.LazyTrackAndStop{Delta: .05})
	// Output:
	// stopped after 161 pulls: [42 118 1]
	// A: optimal: ahead of mixture by an estimated 0.07346
}

func ExampleFWS() {
	seqShow(&policy.FWS{Delta: .05})
	// Output:
	// stopped after 158 pulls: [40 118 0]
	// A: optimal: ahead of mixture by an estimated 0.07383
}

func ExampleThreshold() {
	// The evidence comes from 1000 pulls in a model with 5 dimensions.
	e := policy.Evidence{Delta: .1, Pulls: 1000, Rank: 5, LogDet: 20}
	for _, t := range []policy.Threshold{policy.SelfNormalized{}, policy.SelfNormalized{U: .5}, policy.Heuristic{}} {
		fmt.Printf("%v: %.2f\n", t, t.Beta(e))
	}
	// Output:
	// self-normalized (u = 0.1): 20.13
	// self-normalized (u = 0.5): 22.57
	// log((1 + log t)/delta): 4.37
}

// A bound on the norm of theta refers to the given features, in any units. The columns are of order 1e8 and 1e-8,
// theta is (0, -1e8), and the means are -1 and 0. Reg, the weight of the norm in least squares, is negligible.
func TestLinGapENormUnits(t *testing.T) {
	c := seqCase("wild units", [][]float64{{1e8, 1e-8}, {1e8, 0}}, nil, []float64{0, -1e8}, .1, 0)
	p := &policy.LinGapE{Norm: 1.1e8, Reg: 1e-20}
	r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: 10_000})
	if err != nil || r.Status != explore.Stopped || r.Answer.Items[0] != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	// In a plane in three-dimensional space, rounding errors dominate the inner products.
	c = seqCase("wild units", [][]float64{{1e8, 1e-8, 1e8}, {1e8, 0, 1e8}}, nil, []float64{0, -1e8, 0}, .1, 0)
	if err := p.Init(c.Problem, nil); err == nil || !strings.Contains(err.Error(), "sizes of the features differ") {
		t.Errorf("error %v", err)
	}
}

// Without noise, asymptotically optimal methods pull in proportions whose largest scaled variance, ||z* -
// z||^2/gap^2 per pull, is close to its minimum psi*. The number of pulls divided by beta is close to 2 psi*.
func TestSequentialCharacteristicTime(t *testing.T) {
	three := seqCase("three", [][]float64{{1, 0, 0}, {.6, .8, 0}, {0, .8, .6}, {0, 0, 1},
		{.5, .5, .5}}, nil, []float64{1, -.5, .3}, 3, 0)
	uneven := seqCase("uneven", [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, nil, []float64{1, .7, -3}, 1, 0)
	for _, test := range []struct {
		new  func() explore.Policy
		most float64 // largest scaled variance, as a multiple of psi*
	}{
		{func() explore.Policy { return new(policy.LazyTrackAndStop) }, 1.1},
		{func() explore.Policy { return new(policy.FWS) }, 1.1},
		{func() explore.Policy { return new(policy.LinGame) }, 1.4},
		{func() explore.Policy { return new(policy.LinGapE) }, 1.3},
	} {
		for _, c := range []policytest.Case{three, uneven, seqSoare(3, .15, 1)} {
			psi, err := complexity.NewPsiStar(c.Problem, mat.Col(nil, 0, c.Means()), nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := explore.Run(test.new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
			if err != nil {
				t.Fatal(err)
			}
			y, err := complexity.Towards(c.Problem.X, mat.Col(nil, 0, c.Means()))
			if err != nil {
				t.Fatal(err)
			}
			criterion, err := design.NewXY(c.Problem.X, y)
			if err != nil {
				t.Fatal(err)
			}
			n := make([]float64, c.Problem.K())
			for i, v := range r.ArmPulls {
				n[i] = float64(v)
			}
			ratio := criterion.Value(n) * float64(r.Pulls) / psi.Value
			t.Logf("%s, %s: %.3f after %d pulls %v", seqName(test.new()), c.Name, ratio, r.Pulls, r.ArmPulls)
			if ratio > test.most {
				t.Errorf("%s, %s: %.3f times psi* after %d pulls %v; want at most %v",
					seqName(test.new()), c.Name, ratio, r.Pulls, r.ArmPulls, test.most)
			}
		}
	}
}

// If an arm has no weight in the optimal proportions, forced exploration pulls the arm on the order of sqrt(t) times,
// so all directions are measured. In m dimensions, Lazy TTS keeps the least eigenvalue at about sqrt(t/m), and FWS
// gives each arm about sqrt(t/K) pulls.
func TestSequentialExploration(t *testing.T) {
	c := seqSoare(3, .15, 1) // the third arm is uninformative about the difference of the first and last
	for _, test := range []struct {
		p     explore.Policy
		share float64
	}{{new(policy.LazyTrackAndStop), 3}, {new(policy.FWS), 4}} {
		r, err := explore.Run(test.p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Sqrt(float64(r.Pulls) / test.share); float64(r.ArmPulls[2]) < .9*want-2 ||
			float64(r.ArmPulls[2]) > 2*want+2 {
			t.Errorf("%s: %v; want about %.0f pulls of arm 2", explore.Name(test.p), r.ArmPulls, want)
		}
	}
}
