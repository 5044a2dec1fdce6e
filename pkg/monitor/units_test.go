package monitor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/monitor"
)

// A world describes the same measurements with other units, arm indices and plate numbers. Objective c has the unit
// unit[c], arm i is arm as[i], and plate numbers have the offset shift. The field early is the number of results
// without a value at the start.
type world struct {
	unit  [2]float64
	as    []int
	shift int
	early int
}

// told returns a monitor of two objectives after 56 results of four arms in a world; it also returns the results by
// arm and objective.
func (w world) told(t *testing.T, x *mat.Dense, change func(arm, plate, i int, y float64) float64) (*monitor.Monitor,
	[4][2][]float64) {
	t.Helper()
	sigma := [2]float64{2, .25}
	a := monitor.Assumptions{Arms: 4, Reference: true}
	if x != nil {
		a.X = mat.DenseCopyOf(x)
		for i, at := range w.as {
			a.X.SetRow(at, x.RawRowView(i))
		}
	}
	for c, sd := range sigma {
		a.Objectives = append(a.Objectives, monitor.Objective{Sigma: w.unit[c] * sd})
	}
	m, err := monitor.New(a)
	if err != nil {
		t.Fatal(err)
	}
	var by [4][2][]float64
	rnd := rand.New(rand.NewPCG(3, 5))
	for range w.early {
		m.Observe(w.as[0], 1+w.shift, []float64{math.NaN(), math.NaN()})
	}
	for i := range 56 { // so few that the processes are evaluated after each result
		arm, plate := rnd.IntN(4), i/4+1
		y := []float64{10 + float64(3*arm), 5 - float64(arm)/4}
		for c, sd := range sigma {
			e := rnd.NormFloat64()
			if c == 1 {
				if e = change(arm, plate, i, e); i == 55 {
					e += 15 // so that evidence is largest at the end
				}
			}
			y[c] = w.unit[c] * (y[c] + sd*e)
			by[arm][c] = append(by[arm][c], y[c])
		}
		m.Observe(w.as[arm], plate+w.shift, y)
		if i%4 == 0 {
			m.ObserveReference(plate+w.shift, []float64{w.unit[0] * 2 * rnd.NormFloat64(), w.unit[1] * 9})
		}
	}
	m.Look()
	return m, by
}

// close reports whether numbers are equal up to rounding.
func close(got, want float64) bool { return math.Abs(got-want) <= 1e-7*(1e-3+math.Abs(want)) }

// The units of objectives, the order of arms, the plate numbers, and results without values affect neither the
// evidence nor the kinds of findings. Sizes are in the unit of the objective, and findings use the new arm and plate
// numbers. To compute the sizes of Noise and Scatter, the test divides sums of squares by the number of results minus
// the number of parameters.
func TestWorlds(t *testing.T) {
	line := mat.NewDense(4, 2, []float64{1, 0, 1, 1, 1, 2, 1, 3})
	plain := world{unit: [2]float64{1, 1}, as: []int{0, 1, 2, 3}}
	for name, x := range map[string]*mat.Dense{"means": nil, "line": line} {
		for kind, change := range map[monitor.Kind]func(arm, plate, i int, y float64) float64{
			monitor.Noise: func(_, _, _ int, y float64) float64 { return 2.5 * y },
			monitor.ArmNoise: func(arm, _, _ int, y float64) float64 {
				if arm == 2 {
					return 8 * y
				}
				return y
			},
			monitor.Outlier: func(_, _, _ int, y float64) float64 { return y },
			monitor.Plates:  func(_, plate, _ int, y float64) float64 { return y + 4*float64(plate%3) },
			monitor.Drift:   func(_, _, i int, y float64) float64 { return y + .15*float64(i) },
		} {
			m, by := plain.told(t, x, change)
			was := m.Report()
			if !slices.ContainsFunc(was.Findings,
				func(f monitor.Finding) bool { return f.Kind == kind && f.LogE > math.Log(20) }) {
				t.Fatalf("%s: %v is not found: %+v", name, kind, was)
			}
			for _, w := range []world{
				{unit: [2]float64{64, .125}, as: plain.as}, {unit: plain.unit, as: []int{2, 0, 3, 1}},
				{unit: plain.unit, as: plain.as, shift: -40}, {unit: plain.unit, as: plain.as, early: 6},
			} {
				m2, _ := w.told(t, x, change)
				r := m2.Report()
				if !close(r.LogE, was.LogE) || r.Results != was.Results+w.early || r.Processes != was.Processes ||
					len(r.Findings) != len(was.Findings) {
					t.Errorf("%s, %v, %+v: %+v; want %+v", name, kind, w, r, was)
					continue
				}
				for i, f := range r.Findings {
					want := was.Findings[i]
					want.Size *= w.unit[want.Objective]
					if !want.Reference && want.Arm >= 0 {
						want.Arm = w.as[want.Arm]
					}
					if want.Plate != 0 {
						want.Plate += w.shift
					}
					if want.Result != 0 {
						want.Result += w.early
					}
					if !close(f.Size, want.Size) || !close(f.LogE, want.LogE) {
						t.Errorf("%s, %v, %+v: %+v; want %+v", name, kind, w, f, want)
					}
					if f.Size, f.LogE = want.Size, want.LogE; f != want {
						t.Errorf("%s, %v, %+v: %+v; want %+v", name, kind, w, f, want)
					}
				}
				for arm := range 4 {
					for c, e := range m2.Expect(w.as[arm]) {
						if want := m.Expect(arm)[c]; !close(e.Mean, w.unit[c]*want.Mean) ||
							!close(e.Radius, w.unit[c]*want.Radius) || e.Results != want.Results {
							t.Errorf("%s, %v, %+v: arm %d is expected at %+v; want %+v", name, kind, w, arm, e, want)
						}
					}
				}
			}
			for arm := range 4 { // compare with predictions computed from the arm's results
				for c, e := range m.Expect(arm) {
					own := by[arm][c]
					radius := 4 * []float64{2, .25}[c] * math.Sqrt(1+1/float64(len(own)))
					if !close(e.Mean, stat.Mean(own, nil)) || !close(e.Radius, radius) || e.Results != len(own) {
						t.Errorf("arm %d: %+v; want %v from %d", arm, e, stat.Mean(own, nil), len(own))
					}
				}
			}
			within, about, worst := 0., 0., 0.
			var all, at []float64
			for arm := range 4 {
				own := by[arm][1]
				within += stat.Variance(own, nil) * float64(len(own)-1)
				all = append(all, own...)
				for range own {
					at = append(at, float64(arm))
				}
				worst = max(worst, stat.StdDev(own, nil))
			}
			a, b := stat.LinearRegression(at, all, nil, false)
			for i, v := range all {
				about += (v - a - b*at[i]) * (v - a - b*at[i])
			}
			n := float64(len(all))
			want := map[monitor.Kind]float64{monitor.Noise: math.Sqrt(within / (n - 4)),
				monitor.Scatter: math.Sqrt(about / (n - 2))}
			if kind == monitor.ArmNoise {
				want[kind] = worst
			}
			for _, f := range was.Findings {
				if v, ok := want[f.Kind]; ok && f.Objective == 1 && !close(f.Size, v) {
					t.Errorf("%s: the size of %v is %v; want %v", name, f.Kind, f.Size, v)
				}
			}
		}
	}
}

// The confirmation of claims about two objectives also gives the same evidence in each world.
func TestConfirmationWorlds(t *testing.T) {
	run := func(unit [2]float64, as []int) *monitor.Confirmation {
		sigma := []float64{2 * unit[0], .25 * unit[1]}
		c := monitor.NewConfirmation([]monitor.Claim{{Ahead: as[0], Behind: as[1], Objective: 1, Margin: .1 * unit[1]},
			{Ahead: as[2], Behind: as[0], Objective: 0, Margin: 1 * unit[0]}}, 6, sigma, .1)
		rnd := rand.New(rand.NewPCG(6, 1))
		for i := range 17 {
			arm := i % 3
			c.Observe(as[arm], []float64{unit[0] * (float64(arm) + 2*rnd.NormFloat64()),
				unit[1] * (float64(arm)/4 + .25*rnd.NormFloat64())})
		}
		return c
	}
	was := run([2]float64{1, 1}, []int{0, 1, 2})
	for unit, as := range map[[2]float64][]int{{64, .125}: {0, 1, 2}, {1, 1}: {2, 0, 1}} {
		if c := run(unit, as); !close(c.E(), was.E()) || c.Verdict() != was.Verdict() || c.Shows() != was.Shows() ||
			!slices.Equal(c.Next(), []int{as[2]}) {
			t.Errorf("%v, %v: e = %v, %v, next %v; want e = %v, %v, next %d", unit, as, c.E(), c.Verdict(), c.Next(),
				was.E(), was.Verdict(), as[2])
		}
	}
}
