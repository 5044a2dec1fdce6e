package fig

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Measured returns the measured means of a run of p, with the verdicts in result r. If half is not
// nil, Measured adds confidence intervals whose half-widths are given by half. With probability 1 -
// delta, all intervals contain the true means, simultaneously for all arms and at all times.
// Measured does not need the true means: the run may be real or simulated, but must have been made
// with Settings.Sums.
//
//	r, err := explore.Run(p, problem, laboratory, &explore.Settings{Sums: true})
//	e, err := fig.Measured(problem, r, radius.Theory{}, 0.05)
//	f, err := e.Plane(nil)
//
// If the items are not the arms, Measured returns an error, because only arms are measured.
// Measured omits arms without measurements; the Name of the result states how many arms were
// omitted.
func Measured(p *explore.Problem, r *explore.Result, half radius.Radius, delta float64) (*Estimates, error) {
	switch s := r.Sums; {
	case p.Z != nil:
		return nil, fmt.Errorf("fig: Measured: the items (Z) are not the arms, but only arms are measured; leave Z nil")
	case s == nil:
		return nil, fmt.Errorf("fig: Measured: the result has no sums; set Sums in the explore.Settings of the run")
	case len(s.N) > p.K():
		return nil, fmt.Errorf("fig: Measured: the sums have %d arms; expected at most %d", len(s.N), p.K())
	}
	e := &Estimates{}
	for c := range p.D() {
		e.Objectives = append(e.Objectives, p.Objective(c))
	}
	e.Region = question.Region(p.Question)
	classes := make([]explore.Class, p.K())
	for _, i := range r.Answer.Items {
		classes[i] = explore.Optimal
	}
	for i, x := range r.Answer.Reasons {
		classes[i] = x.Class
	}
	var ids []int
	for i, n := range r.Sums.N {
		if n > 0 {
			ids = append(ids, i)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("fig: Measured: the sums contain no measurements; run at least one round of the policy")
	}
	rows := func(all *mat.Dense) *mat.Dense {
		m := mat.NewDense(len(ids), p.D(), nil)
		for row, i := range ids {
			m.SetRow(row, all.RawRowView(i))
		}
		return m
	}
	e.Means = rows(r.Sums.Means(p))
	if half != nil {
		all, err := r.Sums.Estimates(p, half, delta)
		if err != nil {
			return nil, fmt.Errorf("fig: Measured: %w", err)
		}
		e.Low, e.High = rows(all.Low), rows(all.High)
	}
	for _, i := range ids {
		e.Items, e.Classes = append(e.Items, p.Arm(i)), append(e.Classes, classes[i])
	}
	e.Name = fmt.Sprintf("Measured, %s after %d pulls", r.Status, r.Pulls)
	if n := p.K() - len(ids); n > 0 {
		e.Name += fmt.Sprintf("; arms without measurements: %d", n)
	}
	return e, nil
}
