package nb

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/tidy"
)

// Outcome is the result of a run, with names and units for tables and figures.
type Outcome struct {
	*explore.Result
	inst  *bandit.Instance
	c     *problem.Compiled
	notes []string
}

// Explain shows for each candidate the verdict, its reason, the number of measurements, and the
// means.
func (r *Outcome) Explain() { Show(r.table(false)) }

// Frame returns the table of Explain as a frame, with confidence intervals for the means that hold
// simultaneously with probability 1 - Delta.
func (r *Outcome) Frame() Frame { return Must(frame.OfTable(r.table(true))) }

// Chosen returns the names of the candidates in the answer.
func (r *Outcome) Chosen() []string {
	names := make([]string, len(r.Answer.Items))
	for k, i := range r.Answer.Items {
		names[k] = r.inst.Problem.Item(i)
	}
	return names
}

// estimates returns the means of the measurements and the ends of their intervals, or nil if items
// are not arms.
func (r *Outcome) estimates() *explore.Estimates {
	if r.Sums == nil || r.inst.Problem.Z != nil {
		return nil
	}
	e := Must(r.Sums.Estimates(r.inst.Problem, radius.Theory{}, r.c.Delta))
	r.clip(e.Low, e.High)
	return e
}

// clip restricts intervals to the possible values.
func (r *Outcome) clip(low, high *mat.Dense) {
	for c, s := range r.c.Scales {
		lo, hi := r.c.Limits(c)
		lo, hi = min(s.In(lo), s.In(hi)), max(s.In(lo), s.In(hi))
		for i := range low.RawMatrix().Rows { // unmeasured candidates may have no row
			low.Set(i, c, max(low.At(i, c), lo))
			high.Set(i, c, min(high.At(i, c), hi))
		}
	}
}

// table returns a table with one row for each candidate; intervals are optional.
func (r *Outcome) table(intervals bool) *tidy.Table {
	t := &tidy.Table{Title: "Answer", Columns: tidy.Columns("candidate", "verdict"),
		Notes: []string{fmt.Sprintf("%s after %s measurements.", r.Status, tidy.Int(r.Pulls))}}
	e := r.estimates()
	var measured *mat.Dense
	if e != nil {
		t.Columns = append(t.Columns, tidy.Column{Name: "measurements"})
		measured = mat.DenseCopyOf(e.Means)
		for c, s := range r.c.Scales {
			for i := range r.c.Source.K() {
				measured.Set(i, c, s.Out(e.Means.At(i, c)))
			}
			name := r.c.Source.Objectives[c].Label()
			t.Columns = append(t.Columns, tidy.Column{Name: name})
			if intervals {
				t.Columns = append(t.Columns, tidy.Column{Name: name + " low"}, tidy.Column{Name: name + " high"})
			}
		}
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "why"})
	for i, v := range r.c.Explain(r.Answer, measured) {
		row := []any{v.Candidate, v.Status}
		if e != nil {
			row = append(row, r.ArmPulls[i])
			for c, s := range r.c.Scales {
				row = append(row, measured.At(i, c))
				if low, high := s.Out(e.Low.At(i, c)), s.Out(e.High.At(i, c)); intervals && !math.IsInf(low, 0) {
					row = append(row, min(low, high), max(low, high))
				} else if intervals { // the candidate was never measured
					row = append(row, nil, nil)
				}
			}
		}
		t.Rows = append(t.Rows, append(row, v.Why))
	}
	tolerates := func(o problem.Objective) bool { return o.Tolerance+o.TolerancePercent+o.Slack > 0 }
	undecided := func(row []any) bool { return row[1] == "undecided" }
	if r.Status == explore.Stopped && slices.ContainsFunc(r.c.Source.Objectives, tolerates) &&
		slices.ContainsFunc(t.Rows, undecided) {
		t.Notes = append(t.Notes, "Undecided candidates would improve the answer by no more than the tolerance, so "+
			"the run stopped without a verdict on them. The guarantee of the answer still holds.")
	}
	t.Notes = append(t.Notes, r.notes...)
	if err := r.Status.Err(); err != nil {
		t.Notes = append(t.Notes, err.Error())
	}
	return t
}

// Plot shows the means of the measurements with their intervals, the verdicts and the bounds. If
// candidates have features, Plot shows the predictions of a linear least-squares fit without
// intervals, because usually few candidates are measured. If the measurements do not determine the
// fit, Plot shows the means of the table.
func (r *Outcome) Plot() {
	e := fig.Truth(r.inst)
	title := fmt.Sprintf("%s: %s after %s measurements", r.inst.Name, r.Status, tidy.Int(r.Pulls))
	if r.inst.Problem.X == nil {
		e = Must(fig.Measured(r.inst.Problem, r.Result, radius.Theory{}, r.c.Delta))
		e.Axes = r.inst.Axes
		r.clip(e.Low, e.High)
	} else {
		title += map[bool]string{true: ", least-squares means", false: ", means of the table"}[r.fit(e.Means)]
		e.Classes = make([]explore.Class, len(e.Items))
		for i, v := range r.c.Verdicts(r.Answer) {
			e.Classes[i] = v.Class
		}
	}
	Draw(e.Plane(&fig.PlaneOptions{Title: title}))
}

// fit replaces the unknown means by the predictions of a linear least-squares fit to the
// measurements. The result is true if the measurements determine the fit.
func (r *Outcome) fit(means *mat.Dense) bool {
	p := r.inst.Problem
	_, m := p.X.Dims()
	fit := lsq.NewFit(m, p.D())
	for i, n := range r.Sums.N {
		fit.Add(p.X.RawRowView(i), n, r.Sums.Total[i])
	}
	fit.Solve()
	for i := range p.K() {
		if p.Link != explore.Identity || fit.Outside(p.X.RawRowView(i)) > 1e-6 {
			return false
		}
	}
	means.Apply(func(i, c int, mean float64) float64 {
		if p.Known != nil && !math.IsNaN(p.Known.At(i, c)) {
			return mean
		}
		return fit.Mean(p.X.RawRowView(i), c)
	}, means)
	return true
}

// outcome combines a result with the names of the items, the axes and the bounds of its instance;
// errors name the function f.
func outcome(f string, inst *bandit.Instance, r *explore.Result) *Outcome {
	Fail(asked(f, inst))
	Fail(ran(f, r))
	prob := inst.Problem
	p := &problem.Problem{Question: problem.Question{Find: problem.FindPareto}}
	c := &problem.Compiled{Source: p, Problem: prob, Delta: 0.05}
	for i := range prob.M() {
		p.Candidates.Names = append(p.Candidates.Names, prob.Item(i))
	}
	for j := range prob.D() {
		a := bandit.Axis{Label: prob.Objective(j), PerReward: 1}
		if len(inst.Axes) > 0 {
			a = inst.Axes[j]
		}
		o := problem.Objective{Goal: problem.Maximise}
		o.Name, o.Unit = problem.SplitUnit(a.Label)
		if a.Less() {
			o.Goal = problem.Minimise
		}
		p.Objectives = append(p.Objectives, o)
		c.Scales = append(c.Scales, problem.Scale{Name: o.Name, Unit: o.Unit, Center: a.Center, PerReward: a.PerReward})
	}
	switch q := prob.Question.(type) {
	case question.Best:
		p.Question.Find = problem.FindBest
	case question.AllEpsilonBest:
		p.Question.Find = problem.FindGood
		p.Objectives[0].Tolerance, _ = strconv.ParseFloat(fmt.Sprintf("%.4g", c.Scales[0].Size(q.Epsilon)), 64)
		if q.Multiplicative {
			p.Objectives[0].TolerancePercent = 100 * q.Epsilon
		}
	case question.BestFeasible:
		p.Question.Find, p.Question.Count = problem.FindTop, max(1, q.Count)
	case question.Feasible:
		p.Question.Find = problem.FindFeasible
	}
	if region := question.Region(prob.Question); region != nil {
		for k := range region.Rows() {
			row := region.Constraint(k)
			b := problem.RewardConstraint{Name: row.Name, Weights: row.A, Limit: row.B}
			alone, n := 0, 0
			for j, a := range row.A {
				if a != 0 {
					alone, n = j, n+1
				}
				b.Weights[j] = a / c.Scales[j].PerReward
			}
			if s := c.Scales[alone]; n == 1 { // state the bound in the unit and direction of the table
				b.Weights[alone] = math.Copysign(1, b.Weights[alone])
				if s.PerReward != 1 {
					sign := map[bool]string{true: "<=", false: ">="}[b.Weights[alone] > 0]
					b.Name = fmt.Sprintf("%s %s %.4g", s.Name, sign, s.Out(row.B/row.A[alone]))
				}
			}
			c.Bounds = append(c.Bounds, b)
		}
	}
	return &Outcome{r, inst, c, nil}
}

// Explain shows for each item of inst the verdict, its reason in the item's units, and the number
// of pulls.
func Explain(inst *bandit.Instance, r *explore.Result) {
	outcome("Explain", inst, r).Explain()
}

// AnswerFrame returns the table of Explain as a frame, with confidence intervals that hold
// simultaneously with probability 0.95.
func AnswerFrame(inst *bandit.Instance, r *explore.Result) Frame {
	return outcome("AnswerFrame", inst, r).Frame()
}
