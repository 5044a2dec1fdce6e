package policy_test

import (
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/seed"
)

// The policies whose guarantee allows any sampling are those that can be asked for more.
func TestOpenAreThoseOfAnySampling(t *testing.T) {
	for _, m := range policy.Catalogue() {
		if _, open := m.New().(explore.Open); open != (m.Evidence == policy.AnySampling) {
			t.Errorf("%s: explore.Open %v, evidence %v", m.Name, open, m.Evidence)
		}
	}
}

// openPlans are the plans of policies that can be asked for more.
func openPlans() (open []plan) {
	for _, p := range plans() {
		f, ok := p.new().(*policy.PFIwR)
		if _, is := p.new().(explore.Open); is && !(ok && f.Fresh) {
			open = append(open, p)
		}
	}
	return open
}

func TestOpenConformance(t *testing.T) {
	for _, p := range openPlans() {
		if len(p.cases) > 0 {
			t.Run(p.name, func(t *testing.T) { policytest.TestOpen(t, p.new, p.cases...) })
		}
	}
}

// TestOpenErrorRate checks the guarantees by plates, with failures and delays.
func TestOpenErrorRate(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, p := range openPlans() {
		for _, r := range p.rates {
			if r.c.Problem.Changing {
				continue // features of rounds
			}
			budget := 20_000 // pulls
			if typ := reflect.TypeOf(p.new()); !seen[typ] {
				seen[typ], budget = true, 150_000
			}
			if testing.Short() {
				budget /= 20
			}
			t.Run(p.name+"/"+r.c.Name, func(t *testing.T) { openErrorRate(t, p, r, budget) })
		}
	}
	for _, m := range policy.Catalogue() {
		if m.Evidence == policy.AnySampling && !seen[reflect.TypeOf(m.New())] {
			t.Errorf("%s is not there", m.Name)
		}
	}
}

func openErrorRate(t *testing.T, p plan, r rate, budget int) {
	for _, size := range []int{1, 8, 96} {
		l := explore.Plates{Size: size, Out: 2, Fail: .05, Late: .2}
		one, err := l.Run(p.new(), r.c.Problem, r.c.Sampler(seed.New(1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		n := min(max(budget/one.Pulls, 2), 100)
		wrong := policytest.OpenErrorRate(t, p.new, r.c, r.delta, n, l)
		t.Logf("plates of %d: %d wrong in %d", size, wrong, n)
	}
}
