// Package conform implements the checks of package policytest without package testing, so that
// programs can check policies. The command "purexp policytest" uses this package.
package conform

import (
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// A Rule is a check of a policy on one case.
type Rule struct {
	Name string // name of the check
	Rule string // requirement on the policy
	On   func(new func() explore.Policy) error
}

// Rules returns the checks of case i of a suite. For the first case, Rules adds a check on a noisy
// case that is derived from the first case.
func Rules(i int, c *Case) []Rule { return rules(checksOf(i), c) }

// AsynchronousRules returns the additional checks of an explore.Asynchronous on a case.
func AsynchronousRules(c *Case) []Rule { return rules(openChecks, c) }

func rules(checks []check, c *Case) []Rule {
	var rs []Rule
	for _, x := range checks {
		rs = append(rs, Rule{x.name, x.rule, func(new func() explore.Policy) error {
			return safely(x.f, new, c)
		}})
	}
	return rs
}

// safely runs check, and reports a panic of the policy as a failure of the check.
func safely(check func(func() explore.Policy, *Case) error, new func() explore.Policy, c *Case) (err error) {
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

// checksOf returns the checks of case i. For the first case, checksOf adds a check on a noisy case
// that is derived from the first case.
func checksOf(i int) []check {
	if i > 0 {
		return checks
	}
	return append(slices.Clip(checks), check{
		"noise", "with many arms and large noise, early claims are rarely false", noise})
}

// checks contains the checks for all policies, each with the rule that it tests.
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
	{"untouched", "the policy neither changes the problem nor keeps measurements", untouched},
	{"limits", "a run that ends at a limit has undecided items and makes no false claims", limits},
	{"budget", "the run keeps to its budget and schedule", budget},
	{"allocations", "a round allocates no memory", allocations},
	{"before the first pull", "a policy makes no claims before the first measurement", ignorant},
}

// A step is one round of a recorded run.
type step struct {
	pulls []explore.Pull
	obs   []explore.Batch
}

// record runs p on c with the noise of s, and keeps the first 2,000 rounds.
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

// same returns an error unless two recorded runs are identical.
func same(a, b *explore.Result, sa, sb []step) error {
	for r := range min(len(sa), len(sb)) {
		if !slices.Equal(sa[r].pulls, sb[r].pulls) {
			return fmt.Errorf("round %d requests %v in one run and %v in the other; expected equal pulls", r+1,
				sa[r].pulls, sb[r].pulls)
		}
	}
	if !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the results of two runs differ:\n%+v\n%+v", a, b)
	}
	return nil
}

var root = seed.New(20260101)

// FalseAlarm is an upper bound on the probability that a check of error rates fails a policy whose
// error probability is at most delta.
const FalseAlarm = 1e-6

// Errors simulates n runs of a policy on c and returns the number of wrong answers. A run that does
// not stop counts as wrong. The returned error is the first error of any run.
func Errors(new func() explore.Policy, c Case, n int) (wrong int, err error) {
	total := countErrors(new, &c, n,
		func(_ seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			return explore.Run(p, c.Problem, s, set)
		})
	return total.wrong, total.err
}

// AsynchronousErrors counts wrong answers, as Errors does, but runs the policy in the laboratory l,
// with separate failures and delays for each run.
func AsynchronousErrors(new func() explore.Policy, c Case, n int, l explore.Plates) (wrong int, err error) {
	total := countErrors(new, &c, n,
		func(own seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			l := l
			l.Src = own.Child("plates").Source()
			return l.Run(p, c.Problem, s, set)
		})
	return total.wrong, total.err
}

// A count is a number of wrong answers, together with the first error.
type count struct {
	wrong int
	err   error
}

// MostErrors returns the least m such that a binomial variable of n trials with success probability
// delta exceeds m with probability at most FalseAlarm.
func MostErrors(n int, delta float64) int {
	for m := 0; m < n; m++ {
		// P(X > m) is a regularised incomplete beta function of delta.
		if mathext.RegIncBeta(float64(m+1), float64(n-m), delta) <= FalseAlarm {
			return m
		}
	}
	return n
}

// A runner runs a policy. The seed determines all random choices except those of the policy and of
// the noise.
type runner func(seed.Seed, explore.Policy, explore.Sampler, *explore.Settings) (
	*explore.Result, error)

func countErrors(new func() explore.Policy, c *Case, n int, run runner) count {
	var (
		mu    sync.Mutex
		total count
		wg    sync.WaitGroup
		next  int
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			p := new()
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				s := root.Child(c.Name, "errors", i)
				r, err := run(s, p, c.sampler(s.Child("noise")),
					&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
				bad := err != nil || r.Status != explore.Stopped || !c.Problem.Question.Correct(c.Truth(), r.Answer)
				mu.Lock()
				if bad {
					total.wrong++
				}
				if err != nil && total.err == nil {
					total.err = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return total
}
