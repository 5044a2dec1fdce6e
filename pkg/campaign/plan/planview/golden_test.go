package planview

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/tidy"
)

// What people read of plans and scenarios is in testdata, in whole: with plates and one by one, with days, costs, trials, what can be
// afforded and the usual design; of rows with runs and without, given up or not, with numbers that are whole but for rounding.
func TestPlansInWords(t *testing.T) {
	var text strings.Builder
	show := func(what string, tables ...*tidy.Table) {
		for _, x := range tables {
			if x == nil {
				fmt.Fprintf(&text, "# %s: nothing\n", what)
				continue
			}
			fmt.Fprintf(&text, "# %s\n%s\n", what, x.Text())
		}
	}
	rate := func(k, n int) plan.Rate {
		lo, hi := plan.Limits(k, n)
		return plan.Rate{Count: k, Share: float64(k) / float64(n), Lo: lo, Hi: hi}
	}
	spread := func(median, most float64) *plan.Spread {
		return &plan.Spread{Median: plan.Quantile{Value: median}, Most: plan.Quantile{Value: most}}
	}
	for _, c := range []struct {
		what   string
		change func(p *plan.Plan)
	}{
		{"as it is", func(*plan.Plan) {}},
		{"one by one", func(p *plan.Plan) { p.Plate, p.Dated, p.Title = 1, false, "Dyes"; p.Rows = p.Rows[:2] }},
		{"one by one, and a plate", func(p *plan.Plan) { p.Plate, p.Dated = 1, false }},
		{"pairs", func(p *plan.Plan) { p.Plate, p.Dated = 2, false; p.Rows = p.Rows[:2] }},
		{"costs", func(p *plan.Plan) {
			p.CostUnit, p.Rows[0].Cost, p.Rows[0].Bound.Cost = "EUR", spread(12.25, 99.0000000001), 7.1
		}},
		{"trials and costs", func(p *plan.Plan) {
			p.Trials, p.Called, p.CostUnit, p.Rows[0].Cost = 1, "patients", "h", spread(3, 4)
		}},
		{"what is whole", func(p *plan.Plan) {
			p.Rows[0].Measurements, p.Rows[0].Days = *spread(100.0000000001, 199), *spread(12.7000000001, 25.05)
			p.Rows[0].GaveUp, p.Rows[0].ErrorHi, p.Rows[0].Bound.Measurements = 1, .1, 80
			p.Answer = p.Answer[:12]
		}},
		{"affordable", func(p *plan.Plan) {
			p.Affordable, p.Delta = 95, .1
			for i := range p.Rows {
				r := rate(30, 40)
				p.Rows[i].Right = &r
			}
			p.Rows = append(p.Rows, plan.Row{Method: "spends", Budget: 95, Runs: 40, Right: p.Rows[0].Right, Sample: p.Rows[0].Sample})
		}},
		{"not simulated", func(p *plan.Plan) {
			r := rate(0, 40)
			p.Affordable, p.Delta, p.Rows = 95, .1, p.Rows[1:2]
			p.Rows[0].Right = &r
			p.Usual = &plan.Usual{Replicates: 100, Measurements: 1300, Tests: "of each candidate against each bound", Share: 13}
		}},
		{"the usual design", func(p *plan.Plan) {
			p.Delta, p.Advice, p.Filled = .05, "Take another.", "Fill plates."
			p.Usual = &plan.Usual{Replicates: 1000, Measurements: 13000, Tests: "of the best candidate against each other one", Share: 12}
		}},
	} {
		p := byHand()
		c.change(p)
		show(c.what, Table(p), Within(p), Afford(p))
		if len(p.Rows) != 2 { // where measurements go hangs on nothing that differs
			p.Candidates, p.Means = p.Candidates[:2], p.Means[:2]
			if len(p.Rows[0].Effort) > 2 {
				p.Rows[0].Effort = p.Rows[0].Effort[:2]
			}
			show("effort", Effort(p))
			p = byHand()
			c.change(p)
		}
		for _, draw := range []func(*plan.Plan) (*fig.Figure, error){Figure, EffortFigure} {
			f, err := draw(p)
			if err != nil {
				fmt.Fprintln(&text, err)
				continue
			}
			fmt.Fprintf(&text, "%s; %s: %s\n", f.Title, f.Panels[len(f.Panels)-1].X.Label.Text, f.Alt())
		}
	}
	for _, c := range []struct {
		what   string
		change func(c *plan.Characterised)
	}{
		{"scenarios", func(*plan.Characterised) {}},
		{"without a title, trials or much else", func(c *plan.Characterised) { c.Title, c.Trials, c.Assumptions = "", 0, nil }},
		{"fewer runs later", func(c *plan.Characterised) {
			c.Rows[1] = plan.Characteristics{Scenario: c.Rows[1].Scenario, Method: "APE", Right: []int{0, 1}, Runs: 20,
				Answers: []plan.AnswerRate{{Rate: rate(20, 20)}}, Mean: 3, Median: plan.Quantile{Value: 3.0000000001}}
		}},
		{"limited", func(c *plan.Characterised) {
			r := &c.Rows[0]
			r.Right = []int{1, 2}
			for i := range r.Answers {
				r.Answers[i].Count = 10 - i
			}
			r.Guess = &plan.Guesses{Measurements: 1250, Right: rate(35, 40), Answers: r.Answers[:7],
				Candidates: []plan.Selection{{Selected: rate(1, 40), False: rate(2, 40)}, {}, {Selected: rate(39, 40)}}}
		}},
	} {
		x := characterised()
		c.change(x)
		show(c.what, Scenarios(x), ScenarioCandidates(x), ScenarioAnswers(x), ScenarioGuesses(x))
		f, err := ScenarioFigure(x)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s; %s: %s\n", f.Title, f.Panels[len(f.Panels)-1].X.Label.Text, f.Alt())
	}
	golden.Parts(t, "words.txt", text.String(), `^# .*`)
}
