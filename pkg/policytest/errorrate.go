package policytest

import (
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// FalseAlarm is the probability with which ErrorRate fails a policy whose error
// probability is exactly delta.
const FalseAlarm = 1e-6

// ErrorRate runs c n times and fails if there are more wrong answers than a
// policy with error probability delta gives, but for a probability of
// FalseAlarm (exact binomial). Runs that do not stop are wrong. It returns the
// number of wrong answers.
func ErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int) int {
	t.Helper()
	return errorRate(t, c.Name, delta, n, countErrors(new, &c, n,
		func(_ seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			return explore.Run(p, c.Problem, s, set)
		}))
}

// OpenErrorRate is ErrorRate by plates: runs of l, each with failures and delays of its own.
func OpenErrorRate(t testing.TB, new func() explore.Policy, c Case, delta float64, n int,
	l explore.Plates) int {
	t.Helper()
	return errorRate(t, c.Name, delta, n, countErrors(new, &c, n,
		func(own seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			l := l
			l.Src = own.Child("plates").Source()
			return l.Run(p, c.Problem, s, set)
		}))
}

// count is a number of wrong answers.
type count struct {
	wrong int
	err   error
}

// errorRate fails if there are more wrong answers than delta allows.
func errorRate(t testing.TB, name string, delta float64, n int, c count) int {
	t.Helper()
	if c.err != nil {
		t.Fatal(c.err)
	}
	wrong := c.wrong
	if limit := MostErrors(n, delta); wrong > limit {
		t.Errorf("%s: %d wrong answers in %d runs at delta = %v; at most %d are compatible with it",
			name, wrong, n, delta, limit)
	}
	return wrong
}

// MostErrors returns the least m such that a binomial variable of n trials with
// success probability delta exceeds m with probability at most FalseAlarm.
func MostErrors(n int, delta float64) int {
	for m := 0; m < n; m++ {
		// P(X > m) is a regularised incomplete beta function.
		if mathext.RegIncBeta(float64(m+1), float64(n-m), delta) <= FalseAlarm {
			return m
		}
	}
	return n
}

// runner runs a policy; the seed decides about all other random choices.
type runner func(seed.Seed, explore.Policy, explore.Sampler, *explore.Settings) (
	*explore.Result, error)

// countErrors counts wrong answers in n runs.
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
				bad := err != nil || r.Status != explore.Stopped ||
					!c.Problem.Question.Correct(c.Truth(), r.Answer)
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
