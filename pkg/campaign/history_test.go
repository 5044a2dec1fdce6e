package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// TestHistoryCounts: a line of the history names a single result, and counts several: how many, of
// which unsolicited.
func TestHistoryCounts(t *testing.T) {
	c := begin(t)
	for _, x := range []struct{ batch, rows, want string }{
		{"one", "A07,70,1\n", "A07: [70 1], 1 unsolicited"},
		{"two", "A07,70,1\nB02,60,2\n", "2 results, 2 unsolicited"},
	} {
		table := "candidate,yield,impurity\n" + x.rows
		if _, err := c.TellBatch(x.batch, "old.csv", []byte(table), "Ada"); err != nil {
			t.Fatal(err)
		}
		list, err := c.Events(0)
		if err != nil {
			t.Fatal(err)
		}
		if got := list[len(list)-1].Text; got != x.want {
			t.Errorf("%q; want %q", got, x.want)
		}
	}
}

// A line of the history says of each kind of event what was done: of one and of several, of what failed, of what nobody asked for, and
// of reference wells. The lines are in testdata.
func TestHistoryLines(t *testing.T) {
	p := referenced(t, "DMSO")
	p.Laboratory.Fill, p.Laboratory.ReferenceWells, p.Protocol = true, 1, problem.Frozen
	c := beginWith(t, p)
	if err := c.Join(problem.Candidate{Name: "D"}, "Ada"); err != nil {
		t.Fatal(err)
	}
	one := []float64{60, 2}
	ask(t, c, 1)
	ask(t, c, 8)
	ask(t, c, 2)
	ask(t, c, 1)
	for _, list := range [][]Result{
		{{Ticket: 2, Values: one}}, {{Ticket: 3, Failed: true}}, {{Ticket: 4, Values: one}, {Ticket: 5, Failed: true}},
		{{Ticket: 6, Failed: true}, {Ticket: 7, Failed: true}}, {{ID: "a", Arm: "é", Values: one}}, {{ID: "b", Arm: "é", Failed: true}},
		{{ID: "c", Arm: "é", Values: one}, {Ticket: 8, Values: one}, {ID: "d", Arm: "D", Failed: true}},
		{{Ticket: 9, Values: one}}, {{Ticket: 11, Failed: true}, {Ticket: 10, Values: one}},
	} {
		tell(t, c, list...)
	}
	for i, err := range []error{c.Sign("Grace", "", "Ada"), c.Sign("Grace", "reader", "Ada"), c.Drop("D", "sold out", "Ada"), c.DropWith("é", Consent{"cracked", "Grace"}, "Ada"),
		c.Undo(6, "a slip", "Ada"), c.UndoWith(9, Consent{"another slip", "Grace"}, "Ada")} {
		if err != nil {
			t.Fatal(i, err)
		}
	}
	all, err := c.Events(0)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, e := range all {
		if e.Seq != i+1 || e.Time().IsZero() {
			t.Errorf("line %d: %+v", i+1, e)
		}
		fmt.Fprintf(&out, "%s, undone by %d: %s: %s\n", e.Who, e.Undone, e.Kind, strings.ReplaceAll(e.Text, all[0].Hash, "HASH"))
	}
	golden.Check(t, "history.txt", out.String())
	// Those after an event are the rest of them, and none after the last one.
	for _, seq := range []int{-1, 0, 1, 7, len(all) - 1, len(all), len(all) + 1} {
		if list, err := c.Events(seq); err != nil || !slices.Equal(list, all[min(max(seq, 0), len(all)):]) {
			t.Errorf("after event %d: %v, %v", seq, list, err)
		}
	}
	if e := (&Event{At: "noon"}); !e.Time().IsZero() {
		t.Errorf("noon is %v", e.Time())
	}
}

// Whoever watches hears of each event once, and what ended it: the context, before or after, or the end of the campaign.
func TestWatchEnds(t *testing.T) {
	c := begin(t)
	ctx, cancel := context.WithCancel(context.Background())
	var seen []int
	err := c.Watch(ctx, func(event int) bool {
		if seen = append(seen, event); event < 3 {
			ask(t, c, 1)
		} else {
			cancel()
		}
		return true
	})
	if !errors.Is(err, context.Canceled) || !slices.Equal(seen, []int{1, 2, 3}) {
		t.Errorf("%v after events %v", err, seen)
	}
	late, end := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer end()
	if err := c.Watch(late, func(int) bool { return true }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("too late: %v", err)
	}
	began, done := make(chan bool), make(chan error)
	go func() {
		done <- c.Watch(context.Background(), func(int) bool { close(began); return true })
	}()
	<-began
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("closed, and nothing is said to have ended it")
	}
}
