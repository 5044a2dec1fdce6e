package policy_test

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/seed"
)

// named returns the cases of allCases with the given names, for policies that choose one pull at a time without
// solving a program. MaxPulls is only 10,000, so that an endless run is found quickly.
func named(names ...string) (cases []policytest.Case) {
	for _, c := range allCases() {
		if slices.Contains(names, c.Name) {
			c.Solves, c.MaxPulls = false, 10_000
			cases = append(cases, c)
		}
	}
	return cases
}

var _ = register(topMPlans)

// topMPlans sets the number of arms that the policies return.
func topMPlans() (all []plan) {
	tight := tightAll(6)
	for m, cases := range map[int][]policytest.Case{
		2: named("rank 2 of 3", "a zero arm"), 3: named("three classes", "duplicates"),
		1: named("one arm", "the best"),
	} {
		tight.MaxPulls = 60_000 // three times the number that the policies need
		for _, p := range []plan{
			{name: "LinGIFA", new: form(policy.LinGIFA{M: m})},
			{name: "LinGIFAPublished", new: form(policy.LinGIFA{M: m, Reg: 1. / 400,
				Threshold: policy.Heuristic{}})},
			{name: "LinGIFANorm", new: form(policy.LinGIFA{M: m, Norm: 3, Individual: true})},
			{name: "MLinGapE", new: form(policy.MLinGapE{M: m})},
			{name: "MLinGapERatio", new: form(policy.MLinGapE{M: m, Select: policy.TopMRatio})},
			{name: "MLinGapEPublished", new: form(policy.MLinGapE{M: m, Reg: 1,
				Threshold: policy.Heuristic{}})},
			{name: "MLinGapENorm", new: form(policy.MLinGapE{M: m, Norm: 3, Select: policy.TopMVariance})},
		} {
			p.name = fmt.Sprintf("%s%d", p.name, m)
			p.cases = slices.Clone(cases)
			for i := range p.cases {
				// The setting Norm has reward units, so runs with Norm depend on the units of rewards; the setting Reg
				// has no reward units.
				p.cases[i].Rigid = strings.Contains(p.name, "Norm")
			}
			if m == 3 && !strings.Contains(p.name, "Published") {
				p.rates = []rate{{tight, policy.DefaultDelta, 50}}
			}
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b plan) int { return strings.Compare(a.name, b.name) })
	return all
}

var _ = register(beliefPlans)

// beliefPlans returns plans with a sufficient budget for each case.
func beliefPlans() []plan {
	const budget = 3000
	cases := named("three classes", "rank 2 of 3", "duplicates", "a zero arm", "one arm", "the best")
	for i := range cases {
		cases[i].Budget, cases[i].UnitDependent = budget, false
	}
	all := []plan{
		{name: "KGCB", new: form(policy.KGCB{Budget: budget}), cases: cases},
		{name: "BayesGap", new: form(policy.BayesGap{Budget: budget}), cases: cases},
	}
	for i := range all {
		all[i].rates = []rate{{cases[0], .1, 50}}
	}
	all = append(all, plan{name: "BayesGapLeast",
		new: form(policy.BayesGap{Budget: budget, Recommend: policy.BayesGapLeast}),
		cases: slices.DeleteFunc(slices.Clone(cases), func(c policytest.Case) bool {
			return c.Name != "the best" && c.Name != "one arm" // BayesGapLeast answers with one arm
		})})
	return all
}

var _ = register(levelPlans)

// levelPlans returns plans of LazyThreshold in which Level is the threshold between good and bad arms.
func levelPlans() []plan {
	tight := tightAll(6)
	tight.Rigid = true
	p := plan{name: "LazyThreshold", new: form(policy.LazyThreshold{Level: .2}),
		cases: []policytest.Case{tight}, rates: []rate{{tight, policy.DefaultDelta, 50}}}
	zero := allCase("level", .5, .5, []float64{-1, -.2}, basis(2, []float64{0, 0}, []float64{0, 1}))
	zero.Rigid = true
	q := plan{name: "LazyThresholdTolerance", new: form(policy.LazyThreshold{Level: -.5, Tolerance: .1}),
		cases: []policytest.Case{zero}, rates: []rate{{zero, policy.DefaultDelta, 100}}}
	return []plan{p, q}
}

// Two arms with means 1 and 0 are pulled in turn, without noise, for the top arm at Delta 0.1 with the threshold beta
// = log((1 + log t)/0.1) after t pulls, of which arm i gets n_i. The run stops if 1 >= sqrt(2 beta (1/n_0 + 1/n_1)).
//
//	t = 30: 2 log(44.012) * (2/15)        = 1.0092
//	t = 31: 2 log(44.340) * (1/16 + 1/15) = 0.9796
//
// With one arm of mean 1 and level 0, the run stops if t > 2 beta. This holds at t = 7, where 2 beta = 6.766, but not
// at t = 6, where 2 beta = 2 log(27.918) = 6.659.
func TestSequentialAllByHand(t *testing.T) {
	two := allCase("two", 1, .5, []float64{1, 0}, basis(2))
	one := allCase("one", 1, .5, []float64{1}, basis(1))
	for _, test := range []struct {
		p    explore.Policy
		c    policytest.Case
		want int
	}{
		{&policy.LinGIFA{M: 1, Threshold: policy.Heuristic{}}, two, 31},
		{&policy.MLinGapE{M: 1, Threshold: policy.Heuristic{}}, two, 31},
		{&policy.LazyThreshold{Threshold: policy.Heuristic{}}, one, 7},
		{&policy.LinGIFA{M: 2}, two, 0}, {&policy.MLinGapE{M: 2}, two, 0},
	} {
		r, err := explore.Run(test.p, test.c.Problem, test.c.Exact(), nil)
		if err != nil || r.Pulls != test.want {
			t.Errorf("%v: %v, %+v; want %d pulls", test.p, err, r, test.want)
		}
	}
	// How informative the next reward of an arm is depends only on the number of its earlier rewards, so the arms are
	// pulled in turn.
	for p, want := range map[explore.Policy]string{&policy.KGCB{Budget: 11}: "[0]", &policy.BayesGap{Budget: 11}: "[0]",
		&policy.KGCB{Budget: 11, Prior: .25}: "[0 1]"} { // 6/(6 + 1/.25^2) is less than Epsilon
		r, err := explore.Run(p, two.Problem, two.Exact(), nil)
		if err != nil || fmt.Sprint(r.ArmPulls) != "[6 5]" || fmt.Sprint(r.Answer.Items) != want {
			t.Errorf("%v: %v, %+v; want [6 5] pulls and %s", p, err, r, want)
		}
	}
}

// Let S be a bound on the norm of theta, L the weight of regularisation, V the regularised information matrix, and n_i
// the number of pulls of arm i. The half-width of a difference is C times its posterior standard deviation, with C =
// sigma sqrt(2 log(1/delta) + log(det(V)/det(L I))) + sqrt(L) S. Two orthogonal arms with means S and 0 are pulled in
// turn, without noise. The run stops as soon as
//
//	S n_0/(n_0 + L) >= C sqrt(1/(n_0 + L) + 1/(n_1 + L)),   det(V)/det(L I) = (1 + n_0/L) (1 + n_1/L).
func TestTopMRegularisedByHand(t *testing.T) {
	biased := &policy.LinGIFA{M: 1, Reg: 1, Threshold: policy.SelfNormalized{}}
	if _, err := explore.NewSession(biased, allCase("two", 1, .5, []float64{1, 0}, basis(2)).Problem, nil); err == nil {
		t.Error("a proved threshold needs Norm if Reg is not 0")
	}
	for _, x := range [][2]float64{{10, .25}, {10, 1}, {10, 4}, {1, .25}, {1, 4}} {
		bound, reg := x[0], x[1]
		two := allCase("two", 1, .5, []float64{bound, 0}, basis(2))
		n, want := [2]float64{1, 1}, 2
		for ; ; want++ {
			a, b := n[0]+reg, n[1]+reg
			c := math.Sqrt(2*math.Log(10)+math.Log(a*b/(reg*reg))) + math.Sqrt(reg)*bound
			if bound*n[0]/a >= c*math.Sqrt(1/a+1/b) {
				break
			}
			n[want%2]++
		}
		for _, p := range []explore.Policy{&policy.LinGIFA{M: 1, Norm: bound, Reg: reg, Delta: .1},
			&policy.MLinGapE{M: 1, Norm: bound, Reg: reg, Delta: .1}} {
			r, err := explore.Run(p, two.Problem, two.Exact(), nil)
			if err != nil || r.Pulls != want {
				t.Errorf("%v: %v, %+v; want %d pulls", p, err, r, want)
			}
		}
	}
}

// The rule TopMRatio runs on e_1, e_2 and x = (cos 0.1, sin 0.1) with theta = 2 e_1, for the difference of e_1 and x.
// The u of least 1-norm with X'u = e_1 - x is (1 - cos 0.1, -sin 0.1, 0), because any weight on x increases the
// 1-norm. So e_2 gets cot 0.05 = 19.98 rewards for each reward of e_1: after one reward of each arm, e_2 gets 19 more,
// then e_1 gets one, and so on. The other rules do not use these proportions. Because the noise sigma = 0.2 is small,
// e_2 is never the rival of e_1.
func TestMLinGapERatioByHand(t *testing.T) {
	c := allCase("angle", .2, .5, []float64{2, 0}, basis(2, []float64{math.Cos(.1), math.Sin(.1)}))
	for _, p := range []explore.Policy{
		&policy.MLinGapE{M: 1, Select: policy.TopMRatio},
		&policy.LinGIFA{M: 1, Select: policy.TopMRatio},
	} {
		for limit, want := range map[int]string{22: "[1 20 1]", 23: "[2 20 1]", 42: "[2 39 1]",
			43: "[2 40 1]", 44: "[3 40 1]"} {
			r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: limit})
			if err != nil || fmt.Sprint(r.ArmPulls) != want {
				t.Errorf("%v, %d pulls: %v, %v; want %s", p, limit, err, r.ArmPulls, want)
			}
		}
	}
}

// BayesGapLeast, the answer printed in the paper, is the arm that was furthest ahead in any round. At first, arm 0 is
// far ahead. After later rewards, arm 1 is ahead, but by less than arm 0 was.
func TestBayesGapLeast(t *testing.T) {
	c := allCase("two", 1, 0, []float64{1, 0}, basis(2))
	for rule, want := range map[policy.BayesGapAnswer]int{policy.BayesGapLeast: 0, policy.BayesGapMeans: 1} {
		ses, err := explore.NewSession(&policy.BayesGap{Budget: 9, Recommend: rule}, c.Problem, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 9 {
			ask, err := ses.Ask()
			if err != nil || len(ask) != 1 {
				t.Fatal(ask, err)
			}
			reward := []float64{10, 0}[ask[0].Arm]
			if n >= 4 {
				reward = []float64{-12, 0}[ask[0].Arm]
			}
			told := []explore.Batch{{Pull: ask[0], Sum: []float64{reward}}}
			if err := ses.Tell(told); err != nil {
				t.Fatal(err)
			}
		}
		if got := ses.Result().Answer.Items; !slices.Equal(got, []int{want}) {
			t.Errorf("rule %d: %v; want arm %d", rule, got, want)
		}
	}
}

// If the level is above all arms, the answer is empty. If the level is below all arms, the answer
// consists of all arms.
func TestLazyThresholdOutside(t *testing.T) {
	c := allCase("", 1, .1, []float64{1, 0}, basis(2))
	for level, want := range map[float64][]int{3: nil, -2: {0, 1}} {
		r, err := explore.Run(&policy.LazyThreshold{Level: level}, c.Problem, c.Sampler(seed.New(1)), nil)
		if err != nil || r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, want) {
			t.Errorf("level %v: %v, %+v", level, err, r)
		}
	}
}

// Find the two best of four teas.
func ExampleLinGIFA() {
	inst := teas()
	for _, p := range []explore.Policy{&policy.LinGIFA{M: 2, Delta: 0.05}, &policy.MLinGapE{M: 2, Delta: 0.05}} {
		// If the second and the third tea were equal, the run would not end.
		limit := &explore.Settings{MaxPulls: 10_000}
		result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), limit)
		if err != nil {
			log.Fatal(err)
		}
		for _, i := range result.Answer.Items {
			fmt.Println(inst.Problem.Item(i))
		}
	}
	// Output:
	// assam
	// breakfast
	// assam
	// breakfast
}

// List the teas whose estimates are nearly as good as the best after 300 cups.
func ExampleKGCB() {
	inst := teas()
	result, err := explore.Run(&policy.KGCB{Budget: 300}, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Answer.Items, "after", result.Pulls, "pulls")
	// Output:
	// [0 1] after 300 pulls
}

// Find the teas with a value of at least 2.5 points.
func ExampleLazyThreshold() {
	inst := teas()
	p := &policy.LazyThreshold{Level: 2.5}
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range result.Answer.Items {
		fmt.Println(inst.Problem.Item(i))
	}
	// Output:
	// assam
	// breakfast
}
