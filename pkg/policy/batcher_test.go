package policy_test

import (
	"fmt"
	"reflect"
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

// The policies whose guarantee allows any sampling are those that can be asked for more.
func TestOpenAreThoseOfAnySampling(t *testing.T) {
	for _, new := range policy.Catalogue() {
		m := new().Card()
		if _, open := new().(explore.Open); open != (m.Evidence == explore.AnySampling) {
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
	seen := map[reflect.Type]bool{}
	for _, p := range openPlans() {
		if cases := casesOf(p, seen); len(cases) > 0 {
			t.Run(p.name, func(t *testing.T) { policytest.TestOpen(t, p.new, cases...) })
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
				budget /= 60
			}
			t.Run(p.name+"/"+r.c.Name, func(t *testing.T) { openErrorRate(t, p, r, budget) })
		}
	}
	for _, new := range policy.Catalogue() {
		m := new().Card()
		if m.Evidence == explore.AnySampling && !seen[reflect.TypeOf(new())] {
			t.Errorf("%s is not there", m.Name)
		}
	}
}

func openErrorRate(t *testing.T, p plan, r rate, budget int) {
	whole, err := explore.Run(p.new(), r.c.Problem, r.c.Sampler(seed.New(1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Pulls > 4*budget { // in long rounds; one ticket a reward takes minutes
		t.Skipf("%d pulls, one by one", whole.Pulls)
	}
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

// Bounds do not depend on what came before the first reward of every arm of the start: history
// told at once with it makes the same intervals as history told after it.
func TestOpenHistory(t *testing.T) {
	history := func(c policytest.Case) (start, rest []explore.Batch) {
		s := c.Exact()
		for i := range c.Problem.K() {
			obs, err := s.Sample(nil, []explore.Pull{{Arm: i, N: 1}, {Arm: i, N: 6 + i}})
			if err != nil {
				t.Fatal(err)
			}
			start, rest = append(start, obs[0]), append(rest, obs[1])
		}
		return start, rest
	}
	for _, p := range openPlans() {
		switch p.new().(type) {
		case *policy.LinGapE, *policy.LinGame, *policy.PAL, *policy.PFIwR, *policy.ECAPE,
			*policy.AllEpsilonGame, *policy.Sparing:
		default:
			continue // without radii in reasons, or decided by what came first
		}
		cases := slices.Clone(p.cases)
		for _, r := range p.rates {
			cases = append(cases, r.c)
		}
		for _, c := range cases {
			if c.Problem.Changing {
				continue
			}
			start, rest := history(c)
			var radii [2][]float64
			var rivals [2][]int
			for form, calls := range [][][]explore.Batch{
				{start, rest}, {rest, start},
			} {
				o := p.new().(explore.Open)
				if err := o.Init(c.Problem, seed.New(1).Source()); err != nil {
					t.Fatal(err)
				}
				if form == 1 { // all at once
					calls = [][]explore.Batch{append(slices.Clone(calls[0]), calls[1]...)}
				}
				for _, obs := range calls {
					if err := o.Learn(obs); err != nil {
						t.Fatal(err)
					}
				}
				for _, r := range o.Answer().Reasons {
					if r.Class == explore.Undecided {
						radii[form] = append(radii[form], r.MarginRadius)
						rivals[form] = append(rivals[form], r.By)
					}
				}
			}
			if slices.Equal(rivals[0], rivals[1]) && !floats.EqualApprox(radii[0], radii[1], 1e-9) {
				t.Errorf("%s, %s: half-widths %v, told at once %v", p.name, c.Name, radii[0],
					radii[1])
			}
		}
	}
}

// A plate that is smaller than a round goes on where the last one ended, and a plate that is
// larger than the start is spread evenly.
func TestOpenPlatesAreLevel(t *testing.T) {
	c := constrainedCases()[0]
	for _, p := range []explore.Open{&policy.Uniform{}, &policy.ConstrainedRacing{},
		&policy.ECAPE{}} {
		if err := p.Init(c.Problem, nil); err != nil {
			t.Fatal(err)
		}
		var pending []explore.Pull
		for range 4 { // of four arms each, before there is a reward
			var err error
			if pending, err = p.More(pending, 4, pending); err != nil {
				t.Fatal(err)
			}
		}
		if n := counts(c.Problem.K(), pending); slices.Max(n)-slices.Min(n) > 1 {
			t.Errorf("%v: pulls %v", p, n)
		}
		obs, err := c.Exact().Sample(nil, pending)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Learn(obs[:len(obs)-1]); err != nil {
			t.Fatal(err)
		}
		if _, ok := p.(*policy.ECAPE); ok {
			continue // not even after the start
		}
		pending = pending[len(pending)-1:]
		for range 5 {
			if pending, err = p.More(pending, 4, pending); err != nil {
				t.Fatal(err)
			}
		}
		n := counts(c.Problem.K(), pending)
		for i, b := range counts(c.Problem.K(), pulls(obs[:len(obs)-1])) {
			n[i] += b
		}
		if slices.Max(n)-slices.Min(n) > 1 {
			t.Errorf("%v: after the start, pulls %v", p, n)
		}
	}
}

func pulls(obs []explore.Batch) (p []explore.Pull) {
	for _, b := range obs {
		p = append(p, b.Pull)
	}
	return p
}

func counts(k int, pulls []explore.Pull) []int {
	n := make([]int, k)
	for _, p := range pulls {
		n[p.Arm] += p.N
	}
	return n
}

// What is pending is not asked for again: a policy that would pull one arm pulls others once that
// is on its way.
func TestOpenCountsPending(t *testing.T) {
	c := feasibleOnly(tight())
	p := &policy.MDAPT{}
	if err := p.Init(c.Problem, nil); err != nil {
		t.Fatal(err)
	}
	obs, err := c.Exact().Sample(nil, []explore.Pull{{Arm: 0, N: 50}, {Arm: 1, N: 50},
		{Arm: 2, N: 50}, {Arm: 3, N: 50}})
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
		t.Errorf("asks for %v, and with much of that pending for %v", first, next)
	}
}

// Rewards that are not Gaussian: successes and failures, sub-Gaussian of scale 1/2.
func TestOpenBernoulli(t *testing.T) {
	means := mat.NewDense(4, 2, []float64{.8, .6, .6, .8, .5, .5, .7, .3})
	law, err := bandit.NewBernoulli(means)
	if err != nil {
		t.Fatal(err)
	}
	prob := &explore.Problem{Arms: 4, Objectives: 2, Sigma: .5,
		Question: question.FeasiblePareto{Region: atLeast(.4, .4)}}
	c := policytest.Case{Instance: bandit.Instance{Name: "Bernoulli", Problem: prob, Law: law}}
	for _, p := range []func() explore.Policy{
		form(policy.ECAPE{Radius: radius.KaufmannKoolen{}}),
		form(policy.GameCPSI{Threshold: policy.Heuristic{}}),
	} {
		n := 100
		if testing.Short() {
			n = 10
		}
		for _, size := range []int{1, 8, 96} {
			policytest.OpenErrorRate(t, p, c, .1, n,
				explore.Plates{Size: size, Out: 2, Fail: .05, Late: .2})
		}
	}
}

// More leaves every policy as it is, to the last bit of what it points to, but for the batcher's
// own scratch.
func TestMoreLeavesPolicy(t *testing.T) {
	for _, p := range openPlans() {
		for _, c := range p.cases[:min(len(p.cases), 1)] {
			if c.Problem.Changing {
				continue
			}
			hard := *c.Problem // so that it does not end
			hard.Sigma, hard.NormSigma = 30*hard.Sigma, 30*hard.NormSigma
			q, s := p.new().(explore.Open), c.Sampler(seed.New(1))
			if err := q.Init(&hard, seed.New(2).Source()); err != nil {
				t.Fatal(err)
			}
			var pending []explore.Pull
			for range 4 {
				pulls, err := q.More(nil, 7, pending)
				if err != nil {
					t.Fatal(err)
				}
				before := contents(q)
				if _, err := q.More(nil, 60, pulls); err != nil {
					t.Fatal(err)
				}
				if after := contents(q); before != after {
					t.Fatalf("%s, %s: before\n%s\nafter\n%s", p.name, c.Name, before, after)
				}
				obs, err := s.Sample(nil, append(pending, pulls[:len(pulls)/2]...))
				if err != nil {
					t.Fatal(err)
				}
				if err := q.Learn(obs); err != nil {
					t.Fatal(err)
				}
				pending = pulls[len(pulls)/2:]
			}
		}
	}
}

// What is pending makes no design due: with designs at 4 rewards and at 16, the choices with 3
// rewards learned and 9 pending are those by the design that there is.
func TestMoreKeepsDesign(t *testing.T) {
	prob := &explore.Problem{X: mat.NewDense(5, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1, .9, .1, 0,
		.5, .5, 1}), Sigma: 1, Question: question.Best{}}
	var more [2][]explore.Pull
	for i, factor := range []float64{2, 16} {
		p := &policy.LazyTrackAndStop{Lazy: factor}
		if err := p.Init(prob, nil); err != nil {
			t.Fatal(err)
		}
		first, err := p.More(nil, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		var obs []explore.Batch
		for _, o := range first {
			obs = append(obs, explore.Batch{Pull: o, Sum: []float64{float64(o.Arm * o.Arm)}})
		}
		if err := p.Learn(obs); err != nil {
			t.Fatal(err)
		}
		pending := []explore.Pull{{Arm: 0, N: 3}, {Arm: 1, N: 3}, {Arm: 4, N: 3}}
		if more[i], err = p.More(nil, 20, pending); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(more[0], more[1]) {
		t.Errorf("%v and %v", more[0], more[1])
	}
}

// contents writes out all that p points to, but for its batcher and functions.
func contents(p any) string {
	var b strings.Builder
	seen := map[any]bool{}
	var write func(v reflect.Value)
	write = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			at := [2]any{v.UnsafePointer(), v.Type()}
			fmt.Fprintf(&b, "%p ", v.UnsafePointer())
			if v.IsNil() || seen[at] || v.Type().Elem().Name() == "batching" {
				return
			}
			seen[at] = true
			write(v.Elem())
		case reflect.Interface:
			if !v.IsNil() {
				write(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				fmt.Fprintf(&b, "\n%s: ", v.Type().Field(i).Name)
				write(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				write(v.Index(i))
			}
		case reflect.Map:
			if v.Type().Elem().Name() != "ratio" { // designs by pair, which stay
				fmt.Fprint(&b, v, " ")
			}
		case reflect.Func:
		default:
			fmt.Fprint(&b, v, " ")
		}
	}
	write(reflect.ValueOf(p))
	return b.String()
}
