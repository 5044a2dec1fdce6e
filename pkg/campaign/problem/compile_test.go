package problem

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// read parses a problem, and uses table as the contents of every table that the problem names.
func read(t testing.TB, text, table string) *Problem {
	t.Helper()
	p, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compile(t testing.TB, p *Problem) *Compiled {
	t.Helper()
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const twoUnits = `[question]
find = "pareto"
delta = 0.1
[candidates]
names = ["A", "B"]
[[objective]]
name = "yield"
unit = "%"
values = [0, 100]
noise = { sd = 2 }
at_least = 60
tolerance = 5
slack = 4
[[objective]]
name = "cost"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 3
[[constraint]]
name = "margin"
terms = { yield = 1, cost = -10 }
at_least = 40
`

// Tolerances, slacks and bounds are converted to rewards as computed by hand. A reward of 0 is a yield of 50, and
// a reward of 1 is a yield of 52. For cost, a reward of 0 is a cost of 0, and a reward of 1 is a cost of -0.5.
func TestStandardised(t *testing.T) {
	c := compile(t, read(t, twoUnits, ""))
	q := c.Problem.Question.(question.FeasiblePareto)
	if !slices.Equal(q.Tolerance, []float64{2.5, 0}) {
		t.Errorf("tolerances %v; want 2.5 and 0", q.Tolerance)
	}
	if len(c.Bounds) != 3 || c.Bounds[0].Name != "yield >= 60 %" || c.Bounds[1].Name != "cost <= 3" || c.Bounds[2].Name != "margin >= 40" {
		t.Errorf("bounds %+v", c.Bounds)
	}
	text, _, _ := strings.Cut(strings.NewReplacer("at_least = 60\n", "", "slack = 4\n", "", "at_most = 3", "tolerance = 1").Replace(twoUnits), "[[constraint]]")
	forms := read(t, text, "").forms(compile(t, read(t, text, "")))
	if got := forms[1].Question; got != (question.Pareto{Epsilon: 2}) {
		t.Errorf("tolerances of 2.5 and 2 as a single one: %+v", got)
	}
	// The values are on a boundary; values slightly inside and outside are tested, too.
	for _, x := range []struct{ yield, cost float64 }{{60, 1}, {80, 3}, {70, 3}, {65, 2.5}} {
		r, err := c.In(nil, 0, []float64{x.yield, x.cost})
		if err != nil {
			t.Fatal(err)
		}
		edge := min(x.yield-60, 3-x.cost, x.yield-10*x.cost-40)
		for _, d := range []float64{-.01, .01} {
			moved := []float64{r[0] + d, r[1] + d}
			if got := q.Region.Contains(moved); got != (d > 0) || edge != 0 {
				t.Errorf("yield %v, cost %v, moved by %v: inside is %v (distance %v)", x.yield, x.cost, d, got, edge)
			}
		}
	}
}

// The weight of a reward is the weight of a unit times the units per reward: 3 × 2 for yield, and 1 × 0.5 (with
// the default weight) for cost.
func TestWeights(t *testing.T) {
	text := strings.NewReplacer(`find = "pareto"`, `find = "best"`, "tolerance = 5", "weight = 3",
		"slack = 4\n", "").Replace(twoUnits)
	q := compile(t, read(t, text, "")).Problem.Question.(question.BestFeasible)
	if !slices.Equal(q.Weights, []float64{6, .5}) {
		t.Errorf("weights %v; want 6 and 0.5", q.Weights)
	}
}

// The policy gets the part of delta that pilots do not use, and an upper bound on the standard deviation. In tables,
// the 5 % point of a chi-square distribution with 10 degrees of freedom is 3.94.
func TestPilots(t *testing.T) {
	text := strings.NewReplacer("noise = { sd = 2 }", "noise = { pilot = { sd = 2, df = 10, delta = 0.05 } }",
		"noise = { sd = 0.5 }", "noise = { pilot = { rewards = 5, delta = 0.02 } }\nvalues = [0, 3]",
		"tolerance = 5\nslack = 4\n", "").Replace(twoUnits)
	p := read(t, text, "")
	if got, want := p.delta(), .1-.05-.02; math.Abs(got-want) > 1e-15 {
		t.Errorf("pilots leave %v; want %v", got, want)
	}
	if got, want := p.Objectives[0].Sigma(), 2*math.Sqrt(10/3.9403); math.Abs(got-want) > 1e-4 {
		t.Errorf("standard deviation at most %v; want %v", got, want)
	}
	_, err := Parse("p.toml", []byte(strings.Replace(text, "delta = 0.02", "delta = 0.06", 1)), nil)
	if err == nil || !strings.Contains(err.Error(), "the pilots use 0.11 of it; give") {
		t.Errorf("pilots that use more than delta: %v", err)
	}
}

const dyes = `[question]
find = "best"
delta = 0.1
[candidates]
file = "dyes.csv"
features = ["pH"]
categories = ["ring"]
[[objective]]
name = "y"
noise = { sd = 1 }
guess = "guess"
[[objective]]
name = "price"
goal = "minimise"
known = true
`

const dyeTable = "dye,pH,ring,guess,price\nA,7,phenyl,1,10\nB,8,furyl,2,20\nC,9,phenyl,3,30\n"

// A candidate that leaves loses its row, and a candidate that joins adds its row, even with a new category.
func TestCandidates(t *testing.T) {
	p := read(t, dyes, dyeTable)
	q, err := p.Without("B")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(q.Candidates.Names, []string{"A", "C"}) ||
		!slices.Equal(q.Candidates.Features[1], []float64{1, 9, 1, 0}) ||
		!slices.Equal(q.Objectives[0].Guesses, []float64{1, 3}) ||
		!slices.Equal(q.Objectives[1].Exact, []float64{10, 30}) || p.K() != 3 || len(p.Candidates.Features) != 3 {
		t.Errorf("without B: %+v, %+v", q.Candidates, q.Objectives)
	}
	q, err = q.With(Candidate{"D", map[string]string{"pH": "6.5", "ring": "pyridyl", "price": "5"}})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1, 7, 1, 0, 0}, {1, 9, 1, 0, 0}, {1, 6.5, 0, 0, 1}}
	if !slices.EqualFunc(q.Candidates.Features, want, slices.Equal) ||
		q.Candidates.FeatureNames[4] != "ring = pyridyl" || q.Objectives[0].Guesses != nil ||
		!slices.Equal(q.Objectives[1].Exact, []float64{10, 30, 5}) {
		t.Errorf("with D: %+v, %+v", q.Candidates, q.Objectives)
	}
	for _, x := range []struct {
		n    Candidate
		want string
	}{
		{Candidate{"A", nil}, `"A" is already a candidate`},
		{Candidate{"E", map[string]string{"ring": "furyl", "price": "5"}}, `column "pH": missing`},
		{Candidate{"E", map[string]string{"pH": "x", "ring": "furyl", "price": "5"}},
			`column "pH": "x" is not a finite number`},
		{Candidate{"E", map[string]string{"pH": "7", "price": "5"}}, `column "ring": missing`},
		{Candidate{"E", map[string]string{"pH": "7", "ring": "fu\xffryl", "price": "5"}},
			`column "ring": "fu\xffryl" has invisible characters`},
		{Candidate{"E", map[string]string{"pH": "7", "ring": "furyl", "price": "5", "mass": "1"}},
			`does not use a column "mass"`},
	} {
		if _, err := q.With(x.n); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("with %+v: %v; want %q", x.n, err, x.want)
		}
	}
	if _, err := q.Without("Z"); err == nil || !strings.Contains(err.Error(), "the candidates are A, C") {
		t.Errorf("without Z: %v", err)
	}
}

// For any order of objectives, a campaign begins with as many measurements of each candidate as the longest pilot
// needs. Each pilot has its own part of the error probability.
func TestLongestPilot(t *testing.T) {
	for _, rewards := range [][2]int{{4, 9}, {9, 4}} {
		p, err := Parse("p.toml", fmt.Appendf(nil, `question = {find = "pareto", delta = 0.1}
candidates = {names = ["A", "B"]}
[[objective]]
name = "yield"
noise = {pilot = {rewards = %d, delta = 0.01}}
values = [0, 100]
[[objective]]
name = "purity"
noise = {pilot = {rewards = %d, delta = 0.02}}
values = [0, 100]
[[objective]]
name = "waste"
noise = {pilot = {sd = 1, df = 9, delta = 0.03}}
`, rewards[0], rewards[1]), nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, within, n := p.pilots(); before != .03 || math.Abs(within-.03) > 1e-15 || n != 9 || math.Abs(p.delta()-.04) > 1e-15 {
			t.Errorf("%v: %v before, %v within, %d measurements, %v for the method", rewards, before, within, n, p.delta())
		}
	}
}

// The default methods for the best candidate are those that policy.For recommends.
func TestOneChooser(t *testing.T) {
	for noise, of := range map[string]struct {
		c     policy.Circumstances
		names [2]string // AnySampling and MethodName
	}{
		`{ sd = 1 }`:        {policy.Circumstances{}, [2]string{"UGapE", "Betting"}},
		`{ counts = 24 }`:   {policy.Circumstances{Radius: radius.Each{radius.Bernoulli{}}}, [2]string{"APE", "Betting"}},
		`{ range = [0,9] }`: {policy.Circumstances{Radius: radius.Each{radius.EmpiricalBernstein{}}}, [2]string{"APE", "Betting"}},
	} {
		p := read(t, "[candidates]\nnames = [\"a\", \"b\", \"c\"]\n[[objective]]\nname = \"y\"\nnoise = "+noise+
			"\n[question]\nfind = \"best\"\ndelta = 0.05\n", "")
		for i, got := range []string{p.AnySampling(), p.MethodName()} {
			c := of.c
			c.AnySampling = i == 0
			r, err := policy.For(&explore.Problem{Arms: 3, Sigma: 1, Question: question.Best{}}, c)
			if err != nil {
				t.Fatal(err)
			}
			if want := of.names[i]; got != want || r.Name != want {
				t.Errorf("%s: a campaign has %s, policy.For %s; want %s", noise, got, r.Name, want)
			}
		}
	}
}
