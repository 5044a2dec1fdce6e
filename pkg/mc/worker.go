package mc

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// worker simulates one replicate after another, and reuses the memory of its policies and
// simulators.
type worker struct {
	*plan
	halt     *atomic.Bool
	root     seed.Seed
	policies []explore.Policy // policies by polSlot; nil until needed
	samplers []watched        // simulators by instSlot
}

func newWorker(p *plan, halt *atomic.Bool) *worker {
	return &worker{
		plan: p, halt: halt, root: seed.New(p.Seed),
		policies: make([]explore.Policy, p.policies),
		samplers: make([]watched, len(p.truths)),
	}
}

// simulate runs one replicate. The returned error is errHalted or describes a panic.
func (w *worker) simulate(j job) (row Row, err error) {
	if w.halt.Load() {
		return Row{}, errHalted
	}
	c := &w.cells[j.cell]
	defer func() {
		if v := recover(); v != nil {
			// After a panic, the state of the policy and the simulator may be invalid.
			w.policies[c.polSlot] = nil
			w.samplers[c.instSlot] = watched{}
			err = panicError(c.key, j.rep, v, debug.Stack())
		}
	}()
	replicate := w.root.Child(c.key.Instance, j.rep)
	meters := newMeters(c.Measures, c.Instance)
	set := c.limits
	set.Src = replicate.Child("policy", c.Method.Name).Source()
	set.Recorder = meters.recorder()
	res, err := explore.Run(w.policy(c), c.Instance.Problem, w.sampler(c, replicate.Child("noise")), &set)
	if errors.Is(err, errHalted) {
		return Row{}, errHalted
	}
	row = Row{
		Study: w.Study, Seed: w.Seed, Experiment: c.Experiment,
		Instance: c.key.Instance, Size: c.Size, Draw: c.Draw,
		Method: c.Method.Name, Constants: c.Method.Constants, Delta: c.Method.Delta,
		Budget: c.Budget,
		Rep:    j.rep,
	}
	row.fill(res, c.Instance.Problem.K(), err)
	if err == nil {
		row.Correct = c.Instance.Problem.Question.Correct(c.truth, res.Answer)
		row.Measures = meters.values(c.Measures, res)
	}
	return row, nil
}

// policy returns the worker's policy for cell c; the caller must call Init.
func (w *worker) policy(c *cell) explore.Policy {
	p := &w.policies[c.polSlot]
	if *p == nil {
		*p = c.Method.New()
	}
	return *p
}

// sampler returns the worker's simulator for cell c, which draws the noise of the given seed.
func (w *worker) sampler(c *cell, noise seed.Seed) *watched {
	s := &w.samplers[c.instSlot]
	s.halt = w.halt
	if s.Sampler == nil {
		s.Sampler = bandit.NewSampler(c.Instance.Law, noise)
	} else {
		s.Reset(noise)
	}
	return s
}

// panicError returns an error for a panic with value v; the error wraps v if v is an error.
func panicError(k Key, rep int, v any, stack []byte) error {
	if e, ok := v.(error); ok {
		return fmt.Errorf("mc: %v, replicate %d: panic: %w\n%s", k, rep, e, stack)
	}
	return fmt.Errorf("mc: %v, replicate %d: panic: %v\n%s", k, rep, v, stack)
}

// watched is a simulator that ends the run when the run's row is no longer needed. To save
// allocations, each run reuses the memory for batches.
type watched struct {
	*bandit.Sampler
	halt *atomic.Bool
	obs  []explore.Batch
}

// Sample implements explore.Sampler.
func (w *watched) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	if w.halt.Load() {
		return dst, errHalted
	}
	if dst == nil { // batches are nil in the first round of a run
		dst = w.obs[:0]
	}
	dst, err := w.Sampler.Sample(dst, pulls)
	w.obs = dst
	return dst, err
}
