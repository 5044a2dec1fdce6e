package monitor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
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

// By hand: the line pays for one mean an arm that was measured, however many features there are. Ten results of 6 and -6 about
// the mean of one arm of three, which are 12 sd apart, have the variance 360/9.
func TestSizeOfScatterOfFewArms(t *testing.T) {
	m, err := monitor.New(monitor.Assumptions{X: mat.NewDense(3, 3, []float64{1, 0, 0, 1, 1, 0, 1, 2, 4}),
		Objectives: []monitor.Objective{{Sigma: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		m.Observe(1, 0, []float64{float64(6 - i%2*12)})
	}
	found := false
	for _, f := range m.Report().Findings {
		if f.Kind == monitor.Scatter {
			found = true
			if !(math.Abs(f.Size-math.Sqrt(40)) <= 1e-9) {
				t.Errorf("scatter of %v; want %v", f.Size, math.Sqrt(40))
			}
		}
	}
	if !found {
		t.Errorf("%+v", m.Report())
	}
}

// Noise that is told in batches, with squares, has the size of the pooled standard deviation of its
// rewards, as if these had been told one by one.
func TestSizeOfNoiseInBatches(t *testing.T) {
	const sigma, k, batches = 3, 4, 40
	rnd := rand.New(rand.NewPCG(9, 10))
	m, err := monitor.New(monitor.Assumptions{Arms: k, Objectives: []monitor.Objective{{Sigma: sigma}}})
	if err != nil {
		t.Fatal(err)
	}
	var n, sum, square [k]float64
	for range batches {
		var obs []explore.Batch
		for arm := range k {
			b := explore.Batch{Pull: explore.Pull{Arm: arm, N: 3}, Sum: []float64{0}, Squares: []float64{0}}
			for range b.N {
				y := float64(arm) + 2*sigma*rnd.NormFloat64()
				b.Sum[0] += y
				b.Squares[0] += y * y
			}
			n[arm], sum[arm], square[arm] = n[arm]+3, sum[arm]+b.Sum[0], square[arm]+b.Squares[0]
			obs = append(obs, b)
		}
		if err := m.Record(explore.Event{Obs: obs}); err != nil {
			t.Fatal(err)
		}
	}
	m.Look()
	ss, free := 0., 0.
	for arm := range k {
		ss, free = ss+square[arm]-sum[arm]*sum[arm]/n[arm], free+n[arm]-1
	}
	for _, f := range m.Report().Findings {
		if f.Kind == monitor.Noise {
			if want := math.Sqrt(ss / free); math.Abs(f.Size-want) > 1e-9 {
				t.Errorf("noise of size %v; want %v", f.Size, want)
			}
			return
		}
	}
	t.Error("twice the noise is not found")
}
