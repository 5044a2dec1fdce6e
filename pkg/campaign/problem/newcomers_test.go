package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest"
)

// By the union bound, the intervals of all candidates that were ever present fail with probability at most delta,
// whichever candidates join and leave. Over successive union bounds, the shares of delta of all candidates sum to at
// most 1. No share grows. Without a reserve for newcomers, the shares of the candidates sum to 1.
func TestSharesOfAllThatEverWere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 6))
	for run := range 300 {
		k := 1 + rnd.IntN(20)
		c := Candidates{}
		for i := range k {
			c.Names = append(c.Names, fmt.Sprint(i))
		}
		if c.share() != 1 {
			t.Fatalf("%d candidates without newcomers have %v of delta", k, c.share())
		}
		c.Shares = expected(k)
		ever, last, spent, here := k, 1., 0., 0.
		come := rnd.Float64() // probability that a candidate joins; otherwise one leaves
		for step := range 200 {
			part := c.share() / float64(len(c.Names))
			switch {
			case part > last*(1+1e-12):
				t.Fatalf("run %d, step %d: the part of a candidate grew from %v to %v", run, step, last, part)
			case part < last*(1-1e-12): // the shares were recomputed for another union bound
				spent, last = spent+here, part
			}
			here = float64(ever) * part
			if spent+here > 1+1e-12 {
				t.Fatalf("run %d, step %d: %d candidates, %d ever, fail with %v delta", run, step, len(c.Names), ever,
					spent+here)
			}
			if rnd.Float64() < come || len(c.Names) == 1 {
				c.came()
				c.Names = append(c.Names, fmt.Sprint(ever))
				ever++
			} else {
				c.went()
				i := rnd.IntN(len(c.Names))
				c.Names = slices.Delete(c.Names, i, i+1)
			}
		}
		if here < .01 && ever < 100 {
			t.Errorf("run %d: %d candidates that ever were use %v of delta", run, ever, here)
		}
	}
}

// At the start, places for an eighth of the candidates are reserved, and at least one place. Each of 16 candidates
// gets 0.9 × delta/18, so all 18 use 0.9 × delta. The nineteenth candidate starts a new union bound, which uses half
// of the remaining 0.1 × delta.
func TestSharesOfFirstNewcomers(t *testing.T) {
	for k, want := range map[int]int{1: 2, 7: 8, 8: 9, 15: 16, 16: 18, 100: 112} {
		if got := expected(k); got != want {
			t.Errorf("%d candidates: %d are expected; want %d", k, got, want)
		}
	}
	c := Candidates{Names: make([]string, 16), Shares: expected(16)}
	for ever, want := range map[int]float64{16: .9 / 18, 18: .9 / 18, 19: .05 / 36, 36: .05 / 36, 37: .025 / 72} {
		c.Ever = ever
		if got := c.share() / 16; math.Abs(got-want) > 1e-15 {
			t.Errorf("%d ever: a candidate has %v of delta; want %v", ever, got, want)
		}
	}
}

// A column that has both the costs of measurements and known values is requested only once.
func TestNewcomerColumnsOnce(t *testing.T) {
	p, err := Parse("p.toml", []byte(`question = {find = "pareto", delta = 0.1}
candidates = {file = "c.csv", cost = "EUR"}
[[objective]]
name = "yield"
noise = {sd = 1}
[[objective]]
name = "price"
goal = "minimise"
known = true
column = "EUR"
`), files(map[string]string{"c.csv": "candidate,EUR\nA,1\nB,2\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.NewcomerColumns(); len(got) != 1 || got[0] != "EUR" {
		t.Errorf("%q; want EUR, once", got)
	}
}

// Candidates that join and leave are counted; spellings of names and columns are normalised. Errors name the
// candidate and the column but no line, because the problem no longer matches the file.
func TestComingAndGoing(t *testing.T) {
	p := parsedBase(t, "full")
	candidate := func(name, key, value string) Candidate {
		c := Candidate{Name: name, Columns: map[string]string{"pH": "7.5", "ligand": "z", "price": "9"}}
		if key != "" {
			c.Columns[key] = value
		}
		return c
	}
	c := candidate(" E\u0301 ", "", "")
	c.Columns = map[string]string{" pH ": " 6 ", "ligand\t": "z", "price": " 9"}
	q, err := p.With(c)
	if err != nil {
		t.Fatal(err)
	}
	k := &q.Candidates
	if k.Names[4] != "\u00c9" || k.Features[4][1] != 6 || k.Costs[4] != 9 || k.Ever != 5 || p.Candidates.Ever != 0 || len(p.Candidates.Names) != 4 {
		t.Errorf("%+v", k)
	}
	for i, row := range k.Features { // the new value "z" adds a feature that is 0 for the other candidates
		if at := len(row) - 1; len(row) != len(k.FeatureNames) || row[at] != float64(i/4) || row[0] != 1 || k.FeatureNames[at] != "ligand = z" {
			t.Errorf("%d: %v of %q", i, row, k.FeatureNames)
		}
	}
	gone, err := q.Without("A")
	if err != nil {
		t.Fatal(err)
	}
	back, err := gone.With(candidate("A", "", ""))
	if err != nil || gone.Candidates.Ever != 5 || back.Candidates.Ever != 6 {
		t.Errorf("%d ever without, and %d with one more: %v", gone.Candidates.Ever, back.Candidates.Ever, err)
	}
	if first, err := p.Without("A"); err != nil || first.Candidates.Ever != 4 {
		t.Errorf("%d ever after the first one was dropped: %v", first.Candidates.Ever, err)
	}
	for want, c := range map[string]Candidate{
		`problem: "A" is already a candidate`:                      candidate(" A ", "", ""),
		`candidate "E", column "pH": missing`:                      candidate("E", "pH", " "),
		`candidate "E", column "price": `:                          candidate("E", "price", "cheap"),
		"column \"ligand\": \"z\\xff\" has invisible characters":   candidate("E", "ligand", "z\xff"),
		`the problem does not use a column "colour"; leave it out`: candidate("E", "colour", "red"),
		`candidate "E" has the column "pH" twice`:                  candidate("E", " pH ", "7"),
	} {
		if _, err := p.With(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "p.toml") {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for _, r := range []rune{0, '\t', 0x7f, 0x85, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff} { // characters that break a line or change its direction
		if _, err := p.With(candidate("E", "ligand", "z"+string(r)+"z")); err == nil || !strings.Contains(err.Error(), "invisible characters") {
			t.Errorf("%U: %v", r, err)
		}
	}
	for _, r := range []rune{' ', 'é', 0xa0, 0x2027, 0x202f, 0x2065, 0x206a, '°'} {
		if _, err := p.With(candidate("E", "ligand", "z"+string(r)+"z")); err != nil {
			t.Errorf("%U: %v", r, err)
		}
	}
	if _, err := p.Without("X"); err == nil || err.Error() != `problem: unknown candidate "X"; the candidates are A, B, C, D` {
		t.Error(err)
	}
	for k, want := range map[int]string{8: "c7", 9: "c7 and 1 more", 20: "c7 and 12 more"} {
		var names []string
		for i := range k {
			names = append(names, fmt.Sprintf("%q", fmt.Sprint("c", i)))
		}
		p, err := Parse("p.toml", []byte("question = {find = \"best\", delta = 0.1}\ncandidates = {names = ["+strings.Join(names, ", ")+
			"]}\n[[objective]]\nname = \"yield\"\nnoise = {sd = 1}\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Without("X"); err == nil || !strings.HasSuffix(err.Error(), "c6, "+want) {
			t.Errorf("%d candidates: %v; want %q", k, err, want)
		}
	}
	if got := fmt.Sprint(p.NewcomerColumns()); got != "[pH ligand price]" {
		t.Error(got)
	}
}

func parsedBase(t *testing.T, name string) *Problem {
	t.Helper()
	p, err := Parse("p.toml", []byte(bases[name].text), files(bases[name].tables))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A clone of a problem shares no memory with the original.
func TestCloneIsApart(t *testing.T) {
	for name := range bases {
		p := parsedBase(t, name)
		before, q := string(p.Encode()), p.Clone()
		if string(q.Encode()) != before || q.source != nil {
			t.Errorf("%s: the clone is another problem", name)
		}
		for i := range q.Candidates.Names {
			q.Candidates.Names[i] += "x"
		}
		for i := range q.Candidates.Costs {
			q.Candidates.Costs[i]++
		}
		for i := range q.Constraints {
			q.Constraints[i].Name, q.Constraints[i].Slack = "other", 9
		}
		for i := range q.Objectives {
			o := &q.Objectives[i]
			o.Name += "x"
			for j := range o.Exact {
				o.Exact[j]++
			}
			for j := range o.Guesses {
				o.Guesses[j]++
			}
		}
		for i := range q.Candidates.FeatureNames {
			q.Candidates.FeatureNames[i], q.Candidates.Features[0] = "f", nil
		}
		if after := string(p.Encode()); after != before {
			t.Errorf("%s is\n%s\nit was\n%s", name, after, before)
		}
	}
}

// The identity of a problem consists of the inputs of its policy. Titles, laboratories, guesses and pilot means do
// not affect the identity.
func TestWhatIdentifies(t *testing.T) {
	p := parsedBase(t, "full")
	same := func(change func(q *Problem)) bool {
		q := p.Clone()
		change(q)
		return string(q.Canonical()) == string(p.Canonical())
	}
	for what, c := range map[string]struct {
		same   bool
		change func(q *Problem)
	}{
		"title": {true, func(q *Problem) { q.Title = "other" }}, "plate": {true, func(q *Problem) { q.Laboratory.Plate = 9 }},
		"guesses": {true, func(q *Problem) { q.Objectives[0].Guesses = nil }}, "guessed sd": {true, func(q *Problem) { q.Objectives[0].GuessSD = 7 }},
		"pilot": {true, func(q *Problem) { q.Pilot = nil }}, "the method that is meant": {true, func(q *Problem) { q.Method.Name = q.MethodName() }},
		"delta": {false, func(q *Problem) { q.Question.Delta = .01 }}, "weight": {false, func(q *Problem) { q.Objectives[1].Weight = new(float64) }},
		"seed": {false, func(q *Problem) { q.Method.Seed = 4 }}, "cost": {false, func(q *Problem) { q.Candidates.Costs[0] = 4 }},
		"bound": {false, func(q *Problem) { q.Constraints[0].Slack = 4 }}, "pilot's deviation": {false, func(q *Problem) {
			n := *q.Objectives[1].Noise.Pilot
			n.SD++
			q.Objectives[1].Noise.Pilot = &n
		}},
	} {
		if got := same(c.change); got != c.same {
			t.Errorf("with another %s the problem is the same: %v", what, got)
		}
	}
	text := string(p.Encode())
	for what, text := range map[string]string{"a second one": text + text, "something behind it": text + "x", "a field that there is not": "{\"x\":1," + text[1:],
		"half of it": text[:len(text)/2], "nothing": ""} {
		if _, err := Decode([]byte(text)); err == nil {
			t.Errorf("%s is taken", what)
		}
	}
}

// A new campaign gets the default radius, confirming measurements, shares and budget, unless its problem sets
// other values. A continued campaign keeps its shares, and does not gain a radius or confirming measurements.
func TestBegin(t *testing.T) {
	no := false
	for _, c := range []struct {
		what   string
		change func(q *Problem)
		was    func(q *Problem) // changes the earlier problem; nil for a new campaign
		want   string           // radius, confirm, shares, budget
	}{
		{"a new one", func(q *Problem) {}, nil, "mixture true 4 0"},
		{"as it says", func(q *Problem) { q.Method.Radius, q.Method.Confirm, q.Candidates.Shares = "theory", &no, 7 }, nil, "theory false 7 0"},
		{"with a budget", func(q *Problem) { q.Method.Name = "Uniform, fixed budget" }, nil, "mixture true 4 500"},
		{"with its own budget", func(q *Problem) { q.Method.Name, q.Method.Budget = "Uniform, fixed budget", 40 }, nil, "mixture true 4 40"},
		{"from before", func(q *Problem) {}, func(q *Problem) { q.Method.Radius, q.Method.Confirm, q.Candidates.Shares = "", nil, 0 }, " <nil> 0 0"},
		{"without confirming", func(q *Problem) {}, func(q *Problem) { q.Method.Confirm = nil }, "mixture <nil> 4 0"},
		{"with other shares", func(q *Problem) {}, func(q *Problem) { q.Candidates.Shares = 9 }, "mixture true 9 0"},
		{"with no shares", func(q *Problem) {}, func(q *Problem) { q.Candidates.Shares = 0 }, "mixture true 0 0"},
		{"with another radius", func(q *Problem) { q.Method.Radius = "theory" }, func(q *Problem) {}, "theory true 4 0"},
	} {
		was := parsedBase(t, "full")
		q := was.Clone()
		q.Method.Radius, q.Method.Confirm, q.Candidates.Shares = "", nil, 0
		if c.change(q); c.was == nil {
			was = nil
		} else {
			c.was(was)
		}
		q.Begin(was)
		confirm := "<nil>"
		if q.Method.Confirm != nil {
			confirm = fmt.Sprint(*q.Method.Confirm)
		}
		if got := fmt.Sprint(q.Method.Radius, " ", confirm, " ", q.Candidates.Shares, " ", q.Method.Budget); got != c.want {
			t.Errorf("%s: %s; want %s", c.what, got, c.want)
		}
	}
}

// Optional restarts do not increase the error probability. A person drops a bad candidate after every 400 measurements
// without an answer, up to twelve times. With any accepted method, the answer is wrong with probability at most delta.
// Two candidates are tied, so a campaign rarely ends by itself. Methods that learn from sums continue with all
// results; other methods restart.
func TestBeginningAnewDoesNotPay(t *testing.T) {
	const delta, hopeless, each = .2, 12, 400
	runs := 100 // guessing between a and b would be wrong in half of the runs; the test allows 41 of 100
	text := "question = {find = \"best\", delta = 0.2}\n[candidates]\nnames = [\"a\", \"b\""
	for i := range hopeless {
		text += fmt.Sprintf(", \"h%d\"", i)
	}
	p, err := Parse("p.toml", []byte(text+"]\n[[objective]]\nname = \"y\"\nnoise = {sd = 1}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	tried, began := 0, 0
	methods := []string{"Betting"}
	if !testing.Short() {
		methods, runs = p.Methods(), 150
	}
	for _, name := range methods {
		p := p.Clone()
		p.Method.Name = name
		wrong, ends := 0, 0
		for run := range runs {
			rnd := rand.New(rand.NewPCG(uint64(run), 3))
			now := p
			var told []explore.Report
			for begun := 0; begun <= hopeless; begun++ {
				c, err := now.Compile()
				if err != nil {
					t.Fatal(err)
				}
				s, err := explore.NewSession(c.Policy(), c.Problem, c.Settings())
				if err == nil {
					err = s.ByTickets()
				}
				if err != nil {
					t.Fatal(err)
				}
				if sums := c.Card.Uses.Has(explore.UsesSums); sums && len(told) > 0 {
					if _, err := s.Report(told); err != nil {
						t.Fatal(err)
					}
				} else if begun > 0 {
					began++
				}
				for pulls := 0; pulls < each && s.Status() == explore.Running; {
					orders, err := s.More(20)
					if err != nil || len(orders) == 0 {
						break
					}
					var reports []explore.Report
					for _, o := range orders {
						y := rnd.NormFloat64()
						if o.Arm > 1 {
							y -= 20
						}
						r := explore.Report{Ticket: o.Ticket, Batch: explore.Batch{
							Pull: explore.Pull{Arm: o.Arm, N: 1}, Sum: []float64{y}}}
						reports = append(reports, r)
						r.Ticket = 0
						told = append(told, r)
						pulls++
					}
					if _, err := s.Report(reports); err != nil {
						break
					}
				}
				if s.Status() == explore.Stopped {
					ends++
					if !slices.Contains(s.Result().Answer.Items, 0) { // a counts as the best; its mean equals that of b
						wrong++
					}
					break
				}
				if begun == hopeless {
					break
				}
				if now, err = now.Without(fmt.Sprintf("h%d", hopeless-1-begun)); err != nil {
					t.Fatal(err)
				}
				now.Candidates.Begun = begun + 1
				last := 2 + hopeless - 1 - begun
				told = slices.DeleteFunc(told, func(r explore.Report) bool { return r.Arm == last })
			}
		}
		tried++
		t.Logf("%s: %d of %d wrong, %d ends", name, wrong, runs, ends)
		if limit := policytest.MostErrors(runs, delta); wrong > limit {
			t.Errorf("%s: %d of %d wrong; at most %d", name, wrong, runs, limit)
		}
	}
	if tried < len(methods) || began == 0 {
		t.Errorf("%d methods, %d beginnings", tried, began)
	}
}

// All restarts together spend at most the error probability.
func TestBeginningsShareDelta(t *testing.T) {
	sum := 0.
	for begun := range 1000 {
		sum += (&Candidates{Later: .1, Begun: begun}).beginning()
	}
	if !(sum > .999 && sum <= 1) {
		t.Errorf("a thousand beginnings have %v of delta", sum)
	}
}
