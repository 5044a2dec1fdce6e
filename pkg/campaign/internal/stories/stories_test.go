package stories

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// listener is a test that notes what is wrong, and goes on.
type listener struct {
	testing.TB
	heard []string
}

func (l *listener) Helper() {}

func (l *listener) Errorf(format string, args ...any) {
	l.heard = append(l.heard, fmt.Sprintf(format, args...))
}

// told returns a story of plates with a reference that has something of all that is counted, and its status.
func told(t *testing.T) (*Teller, campaign.Status) {
	t.Helper()
	s := Begin(t, "plates", 3)
	for range 16 {
		s.Step()
	}
	s.sign(s.event())
	s.Ask(6, "")
	st, err := s.C.Status()
	if err != nil {
		t.Fatal(err)
	}
	return s, st
}

// A campaign that says something else of itself than the model is found out, whatever it is about.
func TestCompareFindsOut(t *testing.T) {
	s, st := told(t)
	measured := slices.IndexFunc(st.Arms, func(a campaign.ArmStatus) bool { return a.Used > 0 && !math.IsNaN(a.Low[1]) })
	if measured < 0 || len(st.Signatures) == 0 || st.Reference == nil {
		t.Fatalf("the story has too little of what is counted: %+v", st)
	}
	for what, change := range map[string]func(st *campaign.Status, a *campaign.ArmStatus){
		"":                          func(*campaign.Status, *campaign.ArmStatus) {},
		"asked":                     func(st *campaign.Status, _ *campaign.ArmStatus) { st.Asked++ },
		"plates":                    func(st *campaign.Status, _ *campaign.ArmStatus) { st.Plates-- },
		"pending":                   func(st *campaign.Status, _ *campaign.ArmStatus) { st.Pending++ },
		"spent":                     func(st *campaign.Status, _ *campaign.ArmStatus) { st.Spent += .01 },
		"used in all":               func(st *campaign.Status, _ *campaign.ArmStatus) { st.Used++ },
		"unused in all":             func(st *campaign.Status, _ *campaign.ArmStatus) { st.Unused++ },
		"failed in all":             func(st *campaign.Status, _ *campaign.ArmStatus) { st.Failed++ },
		"available":                 func(_ *campaign.Status, a *campaign.ArmStatus) { a.Available = !a.Available },
		"used, at another's cost":   func(st *campaign.Status, a *campaign.ArmStatus) { a.Used++; st.Used++ },
		"failed, at another's cost": func(st *campaign.Status, a *campaign.ArmStatus) { a.Failed++; st.Failed++ },
		"pending of one":            func(_ *campaign.Status, a *campaign.ArmStatus) { a.Pending-- },
		"estimate":                  func(_ *campaign.Status, a *campaign.ArmStatus) { a.Estimate[1] += 1e-3 },
		"no estimate":               func(_ *campaign.Status, a *campaign.ArmStatus) { a.Estimate[0] = math.NaN() },
		"low end":                   func(_ *campaign.Status, a *campaign.ArmStatus) { a.Low[1] = a.Estimate[1] + 1e-3 },
		"high end":                  func(_ *campaign.Status, a *campaign.ArmStatus) { a.High[1] = a.Estimate[1] - 1e-3 },
		"name":                      func(_ *campaign.Status, a *campaign.ArmStatus) { a.Arm = "nobody" },
		"one too few":               func(st *campaign.Status, _ *campaign.ArmStatus) { st.Arms = st.Arms[1:] },
		"reference told":            func(st *campaign.Status, _ *campaign.ArmStatus) { st.Reference.Told++ },
		"reference failed":          func(st *campaign.Status, _ *campaign.ArmStatus) { st.Reference.Failed++ },
		"reference pending":         func(st *campaign.Status, _ *campaign.ArmStatus) { st.Reference.Pending++ },
		"reference missing": func(st *campaign.Status, _ *campaign.ArmStatus) {
			st.Reference.Missing = append([]int{99}, st.Reference.Missing...)
		},
		"a signature less":  func(st *campaign.Status, _ *campaign.ArmStatus) { st.Signatures = st.Signatures[1:] },
		"stale":             func(st *campaign.Status, _ *campaign.ArmStatus) { st.Signatures[0].Stale = !st.Signatures[0].Stale },
		"another signature": func(st *campaign.Status, _ *campaign.ArmStatus) { st.Signatures[0].Event++ },
	} {
		said, err := s.C.Status()
		if err != nil {
			t.Fatal(err)
		}
		change(&said, &said.Arms[measured])
		l := &listener{TB: t}
		s.T = l
		s.compare(said)
		if s.T = t; (len(l.heard) > 0) != (what != "") {
			t.Errorf("%q: %q", what, l.heard)
		}
	}
	// So are tickets, and events that the model does not know.
	for what, change := range map[string]func(m *model){
		"a ticket less":    func(m *model) { m.events = slices.DeleteFunc(m.events, func(e event) bool { return e.kind == "ask" }) },
		"a report less":    func(m *model) { m.events = slices.DeleteFunc(m.events, func(e event) bool { return e.kind == "tell" }) },
		"a candidate more": func(m *model) { m.add(event{seq: 999, kind: "join", arm: "nobody"}) },
	} {
		was := slices.Clone(s.model.events)
		l := &listener{TB: t}
		change(&s.model)
		s.T = l
		s.compare(st)
		if s.T, s.model.events = t, was; len(l.heard) == 0 {
			t.Errorf("%s: nothing is said", what)
		}
	}
}

// A story of a seed is the same each time, and that of another seed is another one.
func TestStoriesAreTheSame(t *testing.T) {
	log := func(name string, seed uint64) string {
		var text strings.Builder
		s := Begin(t, name, seed)
		s.Log = func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
		for range 12 {
			s.Step()
		}
		return text.String()
	}
	for _, name := range []string{"counts"} {
		one := log(name, 1)
		if log(name, 1) != one || log(name, 2) == one || !strings.Contains(one, "ask ") || !strings.Contains(one, "tell ") {
			t.Errorf("%s: the story is another one each time, or always the same:\n%s", name, one)
		}
	}
	if len(Names) != len(problems) || !slices.IsSorted(Names) {
		t.Errorf("%d names of %d problems: %q", len(Names), len(problems), Names)
	}
}
