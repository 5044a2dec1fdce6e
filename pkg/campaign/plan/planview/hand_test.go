package planview

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/tidy"
)

// byHand is a plan with made-up numbers.
func byHand() *plan.Plan {
	spread := func(median, most float64) plan.Spread {
		return plan.Spread{Median: plan.Quantile{Value: median}, Most: plan.Quantile{Value: most}}
	}
	p := &plan.Plan{About: plan.About{Question: "Which?", Objectives: []string{"yield [%]"}, Assumptions: []string{"All is well."}},
		Plate: 4, Dated: true, Warnings: []string{"It is a lot."}}
	for i := range 13 {
		p.Candidates = append(p.Candidates, fmt.Sprint("C", i+1))
		p.Means, p.Answer = append(p.Means, []float64{float64(i)}), append(p.Answer, i)
	}
	first := plan.Row{Method: "first", Runs: 40, Wrong: 1, ErrorHi: .1316,
		Bound: plan.Bound{Measurements: 80.2}, Measurements: spread(100.2, 199),
		Plates: spread(25.5, 50), Days: spread(12.61, 25)}
	first.Measurements.Most.Open = true
	first.GaveUp = 6
	first.Effort = make([]plan.Effort, 13)
	first.Effort[0] = plan.Effort{Measurements: 12.345, Share: .25, Against: "C2", AgainstShare: .8}
	arms := make([]int, 13)
	arms[0], arms[12] = 70, 20
	for i := range 40 {
		first.Sample = append(first.Sample, plan.Run{Measurements: 90 + i, Wrong: i == 0, GaveUp: i >= 34, Arms: arms})
	}
	p.Rows = []plan.Row{first, {Method: "second", Bound: plan.Bound{Tie: true}},
		{Change: "plate = 8", Method: "first", Runs: 40, Sample: first.Sample[:34]}}
	return p
}

// leastChanged returns the smallest lower bound of a simulated change; EffortFigure ignores abandoned runs.
func TestFiguresByHand(t *testing.T) {
	p := byHand()
	row := func(change string, runs int, bound float64) plan.Row {
		return plan.Row{Change: change, Sample: make([]plan.Run, runs), Bound: plan.Bound{Measurements: bound}}
	}
	rows := &plan.Plan{Rows: []plan.Row{row("", 1, 2), row("a", 1, 5), row("b", 1, 3), row("c", 1, 7), row("not simulated", 0, 1)}}
	if got := leastChanged(rows); got != 3 {
		t.Errorf("the least bound of a change is %v; want 3", got)
	}
	effort, err := EffortFigure(p)
	if err != nil {
		t.Fatal(err)
	}
	alt := effort.Alt()
	// The measurements of abandoned runs are ignored.
	for i := range p.Rows[0].Sample {
		if run := &p.Rows[0].Sample[i]; run.GaveUp {
			run.Arms = slices.Clone(run.Arms)
			run.Arms[0] += 9999
		}
	}
	if again, err := EffortFigure(p); err != nil || again.Alt() != alt {
		t.Errorf("effort with others that were given up: %v, %v; want %s", again.Alt(), err, alt)
	}
	p.Rows = p.Rows[1:]
	if _, err := EffortFigure(p); !errors.Is(err, ErrNothing) {
		t.Errorf("effort of a method that was not simulated: %v", err)
	}
}

// The golden file contains all tables and descriptions of plans with made-up numbers.
func TestPages(t *testing.T) {
	full := byHand()
	full.Title, full.Answer, full.Dated, full.Plate = "Dyes", nil, false, 1
	full.CostUnit, full.Trials, full.Called, full.Delta, full.Affordable = "EUR", 12, "patients", .05, 96
	full.Rows[0].Cost = &plan.Spread{Median: plan.Quantile{Value: 1234}, Most: plan.Quantile{Value: 2345}}
	full.Rows[0].Right, full.Rows[1].Right, full.Rows[2].Right = &plan.Rate{Share: .75, Lo: .194, Hi: .9937}, &plan.Rate{}, &plan.Rate{}
	full.Usual = &plan.Usual{Replicates: 100, Measurements: 1300, Tests: "of each candidate against each bound", Share: 13}
	idle, many, undated := byHand(), byHand(), byHand()
	undated.Dated, undated.Plate, undated.Rows, undated.Affordable = false, 1, undated.Rows[:2], 96
	undated.Rows = append(undated.Rows, plan.Row{Method: "EGE-SR", Budget: 96, Runs: 4, Right: &plan.Rate{Count: 4, Share: 1, Lo: .3976, Hi: 1}},
		plan.Row{Method: "EGE-SR", Budget: 192, Change: "measurements = 192", Runs: 4, Right: &plan.Rate{}})
	idle.Rows = idle.Rows[1:2]
	many.Usual, many.Rows[2].Bound.Measurements = full.Usual, 60
	many.Rows[0].Effort, many.Means, many.Candidates = nil, nil, nil
	for i := range 62 {
		many.Rows[0].Effort = append(many.Rows[0].Effort, plan.Effort{Measurements: float64(i * 37 % 62), Share: 1. / 62})
		many.Means, many.Candidates = append(many.Means, []float64{1}), append(many.Candidates, fmt.Sprint("M", i))
	}
	var b strings.Builder
	say := func(tables ...*tidy.Table) {
		for _, table := range tables {
			if table != nil {
				b.WriteString(table.Text() + "\n")
			}
		}
	}
	for i, p := range []*plan.Plan{byHand(), full, idle, many, undated} {
		fmt.Fprintf(&b, "== plan %d\n", i+1)
		say(Table(p), Effort(p), Afford(p))
		for _, draw := range []func(*plan.Plan) (*fig.Figure, error){Figure, EffortFigure} {
			if f, err := draw(p); err != nil {
				fmt.Fprintln(&b, err)
			} else {
				var svg bytes.Buffer
				if err := f.SVG(&svg); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s\n%q\n", f.Alt(), regexp.MustCompile(">[^<>\n]+</text>").FindAllString(svg.String(), -1))
			}
		}
	}
	limited, plain := characterised(), characterised()
	plain.Title, plain.Trials = "", 0
	limited.Rows[0].Guess = &plan.Guesses{Measurements: 96, Right: plan.Rate{Share: .9, Lo: .8, Hi: .95}, Answers: limited.Rows[0].Answers[:6], Candidates: []plan.Selection{{}, {Selected: plan.Rate{Share: .125}}, {Selected: plan.Rate{Share: .95}, False: plan.Rate{Share: .0625}}}}
	for i, c := range []*plan.Characterised{characterised(), limited, plain} {
		fmt.Fprintf(&b, "== scenarios %d\n", i+1)
		say(Scenarios(c), ScenarioCandidates(c), ScenarioAnswers(c), ScenarioGuesses(c))
	}
	golden.Check(t, "pages.txt", b.String())
}
