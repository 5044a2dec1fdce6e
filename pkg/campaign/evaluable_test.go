package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

const someEvaluable = `, evaluable = "evaluable"`

// Cohorts of which some patients cannot be evaluated say of each dose what the same patients say one by one:
// means, intervals and verdicts are those of a campaign of which each patient is a measurement.
func TestEvaluable(t *testing.T) {
	cohorts := beginWith(t, trial(t, someEvaluable))
	alone := trial(t, "")
	for i := range alone.Objectives {
		alone.Objectives[i].Noise.Counts = ptr(1)
	}
	patients := beginWith(t, alone)
	rnd := rand.New(rand.NewPCG(1, 4))
	rates := map[string][]float64{"low": {.4, .3}, "middle": {.5, .4}, "high": {.6, .5}}
	n := 0
	for range 8 {
		var results, one []Result
		for _, x := range ask(t, cohorts, 4) {
			r := Result{Ticket: x.Ticket, Values: []float64{0, 0}, Of: 12 - rnd.IntN(6)}
			for range r.Of {
				n++
				p := Result{ID: fmt.Sprint(n), Arm: x.Arm, Values: []float64{0, 0}}
				for k, rate := range rates[x.Arm] {
					if rnd.Float64() < rate {
						p.Values[k]++
						r.Values[k]++
					}
				}
				one = append(one, p)
			}
			results = append(results, r)
		}
		tell(t, cohorts, results...)
		tell(t, patients, one...)
	}
	s, want := status(t, cohorts), status(t, patients)
	if s.Trials != n || want.Used != n || s.Used != 32 {
		t.Errorf("%d cohorts of %d patients; want %d", s.Used, s.Trials, n)
	}
	for i, a := range s.Arms {
		b := want.Arms[i]
		if a.Verdict != b.Verdict || a.Why != b.Why || a.Trials != b.Used {
			t.Errorf("%+v; want %+v", a, b)
		}
		for k := range a.Estimate {
			for _, x := range [][2]float64{{a.Estimate[k], b.Estimate[k]}, {a.Low[k], b.Low[k]}, {a.High[k], b.High[k]}} {
				if math.Abs(x[0]-x[1]) > 1e-9 {
					t.Errorf("%s: %v; want %v", a.Arm, x[0], x[1])
				}
			}
		}
	}
	if e := s.Evidence; e.Withdrawn() {
		t.Errorf("incomplete cohorts contradict what is declared: %+v", e)
	}
	verified(t, cohorts)
}

// Of a result that is told by itself, no number of evaluable trials, or one that is missing, is that of all.
func TestFillEvaluable(t *testing.T) {
	p := trial(t, someEvaluable)
	for cell, want := range map[string]int{"": 0, " ": 0, "NA": 0, "NaN": 0, " 9 ": 9, "12": 12, "nine": -1, "9.5": -1} {
		r := Result{Ticket: 1}
		err := r.Fill(p, map[string]string{"responses": "4", "toxicity": "1", "evaluable": cell})
		if (err != nil) != (want < 0) || err == nil && (r.Of != want || !slices.Equal(r.Values, []float64{4, 1})) {
			t.Errorf("%q: %d and %v, %v; want %d", cell, r.Of, r.Values, err, want)
		}
	}
}

// A trial with lost patients ends with its answer, and can be looked at, undone, exported and certified.
func TestEvaluableToTheEnd(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	rnd := rand.New(rand.NewPCG(2, 4))
	rates := map[string][]float64{"low": {.2, .05}, "middle": {.6, .1}, "high": {.8, .8}}
	sheet := func(lost bool) (text string, cohorts int) {
		var b bytes.Buffer
		p, err := c.Problem()
		if err != nil {
			t.Fatal(err)
		}
		tickets := ask(t, c, 6)
		if err := WriteSheet(&b, p, tickets); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
			if i == 0 {
				if line != "plate,ticket,candidate,responses,toxicity,evaluable,note" {
					t.Fatal(line)
				}
				text = line + "\n"
				continue
			}
			of, cell, got := 12, "", [2]int{}
			if lost && i%2 == 0 {
				of, cell = 9, "9"
			}
			for range of {
				for k, rate := range rates[tickets[i-1].Arm] {
					if rnd.Float64() < rate {
						got[k]++
					}
				}
			}
			text += fmt.Sprintf("%s%d,%d,%s,\n", strings.TrimSuffix(line, ",,,"), got[0], got[1], cell)
		}
		return text, len(tickets)
	}
	for i := 0; ; i++ {
		text, n := sheet(true)
		if n == 0 {
			break
		}
		r, err := c.TellSheet("cohorts.csv", []byte(text), "site-1")
		if err != nil || r.Used != n {
			t.Fatalf("%v, %+v\n%s", err, r, text)
		}
		if again, err := c.TellSheet("cohorts.csv", []byte(text), "site-1"); err != nil || again.Repeated != n {
			t.Fatalf("told twice: %v, %+v", err, again)
		}
		if i == 1 { // a slip
			if err := c.Undo(r.Event, "a slip", "Ada"); err != nil {
				t.Fatal(err)
			}
			if _, err := c.TellSheet("cohorts.csv", []byte(text), "site-1"); err != nil {
				t.Fatal(err)
			}
			verified(t, c)
		}
	}
	s := status(t, c)
	if !s.Done() || !strings.Contains(s.Headline, "the answer is middle.") || s.Trials >= 12*s.Used ||
		!strings.HasPrefix(s.Headline, fmt.Sprintf("Finished after %d measurements (%d patients)", s.Used, s.Trials)) {
		t.Errorf("%d patients: %+v", s.Trials, s)
	}
	if all := strings.Join(s.Guarantee, " "); !strings.Contains(all, "of those of 12 independent patients that are evaluable") {
		t.Error(all)
	}
	// What comes late is on record, whole or not, and counts for nobody.
	for _, of := range []int{12, 7} {
		if r := tell(t, c, Result{ID: fmt.Sprint("late ", of), Arm: "low", Values: []float64{1, 1}, Of: of}); r.Unused != 1 || r.Used != 0 {
			t.Errorf("late: %+v", r)
		}
		if is := status(t, c); is.Used != s.Used || is.Trials != s.Trials || is.Headline != s.Headline {
			t.Errorf("after a late result: %s; want %s", is.Headline, s.Headline)
		}
	}
	verified(t, c)
	var text bytes.Buffer
	if err := c.Export(&text); err != nil {
		t.Fatal(err)
	}
	again, err := Import(filepath.Join(t.TempDir(), "again.campaign"), &text)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if is := status(t, again); is.Headline != s.Headline || is.Trials != s.Trials {
		t.Errorf("imported: %+v", is)
	}
	if err := again.ExportCSV(&text); err != nil || !strings.Contains(text.String(), ",responses,toxicity,evaluable,note,campaign\n") ||
		!strings.Contains(text.String(), ",9,,") {
		t.Errorf("%v\n%.500s", err, &text)
	}
}

// What cannot be is refused: more than there are, more successes than evaluable ones, and a number of evaluable
// ones where all are.
func TestEvaluableErrors(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	ask(t, c, 3)
	for _, x := range []struct {
		of   int
		v    float64
		want string
	}{
		{13, 4, "evaluable: 13 evaluable patients; a measurement has at most 12"},
		{-1, 0, "evaluable: -1; want from 1 to 12"},
		{5, 6, "responses: 6 of 5 evaluable patients"},
		{5, 12, "responses: 12 of 5 evaluable patients"},
	} {
		_, err := c.Tell([]Result{{Ticket: 1, Values: []float64{x.v, 0}, Of: x.of}}, "Ada")
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	tell(t, c, Result{Ticket: 1, Values: []float64{4, 0}, Of: 11})
	for _, of := range []int{10, 12, 0} { // 0: all are
		if _, err := c.Tell([]Result{{Ticket: 1, Values: []float64{4, 0}, Of: of}}, "Ada"); !errors.Is(err, ErrConflict) ||
			!strings.Contains(err.Error(), "told before, as [4 0] of 11") {
			t.Error(of, err)
		}
	}
	if r := tell(t, c, Result{Ticket: 1, Values: []float64{4, 0}, Of: 11}); r.Repeated != 1 {
		t.Errorf("told again: %+v", r)
	}
	c = beginWith(t, trial(t, ""))
	ask(t, c, 3)
	if _, err := c.Tell([]Result{{Ticket: 1, Values: []float64{4, 0}, Of: 11}}, "Ada"); !errors.Is(err, ErrInput) ||
		!strings.Contains(err.Error(), "of: 11 evaluable, and the problem does not say that some may not be") {
		t.Error(err)
	}
	for method, want := range map[string]string{
		"Betting feasible Pareto": "Betting feasible Pareto is about complete measurements, and some may have fewer patients than that; " +
			"replace those that are not evaluable before results are told, and leave out evaluable = \"evaluable\"; ",
		"e-cAPE": "",
	} {
		p := trial(t, someEvaluable)
		p.Question.Find, p.Objectives[1].Goal = problem.FindPareto, problem.Minimise
		_, err := p.CompileFor(method)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// Few successes of few patients are no slip; as few of all are asked about.
func TestEvaluableIsNoSlip(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	for i := range 12 {
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: []string{"low", "high"}[i%2], Values: []float64{11, 1}, Of: 12})
	}
	for of, want := range map[int]int{2: 0, 12: 1} {
		odd, err := c.Odd([]Result{{ID: "x", Arm: "high", Values: []float64{2, 1}, Of: of}})
		if err != nil || len(odd) != want {
			t.Errorf("2 of %d: %q, %v", of, odd, err)
		}
	}
}

// In the table of results each row has its number of evaluable trials: all where none is said, and none where it failed or was undone
// after it failed. What was undone says so, whatever it was, and keeps its note.
func TestEvaluableTable(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	ask(t, c, 6)
	for _, list := range [][]Result{{{Ticket: 1, Values: []float64{4, 1}, Of: 9, Note: "late"}, {Ticket: 2, Values: []float64{5, 0}}, {Ticket: 3, Failed: true, Note: "withdrew"}},
		{{Ticket: 4, Values: []float64{12, 0}, Of: 12}}, {{Ticket: 5, Failed: true, Note: "a slip"}, {Ticket: 6, Values: []float64{1, 1}, Of: 1}}} {
		tell(t, c, list...)
	}
	if err := c.Undo(5, "", "Ada"); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := c.ExportCSV(&table); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(table.String()), "\n")[1:] {
		cells := strings.Split(line, ",")
		got = append(got, strings.Join(append(cells[3:5:5], cells[7:len(cells)-1]...), ","))
	}
	if want := []string{"1,1,told,4,1,9,late", "1,2,told,5,0,12,", "1,3,failed,,,,withdrew", "1,4,told,12,0,12,", "1,5,undone,,,,a slip", "1,6,undone,1,1,1,"}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// Cohorts that failed leave nothing behind: what is asked for next is what would be asked for if they had never been, here and in a
// file that is opened again.
func TestFailedCohortsAreForgotten(t *testing.T) {
	c, fresh := beginWith(t, trial(t, someEvaluable)), beginWith(t, trial(t, someEvaluable))
	for i, arm := range []string{"low", "middle", "high", "low"} { // the method has begun
		for _, c := range []*Campaign{c, fresh} {
			tell(t, c, Result{ID: fmt.Sprint(i), Arm: arm, Values: []float64{float64(3 + i), 1}})
		}
	}
	for range 3 {
		var failed []int
		for _, x := range ask(t, c, 4) {
			failed = append(failed, x.Ticket)
		}
		if _, err := c.GiveUp(failed, "no power", "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	arms := func(c *Campaign) (list []string) {
		for _, x := range ask(t, c, 4) {
			list = append(list, x.Arm)
		}
		return list
	}
	if got, want := arms(c), arms(fresh); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("after failures %v are asked for; want %v", got, want)
	}
	verified(t, c)
}
