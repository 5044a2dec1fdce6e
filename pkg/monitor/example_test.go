package monitor_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/monitor"
)

// A laboratory declares a standard deviation of 1; the true standard deviation is 2.
func ExampleMonitor() {
	m, err := monitor.New(monitor.Assumptions{Arms: 4, Objectives: []monitor.Objective{{Sigma: 1}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for n := range 60 {
		m.Observe(n%4, 1+n/20, []float64{float64(n%4) + 2*rnd.NormFloat64()})
	}
	fmt.Println(m.Report().Level())
	// Output:
	// withdrawn
}

// Somebody types 7.8 instead of 78.
func ExampleMonitor_Expect() {
	m, err := monitor.New(monitor.Assumptions{Arms: 2, Objectives: []monitor.Objective{{Sigma: 2}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, yield := range []float64{79, 77, 78} {
		m.Observe(0, 1, []float64{yield})
	}
	d := &explore.Declaration{Problem: &explore.Problem{Arms: 2,
		ArmNames: []string{"PPh3", "XPhos"}, ObjectiveNames: []string{"yield"}}}
	fmt.Println(m.Expect(0)[0].Sentence(d, 0, 0, 7.8))
	fmt.Println(m.Sentence(d))
	// Output:
	// yield of PPh3: expected 78 +- 9.2, based on 3 results; 7.8 is unexpected. Is it a typing error?
	// No contradiction found in 3 results.
}

// A certificate for a linear model states that arm 3 is the best. Arm 3 and its closest rival, arm
// 1, are measured three times each.
func ExampleConfirmation() {
	c := monitor.NewConfirmation([]monitor.Claim{{Ahead: 3, Behind: 1}}, 3, []float64{1}, .05)
	fmt.Println("measure", c.Next())
	for _, y := range []float64{5.2, 4.1, 4.9} {
		c.Observe(3, []float64{y})
		c.Observe(1, []float64{y + .5})
	}
	fmt.Println(c.Verdict())
	// Output:
	// measure [3 3 3 1 1 1]
	// survived
}
