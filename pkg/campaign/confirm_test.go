package campaign

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

const onALine = `[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
features = ["x"]
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2 }
[method]
name = "LinGapE"
`

func lineOf(t *testing.T, method string) *problem.Problem {
	p, err := problem.Parse("p.toml", []byte(onALine+method), func(string) ([]byte, error) {
		return []byte("name,x\na,1\nb,2\nc,3\nd,4\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// toTheEnd measures until no more measurements are requested, and returns the status.
func toTheEnd(t *testing.T, c *Campaign, means map[string]float64, rnd *rand.Rand) Status {
	for range 200 {
		tickets := ask(t, c, 5)
		var results []Result
		for _, k := range tickets {
			results = append(results, Result{Ticket: k.Ticket, Plate: k.Plate,
				Values: []float64{means[k.Arm] + 2*rnd.NormFloat64()}})
		}
		if len(results) == 0 {
			return status(t, c)
		}
		tell(t, c, results...)
	}
	t.Fatal("it does not end")
	return Status{}
}

// With a linear model, measurements of the two extreme candidates determine the answer. If the means are not linear,
// the best candidate is off the line and is not measured before the confirmation. Confirming measurements detect that
// the model is wrong, and detect nothing if the means are linear.
func TestConfirm(t *testing.T) {
	bent := map[string]float64{"a": 60, "b": 65, "c": 70, "d": 50}
	line := map[string]float64{"a": 60, "b": 57, "c": 54, "d": 51}
	for _, x := range []struct {
		name, method string
		means        map[string]float64
		least, most  int // bounds on the number of completed campaigns in 20
	}{{"bent", "", bent, 0, 1}, {"bent and not confirmed", "confirm = false", bent, 10, 20}, {"linear", "", line, 19, 20}} {
		done := 0
		for seed := range uint64(20) {
			c := beginWith(t, lineOf(t, x.method))
			s := toTheEnd(t, c, x.means, rand.New(rand.NewPCG(seed, 1)))
			all := strings.Join(s.Guarantee, " ")
			switch {
			case s.Status != Finished || s.Confirming != 0 || s.Ended == 0:
				t.Fatalf("%s: %+v", x.name, s)
			case !s.Done() && !s.Evidence.Withdrawn():
				t.Errorf("%s: %+v", x.name, s)
			case x.method != "" && !strings.Contains(all, "(confirm = false)"):
				t.Errorf("%s: %s", x.name, all)
			case x.method == "" && s.Done() && !strings.Contains(all, "The last measurements of a, "):
				t.Errorf("%s: %s", x.name, all)
			}
			if s.Done() {
				done++
			}
			_ = c.Close()
		}
		t.Logf("%s: %d of 20 are certified", x.name, done)
		if done < x.least || done > x.most {
			t.Errorf("%s: %d of 20 are certified; want %d to %d", x.name, done, x.least, x.most)
		}
	}
}

// If a pilot estimates the noise, confirming measurements are compared with the estimate of the pilot.
func TestConfirmAfterPilot(t *testing.T) {
	p := lineOf(t, "")
	p.Objectives[0].Noise = problem.Noise{Pilot: &problem.NoisePilot{Rewards: 10, Delta: .005}}
	p.Objectives[0].Values = []float64{0, 100}
	must(t, p.Validate())
	for name, means := range map[string]map[string]float64{
		"bent":   {"a": 60, "b": 90, "c": 95, "d": 50},
		"linear": {"a": 60, "b": 57, "c": 54, "d": 51},
	} {
		for seed := range uint64(3) {
			c := beginWith(t, p)
			s := toTheEnd(t, c, means, rand.New(rand.NewPCG(seed, 2)))
			if s.Done() != (name == "linear") {
				t.Errorf("%s: %s", name, s.Headline)
			}
			_ = c.Close()
		}
	}
}

// The claims that confirm an answer to "good" agree with the answer. Each candidate in the answer is within the
// tolerance of the best, and no other candidate is.
func TestConfirmGood(t *testing.T) {
	text := strings.NewReplacer(`"best"`, `"good"`, `unit = "%"`, "tolerance = 4.5", `"LinGapE"`, `"All-epsilon game"`).Replace(onALine)
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("name,x\na,1\nb,2\nc,3\nd,4\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	line := map[string]float64{"a": 60, "b": 57, "c": 54, "d": 51}
	if s := toTheEnd(t, c, line, rand.New(rand.NewPCG(1, 3))); !s.Done() {
		t.Fatal(s.Headline)
	}
	var got []string
	if err := c.read(func(m *snapshot) error {
		for _, l := range m.run.claims() {
			got = append(got, fmt.Sprint(l.claims))
			if l.amount <= 0 {
				t.Errorf("the fit contradicts the claim %v: %v", l.claims, l.amount)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	// One reward unit is 2 units of the problem. The fields are ahead, behind, objective and
	// margin. The answer contains a and b.
	if want := []string{"[{1 0 0 2.25}]", "[{0 2 0 -2.25}]", "[{0 3 0 -2.25}]"}; !slices.Equal(got, want) {
		t.Errorf("claims %q; want %q", got, want)
	}
}

// During confirmation, the campaign is unfinished. Failed measurements are requested again, measurements requested
// before the answer do not confirm it, and an undo reopens the confirmation. Another process reads the same status.
func TestConfirmStepByStep(t *testing.T) {
	line := map[string]float64{"a": 60, "b": 57, "c": 54, "d": 51}
	c := beginWith(t, lineOf(t, ""))
	rnd := rand.New(rand.NewPCG(1, 1))
	say := func(list []Ticket) Receipt {
		var results []Result
		for _, k := range list {
			results = append(results, Result{Ticket: k.Ticket, Values: []float64{line[k.Arm] + rnd.NormFloat64()}})
		}
		r := tell(t, c, results...)
		return r
	}
	var late []Ticket
	for status(t, c).Confirming == 0 {
		k := ask(t, c, 4)
		late = k[3:]
		say(k[:3])
	}
	if s := status(t, c); s.Confirming != 12 || s.Status != Running || s.Done() || s.Ended != 0 ||
		!strings.Contains(s.Headline, "The method's answer is a. To confirm the answer, 12 measurements of it") {
		t.Fatalf("%+v", s)
	}
	say(late)
	if s := status(t, c); s.Confirming != 12 {
		t.Errorf("earlier tickets count as confirmation: %d are left", s.Confirming)
	}
	first, second := ask(t, c, 7), ask(t, c, 100)
	if len(first) != 7 || len(second) != 5 || len(ask(t, c, 100)) != 0 {
		t.Errorf("ask returned %d and %d tickets; want 7, 5 and no more", len(first), len(second))
	}
	tell(t, c, Result{Ticket: first[0].Ticket, Failed: true})
	say(first[1:])
	again := ask(t, c, 100)
	if len(again) != 1 || again[0].Arm != first[0].Arm {
		t.Fatalf("ask returned %v; want the failed measurement alone", again)
	}
	say(second)
	r := say(again)
	if s := status(t, c); r.Used != 1 || r.Status != Finished || !s.Done() || s.Ended != r.Event ||
		!strings.Contains(strings.Join(s.Guarantee, " "), "do not contradict the answer.") {
		t.Errorf("%+v\n%+v", r, s)
	}
	was := status(t, c)
	other, err := Open(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	if is := status(t, other); is.Headline != was.Headline || is.Ended != was.Ended || is.Used != was.Used {
		t.Errorf("%s\n%s", is.Headline, was.Headline)
	}
	_ = other.Close()
	must(t, c.Undo(r.Event, "another flask", "Ada"))
	if s := status(t, c); s.Confirming != 1 || s.Status != Running || s.Ended != 0 {
		t.Errorf("%+v", s)
	}
}

// Neither reference wells, even of a finalist, nor measurements requested before the answer confirm the answer.
func TestReferenceDoesNotConfirm(t *testing.T) {
	p := lineOf(t, "")
	p.Laboratory = problem.Laboratory{Plate: 8, Reference: "d", ReferenceWells: 2}
	c := beginWith(t, p)
	for status(t, c).Confirming == 0 {
		for _, k := range ask(t, c, 8)[1:] {
			tell(t, c, Result{Ticket: k.Ticket, Values: []float64{60 - 3*float64(k.Arm[0]-'a')}})
		}
	}
	if n := len(ask(t, c, 8)) + len(ask(t, c, 8)); n != 12+2*2 {
		t.Errorf("%d measurements are due; want 12, and two of the reference on each plate", n)
	}
}

// Claims that follow from known values need no measurements, and candidates outside a bound need no replicates.
func TestConfirmNothingKnown(t *testing.T) {
	text := `[question]
find = "best"
delta = 0.1
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
noise = { sd = 1 }
[[objective]]
name = "price"
goal = "bounded"
known = true
at_most = %s
`
	for limit, want := range map[string][]string{"2": nil, "3.2": nil, "3.7": {"a", "b"}} {
		p, err := problem.Parse("p.toml", fmt.Appendf(nil, text, limit), func(string) ([]byte, error) {
			return []byte("name,price\na,3\nb,3.5\nc,4\nd,5\n"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c := beginWith(t, p)
		measured := map[string]bool{}
		for {
			tickets := ask(t, c, 1)
			if len(tickets) == 0 {
				break
			}
			measured[tickets[0].Arm] = true
			yield := float64(10 * tickets[0].Arm[0])
			tell(t, c, Result{Ticket: tickets[0].Ticket, Values: []float64{yield}})
		}
		got := slices.Sorted(maps.Keys(measured))
		if s := status(t, c); s.Status != Finished || s.Ended == 0 || !slices.Equal(got, want) {
			t.Errorf("at most %s: %v was measured, want %v; %s", limit, got, want, s.Headline)
		}
	}
}

// Only four candidates get confirming replicates. The candidate of the answer is one of them, although it comes
// last and has no more measurements than the other candidates.
func TestConfirmTheAnswer(t *testing.T) {
	text := `[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
noise = { sd = 0.01 }
[method]
name = "UGapE"
`
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("name\na\nb\nc\nd\ne\nf\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	for _, k := range ask(t, c, 6) {
		tell(t, c, Result{Ticket: k.Ticket, Values: []float64{float64(k.Arm[0])}})
	}
	again := map[string]int{}
	for _, k := range ask(t, c, 100) {
		again[k.Arm]++
	}
	if len(again) != problem.Finalists || again["f"] != problem.Replicates {
		t.Errorf("%v are measured again; want 4 candidates, f among them, 3 times each: %s", again, status(t, c).Headline)
	}
}

// If confirming measurements contradict the answer, the certificate is withdrawn, and the message states the
// e-value of the evidence.
func TestEvidenceOfConfirmation(t *testing.T) {
	contradicted := 0
	for seed := range uint64(4) {
		c := beginWith(t, lineOf(t, ""))
		s := toTheEnd(t, c, map[string]float64{"a": 60, "b": 65, "c": 70, "d": 50}, rand.New(rand.NewPCG(seed, 1)))
		if strings.Contains(s.Evidence.Text, "contradict the answer") {
			contradicted++
			if !s.Evidence.Withdrawn() || !strings.Contains(s.Evidence.Text, fmt.Sprintf("(e = %.2g)", s.Evidence.E)) {
				t.Errorf("%+v", s.Evidence)
			}
		}
	}
	if contradicted == 0 {
		t.Error("no seed contradicts the answer, so the loop tests nothing")
	}
}
