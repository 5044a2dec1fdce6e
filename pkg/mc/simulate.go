package mc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// window limits the number of replicates that have been started and whose rows have not been
// emitted. The window is so large that a slow replicate rarely delays other replicates. If the
// process is killed, at most window rows are lost.
const window = 1024

// errHalted is the error of a run that is ended because its row is no longer needed.
var errHalted = errors.New("mc: halted")

// halted is the error that simulate returns if the context ended the simulation.
type halted struct {
	done, total int
	cause       error
}

func (h *halted) Error() string {
	return fmt.Sprintf("mc: stopped after %d of %d replicates: %v", h.done, h.total, h.cause)
}

func (h *halted) Unwrap() error { return h.cause }

// job is one replicate of one cell; seq is its position in the order of rows.
type job struct{ seq, cell, rep int }

type outcome struct {
	job
	row Row
	err error // errHalted, or an error that describes a panic
}

// run is the state of a simulation of a plan.
type run struct {
	*plan
	start time.Time
	total int
	done  int
	// If halt is set, replicates in progress end. Each replicate checks halt once per round,
	// because checking a context would take longer than a round of some policies.
	halt atomic.Bool
	// The context feed is cancelled by noMore, when no further jobs may be started.
	feed   context.Context
	noMore context.CancelFunc
	// ahead contains a token for each job that was started and whose row was not emitted yet.
	ahead chan struct{}
}

// simulate simulates the remaining replicates of p. simulate passes the rows in order to emit, on
// the caller's goroutine, and returns only after all workers have ended.
func (p *plan) simulate(ctx context.Context, emit func(*Row) error) error {
	r := &run{plan: p, start: time.Now(), total: p.total(), done: p.done, ahead: make(chan struct{}, window)}
	stop := context.AfterFunc(ctx, func() { r.halt.Store(true) })
	defer stop()
	r.feed, r.noMore = context.WithCancel(ctx)
	defer r.noMore()

	r.report()
	err := r.inOrder(r.work(r.jobs()), emit)
	if (err == nil || errors.Is(err, errHalted)) && r.done < r.total {
		return &halted{r.done, r.total, ctx.Err()}
	}
	return err
}

func (r *run) report() {
	if r.Progress != nil {
		r.Progress(r.done, r.total, time.Since(r.start))
	}
}

// jobs returns a channel of the remaining replicates. At most window jobs are started before the
// first missing row is emitted.
func (r *run) jobs() <-chan job {
	jobs := make(chan job)
	go func() {
		defer close(jobs)
		r.each(func(j job) bool {
			if r.feed.Err() != nil { // select would choose at random if both channels were ready
				return false
			}
			select {
			case r.ahead <- struct{}{}:
			case <-r.feed.Done():
				return false
			}
			select {
			case jobs <- j:
				return true
			case <-r.feed.Done():
				return false
			}
		})
	}()
	return jobs
}

// work starts the workers and returns a channel with the outcomes of the jobs, in any order.
func (r *run) work(jobs <-chan job) <-chan outcome {
	workers := r.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	workers = min(workers, max(r.total-r.done, 1))
	outcomes := make(chan outcome, workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := newWorker(r.plan, &r.halt)
			for j := range jobs {
				o := outcome{job: j}
				o.row, o.err = w.simulate(j)
				outcomes <- o
			}
		})
	}
	go func() {
		wg.Wait()
		close(outcomes)
	}()
	return outcomes
}

// inOrder passes rows to emit in the order of jobs until the first error; outcomes may arrive in
// any order. inOrder then waits until all workers have ended, and returns the first error.
func (r *run) inOrder(outcomes <-chan outcome, emit func(*Row) error) (firstErr error) {
	early := make(map[int]outcome)
	next := 0
	for o := range outcomes {
		if o.err != nil {
			// Jobs are started in order, so all jobs before a failed job were started, too.
			// Therefore, the failure that is reported is the first in the order of rows, whatever
			// the timing.
			r.noMore()
		}
		early[o.seq] = o
		for {
			o, ok := early[next]
			if !ok {
				break
			}
			delete(early, next)
			next++
			<-r.ahead
			if firstErr != nil {
				continue
			}
			if firstErr = o.err; firstErr == nil {
				firstErr = emit(&o.row)
			}
			if firstErr != nil {
				r.noMore()
				r.halt.Store(true)
				continue
			}
			r.done++
			r.report()
		}
	}
	return firstErr
}

// each calls f with the remaining jobs in the order of rows, until f returns false.
func (p *plan) each(f func(job) bool) {
	for _, j := range p.picked {
		if !f(j) {
			return
		}
	}
	if p.picked != nil {
		return
	}
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

// Pace estimates the remaining time of a grid from the calls of [Grid.Progress]; the zero value is
// ready to use.
type Pace struct {
	started bool
	before  int // number of rows present at the start
}

// Left takes the arguments of Progress, and must be called in every call of Progress, including the
// first. Left estimates the remaining time from the average rate since the start. Rows that were
// already in a resumed file do not count towards the average rate. Left returns false if no
// estimate is possible yet, or if all rows are done.
func (p *Pace) Left(done, total int, elapsed time.Duration) (time.Duration, bool) {
	if !p.started {
		p.started, p.before = true, done
	}
	own := done - p.before
	if own <= 0 || done >= total || elapsed < time.Second {
		return 0, false
	}
	return time.Duration(float64(elapsed) * float64(total-done) / float64(own)), true
}

// Place identifies a row by the index of its cell and its replicate.
type Place struct {
	Key Key
	Rep int // replicate, from 0
}

// Replicate simulates single replicates of the grid, and returns their rows in the order of the
// argument places. The returned rows equal those that Run returns. If a place is outside the grid,
// Replicate returns an error. If an error occurs, Replicate also returns the rows before the first
// failure; if ctx ended the work, the error wraps the error of ctx.
func (g *Grid) Replicate(ctx context.Context, places ...Place) ([]Row, error) {
	p, err := g.layout()
	if err != nil {
		return nil, err
	}
	p.picked = make([]job, len(places))
	for seq, at := range places {
		cell, ok := p.index[at.Key]
		if !ok {
			return nil, fmt.Errorf("mc: unknown cell %v; expected a cell of the grid", at.Key)
		}
		if reps := p.cells[cell].reps; at.Rep < 0 || at.Rep >= reps {
			return nil, fmt.Errorf("mc: replicate %d of %v; expected 0 to %d", at.Rep, at.Key, reps-1)
		}
		p.picked[seq] = job{seq, cell, at.Rep}
	}
	return p.collect(ctx, "")
}

// collect simulates the replicates of p and returns their rows. If ctx ended the simulation, the
// error message contains hint after the numbers of replicates.
func (p *plan) collect(ctx context.Context, hint string) ([]Row, error) {
	rows := make([]Row, 0, p.total())
	err := p.simulate(ctx, func(r *Row) error {
		rows = append(rows, *r)
		return nil
	})
	if h := (*halted)(nil); errors.As(err, &h) {
		err = fmt.Errorf("mc: stopped after %d of %d replicates%s: %w", h.done, h.total, hint, h.cause)
	}
	return rows, err
}
