package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/tidy"
)

// Settings of a simulated run. The zero value works.
type Settings struct {
	// Seed is the root of the random streams: the same seed gives the same
	// measurements.
	Seed uint64
	// MaxPulls limits the number of measurements. Zero means no limit.
	MaxPulls int
}

// An Outcome is the result of a run, in the units and directions of the table.
type Outcome struct {
	*explore.Result
	// Measured holds the mean of the measurements of each arm, K x d; NaN where there
	// are none.
	Measured *mat.Dense

	asked *Asked
}

// Run simulates one run of p: measurements are drawn around the means of the arms.
// As [explore.Run], it returns an outcome with the error when there is one.
func (a *Asked) Run(p explore.Policy, set Settings) (*Outcome, error) {
	s := seed.New(set.Seed)
	t := &tally{n: make([]int, a.Problem.K()), sum: mat.NewDense(a.Problem.K(), a.Problem.D(), nil)}
	r, err := explore.Run(p, a.Problem, a.Sampler(s.Child("noise")), &explore.Settings{
		MaxPulls: set.MaxPulls, Src: s.Child("policy").Source(), Recorder: t,
	})
	if r == nil {
		return nil, err
	}
	return &Outcome{Result: r, Measured: a.measured(t), asked: a}, err
}

// A tally sums what is measured of each arm.
type tally struct {
	n   []int
	sum *mat.Dense
}

// Record implements explore.Recorder.
func (t *tally) Record(e explore.Event) error {
	for _, b := range e.Obs {
		t.n[b.Arm] += b.N
		row := t.sum.RawRowView(b.Arm)
		for c, v := range b.Sum {
			row[c] += v
		}
	}
	return nil
}

// measured returns the means of t, in the units of the table.
func (a *Asked) measured(t *tally) *mat.Dense {
	var m mat.Dense
	m.Apply(func(i, c int, sum float64) float64 {
		if t.n[i] == 0 {
			return math.NaN()
		}
		return a.scales[c].column(sum / float64(t.n[i]))
	}, t.sum)
	return &m
}

// Verdict returns the verdict on arm i. A policy without reasons says of an arm only
// whether it is in the answer.
func (o *Outcome) Verdict(i int) string {
	switch {
	case o.Answer.Reasons != nil:
		return o.Answer.Reasons[i].Class.String()
	case slices.Contains(o.Answer.Items, i):
		return "in the answer"
	}
	return "not in the answer"
}

// Why says on what the verdict on arm i rests, with amounts in the units of the
// table; it is empty if the policy gives no reasons.
func (o *Outcome) Why(i int) string {
	if o.Answer.Reasons == nil {
		return ""
	}
	w := explore.Words{Margin: o.asked.margin, Slack: o.asked.slack}
	if o.asked.Problem.D() > 1 {
		w.Dominated = "dominated by %s, which is better by %s%s"
	}
	_, why := w.Explain(o.asked.Problem, i, o.Answer.Reasons[i])
	return why
}

// margin writes a margin. Of several objectives it is that of the one in which an arm
// is ahead by most standard deviations, or behind by fewest: which one that is is
// open, so that there is an amount for each.
func (a *Asked) margin(x, radius float64, ahead bool) string {
	amount := func(c int) string {
		u := a.scales[c].unit()
		return explore.Amount(x*u, radius*u)
	}
	if len(a.scales) == 1 {
		return amount(0)
	}
	parts := make([]string, len(a.scales))
	for c := range parts {
		parts[c] = amount(c) + " in " + a.Problem.Objective(c)
	}
	if ahead {
		return strings.Join(parts, " or ")
	}
	return "at least " + strings.Join(parts, " and ")
}

// slack writes the distance to constraint k, which is a bound of one objective.
func (a *Asked) slack(k int, x, radius float64) string {
	for c := range a.scales {
		for _, bound := range []float64{a.lo[c], a.hi[c]} {
			if math.IsInf(bound, 0) {
				continue
			}
			if k--; k < 0 {
				u := a.scales[c].unit()
				return explore.Amount(x*u, radius*u)
			}
		}
	}
	return explore.Amount(x, radius)
}

// Table returns the answer with a row an arm: its verdict, the number of its
// measurements, their means in the units of the table, and why.
func (o *Outcome) Table() *tidy.Table {
	p := o.asked.Problem
	t := &tidy.Table{
		Title:   "Answer",
		Columns: []tidy.Column{{Name: "arm"}, {Name: "verdict"}, {Name: "pulls"}},
		Notes:   []string{fmt.Sprintf("%s after %s pulls.", o.Status, tidy.Int(o.Pulls))},
	}
	for c := range p.D() {
		t.Columns = append(t.Columns, tidy.Column{Name: heading(p.Objective(c))})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "why"})
	for i := range p.K() {
		row := []any{p.Arm(i), o.Verdict(i), o.ArmPulls[i]}
		for _, v := range o.Measured.RawRowView(i) {
			row = append(row, v)
		}
		t.Rows = append(t.Rows, append(row, o.Why(i)))
	}
	if err := o.Status.Err(); err != nil {
		t.Notes = append(t.Notes, err.Error())
	}
	return t
}

// heading returns the name of an objective's column, which differs from those that all answers
// have.
func heading(objective string) string {
	switch objective {
	case "arm", "verdict", "pulls", "why":
		return objective + " (measured)"
	}
	return objective
}

// Frame returns the table of the answer as a data frame.
func (o *Outcome) Frame() (dataframe.DataFrame, error) { return frame.OfTable(o.Table()) }
