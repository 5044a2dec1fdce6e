package workbench

import (
	"bytes"
	"context"
	"time"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/plan/planview"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/nb"
	"github.com/purexp/purexp/pkg/nb/internal/cell"
)

// readFrame calls write, which produces CSV, and returns the CSV as a frame.
func readFrame(write func(text *bytes.Buffer) error) nb.Frame {
	var text bytes.Buffer
	nb.Fail(write(&text))
	return nb.Must(frame.ParseCSV(&text, "campaign"))
}

// Question is either a problem, or a query that describes a problem.
type Question interface{ *problem.Problem | nb.Query }

func problemOf[Q Question](q Q) *problem.Problem {
	if query, ok := any(q).(nb.Query); ok {
		return query.File()
	}
	return any(q).(*problem.Problem)
}

// Plan simulates the campaign of q, with the guessed means in the table of q as true means. Plan
// shows how many measurements the campaign is likely to need, how they are distributed, and which
// changes to the problem would save measurements. Each element of changes has the form "delta=0.1",
// "plate=96" or "yield.tolerance=2"; without changes, Plan uses the default changes. Plan simulates
// 200 campaigns, or the number given by the environment variable PUREXP_REPS.
func Plan[Q Question](q Q, changes ...string) *plan.Plan {
	o := &plan.Options{Runs: nb.Reps(200), Seed: 1}
	for _, text := range changes {
		o.Changes = append(o.Changes, nb.Must(plan.ParseChange(text)))
	}
	bar, start := cell.NewProgress("plan"), time.Now()
	o.Progress = func(done, total int) { bar.Update(done, total, time.Since(start)) }
	r, err := plan.Simulate(context.Background(), problemOf(q), o)
	bar.Done(err)
	nb.Fail(err)
	nb.Show(planview.Table(r))
	nb.Draw(planview.Figure(r))
	return r
}
