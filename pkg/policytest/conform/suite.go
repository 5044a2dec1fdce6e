package conform

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// A Rule is a check of a policy on a case.
type Rule struct {
	Name string // of the check
	Rule string // what a policy must do
	On   func(new func() explore.Policy) error
}

// Rules returns the checks of case i of a suite: the first has one on a case that is made of it besides.
func Rules(i int, c *Case) []Rule { return rules(checksOf(i), c) }

// OpenRules returns the checks of an explore.Open on a case.
func OpenRules(c *Case) []Rule { return rules(openChecks, c) }

func rules(checks []check, c *Case) []Rule {
	var rs []Rule
	for _, x := range checks {
		rs = append(rs, Rule{x.name, x.rule, func(new func() explore.Policy) error {
			return safely(x.f, new, c)
		}})
	}
	return rs
}

// safely turns a panic of the policy into a failure of the check.
func safely(check func(func() explore.Policy, *Case) error, new func() explore.Policy,
	c *Case) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return check(new, c)
}

type check struct {
	name, rule string
	f          func(new func() explore.Policy, c *Case) error
}

// checksOf returns the checks of case i: the first has the suite's own case besides.
func checksOf(i int) []check {
	if i > 0 {
		return checks
	}
	return append(slices.Clip(checks), check{
		"noise", "among many arms in much noise, what is claimed early is rarely false", noise})
}

// checks are the rules, each with what a violation means.
var checks = []check{
	{"noise-free", "without noise the answer is right", noiseFree},
	{"explained", "an answer is sorted, complete and consistent, and its reasons are true",
		explained},
	{"determinism", "the same seed gives the same run", determinism},
	{"reuse", "Init forgets earlier runs", reuse},
	{"replay", "a run can be resumed from the log of its batches", replay},
	{"relabelling", "the names of the arms do not matter", relabelling},
	{"units", "the units of the objectives do not matter", units},
	{"origin", "the origin of the objectives does not matter", origin},
	{"coordinates", "the coordinates of the features do not matter", coordinates},
	{"duplicates", "a copy of a rejected arm is rejected", duplicates},
	{"untouched", "the problem and the measurements belong to the caller", untouched},
	{"limits", "a run that is cut short says what is undecided and claims nothing false", limits},
	{"budget", "neither budget nor schedule is exceeded", budget},
	{"allocations", "a round allocates nothing", allocations},
	{"before the first pull", "a policy that has seen nothing claims nothing", ignorant},
}

// A step is one round of a run, for comparison.
type step struct {
	pulls []explore.Pull
	obs   []explore.Batch
}

// record runs p on c with noise from s and keeps the first 2000 rounds.
func record(p explore.Policy, c *Case, s seed.Seed) (*explore.Result, []step, error) {
	rec := &recorder{}
	r, err := explore.Run(p, c.Problem, c.sampler(s.Child("noise")), &explore.Settings{
		MaxPulls: c.MaxPulls, Src: s.Child("policy").Source(), Recorder: rec,
	})
	return r, rec.steps, err
}

type recorder struct{ steps []step }

func (r *recorder) Record(e explore.Event) error {
	if len(r.steps) < 2000 {
		var s step
		for _, b := range e.Obs {
			s.pulls = append(s.pulls, b.Pull)
			s.obs = append(s.obs, explore.Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)})
		}
		r.steps = append(r.steps, s)
	}
	return nil
}

// same compares two runs.
func same(a, b *explore.Result, sa, sb []step) error {
	for r := range min(len(sa), len(sb)) {
		if !slices.Equal(sa[r].pulls, sb[r].pulls) {
			return fmt.Errorf("round %d asks for %v in one run and %v in the other", r+1,
				sa[r].pulls, sb[r].pulls)
		}
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("results differ:\n%+v\n%+v", a, b)
	}
	return nil
}

var root = seed.New(20260101)
