package constrained

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Constraints on a known price need no measurement. The constraints x1 <= 0.3 and 3 x1 >= 0.3 on the price x1
// certainly hold or fail, even on the boundary. There, decimals are rounded: 3 * 0.1 is above 0.3. The constraints x0
// >= 2 and x0 - x1 >= 2.5 depend on measurements.
func TestKnownMargins(t *testing.T) {
	a := mat.NewDense(4, 2, []float64{0, 1, -1, 0, 0, -3, -1, 1})
	region, err := polyhedron.New(a, []float64{.3, -2, -.3, -2.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	prices := []float64{.1 + .2, .5, .1, .04}
	known := mat.NewDense(4, 2, nil)
	for i, x := range prices {
		known.SetRow(i, []float64{nan, x})
	}
	var m margins
	m.init(&explore.Problem{Arms: 4, Objectives: 2, Known: known}, region)
	var ws polyhedron.Workspace
	for _, c := range []struct {
		arm        int
		x0         float64
		inside     bool
		eta        float64
		constraint int
		missed     float64
	}{
		{0, 3.5, true, (3.5 - .3 - 2.5) / math.Sqrt2, 3, 0},
		{0, 1, false, math.Hypot(1, .8), 3, 0}, // distance from (1, 0.3) to (2, -0.5)
		{1, 9, false, math.Inf(1), 0, .2},
		{2, 9, true, 6.4 / math.Sqrt2, 3, 0},
		{3, 9, false, math.Inf(1), 2, .06},
	} {
		inside, eta, constraint := m.of(&ws, c.arm, []float64{c.x0, prices[c.arm]})
		if inside != c.inside || constraint != c.constraint || c.eta != eta && math.Abs(c.eta-eta) > 1e-9 {
			t.Errorf("arm %d at %v: %v, %v, %d; want %v, %v, %d", c.arm, c.x0, inside, eta, constraint,
				c.inside, c.eta, c.constraint)
		}
		r := explore.Reason{Slack: -eta, SlackRadius: 1}
		m.explain(&r, c.arm)
		if c.missed > 0 && (math.Abs(r.Slack+c.missed) > 1e-12 || r.SlackRadius != 0) || c.missed == 0 && r.SlackRadius != 1 {
			t.Errorf("arm %d: slack %v ± %v; want %v", c.arm, r.Slack, r.SlackRadius, -c.missed)
		}
	}
}

// If the known values of an arm violate several constraints, the reason names the most violated
// constraint, in any order of the constraints.
func TestKnownMissedMost(t *testing.T) {
	nan := math.NaN()
	for _, limits := range [][]float64{{.2, .5, .3}, {.5, .2, .3}, {.5, .3, .2}} { // x1 <= each of these limits
		region, err := polyhedron.New(mat.NewDense(3, 2, []float64{0, 1, 0, 1, 0, 1}), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		var m margins
		m.init(&explore.Problem{Arms: 2, Objectives: 2, Known: mat.NewDense(2, 2, []float64{nan, .9, nan, .1})}, region)
		var ws polyhedron.Workspace
		_, _, constraint := m.of(&ws, 0, []float64{0, .9})
		r := explore.Reason{Slack: -1, SlackRadius: 1}
		if m.explain(&r, 0); limits[constraint] != .2 || math.Abs(r.Slack+.7) > 1e-12 {
			t.Errorf("limits %v: explained by constraint %d, %v beyond; want .7 beyond .2", limits, constraint, -r.Slack)
		}
	}
}

// The slack of a violated constraint on several known values is a distance, in any units of the
// constraint. The point (1, 1) violates the constraint 3 x1 + 4 x2 <= 1 by 6/5, and (2, -1) violates it by 1/5.
func TestKnownMissedIsDistance(t *testing.T) {
	nan := math.NaN()
	for _, unit := range []float64{1, .01, 1000} {
		region, err := polyhedron.New(mat.NewDense(1, 3, []float64{0, 3 * unit, 4 * unit}), []float64{unit}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var m margins
		m.init(&explore.Problem{Arms: 3, Objectives: 3, Known: mat.NewDense(3, 3, []float64{nan, 1, 1, nan, 2, -1, nan, .2, .1})}, region)
		for arm, want := range []float64{-1.2, -.2, 7} {
			r := explore.Reason{Slack: 7, SlackRadius: 1}
			if m.explain(&r, arm); !(math.Abs(r.Slack-want) <= 1e-12) || (r.SlackRadius == 0) != (want < 0) {
				t.Errorf("in units of %v arm %d has slack %v ± %v; want %v", unit, arm, r.Slack, r.SlackRadius, want)
			}
		}
	}
}
