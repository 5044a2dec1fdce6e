package campaign

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
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
	if err := c.Join(problem.Candidate{Name: "new"}, "Ada"); err != nil {
		t.Fatal(err)
	}
	if err := c.Drop("new", "gone", "Ada"); err != nil { // it is neither missing nor undecided
		t.Fatal(err)
	}
	tell(t, c, Result{ID: "1", Arm: "arm 1", Values: value(1)},
		Result{ID: "2", Arm: "arm 2", Values: value(2)})
	says("Running: 3 measurements, no answer yet; so far no candidate seems to keep all bounds.")
	tell(t, c, Result{ID: "3", Arm: "arm 1", Values: []float64{3, -3.2}})
	says("Running: 4 measurements, no answer yet; the best guess is arm 1.")
	if err := c.Undo(6, "a slip", "Ada"); err != nil {
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
	used := status(t, c).Used
	for i := range 8 {
		tell(t, c, Result{ID: fmt.Sprint("wild ", i), Arm: "arm 0", Values: []float64{1000 * float64(i%2), 5}})
	}
	says(fmt.Sprintf("The certificate is withdrawn: the results contradict what it assumes. %d measurements were made; the guess is no candidate "+
		"keeps all bounds.", used))
}

// Features that the method makes no use of are named in the guarantee, and others are not.
func TestUnusedFeatures(t *testing.T) {
	for method, unused := range map[string]bool{"": false, "name = \"UGapE\"": true} {
		s := status(t, beginWith(t, lineOf(t, method)))
		if got := strings.Contains(strings.Join(s.Guarantee, "\n"), s.Method+" does not use the features of candidates: each candidate is learned"); got != unused {
			t.Errorf("%s: %q", s.Method, s.Guarantee)
		}
	}
}

// Who is undecided is named once somebody is not, and whoever was dropped is neither.
func TestUndecidedInHeadline(t *testing.T) {
	c := beginWith(t, yieldsOf(t))
	for i := range 8 {
		tell(t, c, Result{ID: fmt.Sprint("a", i), Arm: "a", Values: []float64{80}}, Result{ID: fmt.Sprint("b", i), Arm: "b", Values: []float64{80.5}},
			Result{ID: fmt.Sprint("c", i), Arm: "c", Values: []float64{30}}, Result{ID: fmt.Sprint("d", i), Arm: "d", Values: []float64{80.2}})
	}
	for _, want := range []string{"Running: 32 measurements, no answer yet; the best guess is b; undecided: a, b, d.", "Running: 24 measurements, no answer yet; the best guess is b; undecided: a, b."} {
		if got := status(t, c).Headline; got != want {
			t.Errorf("%s; want %s", got, want)
		}
		if status(t, c).Used == 32 {
			if err := c.Drop("d", "gone", "Ada"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// One is not many, also in what is said of the guarantee.
func TestOneOfThem(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	tell(t, c, Result{Ticket: 1, Failed: true})
	tell(t, c, Result{ID: "p. 3", Arm: "A07", Values: []float64{80, 2}})
	tell(t, c, Result{ID: "p. 4", Arm: "A07", Values: []float64{81, 2}}, Result{ID: "p. 5", Arm: "é", Failed: true})
	if err := c.Undo(5, "a slip", "Ada"); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(status(t, c).Guarantee, "\n")
	for _, want := range []string{"1 measurement has no value: 1 of A07.", "1 result was unsolicited.", "1 report of results was undone."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if s := (&References{Name: "control", Told: 1}).String(); !strings.HasPrefix(s, "The reference, control, has 1 result, for") {
		t.Error(s)
	}
}

// Where the method failed nothing is certified, and all says so: headline, guarantee, answer, certificate, what is asked; results are
// still taken, and the file verifies. The words are in testdata.
func TestFailedMethod(t *testing.T) {
	c := beginWith(t, purities(problem.FindPareto, "PFIwR", 1))
	for status(t, c).Status == Running {
		tell(t, c, Result{Ticket: ask(t, c, 1)[0].Ticket, Values: []float64{200}})
	}
	end := status(t, c)
	r := tell(t, c, Result{ID: "late", Arm: "a", Values: []float64{3}}, Result{ID: "later", Arm: "b", Failed: true})
	s := status(t, c)
	if r.Status != Broken || r.Used+r.Unused != 1 || r.Failed != 1 || s.Ended != end.Ended || s.Ended == 0 || s.Done() || s.Over() {
		t.Errorf("%+v, ended by event %d and then %d", r, end.Ended, s.Ended)
	}
	var out strings.Builder
	tickets, err := c.Ask(1, "robot")
	fmt.Fprintf(&out, "headline: %s\nasked: %v, %v\n", s.Headline, tickets, err)
	fmt.Fprintf(&out, "certificate: %v\n", c.Certificate(&out))
	arms, final, err := c.Answer()
	_, sure, err2 := c.Sure()
	fmt.Fprintf(&out, "answer: %v, %v, %v\nsure: %v, %v\n", arms, final, err, sure, err2)
	for _, line := range append(s.Guarantee, s.Warnings...) {
		fmt.Fprintln(&out, line)
	}
	golden.Check(t, "failed.txt", golden.Steady(out.String()))
	verified(t, c)
}

// Contradictions of what is declared are in the headline of a campaign with a budget, too, while it runs and at the end; nothing
// is said of a certificate, which it never has.
func TestContradictedBudget(t *testing.T) {
	c := beginWith(t, wells(t, "Uniform, fixed budget"))
	const says = " The results contradict what is declared: see the warnings."
	for over := false; !over; {
		var results []Result
		for i, x := range ask(t, c, 24) {
			results = append(results, Result{Ticket: x.Ticket, Values: []float64{50 + 40*float64(i%2), 2}})
		}
		if over = len(results) == 0; !over {
			tell(t, c, results...)
		}
		s := status(t, c)
		if !s.Evidence.Withdrawn() || !strings.HasSuffix(s.Headline, "."+says) || s.Over() || strings.Contains(s.Headline+s.Guarantee[0], "certified") ||
			(s.Status == Finished) != (s.Used == 96) {
			t.Errorf("%s: %s\n%s", s.Status, s.Headline, s.Guarantee[0])
		}
	}
}

// All, or more, that can be afforded was asked for: that is said of the last measurement while another one would follow, and of
// more than that always.
func TestExcess(t *testing.T) {
	for _, status := range []string{Running, Finished, Broken} {
		for asked, want := range map[int]string{9: "", 10: "all were asked for: the next one is beyond that.", 11: "11 were asked for: 1 beyond that."} {
			if asked == 10 && status != Running {
				want = ""
			}
			s := Status{Status: status, Asked: asked, Affordable: 10}
			if got := s.Excess(); !strings.HasSuffix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s with %d: %q; want %q", status, asked, got, want)
			}
			if s.Affordable = 0; s.Excess() != "" {
				t.Errorf("nobody says how many: %q", s.Excess())
			}
		}
	}
	s := Status{Status: Running, Asked: 1, Affordable: 1}
	if got := s.Excess(); !strings.HasPrefix(got, "1 measurement can be afforded") {
		t.Error(got)
	}
}

// Up to eight names are listed, and how many more there are, wherever there are many.
func TestAbbreviated(t *testing.T) {
	var names []string
	for n, want := range []string{"", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4", "1, 2, 3, 4, 5", "1, 2, 3, 4, 5, 6", "1, 2, 3, 4, 5, 6, 7", "1, 2, 3, 4, 5, 6, 7, 8",
		"1, 2, 3, 4, 5, 6, 7, 8 and 1 more", "1, 2, 3, 4, 5, 6, 7, 8 and 2 more"} {
		if got := abbreviated(names); got != want || len(names) != n {
			t.Errorf("%q: %q; want %q", names, got, want)
		}
		if s := (Sureness{Delta: .01, Answer: names}).String(); n > 0 && !strings.Contains(s, "would stand now: "+want+". That") {
			t.Errorf("%q: %s", names, s)
		}
		names = append(names, fmt.Sprint(n+1))
	}
	c := beginWith(t, many(t, 12, problem.FindPareto, "e-cAPE"))
	if err := c.Drop("x", "", "Ada"); err == nil || !strings.HasSuffix(err.Error(), "arm 6, arm 7 and 4 more") {
		t.Error(err)
	}
	if _, err := c.Tell([]Result{{ID: "1", Arm: "x", Values: []float64{1, 2}}}, "Ada"); err == nil || !strings.HasSuffix(err.Error(), "arm 6, arm 7 and 4 more") {
		t.Error(err)
	}
}

// Numbers that are none are null, whichever they are, and come back as not known; others come back as they are.
func TestNumbers(t *testing.T) {
	list := Numbers{0, -1.5, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, math.SmallestNonzeroFloat64}
	text, err := json.Marshal(list)
	if err != nil || string(text) != "[0,-1.5,null,null,null,1e+300,5e-324]" {
		t.Errorf("%s, %v", text, err)
	}
	var again Numbers
	if err := json.Unmarshal(text, &again); err != nil || len(again) != len(list) {
		t.Fatalf("%v, %v", again, err)
	}
	for i, x := range again {
		if unknown := i >= 2 && i <= 4; math.IsNaN(x) != unknown || !unknown && x != list[i] {
			t.Errorf("number %d is %v; was %v", i, x, list[i])
		}
		if p := finite(list[i]); (p == nil) != (i >= 2 && i <= 4) || p != nil && *p != list[i] {
			t.Errorf("%v is %v", list[i], p)
		}
	}
	for in, want := range map[string]string{"[]": "[]", "null": "[]", "[null]": "[null]"} {
		var n Numbers
		if err := json.Unmarshal([]byte(in), &n); err != nil {
			t.Error(err)
		}
		if out, err := json.Marshal(n); err != nil || string(out) != want {
			t.Errorf("%s is %s, %v; want %s", in, out, err, want)
		}
	}
}

// How sure intervals are is said with as many digits as it needs, also where an error is hardly possible.
func TestIntervalsInWords(t *testing.T) {
	for delta, want := range map[float64]string{.4: "0.6", .07: "0.93", .05: "0.95", 1e-3: "0.999", 1.5e-5: "0.999985", 1e-6: "0.999999", 1e-7: "1 - 1e-07", 1e-30: "1 - 1e-30"} {
		p := coupling(t)
		p.Question.Delta = delta
		list := status(t, beginWith(t, p)).Guarantee
		if got, want := list[len(list)-1], "hold together with probability at least "+want+", apart from the answer."; !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q; want %q", delta, got, want)
		}
	}
}
