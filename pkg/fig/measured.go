package fig

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Measured returns what a run of p measured, with its verdicts and, if half is not nil, confidence
// intervals of this kind, which hold for all arms and at all times at once with probability 1 - delta.
// Nothing of the truth is needed: s is the recorder of the run, a real one or a simulation.
//
//	var s explore.Sums
//	r, err := explore.Run(p, problem, laboratory, &explore.Settings{Recorder: &s})
//	e, err := fig.Measured(problem, r, &s, radius.Theory{}, 0.05)
//	f, err := e.Plane(nil)
//
// Items that are not the arms have no measurements of their own, which is an error. Arms without a
// measurement are left out, and the name says how many these are.
func Measured(p *explore.Problem, r *explore.Result, s *explore.Sums, half radius.Radius, delta float64) (*Estimates, error) {
	switch {
	case p.Z != nil:
		return nil, fmt.Errorf("fig: Measured: the items are not the arms, of which alone there are measurements")
	case len(s.N) > p.K():
		return nil, fmt.Errorf("fig: Measured: measurements of %d arms; the problem has %d", len(s.N), p.K())
	case half != nil && !(delta > 0 && delta < 1):
		return nil, fmt.Errorf("fig: Measured: delta is %v; want a probability above 0 and below 1", delta)
	}
	e := &Estimates{}
	for c := range p.D() {
		e.Objectives = append(e.Objectives, p.Objective(c))
	}
	switch q := p.Question.(type) {
	case question.FeasiblePareto:
		e.Region = q.Region
	case question.Feasible:
		e.Region = q.Region
	}
	classes := make([]explore.Class, p.K())
	for _, i := range r.Answer.Items {
		classes[i] = explore.Optimal
	}
	for i, x := range r.Answer.Reasons {
		classes[i] = x.Class
	}
	var ids []int
	for i, n := range s.N {
		if n > 0 {
			ids = append(ids, i)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("fig: Measured: there are no measurements")
	}
	all := s.Means(p)
	e.Means = mat.NewDense(len(ids), p.D(), nil)
	if half != nil {
		e.Low, e.High = mat.NewDense(len(ids), p.D(), nil), mat.NewDense(len(ids), p.D(), nil)
	}
	for row, i := range ids {
		e.Items, e.Classes = append(e.Items, p.Arm(i)), append(e.Classes, classes[i])
		e.Means.SetRow(row, all.RawRowView(i))
		if half == nil {
			continue
		}
		for c := range p.D() {
			sigma := p.Sigma
			if p.Sigmas != nil {
				sigma = p.Sigmas[c] // each objective has the interval of its own noise
			}
			bonus := half.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: sigma, NormSigma: p.SigmaU(), Delta: delta})
			factor, _ := bonus.Factors(s.Pulls)
			mean, width := all.At(i, c), factor*bonus.Mean(s.N[i])
			e.Low.Set(row, c, mean-width)
			e.High.Set(row, c, mean+width)
		}
	}
	e.Name = fmt.Sprintf("Measured, %s after %d pulls", r.Status, r.Pulls)
	if n := p.K() - len(ids); n > 0 {
		e.Name += fmt.Sprintf("; without a measurement: %d", n)
	}
	return e, nil
}
