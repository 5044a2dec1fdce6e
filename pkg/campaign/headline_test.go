package campaign

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// The headline is a sentence also where there is no best guess, and where the answer is that no
// candidate will do.
func TestHeadline(t *testing.T) {
	p := many(t, 3, problem.FindPareto, "e-cAPE")
	p.Objectives[1].AtMost = ptr(1.)
	c := beginWith(t, p)
	says := func(want string) {
		t.Helper()
		if got := status(t, c).Headline; got != want {
			t.Errorf("headline\n%s\nwant\n%s", got, want)
		}
	}
	says("Begun: 3 candidates, nothing measured yet.")
	value := func(arm int) []float64 { return []float64{3 * float64(arm), 5} } // outside of y <= 1
	tell(t, c, Result{ID: "0", Arm: "arm 0", Values: value(0)})
	says("Running: 1 measurement, no answer yet; there is no best guess before all candidates " +
		"are measured (2 are not).")
	tell(t, c, Result{ID: "1", Arm: "arm 1", Values: value(1)},
		Result{ID: "2", Arm: "arm 2", Values: value(2)})
	says("Running: 3 measurements, no answer yet; so far no candidate seems to keep all bounds.")
	tell(t, c, Result{ID: "3", Arm: "arm 1", Values: []float64{3, -3.2}})
	says("Running: 4 measurements, no answer yet; the best guess is arm 1.")
	if err := c.Undo(4, "a slip", "Ada"); err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		for arm := range 3 {
			tell(t, c, Result{ID: fmt.Sprint(i, arm), Arm: fmt.Sprint("arm ", arm),
				Values: value(arm)})
		}
		if status(t, c).Status == Finished {
			break
		}
	}
	if got := status(t, c).Headline; !strings.HasPrefix(got, "Finished after ") ||
		!strings.HasSuffix(got, ": the answer is that no candidate keeps all bounds. It is wrong "+
			"with probability at most 0.1.") {
		t.Errorf("headline of an answer with nothing in it: %s", got)
	}
}

// One is not many, also in what is said of the guarantee.
func TestOneOfThem(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	tell(t, c, Result{Ticket: 1, Failed: true})
	tell(t, c, Result{ID: "p. 3", Arm: "A07", Values: []float64{80, 2}})
	tell(t, c, Result{ID: "p. 4", Arm: "A07", Values: []float64{81, 2}})
	if err := c.Undo(5, "a slip", "Ada"); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(status(t, c).Guarantee, "\n")
	for _, want := range []string{"1 measurement has no value.", "1 result was unsolicited.", "1 report of results was undone."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if s := (&References{Name: "control", Told: 1}).String(); !strings.HasPrefix(s, "The reference, control, has 1 result, for") {
		t.Error(s)
	}
}
