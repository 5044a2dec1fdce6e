package mc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// window is how many rows may be played ahead of the first unfinished one. A
// slow replicate then holds up nobody for long, and a kill loses no more rows
// than this.
const window = 1024

// errHalted ends runs whose rows nobody waits for any more.
var errHalted = errors.New("mc: halted")

// halted is returned by play if the context ended it.
type halted struct {
	done, total int
	cause       error
}

func (h *halted) Error() string {
	return fmt.Sprintf("mc: stopped with %d of %d replicates: %v", h.done, h.total, h.cause)
}

func (h *halted) Unwrap() error { return h.cause }

func asHalted(err error, h **halted) bool { return errors.As(err, h) }

// A job is one replicate of one cell; seq is its place in the order of rows.
type job struct{ seq, cell, rep int }

type outcome struct {
	job
	row Row
	err error // errHalted or a panic
}

// play plays what is left of p and hands the rows in order to emit, on the
// caller's goroutine. It returns when all workers have ended.
func (p *plan) play(ctx context.Context, emit func(*Row) error) error {
	start := time.Now()
	total, done := p.total(), p.done
	if p.Progress != nil {
		p.Progress(done, total, time.Since(start))
	}

	// halt ends the runs in progress. It is read once a round of each, where
	// asking ctx would cost more than some policies' round.
	var halt atomic.Bool
	stop := context.AfterFunc(ctx, func() { halt.Store(true) })
	defer stop()
	// feed ends when no more jobs are to be started.
	feed, noMore := context.WithCancel(ctx)
	defer noMore()

	jobs := make(chan job)
	ahead := make(chan struct{}, window)
	go func() {
		defer close(jobs)
		p.each(func(j job) bool {
			select {
			case ahead <- struct{}{}:
			case <-feed.Done():
				return false
			}
			select {
			case jobs <- j:
				return true
			case <-feed.Done():
				return false
			}
		})
	}()

	workers := p.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, max(total-done, 1))
	outcomes := make(chan outcome, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := worker{
				plan: p, halt: &halt, root: seed.New(p.Seed),
				policies: make([]explore.Policy, p.policies),
				samplers: make([]watched, p.instances),
			}
			for j := range jobs {
				o := outcome{job: j}
				o.row, o.err = w.play(j)
				outcomes <- o
			}
		})
	}
	go func() {
		wg.Wait()
		close(outcomes)
	}()

	// Rows come in any order and leave in theirs.
	var (
		early    = make(map[int]outcome)
		next     int
		firstErr error
	)
	for o := range outcomes {
		if o.err != nil {
			// Jobs are started in order, so all before this one are on their
			// way: the first failure in the order of rows is found whatever
			// the timing.
			noMore()
		}
		early[o.seq] = o
		for {
			o, ok := early[next]
			if !ok {
				break
			}
			delete(early, next)
			next++
			<-ahead
			if firstErr != nil {
				continue
			}
			if firstErr = o.err; firstErr == nil {
				firstErr = emit(&o.row)
			}
			if firstErr != nil {
				noMore()
				halt.Store(true)
				continue
			}
			done++
			if p.Progress != nil {
				p.Progress(done, total, time.Since(start))
			}
		}
	}
	if (firstErr == nil || errors.Is(firstErr, errHalted)) && done < total {
		return &halted{done, total, ctx.Err()}
	}
	return firstErr
}

// each calls f with the jobs that are left, in the order of rows, until f
// returns false.
func (p *plan) each(f func(job) bool) {
	most := 0
	for i := range p.cells {
		most = max(most, p.cells[i].reps)
	}
	seq := 0
	for rep := p.Shard.first(); rep < most; rep += p.Shard.step() {
		for i := range p.cells {
			if rep < p.next[i] || rep >= p.cells[i].reps {
				continue
			}
			if !f(job{seq, i, rep}) {
				return
			}
			seq++
		}
	}
}

// A worker plays replicates one after the other. Policies and simulators stay
// with it, so that their memory is reused.
type worker struct {
	*plan
	halt     *atomic.Bool
	root     seed.Seed
	policies []explore.Policy // by polSlot; nil until needed
	samplers []watched        // by instSlot
}

// play plays one replicate. The error is errHalted, or says that something
// panicked.
func (w *worker) play(j job) (row Row, err error) {
	if w.halt.Load() {
		return Row{}, errHalted
	}
	c := &w.cells[j.cell]
	defer func() {
		if v := recover(); v != nil {
			// Whatever panicked may be left in any state.
			w.policies[c.polSlot] = nil
			w.samplers[c.instSlot] = watched{}
			err = panicError(c.key, j.rep, v, debug.Stack())
		}
	}()
	policy := w.policies[c.polSlot]
	if policy == nil {
		policy = c.method.New()
		w.policies[c.polSlot] = policy
	}
	replicate := w.root.Child(c.instance, j.rep)
	sampler := &w.samplers[c.instSlot]
	sampler.halt = w.halt
	noise := replicate.Child("noise")
	if r, ok := sampler.Sampler.(interface{ Reset(seed.Seed) }); ok {
		r.Reset(noise)
	} else {
		sampler.Sampler = c.inst.Sampler(noise)
	}
	set := c.limits
	set.Src = replicate.Child("policy", c.key.method).Source()
	res, err := explore.Run(policy, c.inst.Problem, sampler, &set)
	if errors.Is(err, errHalted) {
		return Row{}, errHalted
	}
	row = Row{
		Study: w.Study, Seed: w.Seed,
		Instance: c.instance, Method: c.key.method, Constants: c.constants, Delta: c.delta, Rep: j.rep,
	}
	row.fill(res, c.inst.Problem.K(), err)
	if err == nil {
		row.Correct = c.inst.Problem.Question.Correct(c.inst.Means, res.Answer)
	}
	return row, nil
}

// panicError says what panicked where, and wraps the value if it is an error.
func panicError(k key, rep int, v any, stack []byte) error {
	if e, ok := v.(error); ok {
		return fmt.Errorf("mc: %v, replicate %d: panic: %w\n%s", k, rep, e, stack)
	}
	return fmt.Errorf("mc: %v, replicate %d: panic: %v\n%s", k, rep, v, stack)
}

// watched is a simulator that ends the run when nobody waits for its row, and
// that keeps the batches' memory from one run to the next.
type watched struct {
	explore.Sampler
	halt *atomic.Bool
	obs  []explore.Batch
}

func (w *watched) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	if w.halt.Load() {
		return dst, errHalted
	}
	if dst == nil { // first round
		dst = w.obs[:0]
	}
	dst, err := w.Sampler.Sample(dst, pulls)
	w.obs = dst
	return dst, err
}
