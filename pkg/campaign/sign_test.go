package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A signature contains the name, the role, the person who entered the signature, and the last event seen. The status,
// the history and a restored record contain the signature, and the file passes Verify.
func TestSign(t *testing.T) {
	c := begin(t)
	tell(t, c, Result{ID: "1", Arm: "A07", Values: []float64{80, 2}})
	before := status(t, c)
	must(t, c.Sign(" Grace ", "statistician", "Ada"))
	s := status(t, c)
	if len(s.Signatures) != 1 {
		t.Fatalf("%+v", s.Signatures)
	}
	got := s.Signatures[0]
	want := Signature{Event: 3, At: got.At, Name: "Grace", Role: "statistician", Who: "Ada",
		Saw: before.Headline, Seen: 2, Hash: before.Hash}
	if got != want || got.Time().IsZero() || s.Headline != before.Headline {
		t.Errorf("%+v; want %+v", got, want)
	}
	list, err := c.Events(2)
	if err != nil || list[0].Text != "Grace, statistician signed: "+before.Headline {
		t.Errorf("%+v, %v", list, err)
	}
	var record bytes.Buffer
	must(t, c.Export(&record))
	again, err := Import(c.Path()+".copy", &record)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if is := status(t, again); len(is.Signatures) != 1 || is.Signatures[0] != got {
		t.Errorf("%+v", is.Signatures)
	}
	verified(t, c)
}

// Results, joining and leaving candidates, and undos make signatures stale; requests and other signatures do not.
func TestSignatureStale(t *testing.T) {
	c := begin(t)
	stale := func(when string, want bool) {
		t.Helper()
		s := status(t, c).Signatures
		if last := s[len(s)-1]; last.Stale != want || strings.Contains(last.String(), "stale") != want {
			t.Errorf("after %s: %+v", when, last)
		}
	}
	sign := func(name string) {
		t.Helper()
		must(t, c.Sign(name, "", "Ada"))
		stale("signing", false)
	}
	sign("Grace") // event 2
	ask(t, c, 1)
	stale("an ask", false)
	sign("Mary") // event 4
	must(t, c.Undo(4, "she was asked in error", "Ada"))
	if s := status(t, c).Signatures; len(s) != 1 || s[0].Stale {
		t.Errorf("a signature that was undone: %+v", s)
	}
	for name, change := range map[string]func() error{
		"a result": func() error {
			_, err := c.Tell([]Result{{ID: "1", Arm: "A07", Values: []float64{80, 2}}}, "Ada")
			return err
		},
		"a newcomer": func() error { return c.Join(problem.Candidate{Name: "D"}, "Ada") },
		"a drop":     func() error { return c.Drop("é", "gone", "Ada") },
		"an undo":    func() error { return c.Undo(3, "", "Ada") },
	} {
		if s := status(t, c).Signatures; s[len(s)-1].Stale {
			sign("Grace")
		}
		if err := change(); err != nil {
			t.Fatal(name, err)
		}
		stale(name, true)
	}
	sign("Grace")
}

func TestSignErrors(t *testing.T) {
	c := begin(t)
	for _, x := range [][3]string{{"", "", "Ada"}, {"Grace", "a\nb", "Ada"}, {"Grace", "", ""}} {
		if err := c.Sign(x[0], x[1], x[2]); !errors.Is(err, ErrInput) {
			t.Errorf("%q: %v", x, err)
		}
	}
	must(t, c.Sign("Grace", "", "Ada"))
	if err := c.Sign("Grace", "", "Ada"); !errors.Is(err, ErrConflict) ||
		!strings.Contains(err.Error(), "signed this record already, by event 2") {
		t.Error(err)
	}
	if err := c.Sign("Grace", "physician", "Ada"); err != nil { // another role
		t.Error(err)
	}
	// Names are case-sensitive. SignSeen rejects an unknown event, and an event that is not the last one.
	for seen, want := range map[int]error{4: ErrInput, 2: ErrConflict, 1: ErrConflict} {
		if err := c.SignSeen(seen, "Mary", "", "Ada"); !errors.Is(err, want) || seen == 4 && err.Error() != "event: unknown event 4; the record has events 1 to 3" ||
			seen < 3 && !strings.Contains(err.Error(), fmt.Sprintf("event 3 was added after event %d, the last event that you saw", seen)) {
			t.Errorf("event %d is seen: %v", seen, err)
		}
	}
	if err := c.SignSeen(3, "grace", "", "Ada"); err != nil {
		t.Error(err)
	}
	if n := status(t, c).Event; n != 4 {
		t.Errorf("%d events", n)
	}
}
