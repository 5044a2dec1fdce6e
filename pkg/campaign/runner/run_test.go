package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

const flags = `
title = "Compiler flags"
[question]
find = "best"
delta = 0.05
[candidates]
names = ["O1", "O2", "O3"]
[[objective]]
name = "time"
unit = "s"
goal = "minimise"
values = [0, 100]
noise = { sd = 0.2 }
[laboratory]
plate = 3
`

// begun creates the campaign of the compiler flags.
func begun(t *testing.T) *campaign.Campaign {
	t.Helper()
	return begunWith(t, flags)
}

func begunWith(t *testing.T, text string) *campaign.Campaign {
	t.Helper()
	p, err := problem.Parse("flags.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "flags.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// times prints a time that depends on the candidate and, slightly, on the ticket.
const times = `case $1 in O1) t=9;; O2) t=7;; O3) t=5;; esac; echo "time=$t.$((PUREXP_TICKET % 3))"`

func TestRun(t *testing.T) {
	c := begun(t)
	r := script(t, times)
	var mu sync.Mutex
	told := 0
	sum, err := Run(t.Context(), c, r, Settings{As: "node7", Jobs: 3, Report: func(d Done) {
		mu.Lock()
		defer mu.Unlock()
		told++
		if d.Err != nil || len(d.Values) != 1 {
			t.Errorf("%+v", d)
		}
	}})
	if err != nil || !sum.Finished || sum.Waiting || sum.Failed != 0 || sum.Made != told {
		t.Errorf("%+v, %v; %d were reported", sum, err, told)
	}
	arms, final, err := c.Answer()
	if err != nil || !final || len(arms) != 1 || arms[0] != "O3" {
		t.Errorf("the answer is %v (%v), %v", arms, final, err)
	}
	// No measurements are left.
	if sum, err := Run(t.Context(), c, r, Settings{As: "node7"}); err != nil || !sum.Finished || sum.Made != 0 {
		t.Errorf("again: %+v, %v", sum, err)
	}
}

// TestResume: the next run of the same name first makes the measurements of an interrupted run; other runs do not.
func TestResume(t *testing.T) {
	c := begun(t)
	slow := script(t, `[ -f go ] || sleep 60; `+times)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() {
		_, err := Run(ctx, c, slow, Settings{As: "node7", Jobs: 2})
		stopped <- err
	}()
	for {
		pending, err := c.Tickets(campaign.Pending)
		if err != nil {
			t.Fatal(err)
		}
		if len(pending) == 2 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	pending, err := c.Tickets(campaign.Pending)
	if err != nil || len(pending) != 2 {
		t.Fatalf("%v pending, %v; want 2, none of them failed", pending, err)
	}
	if err := os.WriteFile(filepath.Join(slow.Dir, "go"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var order []int
	note := func(d Done) { order = append(order, d.Ticket) }
	set := Settings{As: "other", Limit: 1, Report: note}
	if _, err := Run(t.Context(), c, slow, set); err != nil {
		t.Fatal(err)
	}
	if len(order) != 1 || order[0] != 3 {
		t.Errorf("another runner measured tickets %v; want 3", order)
	}
	order = nil
	sum, err := Run(t.Context(), c, slow, Settings{As: "node7", Limit: 2, Report: note})
	if err != nil || sum.Made != 2 || order[0] != 1 || order[1] != 2 {
		t.Errorf("resumed: %+v, %v, tickets %v; want 1 and 2", sum, err, order)
	}
}

// TestRunFailures: failures are recorded with their reason, and several failures in a row end the run.
func TestRunFailures(t *testing.T) {
	c := begun(t)
	r := script(t, `echo "out of paper" >&2; exit 1`)
	r.Retries = -1
	sum, err := Run(t.Context(), c, r, Settings{As: "node7", Failures: 4})
	if !errors.Is(err, ErrFailures) || sum.Made != 4 || sum.Failed != 4 || !strings.HasPrefix(err.Error(), "runner: 4 measurements in a row failed; ") ||
		!strings.Contains(err.Error(), `undo the recorded failures; the last failure: runner: ticket 4 (`) || !strings.HasSuffix(err.Error(), `its standard error ends with "out of paper"`) {
		t.Errorf("%+v, %v", sum, err)
	}
	var record strings.Builder
	if err := c.Export(&record); err != nil || strings.Count(record.String(), `"note":"runner: ticket `) != 4 || strings.Count(record.String(), "attempt 1") != 4 {
		t.Errorf("the record lacks reasons, %v:\n%s", err, &record)
	}
	s, err := c.Status()
	if err != nil || s.Failed != 4 || s.Used != 0 {
		t.Errorf("%d failed, %d used, %v", s.Failed, s.Used, err)
	}
}

// TestExcluded: a value outside the allowed values ends the run. Its ticket stays pending and does not fail,
// because failures must not depend on values.
func TestExcluded(t *testing.T) {
	c := begun(t)
	sum, err := Run(t.Context(), c, script(t, `echo 250`), Settings{As: "node7"})
	if !errors.Is(err, campaign.ErrInput) || !strings.HasPrefix(err.Error(), "runner: ticket 1 (O1): "+
		"the campaign rejected the values [250]: ") || sum.Made != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
	if pending, err := c.Tickets(campaign.Pending); err != nil || len(pending) != 1 {
		t.Errorf("%v, %v; want the ticket pending", pending, err)
	}
}

func TestRunName(t *testing.T) {
	if _, err := Run(t.Context(), begun(t), &Command{}, Settings{}); err == nil {
		t.Error("a runner without a name is accepted")
	}
}

// TestLimit: a run requests no more measurements than its limit, even if more jobs are free, so no ticket stays
// pending.
func TestLimit(t *testing.T) {
	rounds := strings.Replace(late, "confirm = false", `name = "XY-static"`, 1) // between rounds, all jobs are free
	for limit, text := range map[int]string{1: flags, 2: flags, 4: flags, 5: rounds} {
		c, r := begunWith(t, text), script(t, map[bool]string{true: times, false: values}[text == flags])
		sum, err := Run(t.Context(), c, r, Settings{As: "node7", Jobs: 3, Limit: limit})
		if err != nil || sum.Made != limit {
			t.Errorf("limit %d: %+v, %v", limit, sum, err)
		}
		if pending, err := c.Tickets(campaign.Pending); err != nil || len(pending) > 0 {
			t.Errorf("limit %d: %d are left pending, %v", limit, len(pending), err)
		}
	}
}

// late is a campaign in which node8 has the first ticket and may report last.
const late = `
question = { find = "best", delta = 0.05 }
candidates = { names = ["a", "b", "c"] }
method = { confirm = false }
[[objective]]
name = "y"
noise = { sd = 1 }
`

const values = `case $1 in a) y=9;; b) y=5;; *) y=1;; esac; echo "$y.$((PUREXP_TICKET % 5))"`

// If the next requests depend on measurements of other people, a run that waits continues after their report, and
// ends with the answer. A run that does not wait ends immediately.
func TestRunWaits(t *testing.T) {
	c := begunWith(t, late)
	tickets, err := c.Ask(1, "node8")
	if err != nil {
		t.Fatal(err)
	}
	r := script(t, values)
	if sum, err := Run(t.Context(), c, r, Settings{As: "node7"}); err != nil || sum.Finished || !sum.Waiting {
		t.Fatalf("%+v, %v; want one that waits", sum, err)
	}
	said := 0
	wait := func(pending []campaign.Ticket) {
		said++
		if len(pending) != 1 || pending[0].Ticket != tickets[0].Ticket || pending[0].Who != "node8" {
			t.Errorf("waiting for %+v; want %+v", pending, tickets)
		}
		if _, err := c.Tell([]campaign.Result{{Ticket: tickets[0].Ticket, Values: []float64{9.1}}}, "node8"); err != nil {
			t.Error(err)
		}
	}
	if sum, err := Run(t.Context(), c, r, Settings{As: "node7", Wait: wait}); err != nil || !sum.Finished ||
		sum.Waiting || said != 1 {
		t.Errorf("%+v, %v, said %d times; want an answer", sum, err, said)
	}
	// A run by files also waits, or ends immediately if it does not wait.
	c = begunWith(t, late)
	if tickets, err = c.Ask(1, "node8"); err != nil {
		t.Fatal(err)
	}
	if sum, err := Run(t.Context(), c, r, Settings{As: "node7"}); err != nil || !sum.Waiting {
		t.Fatalf("%+v, %v; want one that waits", sum, err)
	}
	f := Files{Folder: t.TempDir(), Size: 3, As: "node7"}
	if sum, err := f.Run(t.Context(), c); err != nil || sum.Finished || !sum.Waiting {
		t.Errorf("by files: %+v, %v; want one that waits", sum, err)
	}
	said, f.Wait = 0, wait
	if sum, err := f.Run(t.Context(), c); err != nil || !sum.Finished || sum.Waiting || said != 1 {
		t.Errorf("by files: %+v, %v, said %d times; want an answer", sum, err, said)
	}
}

// If the results contradict the declarations, the run ends without reporting an answer.
func TestRunWithdrawn(t *testing.T) {
	c := begunWith(t, strings.Replace(late, `"a", "b", "c"`, `"a", "b"`, 1))
	r := script(t, `[ $1 = b ] && echo 0 || echo $((90 - PUREXP_TICKET % 2 * 81))`)
	for range 2 {
		sum, err := Run(t.Context(), c, r, Settings{As: "node7", Limit: 200})
		s, e := c.Status()
		if err != nil || e != nil || s.Status != campaign.Finished || s.Over() || sum.Finished || sum.Waiting {
			t.Fatalf("%+v, %v; %s, %s", sum, err, s.Status, s.Headline)
		}
	}
	f := Files{Folder: t.TempDir(), Size: 3, As: "node7"}
	if sum, err := f.Run(t.Context(), c); err != nil || sum != (Summary{}) {
		t.Errorf("by files: %+v, %v", sum, err)
	}
}

// An interrupt ends the wait.
func TestRunWaitsInterrupted(t *testing.T) {
	for _, name := range []string{"commands", "files"} {
		c := begunWith(t, late)
		if _, err := c.Ask(1, "node8"); err != nil {
			t.Fatal(err)
		}
		r := script(t, values)
		if _, err := Run(t.Context(), c, r, Settings{As: "node7"}); err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		wait := func([]campaign.Ticket) { interrupt() }
		var err error
		if name == "files" {
			_, err = (&Files{Folder: t.TempDir(), As: "node7", Size: 3, Wait: wait}).Run(ctx, c)
		} else {
			_, err = Run(ctx, c, r, Settings{As: "node7", Wait: wait})
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run reports a measured value even if the run was interrupted in the meantime.
func TestMeasuredIsTold(t *testing.T) {
	c := begun(t)
	ctx, cancel := context.WithCancel(t.Context())
	r := script(t, times+"; echo $$ > done$PUREXP_TICKET")
	ended := func() bool { // reports whether both commands have ended and Run has waited for them
		files, err := filepath.Glob(filepath.Join(r.Dir, "done*"))
		for _, file := range files {
			text, _ := os.ReadFile(file)
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				return false // the file is still incomplete
			}
			if p, err := os.FindProcess(pid); err == nil && p.Signal(syscall.Signal(0)) == nil {
				return false
			}
		}
		return err == nil && len(files) == 2
	}
	sum, err := Run(ctx, c, r, Settings{As: "node7", Jobs: 2, Limit: 2, Report: func(Done) {
		for !ended() {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond) // time for the run to read the output
		cancel()
	}})
	if !errors.Is(err, context.Canceled) || sum.Made != 2 {
		t.Errorf("%+v, %v; want both measurements told", sum, err)
	}
}
