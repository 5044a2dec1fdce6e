package campaign_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// tales are the problems of stories, by name, with their tables of candidates.
var tales = map[string][2]string{
	"plates": {`title = "Plates"
question = { find = "pareto", delta = 0.1 }
candidates = { file = "c.csv", cost = "EUR", cost_unit = "EUR" }
objective = [{ name = "yield", unit = "%", noise = { sd = 3.0 }, values = [0, 100], tolerance = 2 },
  { name = "impurity", goal = "minimise", noise = { sd = 0.5 }, at_most = 6 }]
laboratory = { plate = 6, fill = true, reference = "control", measurements = 60 }
`, "name,EUR\nA,2\nB,3.5\nC,1\nD,8\n"},
	"features": {`question = { find = "best", delta = 0.05 }
candidates = { file = "c.csv", features = ["x"], categories = ["kind"] }
objective = [{ name = "yield", noise = { sd = 2.0 }, norm = 300 }]
method = { name = "LinGapE" }
`, "name,x,kind\nA,0,red\nB,1,blue\nC,2,red\nD,3,blue\nE,1,red\n"},
	"counts": {`question = { find = "best", delta = 0.1 }
candidates = { names = ["low", "middle", "high"] }
objective = [{ name = "response", noise = { counts = 12, evaluable = "left", of = "patients" }, amounts = "rates" },
  { name = "toxicity", goal = "bounded", noise = { counts = 12, evaluable = "left", of = "patients" }, amounts = "rates",
    at_most = 0.6 }]
`, ""},
	"budget": {`question = { find = "best", delta = 0.05 }
candidates = { names = ["A", "B", "C", "D"] }
objective = [{ name = "yield", noise = { sd = 2.0 } }]
laboratory = { measurements = 24, plate = 3 }
`, ""},
	"frozen": {`protocol = "frozen"
question = { find = "good", delta = 0.1 }
candidates = { names = ["A", "B", "C"] }
objective = [{ name = "yield", unit = "mg", noise = { range = [0, 100] }, tolerance_percent = 40 }]
`, ""},
	"pilot": {`question = { find = "top", count = 2, delta = 0.1 }
candidates = { names = ["A", "B", "C", "D"] }
objective = [{ name = "yield", noise = { pilot = { rewards = 3, delta = 0.01 } }, values = [0, 100], weight = 2.0 }]
method = { confirm = false }
`, ""},
	"overlap": {`question = { find = "pareto", delta = 0.1 }
candidates = { names = ["A", "B", "C", "D"] }
objective = [{ name = "yield", noise = { sd = 3.0 } }, { name = "impurity", goal = "minimise", noise = { sd = 0.5 } }]
laboratory = { plate = 5 }
method = { name = "Betting Pareto", overlap = true }
`, ""},
	"rounds": {`question = { find = "best", delta = 0.05 }
candidates = { file = "c.csv", features = ["x"] }
objective = [{ name = "yield", noise = { sd = 3.0 } }]
method = { name = "RAGE" }
`, "name,x\nA,0\nB,1\nC,2\n"},
	"summaries": {`question = { find = "best", delta = 0.1 }
candidates = { names = ["A", "B", "C", "D"] }
objective = [{ name = "yield", noise = { sd = 3.0 } }]
laboratory = { plate = 5, reference = "B" }
method = { name = "UGapE", confirm = false }
`, ""},
	"known": {`independent = true
question = { find = "feasible", delta = 0.1 }
candidates = { file = "c.csv" }
objective = [{ name = "yield", unit = "%", noise = { sd = 3.0 } }, { name = "price", goal = "minimise", known = true }]
constraint = [{ terms = { yield = 1, price = -2 }, at_least = 45 }]
laboratory = { extras = "refuse", plate = 5, reference = "B", reference_wells = 2 }
`, "name,price\nA,3\nB,7\nC,5\nD,4\n"},
}

// taleNames are the names of stories, in order.
var taleNames = slices.Sorted(maps.Keys(tales))

// A teller runs a story: it draws the actions at random, reproducibly, from all possible actions.
type teller struct {
	t    testing.TB
	name string
	c    *campaign.Campaign
	p    *problem.Problem
	log  func(format string, args ...any) // logs each step and its outcome

	rnd   *rand.Rand
	model model
	ids   int
	truth map[string][]float64
	told  []campaign.Result
}

// beginTale begins the campaign of a story in a folder of its own.
func beginTale(t testing.TB, name string, seed uint64) *teller {
	t.Helper()
	p, err := problem.Parse(name+".toml", []byte(tales[name][0]),
		func(string) ([]byte, error) { return []byte(tales[name][1]), nil })
	if err != nil {
		t.Fatal(err)
	}
	if name == "budget" {
		p.Method.Name = p.Budgeted()[0]
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), name+".campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &teller{t: t, name: name, c: c, p: p, log: func(string, ...any) {}, rnd: rand.New(rand.NewPCG(seed, 7)),
		truth: map[string][]float64{}, model: model{problem: p}}
}

// means returns the true means of a candidate: rates for counts, and otherwise in the units of the results.
func (s *teller) means(arm string) []float64 {
	if m := s.truth[arm]; m != nil {
		return m
	}
	i := float64(len(s.truth))
	var m []float64
	for _, c := range s.p.Measured() {
		switch o := &s.p.Objectives[c]; {
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

// measure draws a result for a ticket.
func (s *teller) measure(x campaign.Ticket) campaign.Result {
	r := campaign.Result{Ticket: x.Ticket}
	m := s.means(x.Arm)
	trials := 12
	if s.p.Objectives[0].Noise.Counts != nil {
		trials = *s.p.Objectives[0].Noise.Counts
	}
	if s.p.Evaluable() != "" {
		if trials -= s.rnd.IntN(3); trials < 12 {
			r.Of = trials
		}
	}
	for j, c := range s.p.Measured() {
		o := &s.p.Objectives[c]
		if o.Noise.Counts != nil {
			k := 0
			for range trials {
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
	if s.name == "summaries" {
		r.N = s.rnd.IntN(5)
	}
	return r
}

// pending returns the pending tickets.
func (s *teller) pending() []campaign.Ticket {
	list, err := s.c.Tickets(campaign.Pending)
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

// event returns the number of the last event.
func (s *teller) event() int {
	list, err := s.c.Events(0)
	if err != nil {
		s.t.Fatal(err)
	}
	return list[len(list)-1].Seq
}

// kindOf returns the kind of an error.
func kindOf(err error) string {
	switch {
	case errors.Is(err, campaign.ErrConflict):
		return "conflict"
	case errors.Is(err, campaign.ErrInput):
		return "input"
	}
	return "other"
}

// step performs a random action, and compares the status of the campaign with the model.
func (s *teller) step() {
	s.t.Helper()
	was := s.event()
	switch x := s.rnd.IntN(100); {
	case x < 30:
		s.ask(1 + s.rnd.IntN(8))
	case x < 60:
		s.some()
	case x < 66:
		s.extra()
	case x < 70:
		s.again()
	case x < 75:
		s.giveUp()
	case x < 93:
		s.change(x, was)
	default:
		s.sign(was)
	}
	s.compare()
}

// ask requests a plate, and sometimes sends two requests with the same new key, which return the same tickets.
func (s *teller) ask(n int) {
	s.t.Helper()
	ask := func() ([]campaign.Ticket, error) { return s.c.Ask(n, "robot") }
	if s.name == "overlap" && n == 7 {
		ask = func() ([]campaign.Ticket, error) { return s.c.Announce("", []string{s.arm(), s.arm()}, "Eve") }
	}
	list, err := ask()
	if err != nil {
		s.log("ask %d: %s error: %v", n, kindOf(err), err)
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
	s.log("ask %d: %s", n, strings.Join(words, ", "))
	if len(list) == 0 {
		return
	}
	s.model.add(event{seq: s.event(), kind: "ask", tickets: list})
	if key := fmt.Sprintf("key %d", s.event()); s.rnd.IntN(4) == 0 {
		one, err1 := s.c.AskOnce(key, 2, "robot")
		two, err2 := s.c.AskOnce(key, 7, "robot")
		if err1 != nil || err2 != nil || fmt.Sprint(one) != fmt.Sprint(two) {
			s.t.Errorf("%s: asked twice by a key: %v %v, %v %v", s.name, one, err1, two, err2)
		}
		if len(one) > 0 {
			s.model.add(event{seq: s.event(), kind: "ask", tickets: one})
		}
	}
}

// tell reports results.
func (s *teller) tell(list ...campaign.Result) {
	r, err := s.c.Tell(list, "Eve")
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
		s.log("tell %s: %s error: %v", what, kindOf(err), err)
		return
	}
	s.log("tell %s: event %d, used %d, unused %d, failed %d, reference %d, repeated %d, %s %q", what, r.Event, r.Used, r.Unused,
		r.Failed, r.Reference, r.Repeated, r.Status, r.Odd)
	if r.Event > 0 {
		s.model.add(event{seq: r.Event, kind: "tell", rows: list})
		s.told = append(s.told, list...)
	}
	if r.Used+r.Unused+r.Failed+r.Reference+r.Repeated != len(list) && s.name != "summaries" {
		s.t.Errorf("%s: a receipt of %d results: %+v", s.name, len(list), r)
	}
}

// some reports some of the pending measurements in random order; a tenth fail, and the rest stay pending.
func (s *teller) some() {
	list := s.pending()
	s.rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var results []campaign.Result
	for _, x := range list[:min(len(list), 1+s.rnd.IntN(8))] {
		if s.rnd.IntN(10) == 0 {
			results = append(results, campaign.Result{Ticket: x.Ticket, Failed: true, Note: "spilled"})
		} else {
			results = append(results, s.measure(x))
		}
	}
	if len(results) > 0 {
		s.tell(results...)
	}
}

// arm draws a candidate of the problem.
func (s *teller) arm() string { return s.p.Candidates.Names[s.rnd.IntN(s.p.K())] }

// extra reports an unsolicited result, sometimes for the wrong candidate.
func (s *teller) extra() {
	arm := s.arm()
	r := s.measure(campaign.Ticket{Arm: arm})
	s.ids++
	r.Arm, r.ID = arm, fmt.Sprintf("book %d ", s.ids)
	if s.rnd.IntN(6) == 0 {
		r.Arm = s.arm()
	}
	s.tell(r)
}

// again reports an earlier result again, sometimes with a different value.
func (s *teller) again() {
	if len(s.told) == 0 {
		return
	}
	x := s.told[s.rnd.IntN(len(s.told))]
	if s.rnd.IntN(2) == 0 && len(x.Values) > 0 {
		x.Values = slices.Clone(x.Values)
		x.Values[0]++
	}
	s.tell(x)
}

func (s *teller) giveUp() {
	list := s.pending()
	if len(list) == 0 {
		return
	}
	x := list[s.rnd.IntN(len(list))]
	r, err := s.c.GiveUp([]int{x.Ticket}, "never came", "Eve")
	s.log("give up %d: %+v %v", x.Ticket, r, err)
	if err == nil {
		s.model.add(event{seq: r.Event, kind: "tell", rows: []campaign.Result{{Ticket: x.Ticket, Failed: true}}})
	}
}

// consent returns a random Consent: complete in half of the cases, otherwise empty or without By.
func (s *teller) consent() campaign.Consent {
	return []campaign.Consent{{}, {Why: " as it was a slip "}, {Why: "it must be", By: "Bob"},
		{Why: "it must be", By: "Bob"}}[s.rnd.IntN(4)]
}

// change drops a candidate, adds a candidate (possibly a former one), or undoes an event.
func (s *teller) change(x, last int) {
	var e event
	var what string
	var agreed campaign.Consent
	var err error
	switch {
	case x < 80:
		e.kind, e.arm, agreed = "drop", s.arm(), s.consent()
		what, err = e.arm, s.c.DropWith(e.arm, agreed, "Ada")
	case x < 85:
		e.kind, e.arm = "join", fmt.Sprintf("N%d", s.rnd.IntN(3))
		if s.rnd.IntN(3) == 0 {
			e.arm = s.arm()
		}
		columns := map[string]string{}
		for _, c := range s.p.NewcomerColumns() {
			columns[c] = fmt.Sprint(1 + s.rnd.IntN(3))
		}
		e.cost, agreed = columns[s.p.Candidates.Cost], s.consent()
		what = fmt.Sprintf("%s %v", e.arm, columns)
		err = s.c.JoinWith(problem.Candidate{Name: e.arm, Columns: columns}, agreed, "Ada")
	default:
		e.kind, e.undoes, agreed = "undo", 1+s.rnd.IntN(last+1), s.consent()
		what, err = fmt.Sprint(e.undoes), s.c.UndoWith(e.undoes, agreed, "Ada")
	}
	s.log("%s %s %+v: %v", e.kind, what, agreed, err)
	if err == nil {
		e.seq = s.event()
		s.model.add(e)
	}
}

func (s *teller) sign(last int) {
	name := []string{"Ada", "Bob"}[s.rnd.IntN(2)]
	seen := []int{0, last, last - 1}[s.rnd.IntN(3)]
	err := s.c.SignSeen(seen, name, "", "Eve")
	s.log("sign %s, seen %d: %v", name, seen, err)
	if err == nil {
		s.model.add(event{seq: s.event(), kind: "sign"})
	}
}

// finish measures the requested plates until there are no more requests, up to a limit of plates.
func (s *teller) finish(plates int) {
	for range plates {
		st, err := s.c.Status()
		if err != nil {
			s.t.Fatal(err)
		}
		if st.Over() || st.Status == campaign.Broken {
			return
		}
		s.ask(8)
		var results []campaign.Result
		for _, x := range s.pending() {
			results = append(results, s.measure(x))
		}
		if results == nil {
			return
		}
		s.tell(results...)
		s.compare()
	}
}
