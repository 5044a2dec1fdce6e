// Package planview makes tables and figures from plans of package plan:
//
//	fmt.Println(planview.Table(made).Text())
//	figure, err := planview.Figure(made)
package planview

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Table returns the table of a plan: a row for each method and each change. The notes of the table
// are the plan's warnings, assumptions and explanations.
func Table(p *plan.Plan) *tidy.Table {
	t := &tidy.Table{
		Title: title(p),
		Columns: []tidy.Column{
			{Name: "what"}, {Name: "method"},
			{Name: "measurements", Unit: "median"}, {Name: "measurements", Unit: "90 %"},
		},
	}
	// The table shows plates and days only if the problem defines plates or their duration.
	plates := p.Plate > 1 ||
		slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return strings.HasPrefix(r.Change, "plate") })
	if plates {
		t.Columns = append(t.Columns, tidy.Column{Name: "plates", Unit: "median"},
			tidy.Column{Name: "plates", Unit: "90 %"})
	}
	if p.Dated {
		t.Columns = append(t.Columns, tidy.Column{Name: "days", Unit: "median"},
			tidy.Column{Name: "days", Unit: "90 %"})
	}
	costs := p.CostUnit != ""
	if costs {
		t.Columns = append(t.Columns, tidy.Column{Name: "cost", Unit: p.CostUnit + ", median"},
			tidy.Column{Name: "cost", Unit: p.CostUnit + ", 90 %"})
	}
	if p.Trials > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: p.Called, Unit: "median"},
			tidy.Column{Name: p.Called, Unit: "90 %"})
	}
	t.Columns = append(t.Columns, tidy.Columns("wrong answers")...)
	bounded := slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return r.Bound.Tie || r.Bound.Measurements > 0 })
	if bounded {
		t.Columns = append(t.Columns, tidy.Columns("at least needed")...)
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		row := []any{cmp.Or(r.Change, "as asked"), r.Method}
		add := func(s plan.Spread, parts float64) {
			switch {
			case r.Runs > 0:
				row = append(row, amount(s.Median, parts), amount(s.Most, parts))
			case len(row) == 2:
				row = append(row, "not simulated", "")
			default:
				row = append(row, "", "")
			}
		}
		add(r.Measurements, 1)
		if plates {
			add(r.Plates, 1)
		}
		if p.Dated {
			add(r.Days, 10)
		}
		switch {
		case costs && r.Cost != nil:
			row = append(row, amount(r.Cost.Median, 1), amount(r.Cost.Most, 1))
		case costs:
			row = append(row, "", "")
		}
		switch n := float64(p.Trials); {
		case p.Trials > 0 && r.Runs > 0:
			row = append(row, amount(times(r.Measurements.Median, n), 1), amount(times(r.Measurements.Most, n), 1))
		case p.Trials > 0:
			row = append(row, "", "")
		}
		if row = append(row, wrong(r)); bounded {
			row = append(row, least(r))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, w := range p.Warnings {
		t.Notes = append(t.Notes, "Warning: "+w)
	}
	if p.Advice != "" {
		t.Notes = append(t.Notes, p.Advice)
	}
	if p.Usual != nil {
		t.Notes = append(t.Notes, usual(p))
	}
	t.Notes = append(t.Notes, p.Question)
	if p.Trials > 0 {
		t.Notes = append(t.Notes, of(p.Trials, p.Called))
	}
	t.Notes = append(t.Notes, "If the guesses are right, the answer is "+answer(p)+".")
	how := "Half of the campaigns take at most the median, and 90 % of them at most the 90 % point. Wrong answers: " +
		"the number in the simulated campaigns, and the exact 97.5 % upper confidence limit for the error probability."
	if bounded {
		how += " At least needed: a lower bound on the mean number of measurements of every method."
	}
	t.Notes = append(t.Notes, how)
	if slices.ContainsFunc(p.Rows, func(r plan.Row) bool { return r.Budget > 0 }) {
		t.Notes = append(t.Notes, "Fixed: the method spends a given number of measurements and declares no error "+
			"probability; the error rate here is an estimate.")
	}
	t.Notes = append(t.Notes, p.Assumptions...)
	return t
}

func title(p *plan.Plan) string {
	if p.Title == "" {
		return "Plan"
	}
	return "Plan: " + p.Title
}

func answer(p *plan.Plan) string {
	if len(p.Answer) == 0 {
		return "no candidate"
	}
	var names []string
	for _, i := range p.Answer {
		names = append(names, p.Candidates[i])
	}
	return problem.Abbreviated(names)
}

// amount formats a quantile, rounded up to a multiple of 1/parts. The sign ≥
// precedes the number if runs were given up before they reached the quantile.
func amount(q plan.Quantile, parts float64) string {
	text := tidy.Number(math.Ceil(q.Value*parts-1e-9) / parts)
	if q.Open {
		return "≥ " + text
	}
	return text
}

// usual returns sentences that compare the first row of the plan with the usual design.
func usual(p *plan.Plan) string {
	u := p.Usual
	amounts := tidy.Int(u.Measurements) + " measurements"
	if p.Trials > 0 {
		amounts += fmt.Sprintf(" (%s %s)", tidy.Int(u.Measurements*p.Trials), p.Called)
	}
	text := fmt.Sprintf("For comparison, the usual design makes %s replicates of each candidate, in total %s, and "+
		"then one-sided z tests %s, each at level %v / %d (Bonferroni). If the guesses are right, this design gives "+
		"the right answer in 90 %% of the campaigns", tidy.Int(u.Replicates), amounts, u.Tests, p.Delta, u.Share)
	if r := &p.Rows[0]; r.Runs > 0 {
		text += fmt.Sprintf("; 90 %% of the campaigns with %s have the right answer after %s measurements", r.Method,
			amount(r.Measurements.Most, 1))
	}
	return text + ". If the guesses are wrong, the design has too few or too many replicates, but a campaign " +
		"continues until the answer is certain."
}

func times(q plan.Quantile, n float64) plan.Quantile {
	q.Value *= n
	return q
}

func wrong(r *plan.Row) string {
	if r.Runs == 0 {
		return ""
	}
	most := tidy.Number(tidy.Outward(100*r.ErrorHi, 2, true))
	text := fmt.Sprintf("%d of %d, ≤ %s %%", r.Wrong, r.Runs, most)
	if r.GaveUp > 0 {
		text += fmt.Sprintf("; %d given up", r.GaveUp)
	}
	return text
}

func least(r *plan.Row) string {
	b := r.Bound
	switch {
	case r.Budget > 0:
		return "fixed"
	case b.Tie:
		return "∞"
	case b.Measurements == 0:
		return "unknown"
	}
	text := tidy.Number(math.Ceil(b.Measurements))
	if b.Cost > 0 {
		text += "; cost " + tidy.Number(math.Ceil(b.Cost))
	}
	return text
}

// Effort returns a table with the number of measurements of each candidate in the first row of the
// plan, and the most frequent reason for each verdict. The table shows at most 60 candidates: those
// with the most measurements.
func Effort(p *plan.Plan) *tidy.Table {
	t := &tidy.Table{Title: "Where measurements go", Columns: []tidy.Column{{Name: "candidate"}}}
	for _, o := range p.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: o, Unit: "guess"})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "measurements", Unit: "mean"},
		tidy.Column{Name: "share", Unit: "%"}, tidy.Column{Name: "decided by"},
		tidy.Column{Name: "in", Unit: "%"})
	if len(p.Rows) == 0 || p.Rows[0].Runs == 0 {
		t.Notes = append(t.Notes, "Nothing was simulated.")
		return t
	}
	const most = 60
	effort, least := p.Rows[0].Effort, 0.
	if n := len(effort); n > most {
		least = slices.SortedFunc(slices.Values(effort),
			func(a, b plan.Effort) int { return cmp.Compare(b.Measurements, a.Measurements) })[most-1].Measurements
	}
	for i, e := range effort {
		if e.Measurements < least {
			continue
		}
		row := []any{p.Candidates[i]}
		for _, m := range p.Means[i] {
			row = append(row, m)
		}
		row = append(row, tidy.Number(math.Round(e.Measurements*10)/10), fmt.Sprintf("%.1f", 100*e.Share), e.Against)
		if e.Against == "" {
			row = append(row, "")
		} else {
			row = append(row, fmt.Sprintf("%.0f", 100*e.AgainstShare))
		}
		t.Rows = append(t.Rows, row)
	}
	if more := len(effort) - len(t.Rows); more > 0 {
		t.Notes = append(t.Notes, tidy.Int(more)+" more candidates take fewer measurements; --json prints all "+
			"candidates.")
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Method: %s. Decided by: the candidate or bound on which the verdict "+
		"depends most often; in: how often.", p.Rows[0].Method))
	return t
}

// Afford returns a table for campaigns limited to the affordable number of measurements. The table
// shows how often each method has an answer within the affordable number, and how often the answer
// or, without one, the best guess is right. Afford returns nil if no affordable number is given, or
// nothing was simulated.
func Afford(p *plan.Plan) *tidy.Table {
	t := &tidy.Table{
		Title: fmt.Sprintf("With the %s measurements that you can afford", tidy.Int(p.Affordable)),
		Columns: []tidy.Column{{Name: "method"}, {Name: "has its answer", Unit: "%"},
			{Name: "answer or best guess is right", Unit: "%"}, {Name: "declared error"}},
		Notes: []string{"With 95 % intervals (Clopper and Pearson). The share of right answers is an estimate that " +
			"assumes correct guesses, not a guarantee. A method with a fixed number of measurements declares no " +
			"error probability; other methods stop when they reach their error probability."},
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Change != "" || r.Right == nil || r.Runs == 0 {
			continue
		}
		row := []any{r.Method, "", rate(*r.Right), "none"}
		if r.Budget == 0 {
			share, lo, hi := r.Within(p.Affordable)
			row[1] = rate(plan.Rate{Share: share, Lo: lo, Hi: hi})
			row[3] = fmt.Sprintf("%.4g when it has its answer", p.Delta)
		}
		t.Rows = append(t.Rows, row)
	}
	if p.Affordable == 0 || len(t.Rows) == 0 {
		return nil
	}
	return t
}

// ErrNothing reports a plan without simulated runs, from which no figure can be drawn.
var ErrNothing = errors.New("planview: no runs were simulated; the warnings of the plan state the reasons")

// The following constants are the names of the panels of the figure.
const (
	asked   = "as asked"
	changed = "with a change"
)

// Figure draws the distributions of the number of measurements: for each method with the unchanged
// question, and for the problem's method with each change. Hollow markers show runs that were given
// up. A dashed line shows the lower bound on the mean.
func Figure(p *plan.Plan) (*fig.Figure, error) {
	var rows []mc.Row
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Change != "" {
			rows = append(rows, runs(changed, r.Change, r.Sample)...)
		} else {
			rows = append(rows, runs(asked, r.Method, r.Sample)...)
		}
	}
	if len(rows) == 0 {
		return nil, ErrNothing
	}
	o := &fig.RowOptions{Title: title(p)}
	if b := p.Rows[0].Bound.Measurements; b > 0 && len(p.Rows[0].Sample) > 0 {
		o.References = []fig.Reference{{Instance: asked, Name: "at least needed", Pulls: b}}
		// Both panels of the figure use the same kind of axis, linear or logarithmic.
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

// runs converts simulated campaigns to rows of a study, for package mc.
func runs(instance, method string, sample []plan.Run) (rows []mc.Row) {
	for rep, run := range sample {
		status := explore.Stopped
		if run.GaveUp {
			status = explore.PullLimit
		}
		rows = append(rows, mc.Row{Instance: instance, Method: method, Rep: rep, Pulls: run.Measurements,
			Status: status.String(), Correct: !run.Wrong && !run.GaveUp, ArmPulls: run.Arms})
	}
	return rows
}

// leastChanged returns the smallest lower bound of the simulated changes, or 0 if one of their
// bounds is unknown.
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

// EffortFigure draws the mean number of measurements of each candidate, with the problem's method.
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
