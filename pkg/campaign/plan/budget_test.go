package plan

import (
	"context"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// plate is a problem with eight candidates and plates of 24 wells. Usually, 96 measurements suffice to detect the
// differences.
func plate(t *testing.T, method, laboratory string) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("plate.toml", []byte(`question = {find = "pareto", delta = 0.05}
candidates = {file = "plate.csv"}
method = {name = "`+method+`"}
laboratory = {plate = 24, `+laboratory+`}
[[objective]]
name = "yield"
guess = "yield"
noise = {sd = 3}
[[objective]]
name = "impurity"
goal = "minimise"
guess = "impurity"
noise = {sd = 0.5}
`), func(string) ([]byte, error) {
		return []byte("name,yield,impurity\nA,70,2\nB,75,3\nC,80,5\nD,65,2.5\nE,60,4\nF,72,4.5\nG,55,1.5\nH,50,3\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Rows of methods with a fixed budget appear below rows of methods that declare an error probability. All rows
// show the rate of right answers, but rows of methods with a fixed budget have no lower bound.
func TestBudgets(t *testing.T) {
	o := &Options{Runs: 60, Seed: 1, Changes: []Change{}}
	made, err := Simulate(context.Background(), plate(t, "", "measurements = 96"), o)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*Row{}
	for i := range made.Rows {
		rows[made.Rows[i].Method] = &made.Rows[i]
	}
	usual, spends, uniform := rows["Betting feasible Pareto"], rows["EGE-SR"], rows["Uniform, fixed budget"]
	if usual == nil || spends == nil || uniform == nil || usual != &made.Rows[0] {
		t.Fatalf("%+v", made.Rows)
	}
	for _, r := range []*Row{spends, uniform} {
		if r.Budget != 96 || r.GaveUp > 0 || r.Hopeless != "" || r.Measurements.Most.Value > 96 || r.Bound.Measurements > 0 ||
			r.Right.Count != r.Runs-r.Wrong {
			t.Errorf("%+v", r)
		}
	}
	if !(spends.Right.Share > .9 && usual.Right.Share > .5) || usual.Budget != 0 {
		t.Errorf("%v, %v, %v", usual.Right, spends.Right, uniform.Right)
	}
	if share, _, _ := usual.Within(96); share >= usual.Right.Share {
		t.Errorf("%v stop with an answer, %v are right; want guesses to count", share, usual.Right)
	}
	if strings.Contains(made.Advice, "EGE-SR") {
		t.Error(made.Advice)
	}
	// Without a budget, the plan omits methods with a fixed budget.
	made, err = Simulate(context.Background(), plate(t, "", ""), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range made.Rows {
		if r.Budget > 0 || r.Right != nil {
			t.Errorf("%+v", r)
		}
	}
}

// If a problem names a method with a fixed budget, the plan uses this method. One proposed change doubles the
// budget, and the plan calls no row hopeless.
func TestBudgetIsPlanned(t *testing.T) {
	p := plate(t, "EGE-SR", "measurements = 24")
	made, err := Simulate(context.Background(), p, &Options{Runs: 60, Seed: 1, Methods: []string{"EGE-SR"}})
	if err != nil {
		t.Fatal(err)
	}
	first, twice := made.Rows[0], made.Rows[1]
	if first.Budget != 24 || twice.Change != "measurements = 48" || twice.Budget != 48 || !(twice.Right.Share > first.Right.Share) {
		t.Errorf("%+v, %+v", first, twice)
	}
	if all := strings.Join(append(made.Warnings, made.Assumptions...), " ") + made.Advice; strings.Contains(all, "Errors are at most") ||
		strings.Contains(all, "than delta") || strings.Contains(all, "Hopeless") {
		t.Error(all)
	}
	if !strings.HasSuffix(made.Question, "The answer after 24 measurements is a best guess.") {
		t.Error(made.Question)
	}
	scenarios := []Scenario{{Name: "as guessed", Means: made.Means}}
	c, err := Characterise(context.Background(), p, scenarios, &Options{Runs: 60, Seed: 1})
	if err != nil || c.Rows[0].GaveUp.Count > 0 || c.Rows[0].Runs != 60 || c.Rows[0].Mean > 24 {
		t.Errorf("%+v, %v", c, err)
	}
}
