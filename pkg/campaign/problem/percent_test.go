package problem_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/question"
)

// good returns a problem file with additional lines for an objective.
func good(find, more string) string {
	return `question = { find = "` + find + `", delta = 0.05 }
candidates = { names = ["A", "B", "C", "D"] }
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 4 }
` + more
}

// "Within 10 % of the best" refers to the values of candidates, not to rewards.
func TestToleranceInPercent(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(good("good", "tolerance_percent = 10\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if words := p.Words(); !strings.Contains(words, "all within 10 % of the best") {
		t.Error(words)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	mu := mat.NewDense(4, 1, nil)
	for i, v := range []float64{70, 63.1, 62.9, 40} {
		mu.Set(i, 0, c.Scales[0].In(v))
	}
	q := c.Problem.Question.(question.AllEpsilonBest)
	if right := q.Right(mu); len(right) != 2 || right[0] != 0 || right[1] != 1 {
		t.Errorf("%v is right; want the candidates of 70 and 63.1 %%", right)
	}
	for _, x := range []struct{ find, more, want string }{
		{"good", "tolerance_percent = 100", "above 0 and below 100"},
		{"good", "tolerance_percent = -1", "above 0 and below 100"},
		{"good", "tolerance_percent = 10\ntolerance = 2", "give only one of the two"},
		{"good", "tolerance_percent = 10\ngoal = \"minimise\"", "10, but yield is minimised, and only maximised objectives can have a tolerance in per cent; give a " +
			"tolerance in its unit, or report the natural logarithm of yield, with tolerance = 0.0953 for 10 % and the sd of the logarithm"},
		{"best", "tolerance_percent = 10", `find = "best" uses no percentage`},
	} {
		if _, err := problem.Parse("p.toml", []byte(good(x.find, x.more)), nil); err == nil ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.more, err, x.want)
		}
	}
}

// Methods receive the column of costs; a candidate that joins has its own cost.
func TestCosts(t *testing.T) {
	table := func(text string) func(string) ([]byte, error) {
		return func(string) ([]byte, error) { return []byte(text), nil }
	}
	text := strings.Replace(good("best", ""), `candidates = { names = ["A", "B", "C", "D"] }`,
		`candidates = { file = "c.csv", cost = "price", cost_unit = "EUR" }`, 1)
	p, err := problem.Parse("p.toml", []byte(text), table("name,price\nA,3\nB,12.5\nC,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Problem.Costs; len(got) != 3 || got[1] != 12.5 || p.Candidates.Price(12.5) != "12.5 EUR" {
		t.Errorf("%v, %s", got, p.Candidates.Price(12.5))
	}
	less, err := p.Without("A")
	if err != nil || len(less.Candidates.Costs) != 2 || less.Candidates.Costs[0] != 12.5 || len(p.Candidates.Costs) != 3 {
		t.Errorf("%v, %v", less, err)
	}
	more, err := p.With(problem.Candidate{Name: "D", Columns: map[string]string{"price": "7"}})
	if err != nil || more.Candidates.Costs[3] != 7 {
		t.Errorf("%v, %v", more, err)
	}
	if _, err := p.With(problem.Candidate{Name: "D"}); err == nil || !strings.Contains(err.Error(), `"price"`) {
		t.Errorf("a newcomer without a price: %v", err)
	}
	for _, x := range []struct{ table, want string }{
		{"name,price\nA,0\n", `"A" costs 0; expected a positive number`},
		{"name,price\nA,free\n", "free"},
		{"name,cost\nA,1\n", `no column "price"`},
	} {
		if _, err := problem.Parse("p.toml", []byte(text), table(x.table)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.table, err, x.want)
		}
	}
}
