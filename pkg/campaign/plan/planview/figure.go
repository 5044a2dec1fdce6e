package planview

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// ErrNothing says that nothing was simulated, so that there is nothing to draw.
var ErrNothing = errors.New("planview: nothing was simulated; see the warnings of the plan")

// Panels of the figure.
const (
	asked   = "as asked"
	changed = "with a change"
)

// Figure draws the distribution of the number of measurements, of each method for the question as
// it is asked, and of the method of the problem for each change. Runs that were given up are
// hollow. A dashed line is what no method can be below on average.
func Figure(p *plan.Plan) (*fig.Figure, error) {
	var rows []mc.Row
	for i := range p.Rows {
		r := &p.Rows[i]
		instance, name := asked, r.Method
		if r.Change != "" {
			instance, name = changed, r.Change
		}
		for rep, run := range r.Sample {
			status := explore.Stopped
			if run.GaveUp {
				status = explore.PullLimit
			}
			rows = append(rows, mc.Row{Instance: instance, Method: name, Rep: rep,
				Pulls: run.Measurements, Status: status.String(),
				Correct: !run.Wrong && !run.GaveUp, ArmPulls: run.Arms})
		}
	}
	if len(rows) == 0 {
		return nil, ErrNothing
	}
	o := &fig.RowOptions{Title: title(p)}
	if b := p.Rows[0].Bound.Measurements; b > 0 && len(p.Rows[0].Sample) > 0 {
		o.References = []fig.Reference{{Instance: asked, Name: "at least needed", Pulls: b}}
		// Both panels then have the same kind of axis.
		if least := leastChanged(p); least > 0 {
			o.References = append(o.References, fig.Reference{Instance: changed,
				Name: "at least needed, whichever", Pulls: least})
		}
	}
	f, err := fig.SampleComplexity(rows, o)
	if err != nil {
		return nil, err
	}
	f.Panels[len(f.Panels)-1].X.Label.Text = fmt.Sprintf("measurements (plates of %d)", p.Plate)
	return f, nil
}

// leastChanged returns the least bound of all changes that were simulated, 0 if one is unknown.
func leastChanged(p *plan.Plan) float64 {
	least := math.Inf(1)
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Change != "" && len(r.Sample) > 0 {
			least = min(least, r.Bound.Measurements)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// EffortFigure draws how many measurements go to each candidate on average, with the method of the problem.
func EffortFigure(p *plan.Plan) (*fig.Figure, error) {
	r, runs := &p.Rows[0], 0
	sums := make([]int, len(p.Candidates))
	for _, run := range r.Sample {
		if !run.GaveUp {
			runs++
			for i, n := range run.Arms {
				sums[i] += n
			}
		}
	}
	if runs == 0 {
		return nil, ErrNothing
	}
	arms := make([]fig.ArmEffort, len(sums))
	for i, n := range sums {
		arms[i] = fig.ArmEffort{Name: p.Candidates[i], Used: int(math.Round(float64(n) / float64(runs)))}
	}
	f, err := fig.Effort(arms, &fig.EffortOptions{Title: "Where measurements go: " + r.Method})
	if err != nil {
		return nil, err
	}
	f.Panels[0].X.Label.Text = "mean number of measurements"
	_, most, _ := strings.Cut(f.Description, "not used.")
	f.Legend, f.Description = nil, "Mean number of measurements of each candidate by "+r.Method+"."+most
	return f, nil
}
