package policytest

import (
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/pkg/explore"
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
	wrong, err := countErrors(new, &c, n)
	if err != nil {
		t.Fatal(err)
	}
	if limit := MostErrors(n, delta); wrong > limit {
		t.Errorf("%s: %d wrong answers in %d runs at delta = %v; at most %d are compatible with it",
			c.Name, wrong, n, delta, limit)
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

// countErrors counts wrong answers in n runs.
func countErrors(new func() explore.Policy, c *Case, n int) (int, error) {
	var (
		mu    sync.Mutex
		wrong int
		first error
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
				r, err := explore.Run(p, c.Problem, c.sampler(s.Child("noise")),
					&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
				bad := err != nil || r.Status != explore.Stopped ||
					!c.Problem.Question.Correct(c.Truth(), r.Answer)
				mu.Lock()
				if bad {
					wrong++
				}
				if err != nil && first == nil {
					first = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return wrong, first
}
