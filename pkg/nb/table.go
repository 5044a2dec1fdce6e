package nb

import (
	"fmt"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
)

// A Table says what is asked about a frame, in the names, units and directions of its
// columns: see dataset.Table.
type Table = dataset.Table

// Settings of a simulated run: Seed and MaxPulls.
type Settings = dataset.Settings

// An Outcome is the result of a run, in the units of the frame.
type Outcome = dataset.Outcome

// Asked is what a Table asks about a frame. Functions that take an instance take its
// field Instance, in which objectives are standardised.
type Asked struct{ *dataset.Asked }

// Ask asks t about the arms in df, one a row:
//
//	var mine = nb.Ask(df, nb.Table{Arm: "design", Maximise: []string{"speed"},
//		Minimise: []string{"cost"}, SD: map[string]float64{"speed": 0.5, "cost": 20}})
//	r := mine.Run(&policy.APE{Delta: 0.1}, nb.Settings{Seed: 1})
//	mine.Explain(r)
func Ask(df Frame, t Table) Asked { return Asked{Must(t.Ask(df))} }

// Run simulates one run of p.
func (a Asked) Run(p explore.Policy, set Settings) *Outcome {
	return Must(a.Asked.Run(p, set))
}

// Explain shows what r says about each arm, how often it was measured, and what the
// mean of its measurements is.
func (a Asked) Explain(r *Outcome) {
	Fail(a.ran("Explain", r))
	Show(r.Table())
}

// Frame returns what Explain shows.
func (a Asked) Frame(r *Outcome) Frame {
	Fail(a.ran("Frame", r))
	return Must(r.Frame())
}

// Plot shows the means of the arms, in the units of the frame, and the bounds.
func (a Asked) Plot() {
	right := a.Right()
	a.draw(&fig.PlaneOptions{Answer: &right, Title: "Mean responses: " + a.Name})
}

// PlotAnswer shows the same with the verdicts of r.
func (a Asked) PlotAnswer(r *Outcome) {
	Fail(a.ran("PlotAnswer", r))
	a.draw(&fig.PlaneOptions{
		Answer: &r.Answer, Title: fmt.Sprintf("%s: verdicts after %d pulls", a.Name, r.Pulls),
	})
}

func (a Asked) draw(o *fig.PlaneOptions) { Draw(fig.Responses(Must(a.Shown()), o)) }

func (a Asked) ran(f string, r *Outcome) error {
	if r == nil {
		return fmt.Errorf("nb: %s: there is no outcome; make one with Run", f)
	}
	return nil
}

// AnswerFrame returns what Explain shows of a result as a frame.
func AnswerFrame(prob *explore.Problem, r *explore.Result) Frame {
	Fail(ran("AnswerFrame", r))
	return Must(frame.OfTable(AnswerTable(prob, r)))
}

// RowsFrame returns rows of a study as a frame, one replicate a row.
func RowsFrame(rows []mc.Row) Frame { return Must(frame.Of(rows)) }
