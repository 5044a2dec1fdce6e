// Package policytest is a conformance suite for the policies of this module and for custom
// policies. The suite tests requirements that every policy must meet, whatever its algorithm.
//
//	func TestMine(t *testing.T) {
//		policytest.Test(t, func() explore.Policy { return &Mine{Delta: 0.1} }, cases...)
//		mine := func() explore.Policy { return &Mine{Delta: 0.1} }
//		policytest.ErrorRate(t, mine, tight, 0.1, 500)
//	}
//
// A [Case] is a problem together with its true means. The cases should include both easy cases and
// cases with tight gaps. In an easy case, a wrong answer shows a bug. Only cases with tight gaps
// reveal constants that are too small: in easy cases, error rates stay at zero even with radii ten
// times too small.
//
// From the given cases, [Test] derives further cases: with other names, units, origins and
// coordinates, with copies of arms, and with many arms and large noise. With many arms and large
// noise, early claims are usually false unless radii are wide enough for all arms simultaneously.
// Reasons are compared with the true means to the extent that the policy's [explore.Card] certifies
// reasons. Without a card, reasons are compared completely. Some derived cases are omitted for
// rewards that are not Gaussian, and for policies whose settings contain arms or amounts of reward
// ([Case.Rigid]).
//
// The suite checks requests and answers; it does not check whether the algorithm is that of a
// paper. To test a schedule (the number of pulls in each round), use [Case.Schedule] to compare it
// with numbers computed by hand.
package policytest

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest/conform"
)

// A Case is an instance, together with properties of the algorithm on this instance that the suite
// must know.
type Case = conform.Case

// FalseAlarm is an upper bound on the probability that ErrorRate fails a policy whose error
// probability is at most delta.
const FalseAlarm = conform.FalseAlarm

// Gaussian returns an instance with independent Gaussian rewards of standard deviation p.Sigma. The
// matrix of means is K x d, one arm per row. Gaussian panics if a mean is not finite.
func Gaussian(name string, p *explore.Problem, means mat.Matrix) bandit.Instance {
	return conform.Gaussian(name, p, means)
}

// Test runs every check on every case, each as a subtest, and an additional check on a case derived
// from the first case. The function new must return a new policy with the same settings at each
// call.
func Test(t *testing.T, new func() explore.Policy, cases ...Case) {
	t.Helper()
	for i := range cases {
		run(t, cases[i].Name, new, conform.Rules(i, &cases[i]))
	}
}

// TestAsynchronous runs the additional checks for an explore.Asynchronous on every case, each as a
// subtest. All other checks are in [Test].
func TestAsynchronous(t *testing.T, new func() explore.Policy, cases ...Case) {
	t.Helper()
	for i := range cases {
		run(t, cases[i].Name, new, conform.AsynchronousRules(&cases[i]))
	}
}

func run(t *testing.T, name string, new func() explore.Policy, rules []conform.Rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(name+"/"+r.Name, func(t *testing.T) {
			if err := r.On(new); err != nil {
				t.Errorf("%s: %v", r.Rule, err)
			}
		})
	}
}

// ErrorRate makes n runs on case c, and fails the test if the number of wrong answers is too large
// for a policy with error probability delta. The probability that a correct policy fails is at most
// FalseAlarm (exact binomial). A run that does not stop counts as wrong. ErrorRate returns the
// number of wrong answers.
func ErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int) int {
	t.Helper()
	wrong, err := conform.Errors(new, c, n)
	return allowed(t, c.Name, delta, n, wrong, err)
}

// AsynchronousErrorRate tests the error rate, as ErrorRate does, but runs the policy in the
// laboratory l, with separate failures and delays for each run.
func AsynchronousErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int,
	l explore.Plates) int {
	t.Helper()
	wrong, err := conform.AsynchronousErrors(new, c, n, l)
	return allowed(t, c.Name, delta, n, wrong, err)
}

// allowed fails the test if the number of wrong answers exceeds what delta allows.
func allowed(t testing.TB, name string, delta float64, n, wrong int, err error) int {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if limit := MostErrors(n, delta); wrong > limit {
		t.Errorf("%s: %d wrong answers in %d runs at delta = %v; expected at most %d", name, wrong, n, delta, limit)
	}
	return wrong
}

// MostErrors returns the least m such that a binomial variable of n trials with success probability
// delta exceeds m with probability at most FalseAlarm.
func MostErrors(n int, delta float64) int { return conform.MostErrors(n, delta) }
