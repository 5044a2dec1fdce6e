package campaign

import (
	"errors"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Names that look like other names, and text that controls a terminal, are rejected everywhere.
func TestPlainText(t *testing.T) {
	c := begin(t)
	arm := ask(t, c, 1)[0].Arm
	if _, err := c.Ask(1, "Ada"); err != nil {
		t.Fatal(err)
	}
	told := func(r Result, who string) error {
		r.Values = []float64{70, 2}
		_, err := c.Tell([]Result{r}, who)
		return err
	}
	for what, err := range map[string]error{
		"a note with ESC":                 told(Result{Ticket: 1, Note: "\x1b[2Jgone"}, "Ada"),
		"a note that turns the line":      told(Result{Ticket: 1, Note: "\u202egone"}, "Ada"),
		"an id with a hidden letter":      told(Result{ID: "x\u200b", Arm: arm}, "Ada"),
		"a person with a hidden letter":   told(Result{ID: "x", Arm: arm}, "A\u200bda"),
		"a person with a letter of two":   told(Result{ID: "x", Arm: arm}, "\u0410da"),
		"a person who looks like another": told(Result{ID: "x", Arm: arm}, "\uff21da"),
		"a twin who undoes":               c.Undo(2, "slip", "\uff21da"),
		"a twin who agrees":               c.UndoWith(2, Consent{"slip", "\uff21da"}, "Ada"),
		"a twin who signs":                c.Sign("\uff21da", "", "Ada"),
		"a role with BEL":                 c.Sign("Ada", "head\a", "Ada"),
		"a reason with CR":                c.Drop(arm, "it is\rgone", "Ada"),
		"a reason to give up":             func() error { _, err := c.GiveUp([]int{1}, "\u009b2J", "Ada"); return err }(),
		"a candidate with a hidden one":   c.Join(problem.Candidate{Name: "A07\u2060"}, "Ada"),
		"a candidate who is a twin":       c.Join(problem.Candidate{Name: "\u041007"}, "Ada"),
		"a key with a hidden letter":      func() error { _, err := c.AskOnce("k\u200b", 1, "Ada"); return err }(),
	} {
		if !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := told(Result{Ticket: 1, Note: "two\nlines: β 5 µM"}, "Ada"); err != nil {
		t.Error(err)
	}
	if err := told(Result{ID: "x", Arm: arm}, "Ада"); err != nil {
		t.Error(err)
	}
	// Names that an older version accepted can be read.
	path, err := forged(t, c, `β 5 µM`, `\u001b[2J`)
	if err != nil {
		t.Fatal(err)
	}
	old, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if s := status(t, old); s.Used+s.Unused != 2 {
		t.Errorf("%d results", s.Used+s.Unused)
	}
}
