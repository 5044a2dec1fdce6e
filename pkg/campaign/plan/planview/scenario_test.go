package planview

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
)

// characterised is a result of which every number is made up.
func characterised() *plan.Characterised {
	rate := func(k int) plan.Rate {
		lo, hi := plan.Limits(k, 40)
		return plan.Rate{Count: k, Share: float64(k) / 40, Lo: lo, Hi: hi}
	}
	first := plan.Characteristics{Scenario: plan.Scenario{Name: "mild", Means: [][]float64{{1}, {2}, {3}}},
		Method: "APE", Right: []int{2}, Runs: 40, Wrong: rate(1), GaveUp: rate(2), Mean: 20.26,
		Low: plan.Quantile{Value: 10}, Median: plan.Quantile{Value: 20.5},
		Most:       plan.Quantile{Value: 40, Open: true},
		Candidates: []plan.CandidateRates{{}, {Selected: rate(1), False: rate(1)}, {Selected: rate(37), False: rate(1), Measurements: 9.04}}}
	first.Answers = append(first.Answers, plan.AnswerRate{Items: []int{2}, Rate: rate(30), Right: true})
	for range 7 {
		first.Answers = append(first.Answers, plan.AnswerRate{Rate: rate(1)})
	}
	for i := range 40 {
		first.Sample = append(first.Sample, plan.Run{Measurements: 10 + i, Arms: []int{1, 2, 3}, GaveUp: i > 37})
	}
	return &plan.Characterised{Title: "Doses", Question: "Which?", Candidates: []string{"a", "b", "c"},
		Objectives: []string{"response"}, Trials: 12, Called: "patients", Assumptions: []string{"All is well."},
		Rows: []plan.Characteristics{first, {Scenario: plan.Scenario{Name: "tie"}, Method: "APE", Hopeless: "Nobody can."}}}
}

func TestScenarioTables(t *testing.T) {
	c := characterised()
	all, by, answers := Scenarios(c), ScenarioCandidates(c), ScenarioAnswers(c)
	for _, x := range []struct{ got, want any }{
		{all.Title, "Scenarios: Doses"},
		{all.Rows[0], "[mild APE c 2.5 [0, 13.2] 5 [0.6, 17] 20.3 10 21 ≥ 40 243]"},
		{all.Rows[1], "[tie APE none not simulated      ]"},
		{len(by.Rows), 3},
		{by.Rows[1], "[mild APE b 2 2.5 [0, 13.2] 2.5 [0, 13.2]  0 0]"},
		{by.Rows[2], "[mild APE c 3 92.5 [79.6, 98.5]  2.5 [0, 13.2] 9 108]"},
		{len(answers.Rows), 6},
		{answers.Rows[0], "[mild APE c 75 [58.8, 87.4] yes]"},
		{answers.Rows[5], "[mild APE 3 others 7.5 [1.5, 20.4] ]"},
	} {
		if fmt.Sprint(x.got) != fmt.Sprint(x.want) {
			t.Errorf("%v; want %v", x.got, x.want)
		}
	}
	// A line for the rest is for two answers at least: six have a line each.
	six := characterised()
	six.Rows[0].Answers = six.Rows[0].Answers[:6]
	if rows := ScenarioAnswers(six).Rows; len(rows) != 6 || strings.Contains(fmt.Sprint(rows[5]), "others") {
		t.Errorf("of six answers %v", rows)
	}
	notes := strings.Join(all.Notes, "\n")
	for _, want := range []string{"Scenario tie, APE: Nobody can.", "40 simulated campaigns a row", "consists of 12 patients",
		"All is well."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %s", want, notes)
		}
	}
	if ScenarioGuesses(c) != nil {
		t.Error("best guesses without a limit")
	}
	half := c.Rows[0].Candidates[2].Selected
	c.Rows[0].Guess = &plan.Guesses{Measurements: 25, Right: half, Answers: c.Rows[0].Answers,
		Candidates: []plan.Selection{{}, {}, {Selected: half}}}
	all, by = Scenarios(c), ScenarioCandidates(c)
	guesses := ScenarioGuesses(c)
	for _, x := range []struct{ got, want any }{
		{all.Rows[0], "[mild APE c 2.5 [0, 13.2] 5 [0.6, 17] 20.3 10 21 ≥ 40 243 92.5 [79.6, 98.5]]"},
		{len(all.Rows[1]), len(all.Columns)},
		{by.Rows[2], "[mild APE c 3 92.5 [79.6, 98.5]  2.5 [0, 13.2] 9 108 92.5 [79.6, 98.5] 0 [0, 0]]"},
		{guesses.Title, "Answers and best guesses with 25 measurements"},
		{guesses.Rows, fmt.Sprint(answers.Rows)},
	} {
		if fmt.Sprint(x.got) != fmt.Sprint(x.want) {
			t.Errorf("%v; want %v", x.got, x.want)
		}
	}
	c.Trials, c.Rows[0].Guess = 0, nil
	if last := Scenarios(c).Columns; last[len(last)-1].Name != "90 %" {
		t.Error("patients without trials")
	}
	for _, row := range Scenarios(c).Rows {
		if len(row) != len(Scenarios(c).Columns) {
			t.Errorf("without trials: a row of %d cells in %d columns", len(row), len(Scenarios(c).Columns))
		}
	}
}

func TestScenarioFigure(t *testing.T) {
	c := characterised()
	if f, err := ScenarioFigure(c); err != nil || len(f.Panels) == 0 {
		t.Error(err)
	} else if !strings.Contains(f.Description, "/38 wrong, 2 cut short") {
		t.Errorf("2 of 40 campaigns were given up, and the figure says %q", f.Description)
	}
	c.Rows = c.Rows[1:]
	if _, err := ScenarioFigure(c); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}
