package policy_test

import (
	"fmt"
	"log"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// allCase returns a linear case with question.AllEpsilonBest.
func allCase(name string, sigma, epsilon float64, theta []float64, x [][]float64) policytest.Case {
	c := linearCase(name, sigma, theta, x, nil)
	c.Problem.Question = question.AllEpsilonBest{Epsilon: epsilon}
	return c
}

// allCases returns small cases, some of which have rank-deficient features, duplicate arms, a zero arm or one arm.
func allCases() []policytest.Case {
	return []policytest.Case{
		allCase("three classes", .5, .6, []float64{2, 1.7, .2}, basis(3, []float64{.5, .5, .2})),
		allCase("rank 2 of 3", .5, .7, []float64{1, .2, 0},
			[][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {.5, -.5, 0}}),
		allCase("duplicates", .5, .4, []float64{1, 0},
			basis(2, []float64{1, 0}, []float64{.3, .4}, []float64{0, 1}, []float64{.9, .1})),
		allCase("a zero arm", .5, .5, []float64{-1, -.2}, basis(2, []float64{0, 0})),
		allCase("one arm", .5, .1, []float64{1, 0}, [][]float64{{1, 1}}),
		allCase("all of them", .5, 2, []float64{1, .5}, basis(2, []float64{.5, .5})),
		allCase("the best", .5, 0, []float64{1, .2}, basis(2, []float64{.6, .6})),
	}
}

// tightAll returns a case with n arms, which are alternately 0.2 below and 0.2 above the threshold.
func tightAll(n int) policytest.Case {
	var x [][]float64
	theta := make([]float64, n)
	for i := range theta {
		theta[i] = .4 * float64(i%2)
	}
	x = basis(n)
	return allCase("tight", 1, .2, theta, x)
}

var _ = register(linfactPlans)

func linfactPlans() []plan {
	wrong := func(cases []policytest.Case) []policytest.Case { // omit cases with tolerance 0
		return slices.DeleteFunc(cases, func(c policytest.Case) bool { return c.Name == "the best" })
	}
	all := []plan{
		{name: "LinFACT", new: form(policy.LinFACT{}), cases: allCases()},
		{name: "LinFACTG", new: form(policy.LinFACT{Design: policy.LinFACTG}), cases: allCases()},
		{name: "LinFACTPrinted", new: form(policy.LinFACT{
			Decisions: policy.LinFACTPrinted, Budget: policy.LinFACTAmbient,
		}), cases: wrong(allCases())},
		{name: "LinFACTGPrinted", new: form(policy.LinFACT{
			Design: policy.LinFACTG, Decisions: policy.LinFACTPrinted,
			Budget: policy.LinFACTAmbient,
		}), cases: wrong(allCases())},
		{name: "GStatic", new: form(policy.GStatic{}), cases: allCases()},
	}
	for i := range all {
		all[i].rates = []rate{
			{all[i].cases[0], policy.DefaultDelta, 200}, {tightAll(6), policy.DefaultDelta, 200},
		}
	}
	return all
}

// rounds runs p on c without noise and returns the pulls of each round and the result.
func rounds(t *testing.T, p explore.Policy, c policytest.Case) (pulls [][]explore.Pull, r *explore.Result) {
	t.Helper()
	ses, err := explore.NewSession(p, c.Problem, nil)
	if err != nil {
		t.Fatal(err)
	}
	for {
		ask, err := ses.Ask()
		if err != nil {
			t.Fatal(err)
		}
		if len(ask) == 0 {
			return pulls, ses.Result()
		}
		pulls = append(pulls, slices.Clone(ask))
		obs, err := c.Exact().Sample(nil, ask)
		if err != nil {
			t.Fatal(err)
		}
		if err := ses.Tell(obs); err != nil {
			t.Fatal(err)
		}
	}
}

func each(n ...int) (pulls []explore.Pull) {
	for i, v := range n {
		if v > 0 {
			pulls = append(pulls, explore.Pull{Arm: i, N: v})
		}
	}
	return pulls
}

// LinFACT runs on the unit vectors e_1 and e_2 with means 1 and 0, Epsilon 0.4, sigma 1 and Delta 0.1, without noise.
// In round r, eps_r = 2^-r.
//
// For LinFACTG, the design is (1/2, 1/2) with value d = 2. Each arm gets ceil(d/eps_r^2 * log(2 K r (r+1)/0.1)) pulls
// for K = 2:
//
//	r = 1: 8 * log 80  = 35.056: 36 each      r = 2: 32 * log 240 = 175.380: 176 each
//
// Arm 1 is rejected if 1 > 0.4 + 2 eps_r, which holds at r = 2. Arm 0 is then the only active arm, and therefore the
// best. With LinFACTPrinted, arm 0 is pulled again until 0 < 0.4 - 2 eps_r, which holds at r = 3. If d is the rank of
// the active arms, 1, round 3 has 128 * log 480 = 790.24 pulls before rounding up. With LinFACTAmbient, d is the
// number of features, 2, and round 3 has 256 * log 480 = 1580.49 pulls before rounding up.
//
// For LinFACTXY, the variance of the difference is 4 with the design (1/2, 1/2). A round has 2 * 4 * 1.1/eps_r^2 *
// log(2 K (K-1) r (r+1)/0.1) pulls:
//
//	r = 1: 35.2 * log 80 = 154.247: 155       r = 2: 140.8 * log 240 = 771.674: 772
//
// The accuracy of differences is eps_r. Arm 1 is rejected in the first round with 1 > 0.4 + eps_r, which is r = 1.
// With LinFACTPrinted, arm 1 is rejected at r = 2, and arm 0 is classified at r = 3. Round 3 has the minimum number of
// pulls, 2/0.1 = 20.
func TestLinFACTByHand(t *testing.T) {
	c := allCase("by hand", 1, .4, []float64{1, 0}, basis(2))
	for _, test := range []struct {
		p    explore.Policy
		want [][]explore.Pull
	}{
		{&policy.LinFACT{Design: policy.LinFACTG}, [][]explore.Pull{each(36, 36), each(176, 176)}},
		{&policy.GStatic{}, [][]explore.Pull{each(36, 36), each(176, 176)}},
		{&policy.LinFACT{Design: policy.LinFACTG, Decisions: policy.LinFACTPrinted,
			Union: policy.PhaseUnionAll}, [][]explore.Pull{each(36, 36), each(176, 176), each(791)}},
		// One arm is active in the last round, which has 128 * log 240 = 701.52 pulls, rounded up.
		{&policy.LinFACT{Design: policy.LinFACTG, Decisions: policy.LinFACTPrinted},
			[][]explore.Pull{each(36, 36), each(176, 176), each(702)}},
		{&policy.LinFACT{Design: policy.LinFACTG, Decisions: policy.LinFACTPrinted,
			Union: policy.PhaseUnionAll, Budget: policy.LinFACTAmbient},
			[][]explore.Pull{each(36, 36), each(176, 176), each(1581)}},
		{&policy.LinFACT{}, [][]explore.Pull{each(78, 77)}},
		{&policy.LinFACT{Decisions: policy.LinFACTPrinted},
			[][]explore.Pull{each(78, 77), each(386, 386), each(20)}},
	} {
		got, r := rounds(t, test.p, c)
		if !slices.EqualFunc(got, test.want, slices.Equal) || !slices.Equal(r.Answer.Items, []int{0}) {
			t.Errorf("%v: %v, answer %v; want %v", test.p, got, r.Answer.Items, test.want)
		}
	}
	// With sigma = 2, the number of pulls before rounding up is four times as large: 4 * 8 * log 80 = 140.22.
	c = allCase("by hand", 2, .4, []float64{1, 0}, basis(2))
	got, _ := rounds(t, &policy.LinFACT{Design: policy.LinFACTG}, c)
	if !slices.Equal(got[0], each(141, 141)) {
		t.Errorf("sigma 2: %v; want 141 each", got[0])
	}
}

// In the static settings of the LinFACT paper, the first round of LinFACT-G has
// ceil(8 * log(2 * d * 2/0.05)) pulls of each arm at Delta 0.05, that is, 52 for d = 8 and 58 for d = 16.
func TestLinFACTFirstRounds(t *testing.T) {
	for d, want := range map[int]int{8: 8 * 52, 16: 16 * 58} {
		c := allCase("static", 1, .5, append([]float64{1, 1}, make([]float64, d-2)...), basis(d))
		got, _ := rounds(t, &policy.LinFACT{Delta: .05, Design: policy.LinFACTG}, c)
		n := 0
		for _, p := range got[0] {
			n += p.N
		}
		if n != want {
			t.Errorf("d = %d: %d pulls; want %d", d, n, want)
		}
	}
}

// A kept arm is certainly good. A kept arm stays active while it may be the best arm, and is dropped afterwards. Means
// are 1, 0.8 and 0, Epsilon is 0.6, and the accuracy of differences is eps_r. Arm 0 is kept at r = 1 (0 < 0.6 -
// eps_r). At r = 2, arm 2 is rejected (1 > 0.6 + eps_r) and arm 1 is kept (0.2 < 0.6 - eps_r). The run ends after r =
// 2.
func TestLinFACTKeeps(t *testing.T) {
	c := allCase("keeps", 1, .6, []float64{1, .8, 0}, basis(3))
	got, r := rounds(t, new(policy.LinFACT), c)
	if len(got) != 2 || !slices.Equal(r.Answer.Items, []int{0, 1}) {
		t.Errorf("%d rounds, answer %v", len(got), r.Answer.Items)
	}
	// With means 1, 0.7 and 0.28, arm 1 is kept at r = 2 (0.3 < 0.6 - 1/4) and dropped at once (0.3 >=
	// 1/4). Arm 2 is rejected at r = 4 (0.72 > 0.6 + 1/16), without further pulls of arm 1.
	c = allCase("keeps", 1, .6, []float64{1, .7, .28}, basis(3))
	got, r = rounds(t, new(policy.LinFACT), c)
	if len(got) != 4 || len(got[1]) != 3 || len(got[2]) != 2 || !slices.Equal(r.Answer.Items, []int{0, 1}) {
		t.Errorf("rounds %v, answer %v", got, r.Answer.Items)
	}
}

// teas returns an instance whose arms are blends of two teas. The question is which teas are within half a point of
// the best.
func teas() *bandit.Instance {
	inst, err := bandit.NewLinear("teas", &explore.Problem{
		X:        mat.NewDense(4, 2, []float64{1, 0, 0.8, 0.2, 0.2, 0.8, 0, 1}),
		ArmNames: []string{"assam", "breakfast", "afternoon", "darjeeling"},
		Sigma:    1, Question: question.AllEpsilonBest{Epsilon: 0.5},
	}, mat.NewDense(2, 1, []float64{3, 2}))
	if err != nil {
		log.Fatal(err)
	}
	return inst
}

// Find all blends that are nearly as good as the best.
func ExampleLinFACT() {
	inst := teas()
	result, err := explore.Run(&policy.LinFACT{Delta: 0.05}, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, "after", result.Pulls, "pulls")
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// stopped after 1364 pulls
	// assam: kept: within 0.5 of breakfast with an estimated 0.6887 to spare
	// breakfast: kept: within 0.5 of assam with an estimated 0.3113 to spare
	// afternoon: rejected: not within 0.5 of assam: outside by an estimated 0.255
	// darjeeling: rejected: not within 0.5 of assam: outside by an estimated 0.4437
}

// Answer the same question by betting: in each phase, the policy bets on claims about each arm.
func ExampleBettingAllEpsilon() {
	answer(teas(), &policy.BettingAllEpsilon{Delta: 0.05})
	// Output:
	// assam
	// breakfast
	// stopped after 201 pulls
}
