package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// frozen creates a campaign with a frozen protocol.
func frozen(t *testing.T) *Campaign {
	t.Helper()
	p := coupling(t)
	p.Protocol, p.Candidates.Join = problem.Frozen, true
	return beginWith(t, p)
}

// The first result seals the protocol: an event records the hash of the problem and the method. The seal is unique
// and cannot be undone.
func TestSeal(t *testing.T) {
	c := frozen(t)
	if s := status(t, c); s.Protocol != problem.Frozen || s.Sealed != 0 {
		t.Errorf("before the first result: %+v", s)
	}
	for i := range 2 {
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: "A07", Values: []float64{80, 2}})
	}
	if s := status(t, c); s.Sealed != 3 || s.Event != 4 {
		t.Errorf("sealed by event %d of %d", s.Sealed, s.Event)
	}
	list, err := c.Events(0)
	if err != nil {
		t.Fatal(err)
	}
	want := "the protocol is sealed, with problem hash " + list[0].Hash + " and method e-cAPE"
	if list[2].Text != want || list[2].Kind != KindSeal {
		t.Errorf("%q; want %q", list[2].Text, want)
	}
	var record bytes.Buffer
	if err := c.Export(&record); err != nil || !strings.Contains(record.String(), fmt.Sprintf(`"method":"e-cAPE","settings":%q}`, fmt.Sprint(c.now.run.policy))) {
		t.Errorf("%v: the method is not on record:\n%s", err, &record)
	}
	if err := c.UndoWith(3, Consent{"why", "Grace"}, "Ada"); !errors.Is(err, ErrConflict) ||
		!strings.Contains(err.Error(), "event 3 seals the protocol") {
		t.Error(err)
	}
	if _, err := forged(t, c, list[0].Hash, strings.Repeat("0", len(list[0].Hash))); !errors.Is(err, ErrDamaged) ||
		!strings.Contains(err.Error(), "event 3: problem: the hash is not the hash of event 1") {
		t.Errorf("a seal of another problem: %v", err)
	}
	for name, err := range map[string]error{"undo": c.Undo(2, " ", "Ada"), "drop": c.Drop("A07", "", "Ada"),
		"join":   c.Join(problem.Candidate{Name: "D"}, "Ada"),
		"agreed": c.UndoWith(2, Consent{By: "Grace"}, "Ada")} {
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "give a reason for the change") {
			t.Errorf("%s without a reason: %v", name, err)
		}
	}
	if err := c.Undo(2, "a slip", "Ada"); err != nil { // before the end, a change needs no second person
		t.Fatal(err)
	}
	if s := status(t, c); s.Sealed != 3 || s.Amendments != nil {
		t.Errorf("%+v", s)
	}
	p := coupling(t)
	p.Candidates.Join = true
	if err := c.Check(p); !errors.Is(err, ErrOther) || err.Error() != "campaign: "+c.Path()+": "+ErrOther.Error()+
		"; the file differs in protocol" {
		t.Error(err)
	}
	if c := begin(t); status(t, c).Sealed != 0 || status(t, c).Protocol != "" {
		t.Error("sealed although the protocol is not frozen")
	}
}

// After the end, each change needs a reason and a second, different person. Status and history name the second
// person and say that the campaign was reopened. The record verifies and can be imported.
func TestFrozen(t *testing.T) {
	c := frozen(t)
	finish(t, c, 8, 1)
	end := status(t, c)
	join := func(a Consent) error { return c.JoinWith(problem.Candidate{Name: "D"}, a, "Ada") }
	for _, a := range []Consent{{}, {Why: "new"}, {By: "Grace"}, {" ", "Grace"}} {
		for name, err := range map[string]error{"join": join(a), "drop": c.DropWith("é", a, "Ada"),
			"undo": c.UndoWith(2, a, "Ada")} {
			if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), fmt.Sprintf(
				"event %d ended the campaign; give a reason for the change (--why), and the name of a second person", end.Ended)) {
				t.Errorf("%s %+v: %v", name, a, err)
			}
		}
	}
	for _, by := range []string{"Ada", " ada", "a\nb"} {
		if err := join(Consent{"new", by}); !errors.Is(err, ErrInput) {
			t.Errorf("%q: %v", by, err)
		}
	}
	if s := status(t, c); s.Event != end.Event {
		t.Fatalf("%d events; want %d", s.Event, end.Event)
	}
	must(t, join(Consent{" new ", " Grace "}))
	s := status(t, c)
	want := fmt.Sprintf("D joined: new (agreed by Grace), after event %d ended the campaign", end.Ended)
	if len(s.Amendments) != 1 || s.Amendments[0].Text != want || s.Amendments[0].By != "Grace" ||
		s.Amendments[0].Who != "Ada" || s.Amendments[0].At == "" || s.Amendments[0].Event != s.Event || !strings.Contains(s.Amendments[0].String(), "Changed after the end, by Ada") {
		t.Errorf("%+v; want %q", s.Amendments, want)
	}
	if !strings.HasPrefix(s.Headline, fmt.Sprintf("Event %d reopened the campaign after its end. Running", s.Event)) {
		t.Error(s.Headline)
	}
	// In a reopened campaign, a change still needs a reason and a second person.
	if err := c.Drop("D", "gone", "Ada"); !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
	must(t, c.UndoWith(s.Event, Consent{"in error", "Grace"}, "Ada"))
	if s := status(t, c); s.Status != Finished || len(s.Amendments) != 2 || !strings.HasPrefix(s.Headline, "Finished") {
		t.Errorf("%s: %+v", s.Headline, s.Amendments)
	}
	if err := c.Drop("é", "gone", "Ada"); !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
	var record bytes.Buffer
	must(t, c.Export(&record))
	again, err := Import(c.Path()+".copy", &record)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if is := status(t, again); is.Hash != status(t, c).Hash || len(is.Amendments) != 2 || is.Sealed == 0 {
		t.Errorf("%+v", is)
	}
	verified(t, c)
}

// Changes without a second person are recorded in the format of older versions. Older programs can read these
// changes, and this program can read changes in records of older programs.
func TestChangesAsBefore(t *testing.T) {
	for want, body := range map[string]any{
		`{"arm":"a","why":"gone"}`:   &dropBody{"a", consent{Why: "gone"}},
		`{"candidate":{"name":"d"}}`: &joinBody{Candidate: problem.Candidate{Name: "d"}},
		`{"event":3,"why":"a slip"}`: &undoBody{3, consent{Why: "a slip"}},
	} {
		text, err := json.Marshal(body)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
		if err := strict([]byte(want), body); err != nil {
			t.Error(err)
		}
	}
}
