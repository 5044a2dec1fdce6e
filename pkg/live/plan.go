package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/tidy"
)

// PlanRequest requests a prediction of the number of measurements of a campaign.
type PlanRequest struct {
	Problem ProblemFile `json:"problem"`
	// Runs is the number of simulated campaigns for each row; zero means 500, as in the command.
	Runs int    `json:"runs,omitempty"`
	Seed uint64 `json:"seed,omitempty"`
	// Changes are variants such as "yield.tolerance=2"; null means the default changes.
	Changes []string `json:"changes,omitempty"`
	// If Figure is true, the answer includes figures as SVG.
	Figure bool `json:"figure,omitempty"`
}

// PlanAnswer is a plan as numbers and as tables.
type PlanAnswer struct {
	Plan *plan.Plan `json:"plan"`
	// Saves contains, for each row of the plan, the saving relative to the
	// first row's median, as a fraction, or null if a median is unknown.
	Saves []Number `json:"saves"`
	// Table has a line for each row of the plan, and Effort has a line for each candidate.
	Table  Table `json:"table"`
	Effort Table `json:"effort"`
	// Figures show the distributions of the number of measurements, and the mean number for each
	// candidate; the list is empty if nothing was simulated.
	Figures []Picture `json:"figures,omitempty"`
}

// Table is a table of package tidy whose cells are text.
type Table struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Notes   []string   `json:"notes"`
}

// Picture is a figure with its description for people who cannot see it.
type Picture struct {
	SVG string `json:"svg"`
	Alt string `json:"alt"`
}

const (
	// mostRuns is the largest number of runs that a page may request.
	mostRuns = 10_000
	// work is the value of plan.Options.Work for pages; it is below the default because a browser
	// has one thread and is slower.
	work = 4_000_000
	// limit is the number of measurements after which a simulated campaign in a page is stopped. A
	// row of 20 campaigns that never end then takes seconds in a browser, instead of minutes.
	limit = 50_000
)

func planOf(q *PlanRequest, tell Tell) (*PlanAnswer, error) {
	if q.Runs < 0 || q.Runs > mostRuns {
		return nil, fmt.Errorf("runs: %d; expected 1 to %d", q.Runs, mostRuns)
	}
	p, err := q.Problem.parse()
	if err != nil {
		return nil, err
	}
	o := &plan.Options{Runs: q.Runs, Seed: q.Seed, Work: work, Limit: limit,
		Progress: func(done, total int) { tell(float64(done), float64(total)) }}
	if q.Changes != nil {
		o.Changes = []plan.Change{}
	}
	for _, text := range q.Changes {
		c, err := plan.ParseChange(text)
		if err != nil {
			return nil, err
		}
		o.Changes = append(o.Changes, c)
	}
	made, err := plan.Simulate(context.Background(), p, o)
	if err != nil {
		return nil, err
	}
	a := &PlanAnswer{Plan: made, Saves: numbers(saves(made)), Table: shown(planview.Table(made)),
		Effort: shown(planview.Effort(made))}
	if q.Figure {
		for _, draw := range []func(*plan.Plan) (*fig.Figure, error){
			planview.Figure, planview.EffortFigure} {
			f, err := draw(made)
			if errors.Is(err, planview.ErrNothing) {
				continue // the table says why there is no figure
			}
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			if err := f.SVG(&b); err != nil {
				return nil, err
			}
			a.Figures = append(a.Figures, Picture{b.String(), f.Alt()})
		}
	}
	return a, nil
}

// shown formats the cells of a table as text.
func shown(t *tidy.Table) Table {
	s := Table{Title: t.Title, Rows: [][]string{}, Notes: t.Notes}
	for _, c := range t.Columns {
		name := c.Name
		if c.Unit != "" {
			name += " [" + c.Unit + "]"
		}
		s.Columns = append(s.Columns, name)
	}
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			switch v := v.(type) {
			case nil:
			case float64:
				cells[i] = tidy.Number(v)
			default:
				cells[i] = fmt.Sprint(v)
			}
		}
		s.Rows = append(s.Rows, cells)
	}
	return s
}

// saves returns, for each row, 1 minus the ratio of the row's median to the median of the first
// row.
func saves(p *plan.Plan) []float64 {
	s := make([]float64, len(p.Rows))
	for i := range p.Rows {
		s[i] = math.NaN()
		first, row := p.Rows[0].Measurements.Median, p.Rows[i].Measurements.Median
		if p.Rows[0].Runs > 0 && p.Rows[i].Runs > 0 && !first.Open && !row.Open && first.Value > 0 {
			s[i] = 1 - row.Value/first.Value
		}
	}
	return s
}
