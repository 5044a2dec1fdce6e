package campaign

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// overlapping is a problem about six candidates, by a method.
func overlapping(t testing.TB, method string) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "pareto"
delta = 0.05
[candidates]
names = ["A", "B", "C", "D", "E", "F"]
[[objective]]
name = "yield"
noise = { sd = 3 }
[[objective]]
name = "impurity"
goal = "minimise"
noise = { sd = 0.8 }
[method]
`+method), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A laboratory with two plates of eight out, a fifth of the results late and some wells that fail gets the right answer from
// rounds that overlap, with fewer measurements than from the usual method, which learns from any measurement.
func TestOverlap(t *testing.T) {
	means := map[string][]float64{"A": {60, 3}, "B": {66, 2.5}, "C": {70, 3.4}, "D": {72, 4.5}, "E": {58, 1.5}, "F": {50, 5}}
	right := []string{"B", "C", "D", "E"}
	runs := 3
	if !testing.Short() {
		runs = 40
	}
	var used [2]int
	left := 0 // results of rounds that were not complete at the end
	for k, method := range []string{"name = \"APE\"\n", ""} {
		for seed := range runs {
			rnd := rand.New(rand.NewPCG(uint64(seed), 3))
			c := beginWith(t, overlapping(t, method))
			var late []Result
			for s := status(t, c); s.Status == Running; s = status(t, c) {
				tickets, err := c.Ask(8, "robot")
				if err != nil {
					t.Fatal(err)
				}
				results := late
				late = nil
				for _, x := range tickets {
					m := means[x.Arm]
					r := Result{Ticket: x.Ticket, Values: []float64{m[0] + 3*rnd.NormFloat64(), m[1] + .8*rnd.NormFloat64()}}
					if rnd.IntN(20) == 0 {
						r = Result{Ticket: x.Ticket, Failed: true}
					}
					if rnd.IntN(2) == 0 || len(tickets) == 8 && rnd.IntN(5) == 0 { // of the plate that is out besides
						late = append(late, r)
					} else {
						results = append(results, r)
					}
				}
				if len(results) > 0 {
					tell(t, c, results...)
				}
			}
			s := status(t, c)
			arms, _, err := c.Answer() // one in a hundred is withdrawn although all is as declared
			if used[k] += s.Used; err != nil || !slices.Equal(arms, right) {
				t.Errorf("%s, seed %d: %q, %v: %s", s.Method, seed, arms, err, s.Headline)
			}
			unused := 0
			for _, n := range c.now.run.session.Unused() {
				unused += n
			}
			if k == 1 && unused != s.Unused {
				t.Errorf("seed %d: the status says that %d results are not used, the method has %d", seed, s.Unused, unused)
			}
			left += s.Unused
			if k == 1 && seed == 0 {
				verified(t, c)
				if says, code := checked(t, certificate(t, c)); code != 2 {
					t.Errorf("the checker: %d, %s", code, says)
				}
			}
		}
	}
	if left == 0 {
		t.Error("no result was left over at the end")
	}
	if used[1] >= used[0] || !testing.Short() && used[1]*10 > used[0]*7 { // .62 in 40 campaigns
		t.Errorf("rounds that overlap took %d measurements, the usual method %d", used[1], used[0])
	}
}

// Results that are late because of their values, and out while a candidate is dropped, decide nothing in the rounds that begin
// then: A and B are equal, and what is late is bad of A and good of B.
func TestOverlapLateAtDrop(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
names = ["A", "B", "C", "D"]
[[objective]]
name = "yield"
noise = { sd = 1 }
[method]
name = "Betting"
overlap = true
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 5 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 5))
		c := beginWith(t, p)
		var in, late []Result
		for i, x := range ask(t, c, 1600) {
			v := rnd.NormFloat64()
			r := Result{Ticket: x.Ticket, Values: []float64{v}}
			if x.Arm == "A" && v < 0 || x.Arm == "B" && v > 0 || x.Arm == "C" && i%2 == 0 {
				late = append(late, r)
			} else {
				in = append(in, r)
			}
		}
		tell(t, c, in...)
		if err := c.Drop("D", "the bottle broke", "Ada"); err != nil {
			t.Fatal(err)
		}
		tell(t, c, late...)
		if s := status(t, c); s.Status != Running {
			t.Errorf("seed %d: %s", seed, s.Headline)
		}
		verified(t, c)
	}
}

// A round that was announced and withdrawn, since all of it failed, leaves its number to the round by which a plate is filled.
// What is opened is what was closed; the record verifies; and the checker says what it cannot check.
func TestOverlapWithdrawn(t *testing.T) {
	needPython(t)
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.1
[candidates]
names = ["A", "B"]
[[objective]]
name = "yield"
noise = { range = [0, 100] }
[laboratory]
plate = 8
fill = true
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	var results []Result
	for _, x := range ask(t, c, 60) {
		results = append(results, Result{Ticket: x.Ticket, Values: []float64{map[string]float64{"A": 20, "B": 80}[x.Arm]}})
	}
	tell(t, c, results[1:]...) // one is out, and enough to end it
	announced, err := c.Announce("", []string{"A"}, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	for _, ticket := range []int{announced[0].Ticket, results[0].Ticket} {
		if _, err := c.GiveUp([]int{ticket}, "spilled", "Ada"); err != nil {
			t.Fatal(err)
		}
	}
	tell(t, c, Result{ID: "book 1", Arm: "B", Values: []float64{81}})
	if filled := ask(t, c, 8); len(filled) != 8 {
		t.Errorf("%d tickets; want a plate of 8", len(filled))
	}
	was, err := c.Phases()
	again, err1 := Open(c.Path())
	if err != nil || err1 != nil {
		t.Fatal(err, err1)
	}
	defer again.Close()
	if is, err := again.Phases(); err != nil || !reflect.DeepEqual(is, was) {
		t.Errorf("%v, %v; want %v", is, err, was)
	}
	if v, err := Verify(context.Background(), c.Path()); err != nil || !v.OK() || len(v.Notes) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if says, code := checked(t, certificate(t, c)); code != 2 || !strings.Contains(says, "between bounds") {
		t.Errorf("the checker: %d, %s", code, says)
	}
}

// Rounds on record that are not those that the method plans now, as of another build or an edit, are the rounds: what is opened
// is what verify goes through, and it says that the method chooses otherwise.
func TestOverlapOfOthers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := beginWith(t, overlapping(t, "name = \"Betting Pareto\"\noverlap = true\n"))
	for range 8 {
		var in []Result
		for i, x := range ask(t, c, 16) {
			if i%4 > 0 {
				in = append(in, Result{Ticket: x.Ticket, Values: []float64{60 + 3*rnd.NormFloat64(), 3 + .8*rnd.NormFloat64()}})
			}
		}
		tell(t, c, in...)
	}
	var out bytes.Buffer
	if err := c.Export(&out); err != nil {
		t.Fatal(err)
	}
	list, err := parseExport(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		list[i] = &events.Event{Seq: e.Seq, At: e.At, Who: e.Who, What: e.What, Body: e.Body}
		if i > 3 && e.What == KindAsk {
			list[i].Body = []byte(strings.ReplaceAll(string(e.Body), `"n":[`, `"n":[7`))
		}
		list[i].Seal(list[:i])
	}
	out.Reset()
	if err := export(&out, exportFormat, list); err != nil {
		t.Fatal(err)
	}
	again, err := Import(filepath.Join(t.TempDir(), "y.campaign"), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	v, err := Verify(context.Background(), again.Path())
	if err != nil || !v.OK() || len(v.Notes) == 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
