package policy_test

import (
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// bestArmCase asks for the best of arms without structure.
func bestArmCase(name string, sigma, epsilon float64, means ...float64) policytest.Case {
	p := &explore.Problem{Arms: len(means), Sigma: sigma, Question: question.Best{Epsilon: epsilon}}
	return policytest.Case{MaxPulls: 1_000_000, Solves: true,
		Instance: policytest.Gaussian(name, p, mat.NewDense(len(means), 1, means))}
}

// rateCase asks for the best rate of success.
func rateCase(name string, rates ...float64) policytest.Case {
	law, err := bandit.NewBernoulli(mat.NewDense(len(rates), 1, rates))
	if err != nil {
		panic(err)
	}
	return policytest.Case{MaxPulls: 1_000_000, Solves: true, Instance: bandit.Instance{Name: name,
		Law: law, Problem: &explore.Problem{Arms: len(rates), Sigma: .5, Question: question.Best{}}}}
}

// bestArmPolicies are the sequential ones with a radius.
func bestArmPolicies(r radius.Radius) map[string]func() explore.Policy {
	return map[string]func() explore.Policy{
		"LUCB":                   form(policy.LUCB{Radius: r}),
		"UGapE":                  form(policy.UGapE{Radius: r}),
		"TTUCB":                  form(policy.TTUCB{Radius: r}),
		"EBTC":                   form(policy.EBTC{Radius: r}),
		"TrackAndStop":           form(policy.TrackAndStop{Radius: r}),
		"TrackAndStopCumulative": form(policy.TrackAndStop{Radius: r, Cumulative: true}),
	}
}

var _ = register(bestArmPlans)

func bestArmPlans() (all []plan) {
	cases := []policytest.Case{
		bestArmCase("three", .5, 0, 1, .2, .6),
		bestArmCase("tied but tolerant", .5, .3, 0, .6, .6),
		bestArmCase("rivals tie", .5, 0, 0, .7, 0, 0),
		bestArmCase("one arm", .5, 0, 1),
	}
	tight := bestArmCase("tight", 1, 0, 0, .3)
	for name, new := range bestArmPolicies(nil) {
		all = append(all, plan{name: name, new: new, cases: cases,
			rates: []rate{{tight, policy.DefaultDelta, 200}, {cases[1], policy.DefaultDelta, 60}}})
	}
	rates := []policytest.Case{rateCase("rates", .9, .5, .7), rateCase("rare", .1, .02, .02)}
	for name, new := range bestArmPolicies(radius.Bernoulli{}) {
		all = append(all, plan{name: name + "Rates", new: new,
			rates: []rate{{rates[0], policy.DefaultDelta, 100}, {rates[1], policy.DefaultDelta, 20}}})
	}
	exact := slices.Delete(slices.Clone(cases), 1, 2)
	for name, new := range map[string]func() explore.Policy{
		"SuccessiveRejects":           form(policy.SuccessiveRejects{Budget: 200}),
		"SequentialHalving":           form(policy.SequentialHalving{Budget: 200}),
		"SequentialHalvingCumulative": form(policy.SequentialHalving{Budget: 200, Cumulative: true}),
	} {
		all = append(all, plan{name: name, new: new, cases: exact})
	}
	for name, T := range enoughPulls {
		all = append(all, plan{name: name + ", enough", new: func() explore.Policy {
			return bestArmBudgets[name](T)
		}, rates: []rate{{threeBehind(), budgetDelta, 200}}})
	}
	return all
}

// told returns the pulls of the rounds of a policy that sees the means of arms without noise.
func told(t *testing.T, p explore.Policy, rounds int, means ...float64) (pulls []string) {
	t.Helper()
	prob := &explore.Problem{Arms: len(means), Sigma: 1, Question: question.Best{}}
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	for range rounds {
		asked, err := p.Ask(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(asked) == 0 {
			break
		}
		var obs []explore.Batch
		text := ""
		for _, q := range asked {
			obs = append(obs, explore.Batch{Pull: q, Sum: []float64{float64(q.N) * means[q.Arm]}})
			text += fmt.Sprintf("%d", q.Arm)
			if q.N > 1 {
				text += fmt.Sprintf("x%d", q.N)
			}
			text += " "
		}
		if err := p.Tell(obs); err != nil {
			t.Fatal(err)
		}
		pulls = append(pulls, strings.TrimSpace(text))
	}
	return pulls
}

// Schedules by hand, of means 1, .5 and 0 with sigma 1.
//
// TTUCB after N = (2, 1, 1), with 5.28 log 4 = 7.32: upper bounds 2.91, 3.21, 2.71, so that arm 1
// leads, and has at most half of 4; after (2, 2, 1) with 8.50: 3.06, 2.56, 2.92; after (3, 2, 1) with
// 9.46: 2.78, 2.68, 3.08; after (3, 2, 2): 2.85, 2.77, 2.27; after (4, 2, 2): 2.66, 2.84, 2.34.
//
// EB-TC, with a slack of .1: arm 0 leads; it has at most half of 3 and of 4, and more than half of 5,
// where arm 1 costs .6^2/(2 (1/3 + 1)) = .135 and arm 2 1.1^2/(2 (1/3 + 1)) = .454.
//
// Track-and-stop of two arms: half each.
//
// Successive rejects, T = 20 and K = 4: logbar = 19/12, so that n = ceil(16/(19/3)) = 3,
// ceil(16/4.75) = 4, ceil(16/(19/6)) = 6. Sequential halving, T = 60 and K = 5: three rounds of
// 60/15, 60/9 and 60/6 pulls an arm, rounded down.
func TestBestArmsByHand(t *testing.T) {
	three := []float64{1, .5, 0}
	for _, c := range []struct {
		p     explore.Policy
		means []float64
		want  string
	}{
		{new(policy.LUCB), three, "0 1 2; 0 1; 0 2; 0 1; 0 2"},
		{new(policy.UGapE), three, "0 1 2; 1; 2; 0; 1; 2; 0"},
		{new(policy.TTUCB), three, "0 1 2; 0; 1; 0; 2; 0; 1"},
		{new(policy.EBTC), three, "0 1 2; 0; 0; 1; 0; 1; 0"},
		{new(policy.TrackAndStop), three[1:], "0 1; 0; 1; 0; 1"},
		{&policy.TrackAndStop{Cumulative: true}, three[1:], "0 1; 0; 1; 0; 1"},
		{&policy.SuccessiveRejects{Budget: 20}, []float64{.1, .9, .3, .2}, "0x3 1x3 2x3 3x3; 1 2 3; 1x2 2x2"},
		{&policy.SuccessiveRejects{Budget: 20}, []float64{.5, .5, .5, .5}, "0x3 1x3 2x3 3x3; 0 1 2; 0x2 1x2"},
		{&policy.SequentialHalving{Budget: 60}, []float64{.1, .9, .3, .2, .8},
			"0x4 1x4 2x4 3x4 4x4; 1x6 2x6 4x6; 1x10 4x10"},
		{&policy.SequentialHalving{Budget: 60, Cumulative: true}, []float64{.1, .9, .3, .2, .8},
			"0x4 1x4 2x4 3x4 4x4; 1x6 2x6 4x6; 1x10 4x10"},
	} {
		rounds := strings.Count(c.want, ";") + 1
		if got := strings.Join(told(t, c.p, rounds, c.means...), "; "); got != c.want {
			t.Errorf("%v: %s; want %s", c.p, got, c.want)
		}
		want := slices.Index(c.means, slices.Max(c.means))
		if got := c.p.Answer().Items; !slices.Equal(got, []int{want}) {
			t.Errorf("%v: answer %v; want %d", c.p, got, want)
		}
		below := slices.Clone(c.means) // below 0 as above
		floats.AddConst(-9, below)
		told(t, c.p, rounds, below...)
		if got := c.p.Answer().Items; !slices.Equal(got, []int{want}) {
			t.Errorf("%v, all means below 0: answer %v; want %d", c.p, got, want)
		}
	}
}

// Sequential halving goes by the rewards of a round alone, cumulatively by all: arm 0 has 10 in the
// first round, and nothing in the second.
func TestSequentialHalvingForgets(t *testing.T) {
	for cumulative, want := range map[bool]int{false: 1, true: 0} {
		p := &policy.SequentialHalving{Budget: 16, Cumulative: cumulative}
		prob := &explore.Problem{Arms: 4, Sigma: 1, Question: question.Best{}}
		if err := p.Init(prob, nil); err != nil {
			t.Fatal(err)
		}
		for _, means := range [][]float64{{10, 1, 0, 0}, {0, .5, 0, 0}} {
			asked, err := p.Ask(nil)
			if err != nil {
				t.Fatal(err)
			}
			var obs []explore.Batch
			for _, q := range asked {
				obs = append(obs, explore.Batch{Pull: q, Sum: []float64{float64(q.N) * means[q.Arm]}})
			}
			if err := p.Tell(obs); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.Answer().Items; !slices.Equal(got, []int{want}) {
			t.Errorf("cumulative %v: %v; want %d", cumulative, got, want)
		}
	}
}

var bestArmBudgets = map[string]func(T int) explore.Policy{
	"SuccessiveRejects": func(T int) explore.Policy { return &policy.SuccessiveRejects{Budget: T} },
	"SequentialHalving": func(T int) explore.Policy { return &policy.SequentialHalving{Budget: T} },
}

// enoughPulls are enough by the theorems: with a gap of 1 and sigma 1, K = 4 arms of which three tie
// have H2 = 4; 6 exp(-(T - 4)/(4 19/12 4)) = .05 at T = 125, 6 exp(-T/(32 2 4)) = .05 at T = 1226.
var enoughPulls = map[string]int{"SuccessiveRejects": 126, "SequentialHalving": 1226}

func threeBehind() policytest.Case { return bestArmCase("three behind", 1, 0, 1, 0, 0, 0) }

// With radius.Bernoulli LUCB is KL-LUCB, which needs far fewer patients where rates are small.
func ExampleLUCB() {
	law, err := bandit.NewBernoulli(mat.NewDense(3, 1, []float64{.02, .12, .03}))
	if err != nil {
		log.Fatal(err)
	}
	inst := bandit.Instance{Law: law, Problem: &explore.Problem{Arms: 3, Sigma: .5,
		Question: question.Best{}, ArmNames: []string{"placebo", "high dose", "low dose"}}}
	for _, p := range []*policy.LUCB{{Radius: radius.Mixture{}}, {Radius: radius.Bernoulli{}}} {
		r, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %s after %d\n", p, inst.Problem.Item(r.Answer.Items[0]), r.Pulls)
	}
	// Output:
	// LUCB (delta 0.1, mixture): high dose after 2553
	// LUCB (delta 0.1, Bernoulli): high dose after 1105
}

// The classics on ten arms.
func ExampleTTUCB() {
	inst := bestArmCase("ten", 1, 0, 1, .5, .5, .4, .4, .3, .2, .1, 0, 0).Instance
	for _, p := range []explore.Policy{new(policy.LUCB), new(policy.UGapE), new(policy.TTUCB),
		new(policy.EBTC), new(policy.TrackAndStop)} {
		r, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %v after %d\n", p, r.Answer.Items, r.Pulls)
	}
	// Output:
	// LUCB (delta 0.1, Kaufmann-Koolen): [0] after 1452
	// UGapE (delta 0.1, Kaufmann-Koolen): [0] after 1308
	// TTUCB (delta 0.1, Kaufmann-Koolen): [0] after 1488
	// EB-TC (delta 0.1, Kaufmann-Koolen): [0] after 1982
	// track-and-stop, arms (delta 0.1, Kaufmann-Koolen): [0] after 1212
}

// A hundred measurements, and no more.
func ExampleSequentialHalving() {
	inst := bestArmCase("four", 1, 0, 0, .2, 1, .4).Instance
	for _, p := range []explore.Policy{&policy.SequentialHalving{Budget: 100},
		&policy.SuccessiveRejects{Budget: 100}} {
		r, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: %v after %d\n", p, r.Answer.Items, r.Pulls)
	}
	// Output:
	// sequential halving (budget 100): [2] after 98
	// successive rejects (budget 100): [2] after 99
}
