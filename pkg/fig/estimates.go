package fig

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Estimates are the means of M items in d objectives, as far as they are known: what a campaign
// has measured, or the truth of an instance, which has no intervals.
type Estimates struct {
	Name       string   // title of the figure, unless its options have one
	Items      []string // M names
	Objectives []string // d names
	Means      *mat.Dense
	// Low and High are the ends of the confidence intervals, M x d, each in the unit of its objective;
	// means need not be in the middle. An item with an end that is not finite is drawn without a box.
	// Both nil draws none.
	Low, High *mat.Dense
	// Region is that of the feasible means; nil if all are.
	Region *polyhedron.Polyhedron
	// Axes say how people read the objectives, of which more is better in Means: see bandit.Instance.
	// Nil means that they read Means.
	Axes []bandit.Axis
	// Classes are the verdicts on the items. Nil means those that follow from the means.
	Classes []explore.Class
}

// Plane draws the estimates in the plane of two objectives, as [Responses] draws the true means
// of an instance. A nil o means the zero value. The error says which list does not have an entry for
// each item and objective, or which mean is not finite.
func (e *Estimates) Plane(o *PlaneOptions) (*Figure, error) {
	pl, err := e.plane(o)
	if err != nil {
		return nil, err
	}
	return pl.pair()
}

// truth returns the true means of an instance, without intervals.
func truth(inst *bandit.Instance) *Estimates {
	e := &Estimates{Name: inst.Name, Means: inst.Truth(), Axes: inst.Axes}
	for i := range inst.Problem.M() {
		e.Items = append(e.Items, inst.Problem.Item(i))
	}
	for c := range inst.Problem.D() {
		e.Objectives = append(e.Objectives, inst.Problem.Objective(c))
	}
	e.Region = question.Region(inst.Problem.Question)
	return e
}
