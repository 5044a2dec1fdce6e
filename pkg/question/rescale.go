package question

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Rescale returns the same question about objectives that are scale x + shift.
func (q Pareto) Rescale(scale float64, _ []float64) explore.Question {
	q.Epsilon *= scale
	q.Cover *= scale
	return q
}

// Rescale returns the same question about objectives that are scale x + shift.
func (q Feasible) Rescale(scale float64, shift []float64) explore.Question {
	return Feasible{rescale(q.Region, scale, shift)}
}

// Rescale returns the same question about objectives that are scale x + shift.
func (q FeasiblePareto) Rescale(scale float64, shift []float64) explore.Question {
	q.Region = rescale(q.Region, scale, shift)
	q.Tolerance, q.Slack = scaled(scale, q.Tolerance), scaled(scale, q.Slack)
	return q
}

// scaled returns scale x, nil for nil.
func scaled(scale float64, x []float64) []float64 {
	if x == nil {
		return nil
	}
	return floats.ScaleTo(make([]float64, len(x)), scale, x)
}

// rescale returns {scale x + shift: x in r}.
func rescale(r *polyhedron.Polyhedron, scale float64, shift []float64) *polyhedron.Polyhedron {
	if r.Rows() == 0 {
		return r
	}
	a := mat.NewDense(r.Rows(), r.Dim(), nil)
	b := make([]float64, r.Rows())
	for k := range b {
		c := r.Constraint(k)
		a.SetRow(k, c.A)
		b[k] = scale * c.B
		for j, s := range shift {
			b[k] += c.A[j] * s
		}
	}
	m, err := polyhedron.New(a, b, nil)
	if err != nil {
		panic("question: a region that has an interior lost it by a change of units: " +
			err.Error())
	}
	return m
}
