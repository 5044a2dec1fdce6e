package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// kinds are problems of every kind, with their methods and proposed changes.
var kinds = []struct {
	name, text string
	methods    []string
	changes    []string
}{
	{"plates", `question = {find = "pareto", delta = 0.1}
candidates = {file = "c.csv", cost = "EUR", cost_unit = "EUR"}
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 3.0 }
values = [0, 100]
tolerance = 2
at_least = 30
slack = 1
guess = "y"
[[objective]]
name = "waste"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 7
guess = "w"
[[constraint]]
name = "net"
terms = { yield = 1, waste = -2 }
at_least = 20
slack = 0.5
[laboratory]
plate = 6
fill = true
reference = "control"
at_once = 2
days = 0.5
failures = 0.1
late = 0.2
late_by = 2
measurements = 30
`, []string{"e-cAPE"}, []string{"delta=0.2", "plate=3", "fill=false", "at_once=1", "failures=0", "late=0", "late_by=1", "yield.tolerance=5", "yield.slack=2", "yield.at_least=25",
		"waste.at_most=8", "waste.sd=1", "net.at_least=15", "net.slack=1", "net.at_most=90", "measurements=40"}},
	{"features", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv", features = ["x"], categories = ["kind"], cost = "EUR"}
[[objective]]
name = "yield"
noise = { sd = 2.0 }
tolerance = 1
guess = "y"
`, nil, []string{"yield.tolerance=2"}},
	{"counts", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "response"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
guess = "r"
[[objective]]
name = "toxicity"
goal = "bounded"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
at_most = 0.5
guess = "t"
`, nil, []string{"toxicity.at_most=0.6"}},
	{"a pilot", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "r"
noise = { range = [0, 1] }
[pilot]
file = "c.csv"
`, nil, nil},
	{"top", `question = {find = "top", count = 2, delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { pilot = { rewards = 3, delta = 0.01, sd = 2 } }
values = [0, 100]
guess = "y"
`, nil, []string{"count=1", "count=9", "count=1.5"}},
	{"budget", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { sd = 2.0 }
guess = "y"
[laboratory]
measurements = 24
plate = 3
[method]
name = "EGE-SR"
`, nil, []string{"measurements=48"}},
	{"good", `question = {find = "good", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { range = [0, 100] }
guess_sd = 5
tolerance_percent = 40
guess = "y"
`, nil, nil},
	{"good, a pilot", `question = {find = "good", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { pilot = { rewards = 3, delta = 0.01, sd = 2 } }
values = [0, 100]
tolerance = 10
guess = "y"
`, nil, nil},
	{"feasible", `question = {find = "feasible", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { sd = 3.0 }
at_least = 45
guess = "y"
[[objective]]
name = "EUR"
goal = "minimise"
known = true
at_most = 7
`, nil, []string{"EUR.at_most=4"}},
	{"prices", `question = {find = "pareto", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "EUR"
goal = "minimise"
known = true
[[objective]]
name = "yield"
noise = { sd = 3.0 }
guess = "y"
`, nil, nil},
	{"bounded", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "waste"
goal = "bounded"
noise = { sd = 0.5 }
at_most = 7
guess = "w"
[[objective]]
name = "yield"
noise = { sd = 3.0 }
guess = "y"
`, nil, nil},
	{"tie", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { sd = 3.0 }
guess = "same"
`, nil, nil},
	{"on the bound", `question = {find = "feasible", delta = 0.1}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
noise = { sd = 3.0 }
at_least = 40
guess = "same"
`, nil, nil},
	{"rounds", `question = {find = "best", delta = 0.1}
candidates = {file = "c.csv", features = ["x"]}
[[objective]]
name = "yield"
noise = { sd = 3.0 }
guess = "y"
[method]
name = "RAGE"
`, nil, nil},
}

const table = "name,x,kind,EUR,y,w,r,t,same\nA,0,red,2,40,2,0.2,0.1,40\nB,1,blue,3.5,47,4,0.5,0.3,40\nC,2,red,1,54,6,0.8,0.7,40\nD,3,blue,8,61,9,0.6,0.4,40\n"

func parsed(t *testing.T, text string) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A change of the noise also changes the simulated noise: the row equals the plan of a problem with this noise.
func TestNoiseChanges(t *testing.T) {
	p := parsed(t, kinds[0].text)
	change, err := plan.ParseChange("waste.sd=2")
	if err != nil {
		t.Fatal(err)
	}
	q, err := change.Apply(p)
	if err != nil {
		t.Fatal(err)
	}
	o := func(changes ...plan.Change) *plan.Options {
		return &plan.Options{Runs: 20, Seed: 3, Methods: []string{"Betting feasible Pareto"}, Changes: append([]plan.Change{}, changes...)}
	}
	changed, err := plan.Simulate(context.Background(), p, o(change))
	if err != nil {
		t.Fatal(err)
	}
	own, err := plan.Simulate(context.Background(), q, o())
	if err != nil {
		t.Fatal(err)
	}
	got, want := changed.Rows[1], own.Rows[0]
	if got.Bound.Measurements != want.Bound.Measurements || got.Measurements != want.Measurements || got.Wrong != want.Wrong {
		t.Errorf("%+v; want %+v", got, want)
	}
}

// A typed change is parsed, or the error states what is wrong.
func TestParseChanges(t *testing.T) {
	for text, want := range map[string]string{
		"delta=0.1": "delta = 0.1", " plate = 96 ": "plate = 96", "yield.tolerance=2": "yield.tolerance = 2", "fill=true": "fill = true", "fill=false": "fill = false",
		"plate": "no equals sign", "plate=": "number", "plate=x": "number", "colour=1": "unknown field (the fields are", "yield.colour=1": "unknown field of an objective",
		"=1": "expected, for example", ".tolerance=1": "", "a.b.tolerance=1": "a.b.tolerance = 1", "delta=inf": "number", "delta=nan": "number",
	} {
		c, err := plan.ParseChange(text)
		got := c.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%q: %s; want %q", text, got, want)
		}
	}
}
