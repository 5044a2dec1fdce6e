package campaign

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

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
