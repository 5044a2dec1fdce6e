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

// bestArmCase returns a case about the best arm, without features.
func bestArmCase(name string, sigma, epsilon float64, means ...float64) policytest.Case {
	p := &explore.Problem{Arms: len(means), Sigma: sigma, Question: question.Best{Epsilon: epsilon}}
	return policytest.Case{MaxPulls: 1_000_000, Solves: true,
		Instance: policytest.Gaussian(name, p, mat.NewDense(len(means), 1, means))}
}

// rateCase returns a case about the best success rate.
func rateCase(name string, rates ...float64) policytest.Case {
	law, err := bandit.NewBernoulli(mat.NewDense(len(rates), 1, rates))
	if err != nil {
		panic(err)
	}
	return policytest.Case{MaxPulls: 1_000_000, Solves: true, Instance: bandit.Instance{Name: name,
		Law: law, Problem: &explore.Problem{Arms: len(rates), Sigma: .5, Question: question.Best{}}}}
}

// bestArmPolicies returns the sequential policies for the best arm, with the radius r.
func bestArmPolicies(r radius.Radius) map[string]func() explore.Policy {
	return map[string]func() explore.Policy{
		"LUCB":  form(policy.LUCB{Radius: r}),
		"UGapE": form(policy.UGapE{Radius: r}),
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
	return all
}

// told returns the pulls of the first rounds of a policy, where every reward equals the mean of its arm.
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

// The first rounds are those computed by hand for means 1, 0.5 and 0 with sigma 1.
func TestBestArmsByHand(t *testing.T) {
	three := []float64{1, .5, 0}
	for _, c := range []struct {
		p     explore.Policy
		means []float64
		want  string
	}{
		{new(policy.LUCB), three, "0 1 2; 0 1; 0 2; 0 1; 0 2"},
		{new(policy.UGapE), three, "0 1 2; 1; 2; 0; 1; 2; 0"},
	} {
		rounds := strings.Count(c.want, ";") + 1
		if got := strings.Join(told(t, c.p, rounds, c.means...), "; "); got != c.want {
			t.Errorf("%v: %s; want %s", c.p, got, c.want)
		}
		want := slices.Index(c.means, slices.Max(c.means))
		if got := c.p.Answer().Items; !slices.Equal(got, []int{want}) {
			t.Errorf("%v: answer %v; want %d", c.p, got, want)
		}
		below := slices.Clone(c.means) // shifted means below 0 give the same answer
		floats.AddConst(-9, below)
		told(t, c.p, rounds, below...)
		if got := c.p.Answer().Items; !slices.Equal(got, []int{want}) {
			t.Errorf("%v, all means below 0: answer %v; want %d", c.p, got, want)
		}
	}
}

// With radius.Bernoulli, LUCB is KL-LUCB. For small rates, it needs far fewer patients than with radius.Mixture.
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
