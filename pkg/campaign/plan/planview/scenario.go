package planview

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// mostAnswers is the largest number of answers listed for a scenario; the last line summarises the
// remaining answers.
const mostAnswers = 5

// Scenarios returns a table with the characteristics of the methods under each scenario. The table
// has a row for each scenario and method, with the rates of wrong and missing answers and the
// number of measurements.
func Scenarios(c *plan.Characterised) *tidy.Table {
	t := &tidy.Table{Title: "Scenarios", Columns: []tidy.Column{{Name: "scenario"}, {Name: "method"},
		{Name: "right answer"}, {Name: "wrong answers", Unit: "%"}, {Name: "no answer", Unit: "%"},
		{Name: "measurements", Unit: "mean"}, {Name: "10 %"}, {Name: "median"}, {Name: "90 %"}}}
	if c.Title != "" {
		t.Title += ": " + c.Title
	}
	if c.Trials > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: c.Called, Unit: "mean"})
	}
	limited := limit(c)
	if limited > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: "answer or best guess is right", Unit: "%"})
	}
	runs := 0
	for i := range c.Rows {
		r := &c.Rows[i]
		row := []any{r.Name, r.Method, named(c, r.Right)}
		if r.Runs == 0 {
			row = append(row, "not simulated", "", "", "", "", "")
			t.Notes = append(t.Notes, fmt.Sprintf("Scenario %s, %s: %s", r.Name, r.Method, r.Hopeless))
		} else {
			row = append(row, rate(r.Wrong), rate(r.GaveUp), tenths(r.Mean), amount(r.Low, 1),
				amount(r.Median, 1), amount(r.Most, 1))
		}
		switch {
		case c.Trials > 0 && r.Runs > 0:
			row = append(row, tenths(r.Mean*float64(c.Trials)))
		case c.Trials > 0:
			row = append(row, "")
		}
		switch {
		case r.Guess != nil:
			row = append(row, rate(r.Guess.Right))
		case limited > 0:
			row = append(row, "")
		}
		t.Rows = append(t.Rows, row)
		runs = max(runs, r.Runs)
	}
	t.Notes = append(t.Notes, c.Question, fmt.Sprintf("%s simulated campaigns per row, with 95 %% intervals (Clopper "+
		"and Pearson). Right answer: the exact answer if the scenario is true (with a tie, one of the right "+
		"answers). Wrong answers: answers that are right within the tolerance or slack do not count as wrong. No "+
		"answer: the campaign reached the limit of measurements.", tidy.Int(runs)))
	if c.Trials > 0 {
		t.Notes = append(t.Notes, of(c.Trials, c.Called))
	}
	if limited > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Best guess: the selection after %s measurements of a campaign without "+
			"an answer. The share of right guesses is an estimate that assumes the scenario, not a guarantee.",
			tidy.Int(limited)))
	}
	t.Notes = append(t.Notes, c.Assumptions...)
	return t
}

// ScenarioCandidates returns a table of the rates for each candidate in each scenario: selections,
// errors and measurements.
func ScenarioCandidates(c *plan.Characterised) *tidy.Table {
	t := &tidy.Table{Title: "Candidates", Columns: tidy.Columns("scenario", "method", "candidate")}
	for _, o := range c.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: o, Unit: "true"})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "selected", Unit: "%"},
		tidy.Column{Name: "false selections", Unit: "%"}, tidy.Column{Name: "false rejections", Unit: "%"},
		tidy.Column{Name: "measurements", Unit: "mean"})
	if c.Trials > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: c.Called, Unit: "mean"})
	}
	limited := limit(c)
	if limited > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: "selected or guessed", Unit: "%"},
			tidy.Column{Name: "by mistake", Unit: "%"})
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		right := map[int]bool{}
		for _, arm := range r.Right {
			right[arm] = true
		}
		for arm, x := range r.Candidates {
			row := []any{r.Name, r.Method, c.Candidates[arm]}
			for _, m := range r.Means[arm] {
				row = append(row, m)
			}
			selections, rejections := rate(x.False), ""
			if right[arm] {
				selections, rejections = "", selections
			}
			row = append(row, rate(x.Selected), selections, rejections, tenths(x.Measurements))
			if c.Trials > 0 {
				row = append(row, tenths(x.Measurements*float64(c.Trials)))
			}
			if r.Guess != nil {
				row = append(row, rate(r.Guess.Candidates[arm].Selected), rate(r.Guess.Candidates[arm].False))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Notes = append(t.Notes, "False selections: wrong answers that include a candidate by mistake. False "+
		"rejections: wrong answers that lack a candidate of the right answer. An answer can also be wrong only "+
		"because a reason is wrong.")
	if limited > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Selected or guessed: in the answer or, without an answer after %s "+
			"measurements, in the best guess. By mistake: in wrong answers that incorrectly include or exclude "+
			"the candidate.", tidy.Int(limited)))
	}
	return t
}

// limit returns the limit on the number of measurements, or 0 if there is none.
func limit(c *plan.Characterised) int {
	for i := range c.Rows {
		if g := c.Rows[i].Guess; g != nil {
			return g.Measurements
		}
	}
	return 0
}

// ScenarioAnswers returns a table with the frequency of each answer under each scenario.
func ScenarioAnswers(c *plan.Characterised) *tidy.Table {
	return answers(c, "Answers", "answer", "given",
		func(r *plan.Characteristics) []plan.AnswerRate { return r.Answers })
}

// If the number of measurements is limited, ScenarioGuesses returns a table with the frequency of
// each selection; otherwise, ScenarioGuesses returns nil. A selection is the answer of a campaign,
// or the best guess at the limit.
func ScenarioGuesses(c *plan.Characterised) *tidy.Table {
	limited := limit(c)
	if limited == 0 {
		return nil
	}
	return answers(c, fmt.Sprintf("Answers and best guesses with %s measurements", tidy.Int(limited)),
		"answer or best guess", "made", func(r *plan.Characteristics) []plan.AnswerRate {
			if r.Guess == nil {
				return nil
			}
			return r.Guess.Answers
		})
}

// answers returns a table of the most frequent
// answers; of(row) returns the answers of a row.
func answers(c *plan.Characterised, title, what, how string,
	of func(*plan.Characteristics) []plan.AnswerRate) *tidy.Table {
	t := &tidy.Table{Title: title, Columns: []tidy.Column{{Name: "scenario"}, {Name: "method"}, {Name: what},
		{Name: how, Unit: "%"}, {Name: "right answer"}}}
	for i := range c.Rows {
		r, rest := &c.Rows[i], 0
		list := of(r)
		for j, a := range list {
			if j >= mostAnswers && len(list) > mostAnswers+1 {
				rest += a.Count
				continue
			}
			t.Rows = append(t.Rows, []any{r.Name, r.Method, named(c, a.Items), rate(a.Rate),
				map[bool]string{true: "yes"}[a.Right]})
		}
		if rest > 0 {
			others := plan.Rate{Count: rest, Share: float64(rest) / float64(r.Runs)}
			others.Lo, others.Hi = plan.Limits(rest, r.Runs)
			t.Rows = append(t.Rows, []any{r.Name, r.Method, fmt.Sprintf("%d others", len(list)-mostAnswers),
				rate(others), ""})
		}
	}
	return t
}

// ScenarioFigure draws the distribution of the number of measurements in each scenario.
func ScenarioFigure(c *plan.Characterised) (*fig.Figure, error) {
	var rows []mc.Row
	for i := range c.Rows {
		rows = append(rows, runs(c.Rows[i].Name, c.Rows[i].Method, c.Rows[i].Sample)...)
	}
	if len(rows) == 0 {
		return nil, ErrNothing
	}
	return fig.SampleComplexity(rows, &fig.RowOptions{Title: Scenarios(c).Title})
}

// of returns a sentence with the number of trials of a measurement.
func of(trials int, called string) string {
	return fmt.Sprintf("A measurement consists of %s %s.", tidy.Int(trials), called)
}

// named lists the names of the candidates in an answer.
func named(c *plan.Characterised, items []int) string {
	if len(items) == 0 {
		return "none"
	}
	names := make([]string, len(items))
	for i, arm := range items {
		names[i] = c.Candidates[arm]
	}
	return strings.Join(names, ", ")
}

// rate formats a rate in per cent with its confidence limits, which are rounded outwards.
func rate(r plan.Rate) string {
	return fmt.Sprintf("%s [%s, %s]", tidy.Number(math.Round(1000*r.Share)/10),
		tidy.Number(math.Floor(1000*r.Lo)/10), tidy.Number(math.Ceil(1000*r.Hi)/10))
}

func tenths(x float64) string { return tidy.Number(math.Round(10*x) / 10) }
