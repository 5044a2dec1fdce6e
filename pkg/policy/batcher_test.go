package policy_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// A policy implements explore.Asynchronous if and only if its guarantee holds under any sampling rule.
func TestOpenAreThoseOfAnySampling(t *testing.T) {
	for _, new := range policy.Catalogue() {
		m := new().Card()
		if _, open := new().(explore.Asynchronous); open != (m.Evidence == explore.AnySampling) {
			t.Errorf("%s: explore.Asynchronous %v, evidence %v", m.Name, open, m.Evidence)
		}
	}
}

// openPlans returns the plans of policies that implement explore.Asynchronous.
func openPlans() (open []plan) {
	for _, p := range plans() {
		f, ok := p.new().(*policy.PFIwR)
		if _, is := p.new().(explore.Asynchronous); is && !(ok && f.Fresh) {
			open = append(open, p)
		}
	}
	return open
}

func TestOpenConformance(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, p := range openPlans() {
		if testing.Short() && seen[reflect.TypeOf(p.new())] {
			continue
		}
		if cases := casesOf(p, seen); len(cases) > 0 {
			t.Run(p.name, func(t *testing.T) { policytest.TestAsynchronous(t, p.new, cases...) })
		}
	}
}

// TestOpenErrorRate checks the guarantees with plates, failures and delays. With -short it checks
// one form of each policy.
func TestOpenErrorRate(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, p := range openPlans() {
		for _, r := range p.rates {
			if r.c.Problem.Changing {
				continue // features change from round to round
			}
			budget, typ := 20_000, reflect.TypeOf(p.new()) // pulls
			switch {
			case !seen[typ] && testing.Short():
				budget = 800
			case !seen[typ]:
				budget = 150_000
			case testing.Short():
				continue
			}
			seen[typ] = true
			t.Run(p.name+"/"+r.c.Name, func(t *testing.T) { openErrorRate(t, p, r, budget) })
		}
	}
	for _, new := range policy.Catalogue() {
		m := new().Card()
		if m.Evidence == explore.AnySampling && !seen[reflect.TypeOf(new())] {
			t.Errorf("%s is missing", m.Name)
		}
	}
}

func openErrorRate(t *testing.T, p plan, r rate, budget int) {
	whole, err := explore.Run(p.new(), r.c.Problem, r.c.Sampler(seed.New(1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Pulls > 4*budget { // long rounds: one ticket per reward would take minutes
		t.Skipf("%d pulls, one by one", whole.Pulls)
	}
	for _, size := range []int{1, 8, 96} {
		l := explore.Plates{Size: size, Out: 2, Fail: .05, Late: .2}
		one, err := l.Run(p.new(), r.c.Problem, r.c.Sampler(seed.New(1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := min(max(budget/one.Pulls, 2), 100)
		wrong := policytest.AsynchronousErrorRate(t, p.new, r.c, r.delta, n, l)
		t.Logf("plates of %d: %d wrong in %d", size, wrong, n)
	}
}

// Pending measurements are not requested again. A policy that would pull one arm pulls another arm while many
// measurements of its first choice are pending.
func TestOpenCountsPending(t *testing.T) {
	c := feasibleOnly(tight())
	p := &policy.MDAPT{}
	if err := p.Init(c.Problem, nil); err != nil {
		t.Fatal(err)
	}
	obs, err := c.Exact().Sample(nil, []explore.Pull{{Arm: 0, N: 50}, {Arm: 1, N: 50}, {Arm: 2, N: 50}, {Arm: 3, N: 50}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Learn(obs); err != nil {
		t.Fatal(err)
	}
	first, err := p.More(nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := p.More(nil, 1, []explore.Pull{{Arm: first[0].Arm, N: 5000}})
	if err != nil {
		t.Fatal(err)
	}
	if len(next) != 1 || next[0].Arm == first[0].Arm {
		t.Errorf("requests %v, and then %v, although much of it is pending", first, next)
	}
}

// The random choices of a plate depend on the number of pending rewards. Otherwise, plates that are requested one
// after the other would repeat the same choices.
func TestOpenDrawsAgain(t *testing.T) {
	c, p := unconstrained(tight(), question.Pareto{}), &policy.GameCPSI{}
	if err := p.Init(c.Problem, rand.NewPCG(1, 1)); err != nil {
		t.Fatal(err)
	}
	obs, err := c.Exact().Sample(nil, []explore.Pull{{Arm: 0, N: 5}, {Arm: 1, N: 5}, {Arm: 2, N: 5}, {Arm: 3, N: 5}})
	if err := errors.Join(err, p.Learn(obs)); err != nil {
		t.Fatal(err)
	}
	drawn := map[int]int{}
	for n := range 50 {
		next, err := p.More(nil, 1, []explore.Pull{{Arm: 0, N: 1 + n}})
		if err != nil || len(next) != 1 {
			t.Fatal(next, err)
		}
		drawn[next[0].Arm]++
	}
	if len(drawn) < 3 {
		t.Errorf("of four arms with similar weights, 50 plates have only %v", drawn)
	}
}
