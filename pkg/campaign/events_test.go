package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// If one result contradicts the record or is impossible, Tell rejects the whole list; the error states the kind of
// error and the invalid field. A repeated report is recorded once.
func TestTell(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	ask(t, c, 1)
	first := Result{Ticket: 1, Values: []float64{70, 1}}
	tell(t, c, first)
	if r := tell(t, c, first, Result{Ticket: 2, Failed: true}); r.Repeated != 1 || r.Failed != 1 {
		t.Errorf("told twice: %+v", r)
	}
	for _, x := range []struct {
		r     Result
		kind  error
		field string
	}{
		{Result{Ticket: 1, Values: []float64{71, 1}}, ErrConflict, "ticket"},
		{Result{Ticket: 3, Plate: 1, Values: []float64{70, 1}}, ErrConflict, "plate"},
		{Result{Ticket: 3, Arm: "é", Values: []float64{70, 1}}, ErrConflict, "arm"},
		{Result{Ticket: 9, Values: []float64{70, 1}}, ErrInput, "ticket"},
		{Result{Ticket: 3, Values: []float64{-70, 1}}, ErrInput, "yield"},
		{Result{Ticket: 3, Values: []float64{70}}, ErrInput, "values"},
		{Result{Arm: "A07", Values: []float64{70, 1}}, ErrInput, "id"},
		{Result{ID: "p1", Arm: "Z", Values: []float64{70, 1}}, ErrInput, "arm"},
		{Result{Ticket: 3, Values: []float64{70, 1}, Failed: true}, ErrInput, "failed"},
	} {
		_, err := c.Tell([]Result{{Ticket: 3, Values: []float64{70, 1}}, x.r}, "Ada")
		var e InputErrors
		if !errors.Is(err, x.kind) || !errors.As(err, &e) || e[len(e)-1].Field != x.field || e[len(e)-1].Row != 2 {
			t.Errorf("%+v: %v; want %v of %s", x.r, err, x.kind, x.field)
		}
	}
	if s := status(t, c); s.Used != 1 || s.Pending != 1 {
		t.Errorf("after results that were refused: %+v", s)
	}
	// The composed and the decomposed form of é are the same letter.
	tell(t, c, Result{ID: "p1", Arm: "e\u0301", Values: []float64{50, 3}})
	if r := tell(t, c, Result{ID: "p1", Arm: "\u00e9", Values: []float64{50, 3}}); r.Repeated != 1 {
		t.Errorf("an extra result told twice: %+v", r)
	}
	verified(t, c)
}

// If a report was undone and then repeated, the undo cannot be undone, because the result would then be recorded
// twice. The test covers results with tickets, results with ids, and results of reference wells. The rejected change
// leaves no trace.
func TestBroughtBackTwice(t *testing.T) {
	for i, r := range []Result{{Ticket: 1, Values: []float64{60, 1}}, {ID: "p. 1", Arm: "é", Values: []float64{60, 1}}, {Ticket: 8, Values: []float64{60, 1}}, {Ticket: 2, Failed: true}} {
		p := referenced(t, "B02")
		p.Method.Name = "e-cAPE"
		c := beginWith(t, p)
		ask(t, c, 8)
		tell(t, c, r)
		must(t, c.Undo(3, "a slip", "Ada"))
		if again := tell(t, c, r); again.Repeated != 0 || again.Event != 5 {
			t.Errorf("told anew: %+v", again)
		}
		was := status(t, c)
		if err := c.Undo(4, "no slip", "Ada"); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "event 4 cannot be undone, because later events depend on it") {
			t.Errorf("%+v is told twice: %v", r, err)
		}
		if is := status(t, c); is.Hash != was.Hash || is.Used+is.Reference.Told+is.Failed != 1 || is.Used != map[int]int{0: 1, 1: 1}[i] {
			t.Errorf("%+v: %+v", r, is)
		}
		verified(t, c)
	}
}

// A repeated key returns the same tickets, including reference wells, even after reopening. After the request is
// undone, the key requests a new plate.
func TestAskOnce(t *testing.T) {
	c := beginWith(t, referenced(t, "DMSO"))
	once := func(c *Campaign, key string, n int) []Ticket {
		t.Helper()
		list, err := c.AskOnce(key, n, "Ada")
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	a := once(c, "k", 8)
	tell(t, c, Result{Ticket: 2, Failed: true})
	a[1].State = Failed
	again, err := Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, c := range []*Campaign{c, again} {
		if b := once(c, "k", 5); len(a) != 8 || !reflect.DeepEqual(a, b) {
			t.Errorf("%v, then %v", a, b)
		}
	}
	for i, x := range a {
		if x.Who != "Ada" || x.At != a[0].At || x.At == "" || x.Event != 2 || x.Plate != 1 || x.Ticket != i+1 || x.Reference != (i >= 6) {
			t.Errorf("ticket %d: %+v", i+1, x)
		}
	}
	if other := once(c, "", 1); other[0].Ticket != 9 || other[0].Event != 4 || other[0].Plate != 2 {
		t.Errorf("another ask: %+v", other)
	}
	if other := once(c, "", 1); other[0].Ticket != 10 {
		t.Errorf("ask without a key returned an earlier ticket: %+v", other)
	}
	for _, event := range []int{3, 2} {
		must(t, c.Undo(event, "spilled", "Ada"))
	}
	b := once(c, "k", 8)
	if len(b) != 8 || b[0].Ticket != 11 || b[0].Plate != 4 || b[0].State != Pending {
		t.Errorf("after it was undone: %+v", b)
	}
	if two := once(c, "k", 8); !reflect.DeepEqual(b, two) {
		t.Errorf("%v, then %v", b, two)
	}
	if list, err := c.Tickets(Withdrawn, Failed); err != nil || len(list) != 8 || list[7].State != Withdrawn {
		t.Errorf("the tickets of undone events are %+v, %v", list, err)
	}
	verified(t, c)
}

// Odd checks results as Tell does but records nothing: it returns the same errors, and ignores reference wells.
func TestOddIsTell(t *testing.T) {
	c := beginWith(t, referenced(t, "B02"))
	ask(t, c, 8)
	for i := range 6 {
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: "B02", Values: []float64{60, 1}})
	}
	event := status(t, c).Event
	for _, x := range []struct {
		list []Result
		odd  int
	}{
		{nil, 0}, {[]Result{{Ticket: 8, Values: []float64{6, 1}}}, 0}, {[]Result{{ID: "x", Arm: "B02", Values: []float64{6, 1}}}, 1},
		{[]Result{{ID: "0", Arm: "B02", Values: []float64{60, 1}}}, 0}, {[]Result{{ID: "0", Arm: "B02", Values: []float64{6, 1}}}, -1},
		{[]Result{{Ticket: 9, Values: []float64{6, 1}}}, -1},
	} {
		odd, err := c.Odd(x.list)
		if (err != nil) != (x.odd < 0) || len(odd) != max(0, x.odd) {
			t.Errorf("%+v: %q, %v; want %d", x.list, odd, err, x.odd)
		}
		if x.odd < 0 {
			if _, again := c.Tell(x.list, "Ada"); again == nil || again.Error() != err.Error() {
				t.Errorf("%+v: %v; told: %v", x.list, err, again)
			}
		}
	}
	if s := status(t, c); s.Event != event {
		t.Errorf("%d events; want %d", s.Event, event)
	}
}

// A value that no method accepts is rejected when it is reported, and the campaign continues.
func TestTellExtreme(t *testing.T) {
	c := beginWith(t, purities(problem.FindBest, "", 0))
	ticket := ask(t, c, 1)[0].Ticket
	_, err := c.Tell([]Result{{Ticket: ticket, Values: []float64{2e6}}}, "Ada")
	var e InputErrors
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "times the noise") {
		t.Errorf("error %v", err)
	}
	if s := status(t, c); s.Status != Running {
		t.Errorf("%s: %q", s.Status, s.Warnings)
	}
	tell(t, c, Result{Ticket: ticket, Values: []float64{2}})
	if s := status(t, c); s.Used != 1 {
		t.Errorf("%d used", s.Used)
	}
}

// Watch reports each event once. The returned error states why Watch ended: the context was cancelled or had expired,
// or the campaign was closed.
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
	must(t, c.Close())
	if err := <-done; err == nil {
		t.Error("Watch returned no error after Close")
	}
}

// Unknown fields mean that a later version wrote the record; the error is ErrNewer, not ErrDamaged.
func TestNewerFields(t *testing.T) {
	text := bytes.Replace(coupling(t).Encode(), []byte("{"), []byte(`{"mood":"good",`), 1)
	body := problemBody{ID: "x", Program: program(), Problem: text}
	_, err := create(t.TempDir()+"/x", coupling(t), func(tx *events.Tx) error {
		_, err := tx.Append("Ada", KindProblem, body)
		return err
	})
	if !errors.Is(err, ErrNewer) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v; want that a later version wrote it", err)
	}
}

type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left -= len(p); z.left < 0 {
		return 0, errors.New("read to the end")
	}
	clear(p)
	return len(p), nil
}

// An endless input that is not an export is rejected after its first bytes.
func TestEndlessImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.campaign")
	if _, err := Import(path, &zeros{1 << 20}); !errors.Is(err, ErrForeign) {
		t.Errorf("%v; want ErrForeign", err)
	}
}

// Create rejects too many candidates and leaves no file; if the file exists, Create reports fs.ErrExist.
func TestCreateServable(t *testing.T) {
	p := purities(problem.FindBest, "", 0)
	p.Objectives[0].Noise = problem.Noise{Range: []float64{0, 1}}
	for i := range 2998 {
		p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint(i))
	}
	path := filepath.Join(t.TempDir(), "x.campaign")
	_, err := Create(path, p, "Ada")
	var e problem.Errors
	if _, there := os.Stat(path); !errors.As(err, &e) || e[0].Field != "candidates" || !errors.Is(there, fs.ErrNotExist) {
		t.Errorf("%v; file: %v", err, there)
	}
	if _, err := Create(begin(t).Path(), p, "Ada"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a campaign: %v", err)
	}
}
