package problem

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// doses parses a problem with two doses and the given objectives.
func doses(t testing.TB, text string) (*Problem, error) {
	t.Helper()
	return Parse("d.toml", []byte(`question = {find = "pareto", delta = 0.1}
candidates = {file = "d.csv"}
`+text), func(string) ([]byte, error) { return []byte("dose,guess,rate\nlow,4,0.2\nhigh,10,0.5\n"), nil })
}

const (
	countsOfTwenty = `[[objective]]
name = "response"
unit = "of 20"
tolerance = 1
norm = 20
guess = "guess"
noise = { counts = 20 }
[[objective]]
name = "toxicity"
goal = "minimise"
at_most = 5
slack = 2
noise = { counts = 20, of = "patients" }
[[constraint]]
terms = { response = 1, toxicity = -2 }
at_least = -10
`
	ratesOfTwenty = `[[objective]]
name = "response"
amounts = "rates"
tolerance = 0.05
norm = 1
guess = "rate"
noise = { counts = 20 }
[[objective]]
name = "toxicity"
goal = "minimise"
amounts = "rates"
at_most = 0.25
slack = 0.1
noise = { counts = 20, of = "patients" }
[[constraint]]
terms = { response = 1, toxicity = -2 }
at_least = -0.5
`
)

// A question does not depend on whether amounts are counts or rates, and bounds are printed as rates.
func TestRates(t *testing.T) {
	var forms []string
	for _, text := range []string{countsOfTwenty, ratesOfTwenty} {
		p, err := doses(t, text)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.CompileFor("e-cAPE")
		if err != nil {
			t.Fatal(err)
		}
		q := c.Problem.Question.(question.FeasiblePareto)
		forms = append(forms, fmt.Sprintf("%.9v %.9v", q.Tolerance, c.norm))
		for _, x := range []struct {
			toxicity float64
			inside   bool
		}{{.249, true}, {.251, false}} {
			mu := []float64{c.Scales[0].In(.9), c.Scales[1].In(x.toxicity)}
			if q.Region.Contains(mu) != x.inside {
				t.Errorf("a toxicity of %v is inside: %v", x.toxicity, !x.inside)
			}
		}
		if mu := []float64{c.Scales[0].In(.1), c.Scales[1].In(.24)}; !q.Region.Contains(mu) {
			t.Error("0.1 - 2 0.24 is at least -0.5")
		}
		if c.Bounds[0].Name != "toxicity <= 0.25" || c.Bounds[0].Limit != .25 || c.Bounds[0].Slack != .1 {
			t.Errorf("%+v", c.Bounds[0])
		}
		if n, called := p.Trials(); n != 20 || called != "trials" || p.Objectives[0].Label() != "response [rate]" {
			t.Errorf("%d %s, %s", n, called, p.Objectives[0].Label())
		}
		// Results are counts; means and limits are rates.
		reward, err := c.In(nil, 0, []float64{12, 1})
		if err != nil || c.Scales[0].Out(reward[0]) != .6 || c.Scales[1].Out(reward[1]) != .05 {
			t.Errorf("%v, %v", reward, err)
		}
		if lo, hi := c.Limits(0); lo != 0 || hi != 1 {
			t.Errorf("limits are %v and %v", lo, hi)
		}
		if got := p.Objectives[0].GuessedMeans(); !reflect.DeepEqual(got, []float64{.2, .5}) {
			t.Errorf("guesses are %v", got)
		}
		why := c.Explain(explore.Answer{Items: []int{1}, Reasons: []explore.Reason{
			{Class: explore.Infeasible, By: -1, Constraint: 0, Slack: -.1 / c.Scales[1].Size(1)},
			{Class: explore.Optimal, By: 0, Constraint: -1, Margin: .3 / c.Scales[0].Size(1), MarginRadius: .1 / c.Scales[0].Size(1)},
		}}, nil)
		if why[0].Why != "outside toxicity <= 0.25 by 0.1" || !strings.Contains(why[1].Why, "by 0.300 ± 0.100 in response") {
			t.Errorf("%+v", why)
		}
	}
	if forms[0] != forms[1] {
		t.Errorf("%s; want %s", forms[1], forms[0])
	}
}

// Errors about rates say what to do. For ambiguous amounts, the error asks whether they are counts or rates.
func TestRateErrors(t *testing.T) {
	for _, x := range []struct{ old, with, want string }{
		{"at_most = 0.25", "at_most = 5", "d.toml:14: objective[2].at_most: 5; expected a rate from 0 to 1, because amounts = \"rates\""},
		{"tolerance = 0.05", "tolerance = 2", "d.toml:6: objective[1].tolerance: 2; expected a rate"},
		{`guess = "rate"`, `guess = "guess"`, `objective[1].guess: candidate "low": 4; expected a rate`},
		{"amounts = \"rates\"\nat_most", "at_most", "objective[2].at_most: 0.25 may be a number of successes of 20 patients, or a rate; set amounts = \"rates\" if bounds, " +
			"tolerances and guesses of toxicity are rates, and amounts = \"counts\" if they are numbers of successes"},
		{"amounts = \"rates\"\nat_most", "amounts = \"per cent\"\nat_most", `objective[2].amounts: "per cent"; expected "rates"`},
		{"counts = 20, of = \"patients\"", "sd = 1", "objective[2].amounts: \"rates\", but only noise = { counts = ... } uses amounts; leave it out"},
		{"amounts = \"rates\"\ntolerance = 0.05\nnorm = 1\nguess = \"rate\"\nnoise = { counts = 20 }",
			"noise = { sd = 1, of = \"patients\" }", "objective[1].noise.of: \"patients\", but only counts use this field; leave it out"},
	} {
		text := strings.Replace(ratesOfTwenty, x.old, x.with, 1)
		if _, err := doses(t, text); text == ratesOfTwenty || err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v; want %q", x.with, err, x.want)
		}
	}
	if _, err := doses(t, strings.Replace(ratesOfTwenty, "amounts = \"rates\"\nat_most = 0.25\nslack = 0.1",
		"amounts = \"counts\"\nat_most = 0.25", 1)); err != nil {
		t.Error(err)
	}
}

// A draft with counted successes uses rates.
func TestRatesOfDraft(t *testing.T) {
	d := Draft{Table: "d.csv", Column: "dose", Find: FindPareto}
	o, err := ParseDraftObjective("response,max,counts=20,at_least=0.4,guess=rate")
	if err != nil {
		t.Fatal(err)
	}
	d.Objectives = append(d.Objectives, o)
	text := strings.Replace(d.TOML(), "# tolerance = 0.05", "slack = 0", 1)
	p, err := Parse("d.toml", []byte(text), func(string) ([]byte, error) { return []byte("dose,rate\nlow,0.2\nhigh,0.5\n"), nil })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if c, err := p.Compile(); err != nil || c.Bounds[0].Name != "response >= 0.4" || !strings.Contains(text, "slack = 0") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Bounds and tolerances of counted successes are printed as rates, even if the file has counts.
func ExampleObjective_Amount() {
	twelve := 12
	o := Objective{Name: "toxicity", Noise: Noise{Counts: &twelve}}
	fmt.Println(o.Label(), o.Amount(3))
	o.Amounts = AmountRates
	fmt.Println(o.Label(), o.Amount(0.4))
	// Output:
	// toxicity [rate] 0.25
	// toxicity [rate] 0.4
}
