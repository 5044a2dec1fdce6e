package policytest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/policytest/conform"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// A fault is a planted mistake in a wrapper of a correct policy.
type fault struct {
	*Elimination
	tell   func(f *fault, obs []explore.Batch)
	ask    func(f *fault, dst []explore.Pull) []explore.Pull
	init   func(f *fault)
	answer func(a explore.Answer) explore.Answer
	rounds int
	kept   []explore.Batch
}

func (f *fault) Init(p *explore.Problem, src rand.Source) error {
	if f.init != nil {
		f.init(f)
		return nil
	}
	f.rounds = 0
	return f.Elimination.Init(p, src)
}

func (f *fault) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	dst, err := f.Elimination.Ask(dst)
	if f.ask != nil {
		dst = f.ask(f, dst)
	}
	return dst, err
}

func (f *fault) Tell(obs []explore.Batch) error {
	f.rounds++
	if f.tell != nil {
		f.tell(f, obs)
		return nil
	}
	return f.Elimination.Tell(obs)
}

func (f *fault) Answer() explore.Answer {
	if f.answer != nil {
		return f.answer(f.Elimination.Answer())
	}
	return f.Elimination.Answer()
}

// For each kind of fault, the check for this kind finds all planted faults.
func TestSuiteFindsFaults(t *testing.T) {
	scheduled := easy
	scheduled.Schedule = func(round int, before []int, pulls []explore.Pull) error {
		for _, p := range pulls {
			if p.N != 1 {
				return fmt.Errorf("%v; want one reward an arm", pulls)
			}
		}
		return nil
	}
	for _, c := range []struct {
		name  string
		by    string // name of the check that must find the fault
		plant func(f *fault)
	}{
		{"none", "", func(*fault) {}},
		{"the worst arm is kept", "noise-free", func(f *fault) {
			f.tell = func(f *fault, obs []explore.Batch) {
				for i := range obs {
					obs[i].Sum[0] = -obs[i].Sum[0]
				}
				f.Elimination.Tell(obs)
			}
		}},
		{"state survives Init", "reuse", func(f *fault) { f.Elimination.n = -3 }},
		{"one pull too many", "budget", func(f *fault) {
			f.ask = func(_ *fault, dst []explore.Pull) []explore.Pull {
				if len(dst) > 0 {
					dst[0].N++
				}
				return dst
			}
		}},
		{"a global random source", "determinism", func(f *fault) {
			f.ask = func(_ *fault, dst []explore.Pull) []explore.Pull {
				for i := range dst {
					dst[i].N += rand.IntN(3)
				}
				return dst
			}
		}},
		{"measurements are kept", "untouched", func(f *fault) {
			f.tell = func(f *fault, obs []explore.Batch) {
				if f.rounds > 1 {
					f.Elimination.Tell(f.kept) // results of the previous round
				}
				f.kept = obs
			}
		}},
		{"units", "units", func(f *fault) {
			f.tell = func(f *fault, obs []explore.Batch) {
				for i := range obs {
					obs[i].Sum[0] += .5 / float64(f.rounds) * float64(obs[i].Arm)
				}
				f.Elimination.Tell(obs)
			}
		}},
		{"a radius in other units", "units", func(f *fault) {
			f.answer = func(a explore.Answer) explore.Answer {
				for i := range a.Reasons {
					a.Reasons[i].MarginRadius = 1
				}
				return a
			}
		}},
		{"allocations", "allocations", func(f *fault) {
			f.ask = func(_ *fault, dst []explore.Pull) []explore.Pull {
				return append([]explore.Pull(nil), dst...)
			}
		}},
		{"an unsorted answer", "explained", func(f *fault) {
			f.answer = func(a explore.Answer) explore.Answer {
				if len(a.Items) > 0 {
					a.Items = append(a.Items, 0)
				}
				return a
			}
		}},
		{"claims before the first pull", "before the first pull", func(f *fault) {
			f.answer = func(a explore.Answer) explore.Answer {
				for i := range a.Reasons {
					a.Reasons[i].Class = explore.Optimal
				}
				return a
			}
		}},
		{"certain too early", "limits", func(f *fault) {
			f.answer = func(a explore.Answer) explore.Answer {
				for i := range a.Reasons {
					if a.Reasons[i].Class == explore.Undecided {
						a.Reasons[i].Class = explore.Infeasible
					}
				}
				return a
			}
		}},
	} {
		fs := check(func() explore.Policy {
			f := &fault{Elimination: &Elimination{Delta: .1}}
			c.plant(f)
			if c.name == "state survives Init" {
				f.init = func(g *fault) { // only the first time
					if g.Elimination.sum == nil {
						g.Elimination.Init(scheduled.Problem, nil)
						return
					}
					g.Elimination.n = 1
				}
			}
			return f
		}, scheduled)
		found := foundBy(fs)
		if c.by == "" && found != "" {
			t.Errorf("%s: the suite complains: %v", c.name, fs)
		}
		if !strings.Contains(found, c.by) {
			t.Errorf("%s: found by %q; want %q among them", c.name, found, c.by)
		}
		t.Logf("%s: found by %q", c.name, found)
	}
}

// An amount is a planted mistake in the reasons of a policy.
type amount struct {
	*policy.ConstrainedRacing
	plant func(*explore.Reason)
}

func (a amount) Answer() explore.Answer {
	answer := a.ConstrainedRacing.Answer()
	answer.Reasons = slices.Clone(answer.Reasons)
	for i := range answer.Reasons {
		a.plant(&answer.Reasons[i])
	}
	return answer
}

// On two easy problems, the suite checks the classes of reasons, and their margins with half-widths.
func TestSuiteFindsFalseReasons(t *testing.T) {
	cases := []policytest.Case{easy, easyFour}
	for i := range cases {
		p := *cases[i].Problem
		p.Question = question.FeasiblePareto{Region: polyhedron.Whole(1)}
		cases[i].Problem = &p
	}
	for _, c := range []struct {
		name, by string
		plant    func(*explore.Reason)
	}{
		{"none", "", func(*explore.Reason) {}},
		{"margins of the other sign", "explained", func(r *explore.Reason) { r.Margin *= -1 }},
		{"margins twice as large", "explained", func(r *explore.Reason) {
			r.Margin *= 2
			r.MarginRadius /= 2
		}},
		{"no radius", "noise", func(r *explore.Reason) { r.MarginRadius = 0 }},
		{"dominated by the worst, without a margin", "explained", func(r *explore.Reason) {
			if r.Class == explore.Dominated && r.By == 0 {
				r.By, r.Margin = 2, 0
			}
		}},
	} {
		fs := check(func() explore.Policy {
			return amount{&policy.ConstrainedRacing{Radius: radius.KaufmannKoolen{}}, c.plant}
		}, cases...)
		if found := foundBy(fs); (c.by == "") != (found == "") || !strings.Contains(found, c.by) {
			t.Errorf("%s: found by %q; want %q", c.name, found, c.by)
		}
	}
}

// foundBy returns the names of the checks that failed.
func foundBy(fs []failure) string {
	var found []string
	for _, f := range fs {
		found = append(found, f.Check)
	}
	return strings.Join(found, ",")
}

// A policy that adds arm 0 to every answer is right if arm 0 is the best, and wrong after a relabelling
// of the arms. The same holds for item 0 in answers about items.
func TestSuiteFindsFavourites(t *testing.T) {
	items := policytest.Case{Instance: policytest.Gaussian("items", &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), Z: mat.NewDense(3, 2, []float64{1, 1, 1, 0, 0, 1}),
		Sigma: .3, Question: question.Best{}}, mat.NewDense(2, 1, []float64{1, .5})),
		Inexact: true, Solves: true}
	items.ItemMeans = mat.NewDense(3, 1, []float64{1.5, 1, .5})
	for _, c := range []struct {
		new   func() explore.Policy
		cases []policytest.Case
	}{
		{func() explore.Policy { return &Elimination{Delta: .1} }, []policytest.Case{easy, easyFour}},
		{func() explore.Policy { return &policy.RAGE{Delta: .1} }, []policytest.Case{items}},
	} {
		for _, added := range []bool{false, true} {
			fs := check(func() explore.Policy { return favouring{c.new(), added} }, c.cases...)
			if found := foundBy(fs); strings.Contains(found, "relabelling") != added {
				t.Errorf("arm 0 added %v: found by %q", added, found)
			}
		}
	}
}

// favouring is a policy that adds item 0 to every answer if added is set.
type favouring struct {
	explore.Policy
	added bool
}

func (f favouring) Answer() explore.Answer {
	a := f.Policy.Answer()
	if f.added && !slices.Contains(a.Items, 0) {
		a.Items = append([]int{0}, a.Items...)
		if a.Reasons != nil {
			a.Reasons = slices.Clone(a.Reasons)
			a.Reasons[0].Class = explore.Optimal
		}
	}
	return a
}

// MostErrors is the least number whose exact binomial tail is at most FalseAlarm. The tail of the
// next smaller number exceeds FalseAlarm.
func TestMostErrors(t *testing.T) {
	tail := func(n, m int, p float64) float64 { // P(X > m)
		pmf, s := 1., 0.
		for range n {
			pmf *= 1 - p
		}
		for k := 0; k <= n; k++ {
			if k > m {
				s += pmf
			}
			pmf *= float64(n-k) / float64(k+1) * p / (1 - p)
		}
		return s
	}
	for _, c := range []struct {
		n int
		p float64
	}{{20, .1}, {100, .1}, {500, .1}, {200, .01}} {
		m := policytest.MostErrors(c.n, c.p)
		if a, b := tail(c.n, m, c.p), tail(c.n, m-1, c.p); a > policytest.FalseAlarm || b <= policytest.FalseAlarm {
			t.Errorf("%d trials at %v: %d, whose tail is %v, of one less %v", c.n, c.p, m, a, b)
		}
	}
}

// A failure is a rule violated by a policy.
type failure struct {
	Check, Case string
	Err         error
}

// check checks the rules of policytest.Test without a testing.T, and returns the failures.
func check(new func() explore.Policy, cases ...policytest.Case) []failure {
	return broken(new, cases, conform.Rules)
}

func broken(new func() explore.Policy, cases []policytest.Case,
	rules func(i int, c *policytest.Case) []conform.Rule) (fs []failure) {
	for i := range cases {
		for _, r := range rules(i, &cases[i]) {
			if err := r.On(new); err != nil {
				fs = append(fs, failure{r.Name, cases[i].Name, err})
			}
		}
	}
	return fs
}
