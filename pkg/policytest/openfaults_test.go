package policytest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/policytest/conform"
	"github.com/purexp/purexp/pkg/radius"
)

// An openFault is an explore.Asynchronous with a planted mistake in each field that is not nil.
type openFault struct {
	explore.Asynchronous
	more   func(p *openFault, dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error)
	learn  func(p *openFault, obs []explore.Batch) error
	tell   func(p *openFault, obs []explore.Batch) error
	asked  map[int]bool // arms that More requested
	calls  int
	answer func(a explore.Answer) explore.Answer
}

func (p *openFault) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	p.calls++
	if p.more != nil {
		return p.more(p, dst, n, pending)
	}
	return p.Asynchronous.More(dst, n, pending)
}

func (p *openFault) Learn(obs []explore.Batch) error {
	if p.learn != nil {
		return p.learn(p, obs)
	}
	return p.Asynchronous.Learn(obs)
}

func (p *openFault) Tell(obs []explore.Batch) error {
	if p.tell != nil {
		return p.tell(p, obs)
	}
	return p.Asynchronous.Tell(obs)
}

func (p *openFault) Answer() explore.Answer {
	if p.answer != nil {
		return p.answer(p.Asynchronous.Answer())
	}
	return p.Asynchronous.Answer()
}

// The check of each rule of explore.Asynchronous finds the planted mistakes, and accepts a correct policy.
func TestOpenFaults(t *testing.T) {
	type pulls = []explore.Pull
	for _, c := range []struct {
		name, rule string
		fault      openFault
	}{
		{"none", "", openFault{}},
		{"other rounds", "rounds", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			dst, err := p.Asynchronous.More(dst, n, pending)
			slices.Reverse(dst)
			return dst, err
		}}},
		{"tells count twice", "rounds", openFault{tell: func(p *openFault, obs []explore.Batch) error {
			return p.Asynchronous.Tell(append(slices.Clone(obs), obs...))
		}}},
		{"one too many", "room", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			return p.Asynchronous.More(dst, n+1, pending)
		}}},
		{"no arm", "room", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			dst, err := p.Asynchronous.More(dst, n, pending)
			if len(dst) > 0 && len(pending) > 0 {
				dst[0].Arm = 3
			}
			return dst, err
		}}},
		{"a pull of nothing", "room", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			dst, err := p.Asynchronous.More(dst, n, pending)
			if len(dst) > 0 && len(pending) > 0 {
				dst[0].N = 0
			}
			return dst, err
		}}},
		{"another at each call", "room", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			dst, err := p.Asynchronous.More(dst, n, pending)
			for i := range dst {
				dst[i].Arm = (dst[i].Arm + p.calls) % 3
			}
			return dst, err
		}}},
		{"pending is learned", "imagined", openFault{more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
			for _, x := range pending {
				if err := p.Asynchronous.Learn([]explore.Batch{{Pull: explore.Pull{Arm: x.Arm, N: 1}, Sum: []float64{0}}}); err != nil {
					return dst, err
				}
			}
			return p.Asynchronous.More(dst, n, pending)
		}}},
		{"the last counts twice", "order", openFault{learn: func(p *openFault, obs []explore.Batch) error {
			if len(obs) == 0 {
				return p.Asynchronous.Learn(obs)
			}
			return p.Asynchronous.Learn(append(slices.Clone(obs), obs[len(obs)-1]))
		}}},
		{"what was not asked for is lost", "extra", openFault{
			more: func(p *openFault, dst pulls, n int, pending pulls) (pulls, error) {
				dst, err := p.Asynchronous.More(dst, n, pending)
				for _, x := range dst {
					if p.asked == nil {
						p.asked = map[int]bool{}
					}
					p.asked[x.Arm] = true
				}
				return dst, err
			},
			learn: func(p *openFault, obs []explore.Batch) error {
				return p.Asynchronous.Learn(slices.DeleteFunc(slices.Clone(obs), func(b explore.Batch) bool { return !p.asked[b.Arm] }))
			}}},
		{"a wrong answer", "plates", openFault{answer: func(a explore.Answer) explore.Answer {
			a.Items = []int{2}
			return a
		}}},
	} {
		new := func() explore.Policy {
			f := c.fault
			f.Asynchronous = &policy.APE{Delta: .1, Radius: radius.Theory{}}
			return &f
		}
		found := map[string]bool{}
		var names []string
		for _, f := range checkOpen(new, easy) {
			found[f.Check], names = true, append(names, f.Check)
		}
		if c.rule == "" && len(found) > 0 || c.rule != "" && !found[c.rule] {
			t.Errorf("%s: found by %v; want %q", c.name, strings.Join(names, "\n"), c.rule)
		}
	}
	if fs := checkOpen(func() explore.Policy { return &Elimination{Delta: .1} }, easy); len(fs) == 0 || !strings.Contains(fs[0].Err.Error(), "implement explore.Asynchronous") {
		t.Errorf("a policy that is not open: %v", fs)
	}
}

// checkOpen checks the rules of policytest.TestAsynchronous without a testing.T, and returns the failures.
func checkOpen(new func() explore.Policy, cases ...policytest.Case) []failure {
	return broken(new, cases, func(_ int, c *policytest.Case) []conform.Rule { return conform.AsynchronousRules(c) })
}
