package monitor_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/monitor"
)

// trapezium returns features of rank 2 in three columns, one of which is constant.
func trapezium(k int) *mat.Dense {
	x := mat.NewDense(k, 3, nil)
	for i := range k {
		x.SetRow(i, []float64{1, float64(i), 1 - 2*float64(i)})
	}
	return x
}

// watching returns a monitor after n results of one objective with scale sigma, on plates of eight. In units of
// sigma, each mean is shift, or shift plus a linear function of the features; change modifies the noise.
func watching(t testing.TB, x *mat.Dense, k, n int, sigma, shift float64,
	change func(arm, plate, i int, y float64) float64) *monitor.Monitor {
	t.Helper()
	m, err := monitor.New(monitor.Assumptions{X: x, Arms: k, Objectives: []monitor.Objective{{Sigma: sigma}}})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		arm, plate := rnd.IntN(k), i/8+1
		y := rnd.NormFloat64()
		if change != nil {
			y = change(arm, plate, i, y)
		}
		if x != nil {
			y += float64(arm) / 3
		}
		m.Observe(arm, plate, []float64{sigma * (y + shift)})
	}
	m.Look()
	return m
}

// The monitor finds violations of the assumptions, and names their kind.
func TestFinds(t *testing.T) {
	effects := rand.New(rand.NewPCG(9, 9))
	plate := map[int]float64{}
	for i := range 100 {
		plate[i] = 1.5 * effects.NormFloat64()
	}
	for name, c := range map[string]struct {
		x      *mat.Dense
		change func(arm, plate, i int, y float64) float64
		kind   monitor.Kind
		arm    int
	}{
		"noise": {nil, func(_, _, _ int, y float64) float64 { return 2 * y }, monitor.Noise, -1},
		"an arm": {nil, func(a, _, _ int, y float64) float64 {
			if a == 7 {
				return 5 * y
			}
			return y
		}, monitor.ArmNoise, 7},
		"a slip": {nil, func(_, _, i int, y float64) float64 {
			if i == 250 {
				return y + 12
			}
			return y
		}, monitor.Outlier, 2},
		"misfit": {trapezium(8), func(a, _, _ int, y float64) float64 {
			return y + float64(a/7)
		}, monitor.Misfit, 7},
		"plates": {nil, func(_, p, _ int, y float64) float64 { return y + plate[p] }, monitor.Plates, -1},
		"drift": {trapezium(8), func(_, _, i int, y float64) float64 {
			return y + float64(i)/100
		}, monitor.Drift, -1},
	} {
		r := watching(t, c.x, 8, 320, 1, 0, c.change).Report()
		if r.Level() != monitor.Withdrawal || r.Findings[0].Kind != c.kind || c.arm >= 0 && r.Findings[0].Arm != c.arm {
			t.Errorf("%s: %v, E = %.3g, %+v", name, r.Level(), r.E(), r.Findings)
		}
		if r = watching(t, c.x, 8, 320, 1, 0, nil).Report(); r.Level() != monitor.Silent {
			t.Errorf("%s, all true: E = %.3g, %+v", name, r.E(), r.Findings)
		}
	}
}

// Evidence does not depend on the unit or the origin, up to rounding, even if the means are about a million standard
// deviations and there are 100,000 results.
func TestUnitsAndOrigin(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 2000
	}
	wrong := func(arm, _, i int, y float64) float64 { return 1.01*y + .02*float64(arm%3) }
	for _, x := range []*mat.Dense{nil, trapezium(12)} {
		want := watching(t, x, 12, n, 1, 0, wrong).Report()
		got := watching(t, x, 12, n, 1e6, 1e6, wrong).Report()
		if !(math.Abs(got.LogE-want.LogE) < 1e-3*(1+math.Abs(want.LogE))) {
			t.Errorf("features %v: log E = %v; want %v", x != nil, got.LogE, want.LogE)
		}
	}
}

// With one arm, one feature, one result, or features that are all zero, log E is not NaN.
func TestSmallest(t *testing.T) {
	for _, x := range []*mat.Dense{nil, mat.NewDense(1, 1, []float64{2}), mat.NewDense(1, 2, nil)} {
		for _, n := range []int{1, 2, 300} {
			r := watching(t, x, 1, n, 1, 0, nil).Report()
			if math.IsNaN(r.LogE) || r.LogE > 1 || r.Results != n {
				t.Errorf("%d results: %+v", n, r)
			}
		}
	}
	full := mat.NewDense(3, 3, []float64{1, 0, 0, 1, 1, 0, 1, 0, 2}) // as many features as arms
	if r := watching(t, full, 3, 300, 1, 0, nil).Report(); math.IsNaN(r.LogE) || r.LogE > 1 {
		t.Errorf("%+v", r)
	}
}

// Monitors with the same results have the same report, however often they look at the results.
func TestReplay(t *testing.T) {
	noisy := func(_, _, _ int, y float64) float64 { return 1.4 * y }
	a, b := watching(t, trapezium(5), 5, 200, 2, 3, noisy), watching(t, trapezium(5), 5, 200, 2, 3,
		func(_, _, _ int, y float64) float64 { return 1.4 * y })
	b.Look()
	b.Report().Findings[0].Arm = 99 // Report returns a copy
	if x, y := a.Report(), b.Report(); !reflect.DeepEqual(x, y) {
		t.Errorf("%+v\n%+v", x, y)
	}
}

// The level never decreases: later results do not remove earlier evidence.
func TestNeverSinks(t *testing.T) {
	m := watching(t, nil, 4, 400, 1, 0, func(_, _, i int, y float64) float64 {
		if i < 20 {
			return 4 * y
		}
		return 0
	})
	if r := m.Report(); r.Level() != monitor.Withdrawal || r.Results != 400 {
		t.Errorf("%+v", r)
	}
}

// If all assumptions are true, a campaign has a warning with probability
// at most 1/20. The test fails by chance with probability at most 1e-6.
func TestFalseAlarms(t *testing.T) {
	campaigns := 100
	if testing.Short() {
		campaigns = 20
	}
	alarms := 0
	rnd := rand.New(rand.NewPCG(5, 6))
	for range campaigns {
		m, err := monitor.New(monitor.Assumptions{X: trapezium(10),
			Objectives: []monitor.Objective{{Sigma: 1}, {Sigma: .5, High: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		best, most := 0, math.Inf(-1) // the arm with the largest result is measured repeatedly
		for i := range 150 {
			arm := i
			if i >= 10 && i%2 == 0 {
				arm = best
			}
			y := []float64{rnd.NormFloat64(), float64(rnd.IntN(2))}
			if arm %= 10; y[0] > most {
				best, most = arm, y[0]
			}
			m.Observe(arm, i/6+1, y)
		}
		if r := m.Report(); r.Level() >= monitor.Warning {
			alarms++
		}
	}
	b := distuv.Binomial{N: float64(campaigns), P: 1. / monitor.Warn}
	if p := 1 - b.CDF(float64(alarms-1)); p < 1e-6 {
		t.Errorf("%d alarms in %d campaigns", alarms, campaigns)
	}
}

// A finding names the arm that differs, whatever its index. The size in a finding is never negative.
func TestArmIsNamed(t *testing.T) {
	for arm := range 5 {
		m, err := monitor.New(monitor.Assumptions{Arms: 5, Objectives: []monitor.Objective{{Sigma: math.Sqrt(10) / 2, High: 10, Trials: 10}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			y := 4 + i/5%3
			if i%5 == arm {
				y = 10 * (i / 5 % 2)
			}
			m.Observe(i%5, 0, []float64{float64(y)})
		}
		named := false
		for _, f := range m.Report().Findings {
			if f.Kind == monitor.Counts || f.Kind == monitor.ArmNoise {
				named = true
				if f.Arm != arm {
					t.Errorf("arm %d scatters: %+v", arm, f)
				}
			}
		}
		if !named {
			t.Errorf("arm %d scatters: %+v", arm, m.Report().Findings)
		}
		for _, off := range []float64{6, -6} {
			m := watching(t, trapezium(8), 8, 200, 1, 0, func(a, _, _ int, y float64) float64 {
				if a == arm {
					return y + off
				}
				return y
			})
			i := slices.IndexFunc(m.Report().Findings, func(f monitor.Finding) bool { return f.Kind == monitor.Misfit })
			if i < 0 {
				t.Fatalf("arm %d is off by %v: %+v", arm, off, m.Report())
			}
			if f := m.Report().Findings[i]; f.Arm != arm || f.Size < 2 || f.Size > 7 {
				t.Errorf("arm %d is off by %v: %+v", arm, off, f)
			}
		}
	}
}

// The prediction for an arm uses the results of the arm. If the arm has no results, the prediction uses a line through
// the other arms. If the results do not determine this line, the prediction is NaN.
func TestExpect(t *testing.T) {
	m, err := monitor.New(monitor.Assumptions{X: trapezium(4), Objectives: []monitor.Objective{{Sigma: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Expect(0)[0]; !math.IsNaN(e.Mean) || e.Odd(1e9) {
		t.Errorf("before all: %+v", e)
	}
	m.Observe(0, 0, []float64{10})
	if e := m.Expect(2)[0]; !math.IsNaN(e.Mean) {
		t.Errorf("off the span: %+v", e)
	}
	m.Observe(1, 0, []float64{13})
	m.Observe(1, 0, []float64{15})
	// The means 10 of arm 0 (one result) and 14 of arm 1 (two results) predict 18 for arm 2. The variance is 1 + 4/2 =
	// 3, plus the variance 1 of a result.
	e := m.Expect(2)[0]
	if math.Abs(e.Mean-18) > 1e-9 || math.Abs(e.Radius-4*2*2) > 1e-9 || e.Results != 3 {
		t.Errorf("on the line: %+v", e)
	}
	e = m.Expect(1)[0]
	if e.Mean != 14 || math.Abs(e.Radius-8*math.Sqrt(1.5)) > 1e-9 || e.Results != 2 ||
		e.Odd(14+e.Radius*.999) || !e.Odd(14-e.Radius*1.001) {
		t.Errorf("interval from its own results: %+v", e)
	}
	// Without features, the result of an arm is predicted from the other arms if at least five of them were measured.
	// In units of the noise scale, their means are 1 to 5. A result has the variance 5/2 + 1, and the prediction adds
	// a fifth of this variance.
	if m, err = monitor.New(monitor.Assumptions{Arms: 6, Objectives: []monitor.Objective{{Sigma: 2}}}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if e = m.Expect(5)[0]; !math.IsNaN(e.Mean) {
			t.Errorf("like %d others: %+v", i, e)
		}
		m.Observe(i, 0, []float64{float64(2 + 2*i)})
	}
	if e = m.Expect(5)[0]; math.Abs(e.Mean-6) > 1e-9 || math.Abs(e.Radius-4*2*math.Sqrt(3.5*1.2)) > 1e-9 || e.Results != 5 {
		t.Errorf("like others: %+v", e)
	}
}
