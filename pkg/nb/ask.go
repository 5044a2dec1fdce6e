package nb

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// Tables are the tables that a problem names, by the names that it has for them.
type Tables map[string]Frame

// Problem reads a problem in the form of problem files, see package campaign/problem. Tables that
// it names are frames:
//
//	var task = nb.Problem(text, nb.Tables{"designs.csv": designs})
func Problem(text string, tables Tables) *problem.Problem {
	return Must(problem.Parse("problem", []byte(text), func(name string) ([]byte, error) {
		df, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("nb: the problem names the table %q; give it in nb.Tables", name)
		}
		return frame.CSV(df)
	}))
}

// Asked is a problem that is simulated with the guesses of its table as the truth. Its Instance is
// for functions that take one: its objectives are rewards, in which larger is better and the noise
// has scale 1.
type Asked struct {
	*bandit.Instance
	compiled *problem.Compiled
	means    *mat.Dense // K x d, in the units of the problem
}

// Ask simulates a problem: each objective that is measured needs a guess of its means.
//
//	var mine = nb.Ask(task)
//	r := mine.Run(&policy.APE{Delta: 0.1}, nb.Settings{Seed: 1})
//	mine.Explain(r)
func Ask(p *problem.Problem) Asked {
	c := Must(p.Compile())
	inst, means, err := plan.Instance(c)
	Fail(err)
	return Asked{inst, c, means}
}

// Settings of a simulated run. The zero value works.
type Settings struct {
	// Seed is the root of the random streams: the same seed gives the same measurements.
	Seed Seed
	// MaxPulls limits the number of measurements. Zero means no limit.
	MaxPulls int
}

// An Outcome is the result of a run.
type Outcome struct {
	*explore.Result
	// Measured has the mean of the measurements of each candidate, K x d, in the units of the
	// problem; NaN where there are none.
	Measured *mat.Dense
}

// Run simulates one run of p; nil is the method of the problem.
func (a Asked) Run(p explore.Policy, set Settings) *Outcome {
	if p == nil {
		p = a.compiled.Policy()
	}
	inst := *a.Instance
	inst.Problem = Must(a.compiled.For(p))
	r := simulate(&inst, p, set.Seed, &explore.Settings{MaxPulls: set.MaxPulls})
	measured := r.Sums.Means(inst.Problem)
	measured.Apply(func(_, c int, mean float64) float64 { return a.compiled.Scales[c].Out(mean) }, measured)
	return &Outcome{r, measured}
}

// Explain shows what r says about each candidate, how often it was measured, and what the mean of
// its measurements is.
func (a Asked) Explain(r *Outcome) {
	Fail(a.ran("Explain", r))
	Show(a.table(r))
}

func (a Asked) table(r *Outcome) *tidy.Table {
	t := &tidy.Table{Title: "Answer",
		Columns: []tidy.Column{{Name: "candidate"}, {Name: "verdict"}, {Name: "measurements"}},
		Notes:   []string{fmt.Sprintf("%s after %s measurements.", r.Status, tidy.Int(r.Pulls))}}
	for c := range a.compiled.Source.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: a.compiled.Source.Objectives[c].Label()})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "why"})
	for i, v := range a.compiled.Explain(r.Answer, r.Measured) {
		row := []any{v.Candidate, v.Status, r.ArmPulls[i]}
		for _, x := range r.Measured.RawRowView(i) {
			row = append(row, x)
		}
		t.Rows = append(t.Rows, append(row, v.Why))
	}
	if err := r.Status.Err(); err != nil {
		t.Notes = append(t.Notes, err.Error())
	}
	return t
}

// Plot shows the guessed means of the candidates with the right verdicts, and the bounds, in the
// plane of the first two objectives.
func (a Asked) Plot() {
	region := Must(a.compiled.Region())
	right := question.Right(a.compiled.Problem.Question, a.Truth()).Items
	classes := make([]explore.Class, a.compiled.Source.K())
	for i := range classes {
		switch {
		case slices.Contains(right, i):
			classes[i] = explore.Optimal
		case !region.Contains(a.means.RawRowView(i)):
			classes[i] = explore.Infeasible
		default:
			classes[i] = explore.Dominated
		}
	}
	a.draw("Mean responses: "+a.Name, region, classes)
}

// PlotAnswer shows the same with the verdicts of r.
func (a Asked) PlotAnswer(r *Outcome) {
	Fail(a.ran("PlotAnswer", r))
	var classes []explore.Class
	for _, v := range a.compiled.Explain(r.Answer, nil) {
		classes = append(classes, v.Class)
	}
	a.draw(fmt.Sprintf("%s: verdicts after %d measurements", a.Name, r.Pulls),
		Must(a.compiled.Region()), classes)
}

func (a Asked) draw(title string, region *polyhedron.Polyhedron, classes []explore.Class) {
	e := &fig.Estimates{Items: a.compiled.Source.Candidates.Names, Means: a.means,
		Classes: classes, Region: region}
	for c := range a.compiled.Source.Objectives {
		e.Objectives = append(e.Objectives, a.compiled.Source.Objectives[c].Axis())
	}
	Draw(e.Plane(&fig.PlaneOptions{Title: title, Y: 1}))
}

func (a Asked) ran(f string, r *Outcome) error {
	if r == nil {
		return fmt.Errorf("nb: %s: there is no outcome; make one with Run", f)
	}
	return nil
}
