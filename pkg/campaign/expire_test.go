package campaign

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// When the ticket of a killed worker has expired, and not before, the next caller receives a ticket for the same
// measurement. A late result of the expired ticket is rejected, but is accepted if it is reported with an id instead
// of the ticket.
func TestExpire(t *testing.T) {
	p := purities(problem.FindBest, "EGE-SH", 0)
	p.Laboratory.Expire, p.Laboratory.Measurements = "2h", 60
	c := beginWith(t, p)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.store.Now = func() time.Time { return clock }
	lost := ask(t, c, 1000) // the whole round
	if len(lost) < 2 {
		t.Fatalf("%d tickets", len(lost))
	}
	tell(t, c, Result{Ticket: 1, Values: []float64{2}})
	lost = lost[1:]
	clock = clock.Add(2 * time.Hour)
	if again, err := c.Ask(1000, "robot-2"); err != nil || len(again) > 0 {
		t.Fatalf("before they expire: %v, %v", again, err)
	}
	clock = clock.Add(time.Microsecond)
	again, err := c.Ask(1000, "robot-2")
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int{}, map[string]int{}
	for i := range lost {
		want[lost[i].Arm]++
	}
	for _, x := range again {
		got[x.Arm]++
	}
	for name, n := range want {
		if got[name] != n || len(got) != len(want) {
			t.Errorf("handed out again: %v; want %v", got, want)
			break
		}
	}
	if s := status(t, c); s.Failed != len(lost) || s.Pending != len(again) || s.Used != 1 {
		t.Errorf("%d failed, %d pending, %d used", s.Failed, s.Pending, s.Used)
	}
	late := Result{Ticket: lost[0].Ticket, Values: []float64{3}}
	var e InputErrors
	if _, err := c.Tell([]Result{late}, "robot-1"); !errors.Is(err, ErrConflict) || !errors.As(err, &e) || e[0].Field != "ticket" {
		t.Errorf("a late result: %v", err)
	}
	tell(t, c, Result{ID: "late", Arm: lost[0].Arm, Values: []float64{3}})
	verified(t, c)

	var file bytes.Buffer
	must(t, c.Export(&file))
	copied, err := Import(filepath.Join(t.TempDir(), "copy.campaign"), &file)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if a, b := status(t, c), status(t, copied); a.Hash != b.Hash || a.Failed != b.Failed || a.Pending != b.Pending {
		t.Errorf("imported: %+v; want %+v", b, a)
	}
	verified(t, copied)
}

// Reference tickets expire with their plate. After the end of the campaign no ticket expires, so verdicts and
// signatures remain valid.
func TestExpireReferences(t *testing.T) {
	p := referenced(t, "B02")
	p.Laboratory.Expire, p.Candidates.Join = "1m", true // with join, the default method does not wait for pending tickets
	c := beginWith(t, p)
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c.store.Now = func() time.Time { return clock }
	plate := ask(t, c, 8)
	clock = clock.Add(time.Hour)
	ask(t, c, 8) // these tickets stay pending
	for _, x := range plate {
		if is := c.now.ledger.tickets[x.Ticket-1].State; is != Failed {
			t.Errorf("ticket %d: %s", x.Ticket, is)
		}
	}
	verified(t, c)
	finish(t, c, 8, 1)
	end := status(t, c)
	clock = clock.Add(time.Hour)
	ask(t, c, 1)
	if s := status(t, c); end.Pending != 8 || end.Status != Finished || s.Event != end.Event {
		t.Errorf("%d pending, %s; after another hour %d events; want %d", end.Pending, end.Status, s.Event, end.Event)
	}
}
