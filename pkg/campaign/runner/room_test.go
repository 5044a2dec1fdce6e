package runner

import (
	"errors"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// As much is asked for as there is room, whatever is running and however many were begun: more would
// lie pending while others could measure it.
func TestRoom(t *testing.T) {
	for _, x := range []struct{ jobs, running, limit, begun, want int }{
		{3, 0, 0, 0, 3}, {3, 1, 0, 7, 2}, {3, 2, 0, 2, 1}, {1, 0, 0, 5, 1},
		{3, 0, 9, 0, 3}, {3, 1, 9, 2, 2}, {3, 0, 4, 3, 1}, {3, 1, 4, 2, 2}, {2, 0, 4, 3, 1}, {9, 0, 2, 0, 2},
	} {
		c := begun(t)
		l := &loop{c: c, r: script(t, times), set: Settings{As: "node7", Jobs: x.jobs, Limit: x.limit},
			running: x.running, begun: x.begun}
		if err := l.prepare(); err != nil {
			t.Fatal(err)
		}
		if err := l.ask(); err != nil || len(l.queue) != x.want {
			t.Errorf("%+v: %d in the queue, %v", x, len(l.queue), err)
		}
		if pending, err := c.Tickets(campaign.Pending); err != nil || len(pending) != x.want {
			t.Errorf("%+v: %d pending, %v", x, len(pending), err)
		}
	}
}

// More jobs than can be asked for at once are no mistake, and ten failures in a row end a run.
func TestDefaults(t *testing.T) {
	l := &loop{c: begun(t), r: script(t, times), set: Settings{As: "node7", Jobs: campaign.MostAsked + 1}}
	if err := l.prepare(); err != nil {
		t.Fatal(err)
	}
	if err := l.ask(); err != nil || len(l.queue) == 0 || len(l.queue) > campaign.MostAsked {
		t.Errorf("many jobs: %d are asked for, %v", len(l.queue), err)
	}
	r := script(t, "exit 1")
	r.Retries = -1
	sum, err := Run(t.Context(), begun(t), r, Settings{As: "node7"})
	if !errors.Is(err, ErrFailures) || sum.Failed != 10 || sum.Made != 10 {
		t.Errorf("a command that always fails: %+v, %v", sum, err)
	}
}
