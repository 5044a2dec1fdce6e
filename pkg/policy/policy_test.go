package policy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/policytest/conform"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// relaxations are the exact Pareto question and relaxed forms.
var relaxations = []question.Pareto{{}, {Epsilon: .3}, {Epsilon: .3, Cover: .3}, {Epsilon: .1, AtMost: 1}}

// A plan is a policy with certain settings, and the problems on which it is tested.
type plan struct {
	name  string
	new   func() explore.Policy
	cases []policytest.Case // for the suite
	rates []rate
}

// A rate is a check, by n runs, that the error probability on a problem is at most delta.
type rate struct {
	c     policytest.Case
	delta float64
	n     int
}

// form returns a constructor of policies with the given settings.
func form[T any, P interface {
	*T
	explore.Policy
}](settings T) func() explore.Policy {
	return func() explore.Policy {
		p := settings
		return P(&p)
	}
}

// plans returns all registered plans.
func plans() (all []plan) {
	for _, plans := range registered {
		all = append(all, plans()...)
	}
	return all
}

// registered contains the functions that return the plans to test. Test files add their functions with register.
var registered []func() []plan

// register adds plans of a policy: var _ = register(minePlans).
func register(plans func() []plan) bool {
	registered = append(registered, plans)
	return true
}

// Every policy of the catalogue has plans for the suite and for its error probability.
func TestCatalogueIsTested(t *testing.T) {
	suite, rates := map[reflect.Type]bool{}, map[reflect.Type]bool{}
	for _, p := range plans() {
		typ := reflect.TypeOf(p.new())
		suite[typ] = suite[typ] || len(p.cases) > 0
		rates[typ] = rates[typ] || len(p.rates) > 0
	}
	names := map[string]bool{}
	for _, new := range policy.Catalogue() {
		typ, card, name := reflect.TypeOf(new()), new().Card(), explore.TypeName(new())
		if !suite[typ] || !rates[typ] {
			t.Errorf("%s (%s) needs a plan with cases (%v) and rates (%v)", card.Name, name, suite[typ], rates[typ])
		}
		if names[card.Name] || names[name] {
			t.Errorf("%s (%s) appears twice", card.Name, name)
		}
		names[card.Name], names[name] = true, true
		// Each policy has a setting for the quantity that is fixed: Delta or Budget.
		setting := map[explore.Kind]string{explore.FixedConfidence: "Delta", explore.FixedBudget: "Budget"}
		if !hasField(typ.Elem(), setting[card.Kind]) {
			t.Errorf("%s has a %v but no field %s", name, card.Kind, setting[card.Kind])
		}
	}
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		for _, m := range regexp.MustCompile(`(?m)^func \((?:p )?\*(\w+)\) Card\(\)`).FindAllStringSubmatch(string(text), -1) {
			if !strings.HasSuffix(file, "_test.go") && m[1] != "Piloted" && !names[m[1]] {
				t.Errorf("%s: %s is not in Catalogue; add it in card.go", file, m[1])
			}
		}
	}
}

func hasField(t reflect.Type, name string) bool {
	_, ok := t.FieldByName(name)
	return ok
}

func TestConformance(t *testing.T) {
	seen := map[reflect.Type]bool{}
	for _, p := range plans() {
		again := seen[reflect.TypeOf(p.new())]
		if testing.Short() && p.name == "PFIwR, fresh" { // takes 7 s; TestSettingsStay covers this form, too
			continue
		}
		if cases := casesOf(p, seen); len(cases) > 0 {
			t.Run(p.name, func(t *testing.T) { conforms(t, p.new, again, cases...) })
		}
	}
}

// conforms runs the suite. With -short, it omits the longest check if another form of the policy has already been
// tested.
func conforms(t *testing.T, new func() explore.Policy, again bool, cases ...policytest.Case) {
	if !again || !testing.Short() {
		policytest.Test(t, new, cases...)
		return
	}
	for i := range cases {
		for _, r := range conform.Rules(1, &cases[i]) {
			if err := r.On(new); err != nil {
				t.Errorf("%s: %s: %v", cases[i].Name, r.Rule, err)
			}
		}
	}
}

// fewer returns n, or with -short about n/part. Error limits are computed for each number of runs.
func fewer(n, part int) int {
	if testing.Short() {
		return max(n/part, min(n, 20))
	}
	return n
}

// casesOf returns the cases of a plan. With -short, it returns at most three cases for the first form
// of a policy, and at most one case for each other form.
func casesOf(p plan, seen map[reflect.Type]bool) []policytest.Case {
	typ, most := reflect.TypeOf(p.new()), len(p.cases)
	if testing.Short() {
		if most = min(3, most); seen[typ] {
			most = min(1, most)
		}
	}
	seen[typ] = seen[typ] || len(p.cases) > 0
	return p.cases[:most]
}

// TestErrorRate checks the guarantees on the problems where they are hardest to keep. With -short, only
// the first two problems of a policy get more than two runs.
func TestErrorRate(t *testing.T) {
	seen := map[reflect.Type]int{}
	for _, p := range plans() {
		typ := reflect.TypeOf(p.new())
		for _, r := range p.rates {
			n := fewer(r.n, 12)
			if seen[typ]++; testing.Short() && seen[typ] > 2 {
				n = min(n, 2)
			}
			t.Run(p.name+"/"+r.c.Name, func(t *testing.T) {
				t.Logf("%d wrong in %d", policytest.ErrorRate(t, p.new, r.c, r.delta, n), n)
			})
		}
	}
}

// A radiusPlan is a policy whose guarantee depends on a radius.
type radiusPlan struct {
	name        string
	new         func(r radius.Radius) explore.Policy
	cases       []policytest.Case
	tight       policytest.Case
	errorFactor float64 // bound on the error probability, as a multiple of Delta
}

var _ = register(radiusPlans)

// radiusPlans uses radius.Paper for the suite, because runs with radius.Paper are short. For error
// probabilities, radiusPlans uses radii with a theorem.
func radiusPlans() (all []plan) {
	for _, p := range radiusPolicies() {
		with := func(r radius.Radius) func() explore.Policy {
			return func() explore.Policy { return p.new(r) }
		}
		delta := .1 * p.errorFactor
		all = append(all,
			plan{name: p.name + "Paper", new: with(radius.Paper{}), cases: p.cases},
			plan{
				p.name + "KaufmannKoolen", with(radius.KaufmannKoolen{}),
				[]policytest.Case{p.cases[0], p.tight}, []rate{{p.tight, delta, 100}},
			},
			// radius.Theory needs about ten times as many pulls as radius.Paper.
			plan{name: p.name + "Theory", new: with(radius.Theory{}), rates: []rate{{p.tight, delta, 20}}})
	}
	return all
}

func radiusPolicies() []radiusPlan {
	constrained := func(r radius.Radius) explore.Policy { return &policy.ECAPE{Radius: r} }
	var ape []policytest.Case
	for _, c := range constrainedCases() {
		if c.Name != "all classes" && c.Name != "one arm" && c.Name != "no constraints" && c.Name != "three objectives" {
			continue // ties between infeasible arms
		}
		for _, q := range relaxations {
			ape = append(ape, unconstrained(c, q))
		}
	}
	var feasible []policytest.Case
	for _, c := range constrainedCases() {
		feasible = append(feasible, feasibleOnly(c))
	}
	return []radiusPlan{
		{"ECAPE", constrained, sequential(unitDependent(constrainedCases()...), 2),
			unitDependent(tight())[0], 1},
		{"ECAPEScaled", func(r radius.Radius) explore.Policy {
			return &policy.ECAPE{Radius: r, Scaled: true}
		}, sequential(constrainedCases(), 2), tight(), 1},
		{"Uniform", func(r radius.Radius) explore.Policy {
			return &policy.Uniform{Radius: r}
		}, level(constrainedCases()), tight(), 1},
		{"ConstrainedRacing", func(r radius.Radius) explore.Policy {
			return &policy.ConstrainedRacing{Radius: r}
		}, level(constrainedCases()), tight(), 1},
		{"ConstrainedRacingKeepWitnesses", func(r radius.Radius) explore.Policy {
			return &policy.ConstrainedRacing{Radius: r, KeepWitnesses: true}
		}, level(constrainedCases()), tight(), 1},
		{"TwoStage", func(r radius.Radius) explore.Policy {
			return &policy.TwoStage{Radius: r}
		}, sequential(constrainedCases(), 2), tight(), 1},
		{"TwoStageWholeDelta", func(r radius.Radius) explore.Policy {
			return &policy.TwoStage{Radius: r, WholeDelta: true}
		}, sequential(constrainedCases(), 2), tight(), 2},
		{"MDAPT", func(r radius.Radius) explore.Policy {
			return &policy.MDAPT{Radius: r}
		}, sequential(feasible, 1), feasibleOnly(tight()), 1},
		{"APE", func(r radius.Radius) explore.Policy {
			return &policy.APE{Radius: r}
		}, sequential(ape, 2), unconstrained(tight(), question.Pareto{}), 1},
		{"APELeast", func(r radius.Radius) explore.Policy {
			return &policy.APE{Radius: r, Leader: policy.APELeaderIndex, Pull: policy.APEPullLeast}
		}, sequential(ape, 1), unconstrained(tight(), question.Pareto{}), 1},
	}
}

// failing is a testing.TB that records failures.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed = true }

// With two arms, one objective and no noise, the policies stop at the first time at which the gap
// reaches the radius of the difference. The times below are computed by hand.
//
// Means are 1 and 0, sigma is 1, and there are no constraints, with radius.Paper at delta 0.1. The least certain
// arm is arm 1, outside the estimated set, and its rival is arm 0, so both have n pulls at t = 2n. The rule is
//
//	1 >= sqrt(2 L (1/n + 1/n)),  L = log(max(log 2n, 1)/0.1):
//	n >= 4 L. n = 13: L = log(32.58) = 3.484, 4 L = 13.93 > 13.
//	          n = 14: L = log(33.32) = 3.506, 4 L = 14.02 > 14.
//	          n = 15: L = log(34.01) = 3.527, 4 L = 14.11 < 15. Stop: 30 pulls.
func TestStoppingTimeByHand(t *testing.T) {
	c := constrainedCase("two arms", polyhedron.Whole(1), 1, []float64{1}, []float64{0})
	plain := unconstrained(c, question.Pareto{})
	for _, test := range []struct {
		p explore.Policy
		c policytest.Case
	}{
		{&policy.ECAPE{Radius: radius.Paper{}}, c},
		{&policy.Uniform{Radius: radius.Paper{}}, c},
		{&policy.ConstrainedRacing{Radius: radius.Paper{}}, c},
		{&policy.TwoStage{Radius: radius.Paper{}, WholeDelta: true}, c},
		{&policy.APE{Radius: radius.Paper{}}, plain},
	} {
		p := test.p
		r, err := explore.Run(p, test.c.Problem, test.c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pulls != 30 {
			t.Errorf("%v: %d pulls; want 30", p, r.Pulls)
		}
	}
}

// Arm 0 is inside at distance eta = 1, and arm 1 is outside at distance eta = 1/2, with one objective and
// no noise. With radius.Paper, sigma_u 1 and delta 0.1, MD-APT needs
//
//	N eta^2 / 2 > L(t) for both arms: N_0 > 2 L, N_1 > 8 L
//
// and keeps N eta^2 nearly equal: N_1 is about 4 N_0. At t = 36, L = log(35.84) = 3.579, so 2 L = 7.158 < 8 and
// 8 L = 28.63 < 29. The run stops at 8 + 29 = 37 pulls, where L = log(36.11) = 3.587, 2 L = 7.17 and 8 L = 28.69.
func TestMDAPTStoppingTimeByHand(t *testing.T) {
	c := feasibleOnly(constrainedCase("two arms", atLeast(0), 1, []float64{1}, []float64{-.5}))
	r, err := explore.Run(&policy.MDAPT{Radius: radius.Paper{}}, c.Problem, c.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(r.ArmPulls) != "[8 29]" {
		t.Errorf("pulls %v; want 8 and 29", r.ArmPulls)
	}
}

// strange is a question that no policy of this package supports.
type strange struct{ question.Pareto }

// By default, the two-stage method gives half of Delta to each stage. The run equals a run of the
// printed form at half of Delta.
func TestTwoStageSplitsDelta(t *testing.T) {
	c := constrainedCases()[0]
	pulls := func(p explore.Policy) int {
		r, err := explore.Run(p, c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Pulls
	}
	split, half := pulls(&policy.TwoStage{Delta: .1}), pulls(&policy.TwoStage{Delta: .05, WholeDelta: true})
	if whole := pulls(&policy.TwoStage{Delta: .1, WholeDelta: true}); split != half || split <= whole {
		t.Errorf("%d pulls; want %d as with half of Delta, and more than the %d with all of it", split, half, whole)
	}
}

// One arm is 1/2 outside, in one objective without noise, with radius.Paper at delta 0.1 and
// sigma_u 1. The arm is certainly infeasible when N / 8 >= L(N) with L = log(max(log N, 1)/0.1).
//
//	N = 28: L = log(33.32) = 3.506, 8 L = 28.05 > 28.
//	N = 29: L = log(33.67) = 3.517, 8 L = 28.13 < 29. Stop.
func TestInfeasibleByHand(t *testing.T) {
	c := constrainedCase("one arm", atLeast(0), 1, []float64{-.5})
	for _, p := range []explore.Policy{
		&policy.ECAPE{Radius: radius.Paper{}}, &policy.Uniform{Radius: radius.Paper{}},
		&policy.ConstrainedRacing{Radius: radius.Paper{}},
		&policy.TwoStage{Radius: radius.Paper{}, WholeDelta: true},
	} {
		r, err := explore.Run(p, c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pulls != 29 {
			t.Errorf("%v: %d pulls; want 29", p, r.Pulls)
		}
	}
}
