package policy_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// armsCase returns a case without features.
func armsCase(name string, sigma float64, q question.AllEpsilonBest, means ...float64) policytest.Case {
	p := &explore.Problem{Arms: len(means), Sigma: sigma, Question: q}
	return policytest.Case{MaxPulls: 3_000_000, Instance: policytest.Gaussian(name, p, mat.NewDense(len(means), 1, means))}
}

func armsCases() []policytest.Case {
	within := func(eps float64) question.AllEpsilonBest { return question.AllEpsilonBest{Epsilon: eps} }
	return []policytest.Case{
		armsCase("three classes", .5, within(.6), 2, 1.8, .2, 1.75, .9),
		armsCase("fractions", .3, question.AllEpsilonBest{Epsilon: .4, Multiplicative: true}, 2, 1.6, .8),
		armsCase("all of them", .3, within(3), 1, .4, .2),
		armsCase("the best", .3, within(0), .2, 1, .4),
		armsCase("one arm", .3, within(.1), 1),
	}
}

// goodArmsPolicies returns the policies whose guarantee depends on a radius.
func goodArmsPolicies(r radius.Radius) map[string]func() explore.Policy {
	return map[string]func() explore.Policy{
		"ST2":     form(policy.ST2{Radius: r}),
		"EAST":    form(policy.EAST{Radius: r}),
		"FAREAST": form(policy.FAREAST{Radius: r}),
	}
}

// tightArms returns a case with two arms 0.2 above the threshold and two arms 0.2 below it.
func tightArms() policytest.Case {
	return armsCase("tight", 1, question.AllEpsilonBest{Epsilon: .2}, .4, 0, .4, 0)
}

var _ = register(goodArmsPlans)

func goodArmsPlans() (all []plan) {
	for name, r := range map[string]radius.Radius{"": nil, "Logarithm": mason{}, "Theory": radius.Theory{}} {
		for policy, new := range goodArmsPolicies(r) {
			cases := armsCases()
			for i := range cases {
				cases[i].UnitDependent = policy == "FAREAST"
				cases[i].Solves = policy == "FAREAST" // each phase allocates a new radius
			}
			p := plan{name: policy + name, new: new, cases: cases}
			if name == "" {
				p.rates = []rate{{cases[0], .1, 100}, {tightArms(), .1, 30}}
			}
			all = append(all, p)
		}
	}
	games := armsCases()
	for i := range games {
		games[i].Solves, games[i].Inexact = true, true
	}
	tight := tightArms()
	all = append(all,
		plan{name: "AllEpsilonTrackAndStop", new: form(policy.AllEpsilonTrackAndStop{}),
			cases: games,
			rates: []rate{{games[0], .1, 50}, {tight, .1, 50}}},
		plan{name: "AllEpsilonTrackAndStopOneByOne",
			new: form(policy.AllEpsilonTrackAndStop{Batch: -1}), cases: games[:2]})
	slices.SortFunc(all, func(a, b plan) int { return strings.Compare(a.name, b.name) })
	return all
}

// Two arms have means 1 and 0, without noise. Epsilon is 0.5, Delta is 0.1, and the radius is C = 2 sqrt(L/n)
// with L = log(20 log2(2 n)). Arm 1 is rejected if C < 1 - C - 1/2, that is, if n > 64 L:
//
//	n = 335: 64 L = 335.05    n = 336: 64 L = 335.08
//
// Therefore, arm 1 is rejected after 672 pulls, and the answer is arm 0. (ST)^2 also pulls both arms in every round.
// Track-and-stop has t/32 > log((1 + log t)/0.1) at t = 131, as in TestAllEpsilonGameByHand.
func TestGoodArmsByHand(t *testing.T) {
	c := armsCase("two", 1, question.AllEpsilonBest{Epsilon: .5}, 1, 0)
	for name, new := range goodArmsPolicies(mason{}) {
		if name == "FAREAST" {
			continue
		}
		r, err := explore.Run(new(), c.Problem, c.Exact(), nil)
		if err != nil || r.Pulls != 672 || !slices.Equal(r.Answer.Items, []int{0}) {
			t.Errorf("%s: %v, %+v; want 672 pulls", name, err, r)
		}
	}
	// A margin compares the mean of an arm with 1 - Epsilon times the best mean, so its half-width is (1 + (1 - 0.25))
	// 2 sqrt(log 20).
	part := armsCase("part", 1, question.AllEpsilonBest{Epsilon: .25, Multiplicative: true}, 1, .5)
	r, err := explore.Run(&policy.EAST{Radius: mason{}}, part.Problem, part.Exact(), &explore.Settings{MaxRounds: 1})
	if err != nil || math.Abs(r.Answer.Reasons[1].MarginRadius-3.5*math.Sqrt(math.Log(20))) > 1e-9 {
		t.Errorf("%v, %+v; want a margin within 6.058", err, r)
	}
	r, err = explore.Run(&policy.AllEpsilonTrackAndStop{Threshold: policy.Heuristic{}}, c.Problem, c.Exact(), nil)
	if err != nil || r.Pulls < 131 || r.Pulls > 134 || !slices.Equal(r.Answer.Items, []int{0}) {
		t.Errorf("track-and-stop: %v, %+v; want 131 pulls or a few more", err, r)
	}
}

// FAREAST runs on the arms of TestGoodArmsByHand. Phase k of the bad filter pulls both arms
// ceil(4^(k+1) * log(4 * 2 K k^2/0.05)) times: 16 * log 320 = 92.29 and 64 * log 1280 = 457.90. The bad
// filter rejects arm 1 if 1/2 >= 2^(1-k), which holds at k = 2.
func TestFAREASTByHand(t *testing.T) {
	c := armsCase("two", 1, question.AllEpsilonBest{Epsilon: .5}, 1, 0)
	got, r := rounds(t, new(policy.FAREAST), c)
	var long [][]explore.Pull
	for _, p := range got {
		if p[0].N > 1 {
			long = append(long, p)
		}
	}
	if !slices.EqualFunc(long, [][]explore.Pull{each(93, 93), each(458, 458)}, slices.Equal) ||
		!slices.Equal(r.Answer.Items, []int{0}) || len(got[len(got)-1]) != 2 ||
		got[len(got)-1][0].N != 458 {
		t.Errorf("%v, %v", long, r.Answer)
	}
}

// Find the teas that are nearly as good as the best, without features.
func ExampleST2() {
	inst := teas()
	for _, p := range []explore.Policy{new(policy.ST2), new(policy.EAST), new(policy.FAREAST),
		new(policy.AllEpsilonTrackAndStop)} {
		result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %v\n", p, result.Answer.Items)
	}
	// Output:
	// (ST)^2 (delta 0.1, Kaufmann-Koolen): [0 1]
	// EAST (delta 0.1, Kaufmann-Koolen): [0 1]
	// FAREAST (delta 0.1, Kaufmann-Koolen): [0 1]
	// All-epsilon track-and-stop (delta 0.1): [0 1]
}

// mason is the radius of the public code of Mason, Jain, Tripathy and Nowak ("Finding All
// epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020),
//
//	beta_i  = 2 sigma sqrt(log(K d log2(2 N_i)/delta) / N_i)
//	beta_ij = beta_i + beta_j
//	U_i     = sqrt(d) times beta_i for sigma_u
//
// where all radii are of the order of the law of the iterated logarithm. With these constants, the probability
// that some radius ever fails is proved to be at most a constant times delta, but not at most delta.
type mason struct{}

func (mason) String() string { return "iterated logarithm" }

func (mason) Bind(p radius.Params) radius.Bonus {
	return masonBonus{p.Sigma, p.NormSigma * math.Sqrt(float64(p.Objectives)), math.Log(float64(p.Arms*p.Objectives) / p.Delta)}
}

type masonBonus struct{ sigma, norm, log float64 }

func (b masonBonus) Factors(int) (pair, norm float64) { return 1, 1 }

func (b masonBonus) unit(n int) float64 {
	return 2 * math.Sqrt((b.log+math.Log(math.Log2(2*float64(n))))/float64(n))
}

func (b masonBonus) Mean(n int) float64            { return b.sigma * b.unit(n) }
func (b masonBonus) Term(n int) radius.Term        { return radius.Term{X: b.Mean(n)} }
func (b masonBonus) Pair(i, j radius.Term) float64 { return i.X + j.X }
func (b masonBonus) Norm(n int) float64            { return b.norm * b.unit(n) }
