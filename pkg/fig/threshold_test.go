package fig

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// thresholdArms returns k made-up arms with estimates from about
// 0.2 to 1. Arms whose interval contains 0.6 are undecided.
func thresholdArms(k int, name string, level float64) *Estimates {
	e := &Estimates{Objectives: []string{"mean"}, Means: mat.NewDense(k, 1, nil), Low: mat.NewDense(k, 1, nil),
		High: mat.NewDense(k, 1, nil)}
	e.Region = must(polyhedron.New(mat.NewDense(1, 1, []float64{-1}), []float64{-level}, []string{"threshold: best − ε"}))
	for i := range k {
		truth := 1 - .8*float64((i*7)%k)/float64(k)
		m, r := truth+.06*math.Sin(float64(5*i)), .05+.03*float64(i%3)
		v := explore.Undecided
		switch {
		case m-r > .6:
			v = explore.Optimal
		case m+r < .6:
			v = explore.Dominated
		}
		e.Items, e.Classes = append(e.Items, fmt.Sprint(name, i)), append(e.Classes, v)
		e.Means.Set(i, 0, m)
		e.Low.Set(i, 0, m-r)
		e.High.Set(i, 0, m+r)
	}
	return e
}

// The panel includes the intervals and the level.
func TestThresholdLimits(t *testing.T) {
	for _, k := range []int{1, 8, 41, 300} {
		e := thresholdArms(k, "arm ", -2)
		for i := range k { // intervals are longer above the mean, as for rates near 0
			e.High.Set(i, 0, e.High.At(i, 0)+2+float64(i%2))
		}
		p := must(e.Plane(nil)).Panels[0]
		if mat.Min(e.Low) < p.Y.Min || mat.Max(e.High) > p.Y.Max || -2 < p.Y.Min {
			t.Errorf("%d arms: an arm or the level is outside", k)
		}
		if p.X.Min >= 1 || p.X.Max <= float64(k) {
			t.Errorf("%d arms: from %v to %v", k, p.X.Min, p.X.Max)
		}
	}
}

// Arms are named, and sorted from the best to the worst. Better is higher up, even if smaller values are better.
func TestThresholdOrder(t *testing.T) {
	e := &Estimates{Items: []string{"low", "high", "mid"}, Objectives: []string{"cost"}, Means: mat.NewDense(3, 1, []float64{-9, -7, -8}),
		Axes: []bandit.Axis{{Label: "cost", PerReward: -1}}, Classes: []explore.Class{explore.Dominated, explore.Optimal, explore.Optimal}}
	f := must(e.Plane(nil))
	p := f.Panels[0]
	got := f.Description
	for _, tick := range append(p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max), p.Y.Tick.Marker.Ticks(-9, -7)...) {
		if !tick.IsMinor() {
			got += fmt.Sprintf(" %s at %v", tick.Label, tick.Value)
		}
	}
	if want := "3 arms, sorted by estimate; best estimate at 7. Kept: high, mid. Rejected: low. high at 1 mid at 2 low at 3 7.0 at -7"; !strings.HasPrefix(got, want) {
		t.Errorf("%s", got)
	}
	// Only verdicts that occur have a colour.
	if cs := colours(f); !cs[sides[0].look.Color] || !cs[sides[1].look.Color] || cs[sides[2].look.Color] {
		t.Errorf("colours %v", cs)
	}
}
