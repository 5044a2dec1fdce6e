package dataset

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// A Table says what is asked about the arms of a data frame, one a row, in the
// names, units and directions of its columns.
//
//   - One objective: which arm is best?
//   - Several: which arms are Pareto-optimal?
//   - With bounds: which arms are within them, and optimal among those that are?
type Table struct {
	// Name of the instance. Empty means "arms".
	Name string
	// Arm is the column with the names of the arms. Empty means that rows are named
	// "arm 0", "arm 1", and so on.
	Arm string
	// Maximise and Minimise are the objectives: columns with the mean of what is
	// measured of each arm.
	Maximise, Minimise []string
	// AtLeast and AtMost are bounds on objectives, in their units.
	AtLeast, AtMost map[string]float64
	// Features are columns of numbers that describe the arms, Categories such of which
	// each value counts for itself (see [Features]): means follow a linear model of
	// them. It is fitted to the columns of the objectives; what these have beyond the
	// model is left out, and noted.
	Features, Categories []string
	// SD is the standard deviation of one measurement of each objective, in its unit.
	// Measurements are Gaussian, and objectives independent.
	SD map[string]float64
	// Rates says that objectives are rates of events instead, and that a measurement
	// is 1 or 0. There is no SD then.
	Rates bool
}

// Asked is what a [Table] asks about a data frame.
type Asked struct {
	// Instance is what policies see. An objective is a column divided by its standard
	// deviation, negated if it is minimised: larger is better, and the noise of each
	// objective has the scale 1. Rates stay as they are, or become the rates of the
	// opposite event. Amounts that a policy is given, such as an Epsilon, are in
	// these units.
	*bandit.Instance

	means  *mat.Dense // K x d, in the units of the table
	scales []scale
	lo, hi []float64 // bounds of each objective, infinite where there is none
}

// A scale maps an objective of the instance to a column: offset + slope x.
type scale struct{ offset, slope float64 }

func (s scale) column(x float64) float64    { return s.offset + s.slope*x }
func (s scale) objective(v float64) float64 { return (v - s.offset) / s.slope }

// unit returns how much of the column one unit of the objective is.
func (s scale) unit() float64 { return math.Abs(s.slope) }

// Ask asks t about the arms in df. Errors name the field, or row and column.
func (t Table) Ask(df dataframe.DataFrame) (*Asked, error) {
	columns := slices.Concat(t.Maximise, t.Minimise)
	if df.Err == nil && len(columns) == 0 {
		return nil, fmt.Errorf("dataset: Table has no objectives; name columns in Maximise or "+
			"Minimise, of %q", df.Names())
	}
	names, means, _, err := Columns{Arm: t.Arm, Objectives: columns}.Means(df)
	if err != nil {
		return nil, err
	}
	a := &Asked{means: means}
	if a.scales, err = t.scales(columns); err != nil {
		return nil, err
	}
	if a.lo, err = bounds("AtLeast", t.AtLeast, columns, math.Inf(-1)); err != nil {
		return nil, err
	}
	if a.hi, err = bounds("AtMost", t.AtMost, columns, math.Inf(1)); err != nil {
		return nil, err
	}
	k, d := means.Dims()
	p := &explore.Problem{
		Arms: k, Objectives: d, ArmNames: names, ObjectiveNames: columns, Sigma: 1, NormSigma: 1,
	}
	a.Instance = &bandit.Instance{Name: t.Name, Problem: p}
	if t.Name == "" {
		a.Name = "arms"
	}
	if p.Question, err = a.question(); err != nil {
		return nil, err
	}
	if t.linear() {
		if p.X, _, err = Features(df, t.Features, t.Categories); err != nil {
			return nil, err
		}
		a.fit()
	}
	if err := t.law(a); err != nil {
		return nil, err
	}
	return a, a.Validate()
}

// linear reports whether means follow a linear model.
func (t Table) linear() bool { return len(t.Features)+len(t.Categories) > 0 }

// scales returns how the objectives of the instance become columns.
func (t Table) scales(columns []string) ([]scale, error) {
	if t.Rates && t.linear() {
		return nil, fmt.Errorf("dataset: Table has Rates and Features or Categories, but a " +
			"linear model has no rates; leave out one of them, and give SD in place of Rates")
	}
	if t.Rates && len(t.SD) > 0 {
		return nil, fmt.Errorf("dataset: Table.SD is %v, but Rates need none; "+
			"leave out one of them",
			t.SD)
	}
	for i, c := range columns {
		if slices.Contains(columns[:i], c) {
			return nil, fmt.Errorf("dataset: Table names the objective %q twice; "+
				"leave out one of them", c)
		}
		if slices.Contains(t.Features, c) || slices.Contains(t.Categories, c) {
			return nil, fmt.Errorf("dataset: Table.Features or Categories names %q, which "+
				"is an objective; policies know features before they measure; "+
				"leave it out of one of them", c)
		}
	}
	for _, c := range slices.Sorted(maps.Keys(t.SD)) {
		if !slices.Contains(columns, c) {
			return nil, unknown("SD", c, columns)
		}
	}
	scales := make([]scale, len(columns))
	for i, c := range columns {
		minimised := i >= len(t.Maximise)
		if t.Rates {
			scales[i] = scale{0, 1}
			if minimised {
				scales[i] = scale{1, -1} // the rate of the opposite event
			}
			continue
		}
		sd, ok := t.SD[c]
		if !ok {
			return nil, fmt.Errorf("dataset: Table.SD has no %q; give the standard deviation of "+
				"one measurement, in the unit of the column", c)
		}
		if !(sd > 0) || math.IsInf(sd, 1) {
			return nil, fmt.Errorf("dataset: Table.SD[%q] is %v; want the standard deviation of "+
				"one measurement, positive and finite", c, sd)
		}
		scales[i] = scale{0, sd}
		if minimised {
			scales[i].slope = -sd
		}
	}
	return scales, nil
}

func unknown(field, column string, columns []string) error {
	return fmt.Errorf("dataset: Table.%s names %q, which is no objective; "+
		"these are %q, from Maximise and Minimise", field, column, columns)
}

// bounds returns the bound of each column, none where there is none.
func bounds(field string, of map[string]float64, columns []string,
	none float64) ([]float64, error) {
	b := make([]float64, len(columns))
	for i := range b {
		b[i] = none
	}
	for _, c := range slices.Sorted(maps.Keys(of)) {
		i := slices.Index(columns, c)
		if i < 0 {
			return nil, unknown(field, c, columns)
		}
		if v := of[c]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("dataset: Table.%s[%q] is %v; want a finite number, or leave "+
				"it out", field, c, v)
		}
		b[i] = of[c]
	}
	return b, nil
}

// question returns what is asked, about the objectives of the instance.
func (a *Asked) question() (explore.Question, error) {
	var rows []float64
	var b []float64
	var names []string
	d := len(a.scales)
	add := func(c int, sign, bound float64, relation string) {
		if math.IsInf(bound, 0) {
			return
		}
		// sign (offset + slope x) <= sign bound, divided by |slope|.
		s := a.scales[c]
		row := make([]float64, d)
		row[c] = sign * math.Copysign(1, s.slope)
		rows = append(rows, row...)
		b = append(b, sign*(bound-s.offset)/s.unit())
		names = append(names, fmt.Sprintf("%s %s %v", a.Problem.Objective(c), relation, bound))
	}
	for c := range d {
		add(c, -1, a.lo[c], ">=")
		add(c, 1, a.hi[c], "<=")
	}
	switch {
	case len(b) > 0:
		region, err := polyhedron.New(mat.NewDense(len(b), d, rows), b, names)
		if err != nil {
			return nil, fmt.Errorf("dataset: Table.AtLeast and AtMost: %w", err)
		}
		return question.FeasiblePareto{Region: region}, nil
	case d == 1:
		return question.Best{}, nil
	}
	return question.Pareto{}, nil
}

// fit replaces the means by those of the linear model.
func (a *Asked) fit() {
	k, d := a.means.Dims()
	for c := range d {
		column := mat.Col(nil, c, a.means)
		fit := linearFit(a.Problem.X, column)
		largest, size := 0., 0.
		for i := range k {
			largest = max(largest, math.Abs(fit[i]-column[i]))
			size = max(size, math.Abs(column[i]))
		}
		a.means.SetCol(c, fit)
		if largest > 1e-9*size {
			a.Notes = append(a.Notes, fmt.Sprintf("means are those of the linear model; "+
				"the table differs from it by up to %.3g in %s", largest, a.Problem.Objective(c)))
		}
	}
}

// law sets the law of the rewards.
func (t Table) law(a *Asked) (err error) {
	k, d := a.means.Dims()
	z := mat.NewDense(k, d, nil)
	for i := range k {
		for c, v := range a.means.RawRowView(i) {
			if t.Rates && !(v >= 0 && v <= 1) {
				return fmt.Errorf("dataset: row %d, column %q: %v is no rate; "+
					"want a number in [0, 1]",
					i+1, a.Problem.Objective(c), v)
			}
			z.Set(i, c, a.scales[c].objective(v))
		}
	}
	if t.Rates {
		// A reward in [0, 1] is 1/2-sub-Gaussian, and so is a projection of independent ones.
		a.Problem.Sigma, a.Problem.NormSigma = .5, .5
		a.Law, err = bandit.NewBernoulli(z)
	} else {
		unit := make([]float64, d)
		for c := range unit {
			unit[c] = 1
		}
		a.Law, err = bandit.NewGaussian(z, mat.NewDiagDense(d, unit))
		a.Notes = append(a.Notes, "objectives are divided by their standard deviations")
	}
	if len(t.Minimise) > 0 {
		a.Notes = append(a.Notes, "smaller is better in "+strings.Join(t.Minimise, ", "))
	}
	a.Notes = append(a.Notes, "objectives are simulated as independent")
	return err
}

// TableMeans returns the means of the arms, K x d, in the units of the table: those of
// the linear model if there is one.
func (a *Asked) TableMeans() *mat.Dense { return mat.DenseCopyOf(a.means) }

// Minimised reports whether less of objective c is better.
func (a *Asked) Minimised(c int) bool { return a.scales[c].slope < 0 }

// Shown returns the arms, and the constraints, in the units and directions of the
// table, to be drawn. Where an objective is minimised smaller is better, which only
// the names say: ask no policy about it.
func (a *Asked) Shown() (*bandit.Instance, error) {
	p := *a.Problem
	p.ObjectiveNames = slices.Clone(p.ObjectiveNames)
	for c := range p.ObjectiveNames {
		if a.Minimised(c) {
			p.ObjectiveNames[c] += " (less is better)"
		}
	}
	if q, ok := p.Question.(question.FeasiblePareto); ok {
		region, err := polyhedron.Box(a.lo, a.hi, a.Problem.ObjectiveNames)
		if err != nil {
			return nil, fmt.Errorf("dataset: Table.AtLeast and AtMost: %w", err)
		}
		q.Region = region
		p.Question = q
	}
	law, err := bandit.NewExact(a.means)
	if err != nil {
		return nil, err
	}
	return &bandit.Instance{Name: a.Name, Problem: &p, Law: law, Notes: a.Notes}, nil
}

// Right returns the answer that the means give, with the verdict on each arm.
func (a *Asked) Right() explore.Answer {
	q := question.FeasiblePareto{Region: polyhedron.Whole(a.Problem.D())}
	if c, ok := a.Problem.Question.(question.FeasiblePareto); ok {
		q = c
	}
	t := q.Truth(a.Truth())
	answer := explore.Answer{Reasons: make([]explore.Reason, a.Problem.M())}
	for i := range answer.Reasons {
		r := explore.Reason{Class: explore.Dominated, By: t.By[i], Margin: t.D[i], Constraint: -1}
		switch {
		case t.Optimal[i]:
			r.Class = explore.Optimal
			answer.Items = append(answer.Items, i)
		case !t.Feasible[i]:
			r.Class = explore.Infeasible
		}
		answer.Reasons[i] = r
	}
	return answer
}
