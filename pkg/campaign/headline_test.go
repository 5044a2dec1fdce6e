package campaign

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// If the method failed, nothing is certified: the headline, the guarantee, the answer, the certificate and the
// error of a request say so. Results are still accepted, and the file verifies. The texts are in testdata.
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

// NaN and infinite numbers are written as null, and null is read as NaN; other numbers do not change.
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

// Before there is an answer, the best guess is only the candidate with the best mean, even if several
// candidates are within the tolerance.
func TestBestGuessIsOne(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte("question = {find = \"best\", delta = 0.05}\n[candidates]\nnames = [\"A\", \"B\", \"C\"]\n"+
		"[[objective]]\nname = \"yield\"\ntolerance = 0.5\nnoise = {sd = 5}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	for i, x := range []Result{{Arm: "A", Values: []float64{52}}, {Arm: "B", Values: []float64{45}}, {Arm: "C", Values: []float64{44.4}},
		{Arm: "A", Values: []float64{52.6}}, {Arm: "B", Values: []float64{44.8}}, {Arm: "C", Values: []float64{45.2}}} {
		x.ID = fmt.Sprint("r", i)
		tell(t, c, x)
	}
	arms, final, err := c.Answer()
	if err != nil || final || !slices.Equal(arms, []string{"A"}) {
		t.Errorf("the best guess is %q, final %v, %v; want A", arms, final, err)
	}
}
