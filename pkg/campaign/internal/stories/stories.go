// Package stories has campaigns of every kind for tests: what happens in them is drawn, the same each time, from all
// that can happen, and compared after each step with a model of a campaign that is slow and simple.
package stories

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// problems are those of the stories, by name, with their tables of candidates.
var problems = map[string][2]string{
	"plates": {`title = "Plates"
[question]
find = "pareto"
delta = 0.1
[candidates]
file = "c.csv"
cost = "EUR"
cost_unit = "EUR"
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 3.0 }
values = [0, 100]
tolerance = 2
[[objective]]
name = "impurity"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 6
[laboratory]
plate = 6
fill = true
reference = "control"
measurements = 60
`, "name,EUR\nA,2\nB,3.5\nC,1\nD,8\n"},
	"features": {`[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
features = ["x"]
categories = ["kind"]
[[objective]]
name = "yield"
noise = { sd = 2.0 }
norm = 300
[method]
name = "LinGapE"
`, "name,x,kind\nA,0,red\nB,1,blue\nC,2,red\nD,3,blue\nE,1,red\n"},
	"counts": {`[question]
find = "best"
delta = 0.1
[candidates]
names = ["low", "middle", "high"]
[[objective]]
name = "response"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
[[objective]]
name = "toxicity"
goal = "bounded"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
at_most = 0.6
`, ""},
	"budget": {`[question]
find = "best"
delta = 0.05
[candidates]
names = ["A", "B", "C", "D"]
[[objective]]
name = "yield"
noise = { sd = 2.0 }
[laboratory]
measurements = 24
plate = 3
`, ""},
	"frozen": {`protocol = "frozen"
[question]
find = "good"
delta = 0.1
[candidates]
names = ["A", "B", "C"]
[[objective]]
name = "yield"
unit = "mg"
noise = { range = [0, 100] }
tolerance_percent = 40
`, ""},
	"pilot": {`[question]
find = "top"
count = 2
delta = 0.1
[candidates]
names = ["A", "B", "C", "D"]
[[objective]]
name = "yield"
noise = { pilot = { rewards = 3, delta = 0.01 } }
values = [0, 100]
weight = 2.0
[method]
confirm = false
`, ""},
	"overlap": {`[question]
find = "pareto"
delta = 0.1
[candidates]
names = ["A", "B", "C", "D"]
[[objective]]
name = "yield"
noise = { sd = 3.0 }
[[objective]]
name = "impurity"
goal = "minimise"
noise = { sd = 0.5 }
[laboratory]
plate = 5
[method]
name = "Betting Pareto"
overlap = true
`, ""},
	"rounds": {`[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
features = ["x"]
[[objective]]
name = "yield"
noise = { sd = 3.0 }
[method]
name = "RAGE"
`, "name,x\nA,0\nB,1\nC,2\n"},
	"known": {`independent = true
[question]
find = "feasible"
delta = 0.1
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 3.0 }
[[objective]]
name = "price"
goal = "minimise"
known = true
[[constraint]]
terms = { yield = 1, price = -2 }
at_least = 45
[laboratory]
extras = "refuse"
plate = 5
reference = "B"
reference_wells = 2
`, "name,price\nA,3\nB,7\nC,5\nD,4\n"},
}

// Names are those of the stories.
var Names = []string{"budget", "counts", "features", "frozen", "known", "overlap", "pilot", "plates", "rounds"}

// Problem returns the problem of a story.
func Problem(t testing.TB, name string) *problem.Problem {
	t.Helper()
	x := problems[name]
	p, err := problem.Parse(name+".toml", []byte(x[0]),
		func(string) ([]byte, error) { return []byte(x[1]), nil })
	if err != nil {
		t.Fatal(err)
	}
	if name == "budget" {
		p.Method.Name = p.Budgeted()[0]
	}
	return p
}

// A Teller is a story as it goes on.
type Teller struct {
	T    testing.TB
	Name string
	C    *campaign.Campaign
	P    *problem.Problem
	// Log is told each step and what came of it.
	Log func(format string, args ...any)

	rnd   *rand.Rand
	model model
	ids   int
	truth map[string][]float64
	told  []campaign.Result
}

// Begin begins the campaign of a story in a folder of its own.
func Begin(t testing.TB, name string, seed uint64) *Teller {
	t.Helper()
	p := Problem(t, name)
	c, err := campaign.Create(filepath.Join(t.TempDir(), name+".campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	s := &Teller{T: t, Name: name, C: c, P: p, Log: func(string, ...any) {}, rnd: rand.New(rand.NewPCG(seed, 7)), truth: map[string][]float64{}}
	s.model.problem = p
	return s
}

// means returns those of a candidate, in results.
func (s *Teller) means(arm string) []float64 {
	if m := s.truth[arm]; m != nil {
		return m
	}
	i := float64(len(s.truth))
	var m []float64
	for _, c := range s.P.Measured() {
		o := &s.P.Objectives[c]
		switch {
		case o.Noise.Counts != nil && o.Goal == problem.Bounded:
			m = append(m, .2+.1*i)
		case o.Noise.Counts != nil:
			m = append(m, .3+.25*i)
		case o.Name == "impurity":
			m = append(m, 2+2.5*i)
		default:
			m = append(m, 40+9*math.Mod(3*i, 5))
		}
	}
	s.truth[arm] = m
	return m
}

// Measure measures a ticket.
func (s *Teller) Measure(x campaign.Ticket) campaign.Result {
	r := campaign.Result{Ticket: x.Ticket}
	m := s.means(x.Arm)
	if s.P.Evaluable() != "" {
		r.Of = 12 - s.rnd.IntN(3)
		if r.Of == 12 {
			r.Of = 0
		}
	}
	for j, c := range s.P.Measured() {
		o := &s.P.Objectives[c]
		if o.Noise.Counts != nil {
			n := 12
			if r.Of > 0 {
				n = r.Of
			}
			k := 0
			for range n {
				if s.rnd.Float64() < m[j] {
					k++
				}
			}
			r.Values = append(r.Values, float64(k))
			continue
		}
		sd := 2.
		if o.Name == "impurity" {
			sd = .4
		}
		r.Values = append(r.Values, max(0, math.Round(10*(m[j]+sd*s.rnd.NormFloat64()))/10))
	}
	return r
}

// pending returns the tickets that are out.
func (s *Teller) pending() []campaign.Ticket {
	list, err := s.C.Tickets(campaign.Pending)
	if err != nil {
		s.T.Fatal(err)
	}
	return list
}

// event returns the number of the last event.
func (s *Teller) event() int {
	list, err := s.C.Events(0)
	if err != nil {
		s.T.Fatal(err)
	}
	return list[len(list)-1].Seq
}

// kindOf says what kind an error is.
func kindOf(err error) string {
	switch {
	case errors.Is(err, campaign.ErrConflict):
		return "conflict"
	case errors.Is(err, campaign.ErrInput):
		return "input"
	}
	return "other"
}

// Step does one thing that is drawn, and compares what is said of the campaign with the model.
func (s *Teller) Step() {
	s.T.Helper()
	was := s.event()
	switch x := s.rnd.IntN(100); {
	case x < 30:
		s.Ask(1+s.rnd.IntN(8), "")
	case x < 60:
		s.some()
	case x < 66:
		s.extra()
	case x < 70:
		s.again()
	case x < 75:
		s.giveUp()
	case x < 80:
		s.drop()
	case x < 85:
		s.join()
	case x < 93:
		s.undo(was)
	default:
		s.sign(was)
	}
	s.Compare()
}

// Ask asks for a plate.
func (s *Teller) Ask(n int, key string) {
	s.T.Helper()
	list, err := s.C.AskOnce(key, n, "robot")
	if err != nil {
		s.Log("ask %d: %s error: %v", n, kindOf(err), err)
		return
	}
	var words []string
	for _, x := range list {
		word := fmt.Sprintf("%d %s", x.Ticket, x.Arm)
		if x.Reference {
			word += "*"
		}
		words = append(words, word)
	}
	s.Log("ask %d: %s", n, strings.Join(words, ", "))
	if len(list) > 0 {
		s.model.add(event{seq: s.event(), kind: "ask", tickets: list})
		if key := fmt.Sprintf("key %d", s.event()); s.rnd.IntN(4) == 0 { // a key that is new asks anew; the same one does not
			one, err1 := s.C.AskOnce(key, 2, "robot")
			two, err2 := s.C.AskOnce(key, 7, "robot")
			if err1 != nil || err2 != nil || fmt.Sprint(one) != fmt.Sprint(two) {
				s.T.Errorf("%s: asked twice by a key: %v %v, %v %v", s.Name, one, err1, two, err2)
			}
			if len(one) > 0 {
				s.model.add(event{seq: s.event(), kind: "ask", tickets: one})
			}
		}
	}
}

// tell tells results.
func (s *Teller) tell(list []campaign.Result) {
	r, err := s.C.Tell(list, "Eve")
	var words []string
	for _, x := range list {
		word := fmt.Sprintf("%d%s%s %v", x.Ticket, x.ID, x.Arm, x.Values)
		if x.Of > 0 {
			word += fmt.Sprintf(" of %d", x.Of)
		}
		if x.Failed {
			word += " failed"
		}
		words = append(words, word)
	}
	what := strings.Join(words, ", ")
	if err != nil {
		s.Log("tell %s: %s error: %v", what, kindOf(err), err)
		return
	}
	s.Log("tell %s: event %d, used %d, unused %d, failed %d, reference %d, repeated %d, %s %q", what, r.Event, r.Used, r.Unused, r.Failed, r.Reference,
		r.Repeated, r.Status, r.Odd)
	if r.Event > 0 {
		s.model.add(event{seq: r.Event, kind: "tell", rows: list})
		s.told = append(s.told, list...)
	}
	if r.Used+r.Unused+r.Failed+r.Reference+r.Repeated != len(list) {
		s.T.Errorf("%s: a receipt of %d results: %+v", s.Name, len(list), r)
	}
}

// some tells some of what is out, in any order; a tenth failed, and some come long after.
func (s *Teller) some() {
	list := s.pending()
	s.rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var results []campaign.Result
	for _, x := range list[:min(len(list), 1+s.rnd.IntN(8))] {
		if s.rnd.IntN(10) == 0 {
			results = append(results, campaign.Result{Ticket: x.Ticket, Failed: true, Note: "spilled"})
		} else {
			results = append(results, s.Measure(x))
		}
	}
	if len(results) > 0 {
		s.tell(results)
	}
}

// extra tells a result that nobody asked for.
func (s *Teller) extra() {
	arms := s.P.Candidates.Names
	arm := arms[s.rnd.IntN(len(arms))]
	r := s.Measure(campaign.Ticket{Arm: arm})
	s.ids++
	r.Arm, r.ID = arm, fmt.Sprintf("book %d ", s.ids)
	if s.rnd.IntN(6) == 0 { // a slip
		r.Arm = arms[s.rnd.IntN(len(arms))]
	}
	s.tell([]campaign.Result{r})
}

// again tells something twice, or something else of the same ticket.
func (s *Teller) again() {
	if len(s.told) == 0 {
		return
	}
	x := s.told[s.rnd.IntN(len(s.told))]
	if s.rnd.IntN(2) == 0 && len(x.Values) > 0 {
		x.Values = slices.Clone(x.Values)
		x.Values[0]++
	}
	s.tell([]campaign.Result{x})
}

func (s *Teller) giveUp() {
	list := s.pending()
	if len(list) == 0 {
		return
	}
	x := list[s.rnd.IntN(len(list))]
	r, err := s.C.GiveUp([]int{x.Ticket}, "never came", "Eve")
	s.Log("give up %d: %+v %v", x.Ticket, r, err)
	if err == nil {
		s.model.add(event{seq: r.Event, kind: "tell", rows: []campaign.Result{{Ticket: x.Ticket, Failed: true}}})
	}
}

// consent is what somebody says of a change: often all, sometimes little.
func (s *Teller) consent() campaign.Consent {
	switch s.rnd.IntN(4) {
	case 0:
		return campaign.Consent{}
	case 1:
		return campaign.Consent{Why: " as it was a slip "}
	}
	return campaign.Consent{Why: "it must be", By: "Bob"}
}

func (s *Teller) drop() {
	arms := s.P.Candidates.Names
	arm, agreed := arms[s.rnd.IntN(len(arms))], s.consent()
	err := s.C.DropWith(arm, agreed, "Ada")
	s.Log("drop %s %+v: %v", arm, agreed, err)
	if err == nil {
		s.model.add(event{seq: s.event(), kind: "drop", arm: arm})
	}
}

func (s *Teller) join() {
	name := fmt.Sprintf("N%d", s.rnd.IntN(3))
	if s.rnd.IntN(3) == 0 { // one that was there
		name = s.P.Candidates.Names[s.rnd.IntN(s.P.K())]
	}
	columns := map[string]string{}
	for _, c := range s.P.NewcomerColumns() {
		columns[c] = fmt.Sprint(1 + s.rnd.IntN(3))
	}
	agreed := s.consent()
	err := s.C.JoinWith(problem.Candidate{Name: name, Columns: columns}, agreed, "Ada")
	s.Log("join %s %v %+v: %v", name, columns, agreed, err)
	if err == nil {
		s.model.add(event{seq: s.event(), kind: "join", arm: name, cost: columns[s.P.Candidates.Cost]})
	}
}

func (s *Teller) undo(last int) {
	seq, agreed := 1+s.rnd.IntN(last+1), s.consent()
	err := s.C.UndoWith(seq, agreed, "Ada")
	s.Log("undo %d %+v: %v", seq, agreed, err)
	if err == nil {
		s.model.add(event{seq: s.event(), kind: "undo", undoes: seq})
	}
}

func (s *Teller) sign(last int) {
	name := []string{"Ada", "Bob"}[s.rnd.IntN(2)]
	seen := []int{0, last, last - 1}[s.rnd.IntN(3)]
	err := s.C.SignSeen(seen, name, "", "Eve")
	s.Log("sign %s, seen %d: %v", name, seen, err)
	if err == nil {
		s.model.add(event{seq: s.event(), kind: "sign", name: name})
	}
}

// Finish measures what is asked for until nothing is, for so many plates at most.
func (s *Teller) Finish(plates int) {
	for range plates {
		st, err := s.C.Status()
		if err != nil {
			s.T.Fatal(err)
		}
		if st.Over() || st.Status == campaign.Broken {
			return
		}
		s.Ask(8, "")
		list := s.pending()
		if len(list) == 0 {
			return
		}
		var results []campaign.Result
		for _, x := range list {
			results = append(results, s.Measure(x))
		}
		s.tell(results)
		s.Compare()
	}
}
