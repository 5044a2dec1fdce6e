package fig

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Lists of estimates that do not fit one another are named.
func TestEstimatesErrors(t *testing.T) {
	for want, change := range map[string]func(*Estimates){
		"no items":               func(e *Estimates) { e.Items = nil },
		"2 x 2":                  func(e *Estimates) { e.Items = e.Items[:1] },
		"one objective":          func(e *Estimates) { e.Objectives, e.Means = e.Objectives[:1], mat.NewDense(2, 1, nil) },
		"HalfWidths is 1 x 2":    func(e *Estimates) { e.HalfWidths = mat.NewDense(1, 2, nil) },
		"Classes has 1":          func(e *Estimates) { e.Classes = make([]explore.Class, 1) },
		"region is of dimension": func(e *Estimates) { e.Region = polyhedron.Whole(3) },
	} {
		e := &Estimates{Items: []string{"a", "b"}, Objectives: []string{"x", "y"},
			Means: mat.NewDense(2, 2, []float64{1, 2, 2, 1})}
		if _, err := e.Plane(nil); err != nil {
			t.Fatal(err)
		}
		change(e)
		if _, err := e.Plane(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v; want it to say %q", err, want)
		}
	}
}

// Verdicts are those of the estimates if they have any, and follow from the means if not.
func TestEstimatesClasses(t *testing.T) {
	e := &Estimates{Items: []string{"a", "b"}, Objectives: []string{"x", "y"},
		Means: mat.NewDense(2, 2, []float64{1, 1, 2, 2})}
	if got := must(e.plane(nil)).classes; got[0] != explore.Dominated || got[1] != explore.Optimal {
		t.Errorf("the classes are %v", got)
	}
	e.Classes = []explore.Class{explore.Undecided, explore.Optimal}
	if got := must(e.plane(nil)).classes; got[0] != explore.Undecided || got[1] != explore.Optimal {
		t.Errorf("the classes are %v", got)
	}
}
