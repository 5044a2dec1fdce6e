package campaign

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

const yields = `[question]
find = "best"
delta = 0.05
[candidates]
names = ["a", "b", "c", "d"]
join = true
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2 }
`

func yieldsOf(t *testing.T) *problem.Problem {
	p, err := problem.Parse("p.toml", []byte(yields), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// If a value is wrong by a factor of ten, Tell reports a possible slip and withdraws the certificate.
func TestSlip(t *testing.T) {
	c := beginWith(t, yieldsOf(t))
	say := func(id string, arm string, x float64) Receipt {
		r := tell(t, c, Result{ID: id, Arm: arm, Values: []float64{x}})
		return r
	}
	for i, x := range []float64{78, 79, 77, 78.5} {
		if r := say(fmt.Sprint(i), "a", x); r.Odd != nil {
			t.Errorf("%v is reported as odd: %q", x, r.Odd)
		}
	}
	r := say("slip", "a", 7.8)
	if len(r.Odd) != 1 || !strings.Contains(r.Odd[0], "78.12") || !strings.Contains(r.Odd[0], "7.8 is unexpected") {
		t.Errorf("%q", r.Odd)
	}
	s := status(t, c)
	if !s.Evidence.Withdrawn() || len(s.Warnings) != 2 ||
		!strings.HasPrefix(s.Warnings[0], "Event 6: yield of a: expected 78.12") ||
		!strings.HasPrefix(s.Headline, "Running without a certificate") ||
		!strings.HasPrefix(s.Guarantee[0], "Nothing is certified") {
		t.Errorf("%+v\n%s\n%s", s.Evidence, s.Headline, s.Guarantee[0])
	}
	if _, ok, err := c.Sure(); ok || err != nil {
		t.Errorf("Sure returns the confidence of a withdrawn answer: %v", err)
	}
	// Tell reports no slip for the next result, even if this result is reported again.
	for i, want := range []int{7, 0} {
		if r := say("next", "b", 60); r.Odd != nil || r.Event != want || r.Status != Running {
			t.Errorf("reported %d times: %+v", i+1, r)
		}
	}
	must(t, c.Undo(7, "", "Ada"))
	must(t, c.Undo(r.Event, "a slip", "Ada"))
	if s := status(t, c); s.Evidence.Level != "silent" || s.Warnings != nil ||
		!strings.Contains(strings.Join(s.Guarantee, " "), "No contradiction found in 4 results.") {
		t.Errorf("%+v, %q", s.Evidence, s.Guarantee)
	}
}

// A campaign that declares a tenth of the true standard deviation usually ends with a withdrawn certificate. Of ten
// campaigns with a correct declaration, none ends with a withdrawn certificate. For a finished campaign without a
// certificate, Done is false.
func TestNoiseTooSmall(t *testing.T) {
	means := map[string]float64{"a": 60, "b": 62, "c": 64, "d": 66}
	for _, x := range []struct {
		sd          float64
		least, most int // bounds on the number of withdrawn certificates in 10 campaigns
	}{{2, 0, 0}, {20, 8, 10}} {
		withdrawn := 0
		for seed := range uint64(10) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			c := beginWith(t, yieldsOf(t))
			for range 100 {
				tickets := ask(t, c, 8)
				var results []Result
				for _, k := range tickets {
					results = append(results, Result{Ticket: k.Ticket, Plate: k.Plate,
						Values: []float64{means[k.Arm] + x.sd*rnd.NormFloat64()}})
				}
				if len(results) == 0 {
					break
				}
				tell(t, c, results...)
			}
			s := status(t, c)
			if s.Status != Finished {
				t.Fatalf("sd %v: %s", x.sd, s.Headline)
			}
			if s.Evidence.Withdrawn() {
				withdrawn++
				if s.Done() || !strings.HasPrefix(s.Headline, "The certificate is withdrawn") ||
					strings.Contains(s.Headline, "probability") {
					t.Errorf("%s", s.Headline)
				}
				if _, final, err := c.Answer(); final || err != nil {
					t.Errorf("a withdrawn answer is final: %v", err)
				}
			}
			_ = c.Close()
		}
		t.Logf("sd %v: %d of 10 withdrawn", x.sd, withdrawn)
		if withdrawn < x.least || withdrawn > x.most {
			t.Errorf("sd %v: %d of 10 withdrawn; want %d to %d", x.sd, withdrawn, x.least, x.most)
		}
	}
}

// The monitor receives the plate of each requested result, from ticket 1 on; unsolicited results have no plate.
func TestMonitorHearsPlates(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(strings.Replace(yields, "sd = 2", "range = [0, 100]", 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for ticket, plate := range []int{0, 1, 1, 2} {
		c := beginWith(t, p)
		for range 2 {
			if _, err := c.Ask(2, "robot"); err != nil {
				t.Fatal(err)
			}
		}
		r := c.now.run
		r.observe(c.now.ledger, 0, &rowBody{Ticket: ticket, Values: []float64{1e9}}) // out of range
		if f := r.monitor.Report().Findings; len(f) != 1 || f[0].Plate != plate {
			t.Errorf("ticket %d: %+v; want a finding on plate %d", ticket, f, plate)
		}
	}
}

// The monitors receive complete results of current candidates, requested or not. The monitors receive neither
// failures nor results with trials that are not evaluable.
func TestMonitorsSee(t *testing.T) {
	c := beginWith(t, trial(t, someEvaluable))
	ask(t, c, 6)
	must(t, c.Drop("high", "toxic", "Ada"))
	want := 0
	for _, x := range []struct {
		r    Result
		seen int
	}{
		{Result{Ticket: 1, Values: []float64{5, 1}}, 1}, {Result{Ticket: 2, Values: []float64{5, 1}, Of: 9}, 0}, {Result{Ticket: 3, Values: []float64{5, 1}}, 0},
		{Result{Ticket: 4, Values: []float64{5, 1}, Of: 12}, 1}, {Result{Ticket: 5, Failed: true}, 0}, {Result{ID: "1", Arm: "low", Values: []float64{5, 1}}, 1},
		{Result{ID: "2", Arm: "low", Values: []float64{5, 1}, Of: 11}, 0}, {Result{ID: "3", Arm: "high", Values: []float64{5, 1}}, 0},
	} {
		tell(t, c, x.r)
		want += x.seen
		if got := status(t, c).Evidence.Results; got != want {
			t.Errorf("after %+v the monitors have seen %d results; want %d", x.r, got, want)
		}
	}
}

// The monitors know the range of results, and the number of trials of each result. Values beyond the range are
// evidence of a wrong declaration, but values at its limits are not.
func TestMonitorsKnowLimits(t *testing.T) {
	for noise, limits := range map[string][2]float64{"range = [20, 90]": {20, 90}, "counts = 12": {0, 12}} {
		p, err := problem.Parse("p.toml", []byte(strings.Replace(yields, "sd = 2", noise, 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		c := beginWith(t, p)
		status(t, c)
		for _, x := range limits {
			for beyond, want := range map[float64]int{0: 0, -1: 1} {
				v := x - beyond
				if x == limits[0] {
					v = x + beyond
				}
				m, err := newMonitor(c.now.run.compiled)
				if err != nil {
					t.Fatal(err)
				}
				m.Observe(0, 1, []float64{v})
				if f := m.Report().Findings; len(f) != want {
					t.Errorf("%s: %v has findings %+v; want %d", noise, v, f, want)
				}
			}
		}
	}
}
