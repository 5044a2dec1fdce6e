// Package policytest is a conformance suite for policies, the ones here and
// your own: what any policy must do, whatever its algorithm.
//
//	func TestMine(t *testing.T) {
//		policytest.Test(t, func() explore.Policy { return &Mine{Delta: 0.1} }, cases...)
//		mine := func() explore.Policy { return &Mine{Delta: 0.1} }
//		policytest.ErrorRate(t, mine, tight, 0.1, 500)
//	}
//
// A [Case] is a problem with its truth. Choose easy ones, where a wrong answer
// is a plain bug, and tight ones, where a constant that is too small shows:
// error rates on easy problems stay at zero with radii ten times too small.
//
// [Test] makes problems of its own out of yours: other names, units, origins and coordinates, copies
// of arms, and a crowd of arms in much noise, where what is claimed early is mostly false unless
// radii are wide enough for all arms at once. Reasons are compared with the truth as far as the
// policy's [explore.Card] certifies them, and in full if it has none. Rewards that are not Gaussian
// and settings that name amounts ([Case.Rigid]) leave some of these problems out.
//
// Tests of this kind see what a policy answers and asks, not why. Test a
// schedule (how many pulls in round r) against numbers worked by hand besides;
// [Case.Schedule] is the place.
package policytest

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest/conform"
)

// A Case is an instance, and what the suite should know about the algorithm on it.
type Case = conform.Case

// FalseAlarm is the probability with which ErrorRate fails a policy whose error
// probability is exactly delta.
const FalseAlarm = conform.FalseAlarm

// Gaussian returns an instance with independent Gaussian rewards of standard deviation p.Sigma
// around means, K x d, one arm a row. It panics if they are not finite.
func Gaussian(name string, p *explore.Problem, means mat.Matrix) bandit.Instance {
	return conform.Gaussian(name, p, means)
}

// Test runs every check on every case, each as a subtest, and one on a case of its own that it makes
// of the first. New returns a fresh policy with the same settings each time.
func Test(t *testing.T, new func() explore.Policy, cases ...Case) {
	t.Helper()
	for i := range cases {
		run(t, cases[i].Name, new, conform.Rules(i, &cases[i]))
	}
}

// TestOpen runs every check of an explore.Open on every case, each as a subtest: what such a
// policy must do besides what [Test] checks.
func TestOpen(t *testing.T, new func() explore.Policy, cases ...Case) {
	t.Helper()
	for i := range cases {
		run(t, cases[i].Name, new, conform.OpenRules(&cases[i]))
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

// ErrorRate runs c n times and fails if there are more wrong answers than a
// policy with error probability delta gives, but for a probability of
// FalseAlarm (exact binomial). Runs that do not stop are wrong. It returns the
// number of wrong answers.
func ErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int) int {
	t.Helper()
	wrong, err := conform.Errors(new, c, n)
	return allowed(t, c.Name, delta, n, wrong, err)
}

// OpenErrorRate is ErrorRate by plates: runs of l, each with failures and delays of its own.
func OpenErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int, l explore.Plates) int {
	t.Helper()
	wrong, err := conform.OpenErrors(new, c, n, l)
	return allowed(t, c.Name, delta, n, wrong, err)
}

// allowed fails if there are more wrong answers than delta allows.
func allowed(t testing.TB, name string, delta float64, n, wrong int, err error) int {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if limit := MostErrors(n, delta); wrong > limit {
		t.Errorf("%s: %d wrong answers in %d runs at delta = %v; at most %d are compatible with it",
			name, wrong, n, delta, limit)
	}
	return wrong
}

// MostErrors returns the least m such that a binomial variable of n trials with
// success probability delta exceeds m with probability at most FalseAlarm.
func MostErrors(n int, delta float64) int { return conform.MostErrors(n, delta) }
