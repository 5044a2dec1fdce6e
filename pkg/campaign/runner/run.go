package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/campaign"
)

// Settings are the settings of [Run]; zero fields have defaults, except As.
type Settings struct {
	// As is the name of this runner in the record; As must not be empty. Run first makes the
	// measurements of tickets that are pending under the name As. Two runners must not use the same
	// name at the same time.
	As string
	// Jobs is the number of measurements in parallel; zero means 1.
	Jobs int
	// Limit is the largest number of measurements per call of Run; zero means no limit.
	Limit int
	// Failures is the number of consecutive failures at which Run gives up; zero means 10.
	Failures int
	// Columns are columns of the candidate table that the command may refer to in addition to the
	// columns used by the problem. Nil Columns are allowed; see ColumnsOf.
	Columns Columns
	// If no measurement is useful until other people report results, Run calls Wait with their
	// pending tickets. After Wait returns, Run waits for a report and continues; if Wait is nil,
	// Run ends instead.
	Wait func(pending []campaign.Ticket)
	// If Report is not nil, Run calls it with each finished measurement; calls are never
	// concurrent.
	Report func(Done)
}

// Done is a measurement that has finished, with or without a result.
type Done struct {
	Job
	Values []float64 // measured values; nil if the measurement failed
	Err    error     // reason why the measurement failed
}

// Summary describes a run that has ended.
type Summary struct {
	Made     int  `json:"made"`     // measurements that were reported
	Failed   int  `json:"failed"`   // the reported measurements that have no value
	Finished bool `json:"finished"` // the campaign has an answer that is not withdrawn
	// If Waiting is true, other people must report pending results before the run can continue.
	Waiting bool `json:"waiting"`
}

// ErrFailures reports too many consecutive failures of measurements.
var ErrFailures = errors.New("correct the command, and undo the recorded failures")

// Run requests, makes and reports measurements until the campaign has ended, the limit is reached,
// or ctx is cancelled. If Settings.Wait is nil, Run also ends when other people must report first.
// Run reports each result immediately. Measurements in progress when ctx is cancelled stay pending;
// the next Run under the same name repeats these measurements first. A measurement whose command
// fails is recorded as failed. If a printed value is outside the range that the problem allows, the
// run ends, and the ticket stays pending. If impossible values counted as failures, failures would
// depend on values, which would invalidate the guarantee.
func Run(ctx context.Context, c *campaign.Campaign, r *Command, set Settings) (Summary, error) {
	if set.As == "" {
		return Summary{}, errors.New("runner: As is empty; name the author of the results")
	}
	l := &loop{c: c, r: r, set: set, done: make(chan Done)}
	l.set.Jobs, l.set.Failures = max(set.Jobs, 1), cmp.Or(set.Failures, 10)
	pending, err := c.Tickets(campaign.Pending)
	if err != nil {
		return Summary{}, err
	}
	s, err := c.Status()
	if err != nil {
		return Summary{}, err
	}
	l.sum.Finished, l.id = s.Over(), s.ID
	if err := l.prepare(); err != nil {
		return Summary{}, err
	}
	for _, t := range pending {
		if t.Who == set.As {
			j, err := l.job(t)
			if err != nil {
				return Summary{}, err
			}
			l.queue = append(l.queue, j)
		}
	}
	return l.run(ctx)
}

// loop is the state of a call of Run.
type loop struct {
	c   *campaign.Campaign
	r   *Command
	set Settings

	id      string // id of the campaign
	columns Columns

	queue   []Job // measurements that wait for a free job
	running int
	begun   int
	done    chan Done
	inARow  int  // number of consecutive failures so far
	waited  bool // whether the loop has waited since the last measurement
	sum     Summary
}

func (l *loop) run(ctx context.Context) (Summary, error) {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	var failure error
	for {
		if failure == nil && within.Err() == nil {
			if failure = l.start(within); failure != nil {
				cancel()
			}
		}
		if l.running == 0 && failure == nil && within.Err() == nil && l.sum.Waiting && l.set.Wait != nil &&
			len(l.queue) == 0 {
			say := l.set.Wait
			if l.waited {
				say = func([]campaign.Ticket) {}
			}
			l.waited = true
			more, err := outlast(within, l.c, say)
			if failure = err; more {
				continue
			}
		}
		if l.running == 0 {
			break
		}
		d := <-l.done
		l.running--
		if within.Err() != nil && d.Err != nil {
			continue // the measurement was interrupted, so its ticket stays pending
		}
		if err := l.tell(d); err != nil && failure == nil {
			failure = err
			cancel()
		}
	}
	l.sum.Waiting = l.sum.Waiting && !l.sum.Finished // pending results may have ended the campaign
	if failure == nil && ctx.Err() != nil {
		failure = ctx.Err()
	}
	return l.sum, failure
}

// start starts measurements while fewer than Jobs are running.
func (l *loop) start(ctx context.Context) error {
	for l.running < l.set.Jobs && !l.sum.Finished {
		if l.set.Limit > 0 && l.begun >= l.set.Limit {
			return nil
		}
		if len(l.queue) == 0 {
			if err := l.ask(); err != nil {
				return err
			}
		}
		if len(l.queue) == 0 {
			return nil
		}
		j := l.queue[0]
		l.queue = l.queue[1:]
		l.running++
		l.begun++
		go func() {
			values, err := l.r.Measure(ctx, j)
			l.done <- Done{j, values, err}
		}()
	}
	return nil
}

// ask requests at most one measurement for each free job.
func (l *loop) ask() error {
	l.sum.Waiting = false
	room := l.set.Jobs - l.running
	if l.set.Limit > 0 {
		room = min(room, l.set.Limit-l.begun)
	}
	tickets, err := l.c.Ask(min(room, campaign.MostAsked), l.set.As)
	if err != nil {
		return err
	}
	if len(tickets) > 0 {
		// Candidates may have joined since the previous request.
		if err := l.prepare(); err != nil {
			return err
		}
	}
	for _, t := range tickets {
		j, err := l.job(t)
		if err != nil {
			return err
		}
		l.queue = append(l.queue, j)
	}
	if len(tickets) > 0 {
		l.waited = false
		return nil
	}
	s, err := l.c.Status()
	l.sum.Finished, l.sum.Waiting = s.Over(), s.Status == campaign.Running
	return err
}

// outlast passes the pending tickets, whose results other people must report, to the function say,
// and waits for the next event. outlast returns false if no tickets are pending.
func outlast(ctx context.Context, c *campaign.Campaign, say func([]campaign.Ticket)) (bool, error) {
	s, err := c.Status()
	if err != nil || s.Pending == 0 {
		return false, err
	}
	pending, err := c.Tickets(campaign.Pending)
	if err != nil {
		return false, err
	}
	say(pending)
	err = c.Watch(ctx, func(event int) bool { return event <= s.Event })
	return err == nil, err
}

// tell records the result of a measurement in the campaign.
func (l *loop) tell(d Done) error {
	x := campaign.Result{Ticket: d.Ticket, Arm: d.Arm, Values: d.Values, Failed: d.Err != nil}
	if d.Err != nil {
		x.Note = plaintext.Shown(short(d.Err.Error()))
	}
	receipt, err := l.c.Tell([]campaign.Result{x}, l.set.As)
	if err != nil {
		return fmt.Errorf("runner: ticket %d (%s): the campaign rejected the values %v: %w", d.Ticket,
			d.Arm, d.Values, err)
	}
	l.sum.Made++
	if receipt.Status == campaign.Finished {
		s, err := l.c.Status()
		if err != nil {
			return err
		}
		l.sum.Finished = s.Over()
	}
	if l.set.Report != nil {
		l.set.Report(d)
	}
	if d.Err == nil {
		l.inARow = 0
		return nil
	}
	l.sum.Failed++
	if l.inARow++; l.inARow >= l.set.Failures {
		return fmt.Errorf("runner: %d measurements in a row failed; %w; the last failure: %w", l.inARow,
			ErrFailures, d.Err)
	}
	return nil
}
