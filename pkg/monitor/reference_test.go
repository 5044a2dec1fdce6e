package monitor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/monitor"
)

// referenced returns a monitor that was told plates of four results of one arm each, another arm on
// each plate, and of two wells of a reference; size is that of the effects of plates, in sd.
func referenced(t *testing.T, x *mat.Dense, reference bool, size float64, seed uint64) *monitor.Monitor {
	t.Helper()
	const arms, sigma = 24, 2.
	m, err := monitor.New(monitor.Assumptions{X: x, Arms: arms, Reference: reference,
		Objectives: []monitor.Objective{{Sigma: sigma}}})
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(seed, 2))
	for plate := range arms {
		effect := size * rnd.NormFloat64()
		measure := func(mean float64) []float64 { return []float64{sigma * (mean + effect + rnd.NormFloat64())} }
		for range 4 {
			m.Observe(plate, plate+1, measure(float64(plate)/3))
		}
		for range 2 {
			if y := measure(50); reference {
				m.ObserveReference(plate+1, y)
			}
		}
	}
	m.Look()
	return m
}

// Where each arm is on a plate of its own its mean follows any effect, and only a reference shows it.
// It is named; its results count as none of the arms, whose replicates are looked at as without it.
func TestReference(t *testing.T) {
	if r := referenced(t, nil, false, 2, 1).Report(); r.Level() != monitor.Silent {
		t.Errorf("without a reference: E = %.3g, %+v", r.E(), r.Findings)
	}
	for name, x := range map[string]*mat.Dense{"any means": nil, "linear means": trapezium(24)} {
		r := referenced(t, x, true, 2, 1).Report()
		if r.Level() != monitor.Withdrawal || r.Results != 24*4 {
			t.Errorf("%s: E = %.3g after %d results, %+v", name, r.E(), r.Results, r.Findings)
		}
		if !slices.ContainsFunc(r.Findings, func(f monitor.Finding) bool {
			return f.Kind == monitor.Plates && f.Reference && f.LogE > math.Log(monitor.Withdraw)
		}) {
			t.Errorf("%s: it finds %+v", name, r.Findings)
		}
		alarms := 0
		for seed := range uint64(50) {
			if referenced(t, x, true, 0, seed).Report().Level() != monitor.Silent {
				alarms++
			}
		}
		if alarms > 5 { // 50 times 1/20 is 2.5 at most
			t.Errorf("%s, all true: %d of 50 warn", name, alarms)
		}
	}
}

// A control on each plate, whose mean is that of no candidate.
func ExampleMonitor_ObserveReference() {
	m, err := monitor.New(monitor.Assumptions{Arms: 3, Reference: true,
		Objectives: []monitor.Objective{{Sigma: 1}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for plate, offset := range []float64{0, 9, 0, -9} {
		m.Observe(plate%3, plate+1, []float64{5 + offset})
		m.ObserveReference(plate+1, []float64{1 + offset})
		m.ObserveReference(plate+1, []float64{1 + offset})
	}
	m.Look()
	f := m.Report().Findings[0]
	fmt.Println(m.Report().Level(), "-", m.Say(&f, &explore.Declaration{
		Problem: &explore.Problem{Arms: 3, ObjectiveNames: []string{"yield"}}}))
	// Output:
	// withdrawn - The results of yield of the reference depend on the plate: those of plate 2 are about 6 off
}
