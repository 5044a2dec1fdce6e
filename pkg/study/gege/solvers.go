package gege

import (
	"fmt"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/study"
)

// Solvers shows how the solver of this library and the mirror descent of the paper's Algorithm 4
// come to a G-optimal design of all arms, within a tolerance of the optimum, on an instance of an
// experiment.
func Solvers(e study.Experiment, size int, tol float64) (*fig.Figure, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	var series []fig.ConvergenceSeries
	for _, m := range []design.Method{design.Certified, design.MirrorDescent} {
		s := fig.ConvergenceSeries{}
		d, err := design.G(inst.Problem.X, &design.Options{Tol: tol, Method: m,
			Watch: func(b design.Bracket) bool {
				// The figure counts from 1; a look at all points may follow no step.
				if n := len(s.Brackets); b.Iteration > 0 &&
					(n == 0 || b.Iteration > s.Brackets[n-1].Iteration) {
					s.Brackets = append(s.Brackets, b)
				}
				return true
			}})
		if err != nil {
			return nil, fmt.Errorf("gege: %w", err)
		}
		s.Name = fmt.Sprintf("%v (%d arms)", m, len(d.Support()))
		series = append(series, s)
	}
	return fig.Convergence(series, &fig.DesignOptions{
		Title: fmt.Sprintf("G-optimal designs of %d arms", inst.Problem.K())})
}
