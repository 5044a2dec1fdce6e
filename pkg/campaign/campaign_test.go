package campaign

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

// coupling is a small problem: four catalysts, with yield and impurity as objectives, and a bound on the impurity.
func coupling(t testing.TB) *problem.Problem {
	t.Helper()
	p := &problem.Problem{
		Title:      "Coupling",
		Question:   problem.Question{Find: problem.FindPareto, Delta: .1},
		Candidates: problem.Candidates{Names: []string{"A07", "B02", "C11", "é"}},
		Objectives: []problem.Objective{
			{Name: "yield", Unit: "%", Goal: problem.Maximise,
				Noise: problem.Noise{SD: ptr(3.)}, Values: []float64{0, 100}},
			{Name: "impurity", Goal: problem.Minimise, Noise: problem.Noise{SD: ptr(.5)}, AtMost: ptr(5.)},
		},
	}
	must(t, p.Validate())
	return p
}

// means are the true means of the candidates of coupling, and of the candidate D, which joins in some tests.
var means = map[string][]float64{"A07": {80, 2}, "B02": {60, 1}, "C11": {90, 9}, "é": {50, 3}, "D": {90, .2}}

// measure returns a result for a ticket.
func measure(rnd *rand.Rand, t Ticket) Result {
	m := means[t.Arm]
	return Result{Ticket: t.Ticket, Values: []float64{m[0] + 3*rnd.NormFloat64(), m[1] + .5*rnd.NormFloat64()}}
}

// begin creates a campaign of coupling.
func begin(t testing.TB) *Campaign {
	t.Helper()
	return beginWith(t, coupling(t))
}

func beginWith(t testing.TB, p *problem.Problem) *Campaign {
	t.Helper()
	c, err := Create(filepath.Join(t.TempDir(), "x.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ask requests n tickets.
func ask(t testing.TB, c *Campaign, n int) []Ticket {
	t.Helper()
	tickets, err := c.Ask(n, "robot-1")
	if err != nil {
		t.Fatal(err)
	}
	return tickets
}

func tell(t testing.TB, c *Campaign, results ...Result) Receipt {
	t.Helper()
	r, err := c.Tell(results, "robot-1")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func status(t testing.TB, c *Campaign) Status {
	t.Helper()
	s, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verified reports an error unless the file of c verifies and reopens unchanged.
func verified(t testing.TB, c *Campaign) {
	t.Helper()
	v, err := Verify(context.Background(), c.Path())
	if err != nil || !v.OK() || len(v.Notes) > 0 {
		t.Errorf("verify: %+v, %v", v, err)
	}
	again, err := Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	was, is := fmt.Sprintf("%+v", status(t, c)), fmt.Sprintf("%+v", status(t, again))
	if was != is {
		t.Errorf("reopened:\n%s\nwant\n%s", is, was)
	}
}

// finish measures plates of n wells until the campaign is finished; each measurement fails with probability 1/20.
func finish(t testing.TB, c *Campaign, n int, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 10000 {
		plate := ask(t, c, n)
		if len(plate) == 0 {
			return
		}
		var results []Result
		for _, x := range plate {
			r := measure(rnd, x)
			if rnd.IntN(20) == 0 {
				r = Result{Ticket: x.Ticket, Failed: true, Note: "empty well"}
			}
			results = append(results, r)
		}
		tell(t, c, results...)
	}
	t.Fatal("the campaign does not end")
}

// A campaign that is measured in plates finishes with the right answer. A reopened campaign has the same state,
// and a replayed policy makes the same requests.
func TestCampaign(t *testing.T) {
	c := begin(t)
	finish(t, c, 8, 1)
	s := status(t, c)
	arms, final, err := c.Answer()
	if err != nil || !final || fmt.Sprint(arms) != "[A07 B02]" {
		t.Errorf("answer %v, final %v, %v", arms, final, err)
	}
	if s.Status != Finished || s.Failed == 0 || !strings.Contains(s.Headline, "A07, B02") {
		t.Errorf("%+v", s)
	}
	verified(t, c)
}

// An id belongs to one result: reporting the same id for
// another candidate is a conflict, even with equal values.
func TestIDOfAnotherCandidate(t *testing.T) {
	c := begin(t)
	first := Result{ID: "page 12", Arm: "A07", Values: []float64{80, 2}}
	tell(t, c, first)
	if r := tell(t, c, first); r.Repeated != 1 || r.Event != 0 {
		t.Errorf("told again: %+v", r)
	}
	other := first
	other.Arm = "B02"
	if r, err := c.Tell([]Result{other}, "Ada"); !errors.Is(err, ErrConflict) {
		t.Errorf("told for another candidate: %+v, %v", r, err)
	}
	if r, err := c.Tell([]Result{{ID: "page 13", Arm: "A07", Values: []float64{1, 2}},
		{ID: "page 13", Arm: "B02", Values: []float64{1, 2}}}, "Ada"); !errors.Is(err, ErrConflict) {
		t.Errorf("two candidates at once: %+v, %v", r, err)
	}
}

// If Create fails, it leaves no new file, and an existing campaign does not change.
func TestCreateRefused(t *testing.T) {
	for what, x := range map[string]struct {
		change func(p *problem.Problem)
		who    string
		want   string
	}{
		"no candidates":     {func(p *problem.Problem) { p.Candidates.Names = nil }, "Ada", "candidates"},
		"an unknown method": {func(p *problem.Problem) { p.Method.Name = "Guess" }, "Ada", "Guess"},
		"another question":  {func(p *problem.Problem) { p.Method.Name = "MD-APT" }, "Ada", "MD-APT"},
		"nobody":            {func(*problem.Problem) {}, " ", "who: the name of the author is missing"},
		"a hidden letter":   {func(*problem.Problem) {}, "a\tb", "who: the name"},
	} {
		p, path := coupling(t), filepath.Join(t.TempDir(), "x.campaign")
		x.change(p)
		_, err := Create(path, p, x.who)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", what, err, x.want)
		}
		if list, _ := filepath.Glob(path + "*"); list != nil {
			t.Errorf("%s: Create left %q", what, list)
		}
	}
	c := begin(t)
	ask(t, c, 1)
	was := status(t, c)
	if _, err := Create(c.Path(), coupling(t), "Ada"); err == nil {
		t.Error("Create replaced an existing campaign")
	}
	if is := status(t, c); is.ID != was.ID || is.Event != 2 {
		t.Errorf("the existing campaign is now %+v", is)
	}
}

// Names of candidates are compared without surrounding spaces and in normal form (é has one or two
// code points), wherever a user enters them.
func TestNamesAsTheyAreWritten(t *testing.T) {
	const composed, apart = "\u00e9", " e\u0301\t"
	c := begin(t)
	tell(t, c, Result{ID: " x ", Arm: apart, Values: []float64{50, 3}})
	must(t, c.Drop(apart, "gone", "Ada"))
	a := status(t, c).Arms[3]
	if a.Arm != composed || a.Available || a.Dropped != "gone" || a.Unused != 1 {
		t.Errorf("%+v", a)
	}
	for _, name := range []string{composed, apart} {
		if err := c.Drop(name, "gone", "Ada"); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), composed+" was dropped already") {
			t.Errorf("%q dropped twice: %v", name, err)
		}
		if err := c.Join(problem.Candidate{Name: name}, "Ada"); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), composed+" was a candidate before") {
			t.Errorf("%q joins: %v", name, err)
		}
	}
	for i, name := range []string{" u\u0308 ", "\u00fc"} { // ü
		if err := c.Join(problem.Candidate{Name: name}, "Ada"); (err == nil) != (i == 0) {
			t.Errorf("%q joins: %v", name, err)
		}
	}
	if n := len(status(t, c).Arms); n != 5 {
		t.Errorf("%d candidates; want 5", n)
	}
	if err := c.Drop("nobody", "", "Ada"); !errors.Is(err, ErrInput) || err.Error() != `arm: unknown candidate "nobody"; the candidates are A07, B02, C11, `+"\u00fc" {
		t.Error(err)
	}
	verified(t, c)
}

// Drop fails if too few candidates would remain for the question; a rejected change is not recorded.
func TestDropRefused(t *testing.T) {
	for find, want := range map[string]string{`"best"`: `candidates: only "b"; expected at least 2 candidates`,
		`"top", count = 2`: "question.count: 2; expected the number of candidates to find, at least 1 and fewer than the 2 candidates"} {
		p, err := problem.Parse("p.toml", []byte("question = { find = "+find+", delta = 0.05 }\ncandidates = { names = [\"a\", \"b\", \"c\"] }\n"+
			"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		c := beginWith(t, p)
		for _, name := range []string{"c", "a"} {
			if err = c.Drop(name, "gone", "Ada"); err != nil {
				break
			}
		}
		s := status(t, c)
		if left := 2 + map[bool]int{true: 1}[s.Event == 1]; err == nil || !strings.Contains(err.Error(), want) || len(s.Arms) != 3 ||
			len(c.now.ledger.problem.Candidates.Names) != left {
			t.Errorf("find %s: %v; want %s", find, err, want)
		}
		verified(t, c)
	}
}
