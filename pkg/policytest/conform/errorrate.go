package conform

import (
	"runtime"
	"sync"

	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// FalseAlarm is the probability with which an error rate is refused a policy whose error
// probability is exactly delta.
const FalseAlarm = 1e-6

// Errors runs c n times and returns the number of wrong answers. Runs that do not stop are wrong. The
// error is the first of a run.
func Errors(new func() explore.Policy, c Case, n int) (wrong int, err error) {
	total := countErrors(new, &c, n,
		func(_ seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			return explore.Run(p, c.Problem, s, set)
		})
	return total.wrong, total.err
}

// OpenErrors is Errors by plates: runs of l, each with failures and delays of its own.
func OpenErrors(new func() explore.Policy, c Case, n int, l explore.Plates) (wrong int, err error) {
	total := countErrors(new, &c, n,
		func(own seed.Seed, p explore.Policy, s explore.Sampler, set *explore.Settings) (
			*explore.Result, error) {
			l := l
			l.Src = own.Child("plates").Source()
			return l.Run(p, c.Problem, s, set)
		})
	return total.wrong, total.err
}

// count is a number of wrong answers.
type count struct {
	wrong int
	err   error
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
