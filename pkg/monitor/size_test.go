package monitor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/monitor"
)

// The amount that a finding names is that of the violation, in the unit of the results: what is off
// by a number of standard deviations is found off by about that.
func TestSizesOfFindings(t *testing.T) {
	effects := rand.New(rand.NewPCG(9, 9))
	plate := map[int]float64{}
	for i := range 100 {
		plate[i] = 1.5 * effects.NormFloat64()
	}
	line := trapezium(8)
	for kind, c := range map[monitor.Kind]struct {
		linear bool
		change func(arm, plate, i int, y float64) float64
		want   func(f monitor.Finding) float64 // in standard deviations
		within float64
	}{
		monitor.Noise: {false, func(_, _, _ int, y float64) float64 { return 2 * y },
			func(monitor.Finding) float64 { return 2 }, .2},
		monitor.ArmNoise: {false, func(a, _, _ int, y float64) float64 {
			if a == 7 {
				return 5 * y
			}
			return y
		}, func(monitor.Finding) float64 { return 5 }, 1.5},
		monitor.Outlier: {false, func(_, _, i int, y float64) float64 {
			if i == 250 {
				return y + 12
			}
			return y
		}, func(monitor.Finding) float64 { return 12 }, 3},
		monitor.Scatter: {true, func(_, _, _ int, y float64) float64 { return 2 * y },
			func(monitor.Finding) float64 { return 2 }, .2},
		monitor.Plates: {false, func(_, p, _ int, y float64) float64 { return y + plate[p] },
			func(f monitor.Finding) float64 { return math.Abs(plate[f.Plate]) }, 1},
		monitor.Drift: {true, func(_, _, i int, y float64) float64 { return y + float64(i)/100 },
			func(monitor.Finding) float64 { return 1 }, .3},
	} {
		const sigma, k = 3, 8
		x := line
		if !c.linear {
			x = nil
		}
		found := false
		for _, f := range watching(t, x, k, 320, sigma, 10, c.change).Report().Findings {
			if f.Kind != kind {
				continue
			}
			found = true
			if want := c.want(f); math.Abs(f.Size/sigma-want) > c.within {
				t.Errorf("%v: the size is %v sd; want about %v: %+v", kind, f.Size/sigma, want, f)
			}
		}
		if !found {
			t.Errorf("%v is not found", kind)
		}
	}
}
