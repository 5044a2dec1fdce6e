package policy_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
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

// deviating returns c with the given deviations added to its linear means.
func deviating(c policytest.Case, by ...float64) policytest.Case {
	mu := mat.DenseCopyOf(c.Means())
	for i, v := range by {
		mu.Set(i, 0, mu.At(i, 0)+v)
	}
	c.Instance = policytest.Gaussian(c.Name+", deviating", c.Problem, mu)
	return c
}

// linkCase returns a case with a link; sigma is that of the problem.
func linkCase(name string, link explore.Link, sigma, epsilon float64, theta []float64, x [][]float64) policytest.Case {
	inst, err := bandit.NewLinear(name, &explore.Problem{
		X: rows(x), Sigma: sigma, Link: link, Question: question.AllEpsilonBest{Epsilon: epsilon},
	}, mat.NewDense(len(theta), 1, theta))
	if err != nil {
		panic(err)
	}
	c := allCase(name, sigma, epsilon, theta, x)
	c.Instance = *inst
	return c
}

var _ = register(linfactFormPlans)

func linfactFormPlans() []plan {
	// With deviations of 0.025, the constant c in the radius is comparable to 2^-r in the last rounds.
	tight := deviating(allCase("tight", 1, .4, []float64{1, .3, .9}, basis(3, []float64{.8, .1, 0},
		[]float64{.1, .1, .1})), -.025, .025, -.025, .025, -.025)
	link := []policytest.Case{
		linkCase("successes", explore.Logit, .5, .5, []float64{1, .8, -.5}, basis(3, []float64{.5, .5, 0})),
		linkCase("rank 1", explore.Logit, .5, .5, []float64{1, 0}, [][]float64{{1, 0}, {-.5, 0}, {.8, 0}}),
		linkCase("two equal arms", explore.Logit, .5, .5, []float64{1, 0}, basis(2, []float64{1, 0})),
		linkCase("one arm", explore.Logit, .5, .5, []float64{.5}, basis(1)),
	}
	counts := linkCase("counts", explore.Log, 1.7, .5, []float64{1, .8, 0}, basis(3, []float64{.5, .5, 0}))
	all := []plan{
		{name: "LinFACTMIS", new: form(policy.LinFACTMIS{}), cases: allCases(),
			rates: []rate{{tightAll(6), policy.DefaultDelta, 200}}},
		{name: "LinFACTMISDeviation", new: form(policy.LinFACTMIS{Deviation: .025}),
			cases: []policytest.Case{tight}, rates: []rate{{tight, policy.DefaultDelta, 200}}},
		{name: "LinFACTMISOrthogonal",
			new:   form(policy.LinFACTMIS{Deviation: .025, Orthogonal: true}),
			cases: []policytest.Case{tight}, rates: []rate{{tight, policy.DefaultDelta, 200}}},
		{name: "LinFACTMISOrthogonalLargest",
			new:   form(policy.LinFACTMIS{Deviation: .025, Orthogonal: true, Largest: 1}),
			cases: []policytest.Case{tight}, rates: []rate{{tight, policy.DefaultDelta, 200}}},
		{name: "LinFACTGLM", new: form(policy.LinFACTGLM{}), cases: allCases(),
			rates: []rate{{tightAll(6), policy.DefaultDelta, 200}}},
		{name: "LinFACTGLMLogit", new: form(policy.LinFACTGLM{MinSlope: .15}), cases: link,
			rates: []rate{
				{link[0], policy.DefaultDelta, 100},
				{linkCase("tight", explore.Logit, .5, .2, []float64{.4, 0, .4, 0}, basis(4)),
					policy.DefaultDelta, 100},
			}},
		{name: "LinFACTGLMCounts", new: form(policy.LinFACTGLM{MinSlope: .9}),
			cases: []policytest.Case{counts}, rates: []rate{{counts, policy.DefaultDelta, 100}}},
	}
	for i, p := range all {
		if strings.HasPrefix(p.name, "LinFACTMISD") || strings.HasPrefix(p.name, "LinFACTMISO") {
			for j := range all[i].cases {
				all[i].cases[j].Rigid = true // Deviation is an amount in reward units
			}
		}
	}
	return all
}

// The rounds are those of TestLinFACTByHand, with a deviation L. Means are known within eps_r + c
// for c = L (sqrt(2 T/N) + 1), where T/N is the effect of rounding N pulls up to T. Arm 1 is
// rejected if 1 > 0.4 + 2 (eps_r + c).
//
//	L = 0, 0.01: at r = 2, as without deviations      L = 0.05: c = 0.12 and r = 3
//	L = 0.1: c = 0.24 and r = 5
//	L = 0.2: c = 0.48, never rejected: the run ends once eps_r < c/4 = 0.12, after r = 4
//
// With Orthogonal, the first two rounds have 32 * (2 log 6 + log 40) = 232.72 and
// 128 * (2 log 6 + log 120) = 1071.49 pulls of each arm, by equation (33) of the LinFACT paper.
func TestLinFACTMISByHand(t *testing.T) {
	c := allCase("by hand", 1, .4, []float64{1, 0}, basis(2))
	two := [][]explore.Pull{each(36, 36), each(176, 176)}
	for _, test := range []struct {
		deviation float64
		rounds    int
		answer    []int
	}{{0, 2, []int{0}}, {.01, 2, []int{0}}, {.05, 3, []int{0}}, {.1, 5, []int{0}}, {.2, 4, nil}} {
		p := &policy.LinFACTMIS{Deviation: test.deviation}
		got, r := rounds(t, p, c)
		if len(got) != test.rounds || !slices.EqualFunc(got[:2], two, slices.Equal) ||
			!slices.Equal(r.Answer.Items, test.answer) || r.Status != explore.Stopped {
			t.Errorf("deviation %v: %v, %v, answer %v", test.deviation, got, r.Status, r.Answer.Items)
		}
		if test.answer == nil && (len(r.Answer.Of(explore.Undecided)) != 2 || len(r.Warnings) != 1 ||
			!strings.Contains(r.Warnings[0].Error(),
				"undecided: arm 0 (1.4 above the threshold), arm 1 (0.6 below the threshold)")) {
			t.Errorf("deviation %v: %v, warnings %v", test.deviation, r.Answer.Reasons, r.Warnings)
		}
	}
	got, _ := rounds(t, &policy.LinFACTMIS{Deviation: .01, Orthogonal: true}, c)
	if !slices.EqualFunc(got, [][]explore.Pull{each(233, 233), each(1072, 1072)}, slices.Equal) {
		t.Errorf("orthogonal: %v", got)
	}
	// With LinFACTMISPrinted, c = L sqrt 2. For L = 0.1, 1 > 0.4 + 2 (0.125 + 0.1414) holds at r = 3.
	for radius, want := range map[policy.LinFACTMISRadius]int{
		policy.LinFACTMISPrinted: 3, policy.LinFACTMISUnchanged: 2} {
		if got, _ := rounds(t, &policy.LinFACTMIS{Deviation: .1, Radius: radius}, c); len(got) != want {
			t.Errorf("%v: %d rounds; want %d", radius, len(got), want)
		}
	}
}

// The means are 1 and 0, and estimates are bounded by 0.5 (equation (30)), so the estimates are 0.5 and 0. Arm 1 is
// rejected in round 6, with a gap of 0.1 beyond Epsilon, because 0.1 > 0.0995 = 2 (2^-6 + 0.01 (sqrt 2 + 2)). Two arms
// in two dimensions have as many pulls as without the bound.
func TestLinFACTMISLargest(t *testing.T) {
	c := allCase("by hand", 1, .4, []float64{1, 0}, basis(2))
	got, r := rounds(t, &policy.LinFACTMIS{Deviation: .01, Orthogonal: true, Largest: .5}, c)
	if len(got) != 6 || !slices.Equal(got[0], each(233, 233)) || math.Abs(r.Answer.Reasons[1].Margin-.1) > 1e-9 {
		t.Errorf("%d rounds, %v, %+v", len(got), got[0], r.Answer)
	}
	// Three arms in two dimensions get 16/eps_1^2 * (3 log 6 + log(3 * 2/0.1)) = 64 * 9.4696 pulls, a third each.
	third := [][]float64{{1, 0}, {-.5, math.Sqrt(.75)}, {-.5, -math.Sqrt(.75)}}
	c = allCase("a star", 1, .4, []float64{.5, 0}, third)
	got, _ = rounds(t, &policy.LinFACTMIS{Deviation: .01, Orthogonal: true, Largest: 1}, c)
	n := 0
	for _, p := range got[0] {
		n += p.N
	}
	if len(got[0]) != 3 || n < 606 || n > 609 {
		t.Errorf("a star: %v; want 606.05, rounded up", got[0])
	}
}

// Estimates can have errors above sqrt(d) times the deviation. An example is e_1, e_2 and x = 0.99 (1, 1)/sqrt 2
// with deviations +L, +L and -L. The error is 2.40 L when e_1 and e_2 are pulled. Without noise,
// LinFACTMISUnchanged misclassifies arms that are good only by their deviations; LinFACTMISWhole does not.
func TestLinFACTMISPrintedIsWrong(t *testing.T) {
	const l, eps = .1, .3
	x := basis(2, []float64{.99 / math.Sqrt2, .99 / math.Sqrt2})
	// Linear means are 1, 1 and 1.4001. With deviations they are 1.1, 1.1 and 1.3001, and the last
	// is estimated as 1.54. The arms e_1 and e_2 are 0.2 behind x, but 0.44 by the estimates.
	c := deviating(allCase("wrong", 1, eps, []float64{1, 1}, x), l, l, -l)
	for radius, wrong := range map[policy.LinFACTMISRadius]bool{
		policy.LinFACTMISUnchanged: true, policy.LinFACTMISWhole: false} {
		_, r := rounds(t, &policy.LinFACTMIS{Deviation: l, Radius: radius}, c)
		bad := slices.Contains(r.Answer.Of(explore.Dominated), 0) || slices.Contains(r.Answer.Of(explore.Dominated), 1)
		if bad != wrong {
			t.Errorf("%v: %+v", radius, r.Answer)
		}
	}
}

// The predictors are 1 and 0, Epsilon is 0.4, sigma is 1/2, and slopes are at least 0.15. In round r, an arm gets d/(4
// eps_r^2 * 0.15^2) * log(4 r (r+1)/0.1) pulls, rounded up; before rounding, this is 389.51 for r = 1 and 1948.67 for
// r = 2. Arm 1 is rejected at r = 2.
func TestLinFACTGLMByHand(t *testing.T) {
	c := linkCase("by hand", explore.Logit, .5, .4, []float64{1, 0}, basis(2))
	got, r := rounds(t, &policy.LinFACTGLM{MinSlope: .15}, c)
	if !slices.EqualFunc(got, [][]explore.Pull{each(390, 390), each(1949, 1949)}, slices.Equal) ||
		!slices.Equal(r.Answer.Items, []int{0}) || len(r.Warnings) != 0 {
		t.Errorf("%v, answer %v, %v", got, r.Answer.Items, r.Warnings)
	}
	// The slope at predictor 1 is 0.1966.
	if _, r = rounds(t, &policy.LinFACTGLM{MinSlope: .2}, c); len(r.Warnings) != 1 ||
		!strings.Contains(r.Warnings[0].Error(), "the slope is 0.197, below MinSlope = 0.2") {
		t.Errorf("%v", r.Warnings)
	}
}

// If the rewards of a round are separated, the round classifies no arm, and the run continues. If the rewards of every
// round are separated, the run ends with an error.
func TestLinFACTGLMSeparated(t *testing.T) {
	c := linkCase("separated", explore.Logit, .5, .4, []float64{50, 0}, basis(2))
	r, err := explore.Run(&policy.LinFACTGLM{MinSlope: .1}, c.Problem, c.Exact(), nil)
	if !errors.Is(err, policy.ErrUndecidable) || len(r.Answer.Of(explore.Undecided)) != 2 ||
		len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0].Error(), "separated") {
		t.Errorf("%v, %+v", err, r)
	}
	// If an arm fails once in 400 trials, rewards are occasionally separated in the first round only.
	c = linkCase("nearly", explore.Logit, .5, 2, []float64{6, 0}, basis(2))
	skipped := 0
	for i := range 20 {
		r, err := explore.Run(&policy.LinFACTGLM{MinSlope: .15}, c.Problem, c.Sampler(seed.New(uint64(i))), nil)
		if err != nil || !slices.Equal(r.Answer.Items, []int{0}) {
			t.Fatalf("%v, %+v", err, r)
		}
		if strings.Contains(fmt.Sprint(r.Warnings), "decides nothing") {
			skipped++
		}
	}
	if skipped == 0 || skipped == 20 {
		t.Errorf("%d of 20 runs met separated rewards", skipped)
	}
}

// Find the doses that work nearly as well as the best, from successes and failures.
func ExampleLinFACTGLM() {
	inst, err := bandit.NewLinear("doses", &explore.Problem{
		X:        mat.NewDense(3, 2, []float64{1, 0, 1, 0.5, 1, 1}),
		ArmNames: []string{"none", "half", "full"}, Sigma: 0.5, Link: explore.Logit,
		Question: question.AllEpsilonBest{Epsilon: 0.8},
	}, mat.NewDense(2, 1, []float64{-1, 2.5}))
	if err != nil {
		log.Fatal(err)
	}
	p := &policy.LinFACTGLM{Delta: 0.05, MinSlope: explore.Logit.Slope(2)}
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// none: rejected: not within 0.8 of full: outside by an estimated 1.712
	// half: rejected: not within 0.8 of full: outside by an estimated 0.5357
	// full: kept: within 0.8 of half with an estimated 2.136 to spare
}

// If means may deviate by 0.05 from a linear model, a run needs more pulls, and its statements have
// larger margins of error.
func ExampleLinFACTMIS() {
	inst := teas()
	p := &policy.LinFACTMIS{Delta: 0.05, Deviation: 0.05}
	result, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, why := range result.Answer.Explain(inst.Problem) {
		fmt.Println(why)
	}
	// Output:
	// assam: kept: within 0.5 of breakfast with an estimated 0.7046 to spare
	// breakfast: kept: within 0.5 of assam with an estimated 0.3012 to spare
	// afternoon: rejected: not within 0.5 of assam: outside by an estimated 0.2951
	// darjeeling: rejected: not within 0.5 of assam: outside by an estimated 0.5231
}
