package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// doses is a problem with three doses: responses of twelve patients, toxicity between 0 and 1, and a known price.
func doses(t testing.TB, old, with string) *problem.Problem {
	text := strings.Replace(`
[question]
find = "best"
delta = 0.1
[candidates]
file = "doses.csv"
column = "dose"
[[objective]]
name = "responses"
noise = { counts = 12 }
[[objective]]
name = "toxicity"
goal = "bounded"
noise = { range = [0, 1] }
at_most = 0.4
[[objective]]
name = "price"
goal = "bounded"
known = true
at_most = 10
`, old, with, 1)
	p, err := problem.Parse("doses.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("dose,price\nlow,1\nmiddle,2\nhigh,3\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const doseScenarios = `scenario,dose,responses,toxicity
mild,low,1.5,0.05
mild,middle,6,0.1
mild,high,9,0.15
toxic,low,1.5,0.1
toxic,high,9,0.9
toxic,middle,7.5,0.1
`

func TestReadScenarios(t *testing.T) {
	p := doses(t, "name = \"toxicity\"", "name = \"toxicity\"\nunit = \"share\"")
	list, err := ReadScenarios(p, "s.csv", []byte(strings.Replace(doseScenarios, "toxicity", "toxicity [share]", 1)))
	if err != nil {
		t.Fatal(err)
	}
	want := "[{mild [[0.125 0.05 1] [0.5 0.1 2] [0.75 0.15 3]]} {toxic [[0.125 0.1 1] [0.625 0.1 2] [0.75 0.9 3]]}]"
	if got := fmt.Sprint(list); got != want {
		t.Errorf("%s; want %s", got, want)
	}
	// Without a declared column of names, the names are in the column "candidate", or in the first unknown column.
	p = doses(t, "column = \"dose\"\n", "")
	for _, name := range []string{"candidate", "arm"} {
		text := strings.Replace(doseScenarios, "dose", name, 1)
		if list, err := ReadScenarios(p, "s.csv", []byte(text)); err != nil || fmt.Sprint(list) != want {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}

// Errors name the file, the line and the column, and say what to do.
func TestScenarioErrors(t *testing.T) {
	p := doses(t, "", "")
	for _, x := range []struct{ old, with, want string }{
		{"scenario,", "case,", `s.csv: no column "scenario"; the columns are ["case" "dose" "responses" "toxicity"]; add a column`},
		{",responses,", ",response,", `s.csv: no column "responses"; the columns are ["scenario" "dose" "response" "toxicity"]; add the true`},
		{"scenario,dose,", "scenario,arm,", `s.csv: column "arm" is not a measured objective; expected one of responses, toxicity`},
		{"scenario,dose,responses,toxicity", "scenario,dose,responses,toxicity,price",
			"s.csv: line 2: expected 5 cells, one per column, but found 4"},
		{"mild,low", ",low", `s.csv:2: column "scenario": empty; give the scenario a name`},
		{"mild,low", "mild,lowest", `s.csv:2: column "dose": unknown candidate "lowest"; the candidates are low, middle, high`},
		{"mild,middle", "mild,low", `s.csv:3: column "dose": "low" is also in scenario "mild" on line 2; remove one`},
		{"mild,middle,6,0.1\n", "", `s.csv: column "dose": scenario "mild" lacks middle; add a row for each candidate`},
		{"6,0.1", "5,1.1", `s.csv:3: column "toxicity": 1.1 is outside [0, 1], the range of measurements of toxicity; give`},
		{"6,0.1", "13,0.1", `s.csv:3: column "responses": 13 is outside [0, 12]`},
		{"6,0.1", "five,0.1", `s.csv:3: column "responses": "five" is not a finite number`},
		{"6,0.1", ",0.1", `s.csv:3: column "responses": the cell is empty; expected a number`},
		{doseScenarios, "scenario,dose,responses,toxicity\n", "s.csv: the table has no rows below its header; add a row"},
		{doseScenarios, "scenario,responses,toxicity\nmild,2,0.1\n",
			`s.csv: no column has the names of the candidates; add a column "dose"`},
		{doseScenarios, "scenario,dose,responses,toxicity,price\nmild,low,2,0.1,3\n",
			`s.csv: column "price": the table of candidates has the exact values; remove`},
	} {
		text := strings.Replace(doseScenarios, x.old, x.with, 1)
		if _, err := ReadScenarios(p, "s.csv", []byte(text)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q for %q: %v; want %q", x.with, x.old, err, x.want)
		}
	}
	// If the first column contains the names, another unknown column is rejected.
	p = doses(t, "column = \"dose\"\n", "")
	if _, err := ReadScenarios(p, "s.csv", []byte("candidate,scenario,responses,toxicity,what\nlow,mild,2,0.1,3\n")); err == nil ||
		!strings.Contains(err.Error(), `s.csv: column "what" is not a measured objective`) {
		t.Error(err)
	}
	// If amounts are rates, a percentage is an error that asks for a rate.
	p = doses(t, "noise = { counts = 12 }", "amounts = \"rates\"\nnoise = { counts = 12 }")
	if _, err := ReadScenarios(p, "s.csv", []byte(strings.Replace(doseScenarios, "low,1.5", "low,75%", 1))); err == nil ||
		!strings.Contains(err.Error(), `s.csv:2: column "responses": 75%; expected a rate from 0 to 1 without a unit, here 0.75`) {
		t.Error(err)
	}
	// The limits of allowed measurements are also limits of the true means.
	p = doses(t, "noise = { range = [0, 1] }", "noise = { sd = 0.1 }\nvalues = [0, 0.5]")
	if _, err := ReadScenarios(p, "s.csv", []byte(doseScenarios)); err == nil ||
		!strings.Contains(err.Error(), `s.csv:6: column "toxicity": 0.9 is outside [0, 0.5]`) {
		t.Error(err)
	}
}

// Each scenario has its own right answer and needs no guesses. The reported rates have exact confidence limits. The
// counts of answers and abandoned runs sum to the number of runs. Results depend only on the seed, not on the number
// of workers.
func TestCharacterise(t *testing.T) {
	p := doses(t, "", "")
	list, err := ReadScenarios(p, "s.csv", []byte(doseScenarios))
	if err != nil {
		t.Fatal(err)
	}
	made, err := Characterise(context.Background(), p, list, &Options{Runs: 40, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if made.Trials != 12 || len(made.Rows) != 2 {
		t.Fatalf("%d trials, %d rows", made.Trials, len(made.Rows))
	}
	for i, best := range []int{2, 1} {
		r := made.Rows[i]
		if !slices.Equal(r.Right, []int{best}) || r.Runs != 40 || r.Answers[0].Items[0] != best ||
			!r.Answers[0].Right || r.Candidates[best].Selected.Count != r.Answers[0].Count {
			t.Errorf("%s: %+v", r.Name, r)
		}
		if lo, hi := Limits(r.Wrong.Count, 40); r.Wrong.Lo != lo || r.Wrong.Hi != hi || r.Wrong.Lo > .1 {
			t.Errorf("%s: wrong %+v", r.Name, r.Wrong)
		}
		sum, total := 0., r.GaveUp.Count
		for _, x := range r.Candidates {
			sum += x.Measurements
		}
		for _, a := range r.Answers {
			total += a.Count
		}
		if total != 40 || sum > r.Mean+1e-9 || sum < r.Mean/2 || r.Low.Value > r.Median.Value || r.Median.Value > r.Most.Value {
			t.Errorf("%s: %d campaigns, %v of %v measurements; %v, %v, %v", r.Name, total, sum, r.Mean,
				r.Low.Value, r.Median.Value, r.Most.Value)
		}
	}
	again, err := Characterise(context.Background(), p, list, &Options{Runs: 40, Seed: 3, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(made)
	if b, _ := json.Marshal(again); string(a) != string(b) {
		t.Errorf("not the same again:\n%s\n%s", a, b)
	}
}

// In a wrong answer, additional members are false selections, and missing members are false rejections.
func TestCharacteristicsByHand(t *testing.T) {
	row := Characteristics{Right: []int{0, 1}}
	row.sum([]outcome{
		{pulls: 10, arms: []int{4, 4, 2}, items: []int{0, 1}, status: right, guess: []int{0, 1}, guessed: true},
		{pulls: 20, arms: []int{8, 8, 4}, items: []int{0, 2}, status: wrong, guess: []int{0, 2}},
		{pulls: 30, arms: []int{10, 10, 10}, items: []int{0, 1, 2}, status: right, guess: []int{0, 1, 2}, guessed: true}, // within a tolerance
		{pulls: 40, arms: []int{10, 10, 20}, status: gaveUp, looked: true, guess: []int{2}},
	}, 3, 40)
	for i, want := range []struct {
		selected, false int
		measurements    float64
	}{{3, 0, 8}, {2, 1, 8}, {2, 1, 9}} {
		x := row.Candidates[i]
		if x.Selected.Count != want.selected || x.False.Count != want.false || x.Measurements != want.measurements {
			t.Errorf("candidate %d: %+v; want %+v", i, x, want)
		}
	}
	if row.Wrong.Count != 1 || row.Wrong.Share != .25 || row.GaveUp.Count != 1 || row.Mean != 25 ||
		row.Median.Value != 25 || row.Most.Open != true || len(row.Answers) != 3 || !row.Answers[0].Right {
		t.Errorf("%+v", row)
	}
	// With a limit of 40 measurements, best guesses are counted separately.
	for i, want := range [][2]int{{3, 1}, {2, 2}, {3, 2}} {
		if x := row.Guess.Candidates[i]; x.Selected.Count != want[0] || x.False.Count != want[1] || x.Selected.Share != float64(want[0])/4 {
			t.Errorf("candidate %d: %+v; want %+v", i, x, want)
		}
	}
	if g := row.Guess; g.Measurements != 40 || g.Right.Count != 2 || g.Right.Share != .5 || len(g.Answers) != 4 {
		t.Errorf("%+v", g)
	}
}

// A campaign without an answer at its limit has a best guess. With few measurements, most campaigns have no answer,
// but most best guesses are right.
func TestCharacteriseGuesses(t *testing.T) {
	p := doses(t, "", "")
	list, err := ReadScenarios(p, "s.csv", []byte(doseScenarios))
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 12} { // 0: the problem sets the limit; 12: the option sets it
		p.Laboratory.Measurements = 12 - limit
		made, err := Characterise(context.Background(), p, list, &Options{Runs: 40, Seed: 3, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range made.Rows {
			g, best := r.Guess, r.Right[0]
			if r.GaveUp.Count < 20 || g == nil || g.Measurements != 12 || g.Right.Count < 30 {
				t.Fatalf("%s: %d without an answer; %+v", r.Name, r.GaveUp.Count, g)
			}
			if g.Candidates[best].Selected.Count < 30 || r.Candidates[best].Selected.Count > 20 || g.Answers[0].Items[0] != best {
				t.Errorf("%s: %+v, %+v", r.Name, g, r.Candidates[best])
			}
		}
	}
	p.Laboratory.Measurements = 0
	if made, err := Characterise(context.Background(), p, list, &Options{Runs: 2}); err != nil || made.Rows[0].Guess != nil {
		t.Errorf("best guesses without a limit; %v", err)
	}
}

// Without a limit, a scenario that cannot be decided is not simulated. With a limit, each run ends near the limit
// without an answer.
func TestCharacteriseHopeless(t *testing.T) {
	p := bench(t)
	s := Scenario{Name: "tie"}
	for range p.K() {
		s.Means = append(s.Means, []float64{50, 1})
	}
	made, err := Characterise(context.Background(), p, []Scenario{s}, &Options{Runs: 5})
	if err != nil || !strings.Contains(made.Rows[0].Hopeless, "cannot be decided") ||
		!strings.Contains(made.Rows[0].Hopeless, "--limit") || made.Rows[0].Runs != 0 {
		t.Errorf("%+v, %v", made, err)
	}
	for limit, affordable := range map[int]int{0: 200, 200: 0, 201: 400} { // the option overrides the limit of the problem
		q := p.Clone()
		q.Laboratory.Measurements = affordable
		made, err = Characterise(context.Background(), q, []Scenario{s}, &Options{Runs: 5, Limit: limit})
		if err != nil || made.Rows[0].GaveUp.Count != 5 || made.Rows[0].Mean < 200 || made.Rows[0].Mean > 250 {
			t.Errorf("%+v, %v", made, err)
		}
	}
	for _, o := range []*Options{{Runs: -1}, {Changes: []Change{{Field: "delta", Value: .1}}}, {Methods: []string{"guess"}}} {
		if _, err := Characterise(context.Background(), p, []Scenario{s}, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
