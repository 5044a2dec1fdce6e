package monitor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/monitor"
)

// What is found in results with slips, too much noise, one noisy arm, plate effects, drift, curves,
// counts that scatter and a reference, and what is
// expected next: as ever.
func TestFindingsStay(t *testing.T) {
	line := mat.NewDense(5, 2, []float64{1, 0, 1, .25, 1, .5, 1, .75, 1, 1})
	watched := map[string]monitor.Assumptions{
		"means":       {Arms: 5, Objectives: []monitor.Objective{{Sigma: 1}, {Sigma: .2, Low: -3, High: 9}}},
		"a line":      {X: line, Objectives: []monitor.Objective{{Sigma: 1}, {}}},
		"counts":      {Arms: 5, Objectives: []monitor.Objective{{Sigma: .5, Low: 0, High: 20, Trials: 20}}},
		"a reference": {Arms: 5, Reference: true, Objectives: []monitor.Objective{{Sigma: 1}}},
		"one arm":     {Arms: 1, Objectives: []monitor.Objective{{Sigma: 1}}},
	}
	var lines []string
	for name, a := range watched {
		for _, fault := range []string{"none", "noise", "a noisy arm", "a slip", "plates", "drift",
			"a curve", "an edge"} {
			m, err := monitor.New(a)
			if err != nil {
				t.Fatal(err)
			}
			say := func(what string, x ...any) {
				lines = append(lines, fmt.Sprintf("%s, %s, %s: ", name, fault, what)+fmt.Sprint(x...))
			}
			look := func(when int) {
				r := m.Report()
				say(fmt.Sprint("after ", when), r.Results, " ", r.Processes, " ", golden.Numbers(r.LogE), " ",
					r.Level())
				for i, f := range r.Findings {
					say(fmt.Sprintf("after %d, finding %d", when, i), f.Kind, " ", f.Objective, " ", f.Arm, " ",
						f.Plate, " ", f.Result, " ", f.Reference, " ", golden.Numbers(f.LogE, f.Size))
				}
			}
			rnd := rand.New(rand.NewPCG(28, uint64(len(fault))))
			for n := range 160 {
				arm, plate := n*n%7%a.K(), 1+n/12
				x := make([]float64, len(a.Objectives))
				for c, o := range a.Objectives {
					x[c] = drawn(rnd, &a, o, fault, arm, plate, n)
				}
				switch {
				case a.Reference && n%4 == 0:
					m.ObserveReference(plate, x)
				default:
					m.Observe(arm, plate, x)
				}
				if n == 3 || n == 30 || n == 159 {
					look(n + 1)
				}
			}
			m.Look()
			look(0)
			for arm := range min(a.K(), 2) {
				for c, e := range m.Expect(arm) {
					say(fmt.Sprintf("expected of arm %d, %d", arm, c), golden.Numbers(e.Mean, e.Radius), " ",
						e.Results, " ", e.Odd(e.Mean+.9*e.Radius), e.Odd(e.Mean+1.1*e.Radius))
				}
			}
		}
	}
	golden.Digests(t, "pinned.txt", lines, golden.Before(",:"))
}

// drawn returns a number of a measurement that has a fault.
func drawn(rnd *rand.Rand, a *monitor.Assumptions, o monitor.Objective, fault string, arm, plate,
	n int) float64 {
	mean, noise := float64(arm)/4, .9*rnd.NormFloat64()
	switch fault {
	case "noise":
		noise *= 1.8
	case "a noisy arm":
		if arm == 2 {
			noise *= 4
		}
	case "a slip":
		if n == 40 {
			noise += 15
		}
	case "plates":
		noise += 1.5 * float64(plate%3-1)
	case "drift":
		mean += float64(n) / 30
	case "a curve":
		mean += 3 * float64(arm*(4-arm)) / 4
	case "an edge":
		if n == 50 {
			mean = 1e3
		}
	}
	p := 1 / (1 + math.Exp(-mean-noise/3+1))
	switch {
	case o.Trials > 0:
		return math.Round(p * float64(o.Trials))
	}
	return max(mean+noise*max(o.Sigma, .1), -2.9)
}
