package planview

import (
	"errors"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/plan"
)

// characterised returns a result with made-up numbers.
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
	return &plan.Characterised{About: plan.About{Title: "Doses", Question: "Which?", Candidates: []string{"a", "b", "c"},
		Objectives: []string{"response"}, Trials: 12, Called: "patients", Assumptions: []string{"All is well."}},
		Rows: []plan.Characteristics{first, {Scenario: plan.Scenario{Name: "tie"}, Method: "APE", Hopeless: "Nobody can."}}}
}

func TestScenarioFigure(t *testing.T) {
	c := characterised()
	if f, err := ScenarioFigure(c); err != nil || len(f.Panels) == 0 {
		t.Error(err)
	} else if !strings.Contains(f.Description, "/38 wrong, 2 cut short") {
		t.Errorf("2 of 40 campaigns were given up, but the figure says %q", f.Description)
	}
	c.Rows = c.Rows[1:]
	if _, err := ScenarioFigure(c); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}
