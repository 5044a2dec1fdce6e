package monitor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/monitor"
)

// referenced returns a monitor after 24 plates. Each plate has four results of an arm of its own and two reference
// wells. The plate effects have the standard deviation size × sigma.
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

// If each arm is on a plate of its own, the mean of the arm absorbs any plate effect, and only a reference shows the
// effect. Results of the reference do not count as results of arms.
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
			t.Errorf("%s: the monitor finds %+v", name, r.Findings)
		}
		alarms := 0
		for seed := range uint64(50) {
			if referenced(t, x, true, 0, seed).Report().Level() != monitor.Silent {
				alarms++
			}
		}
		if alarms > 5 { // the expected number of alarms is at most 50/20 = 2.5
			t.Errorf("%s, all true: %d of 50 warn", name, alarms)
		}
	}
}

// Each plate contains a control that is not a candidate.
func ExampleMonitor_ObserveReference() {
	m, err := monitor.New(monitor.Assumptions{Arms: 3, Reference: true, Objectives: []monitor.Objective{{Sigma: 1}}})
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
	// withdrawn - The results of yield of the reference depend on the plate: results of plate 2 deviate by about 6
}

// The size in a finding is about the size of the violation, in the unit of the results. The test creates
// violations with a known number of standard deviations.
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
		want   func(f monitor.Finding) float64 // expected size in standard deviations
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

// three lists the values and probabilities of noise that is sub-Gaussian with scale 1.
var three = []struct{ y, chance float64 }{{-math.Sqrt(3), 1. / 6}, {0, 2. / 3}, {math.Sqrt(3), 1. / 6}}

// Two arms have n = 3 results each and differ by 4 standard deviations, so the weight n^2/(1+n) of each arm is 9/4.
// The evidence against a difference of at most 0 is log E = 9/8 × 16/2 - log(4) = 7.6137.
func TestConfirmationByHand(t *testing.T) {
	c := monitor.NewConfirmation([]monitor.Claim{{Ahead: 2, Behind: 5, Margin: 2}}, 3, []float64{2}, .05)
	if got := fmt.Sprint(c.Next(), c.Verdict()); got != "[2 2 2 5 5 5] open" {
		t.Error(got)
	}
	for _, y := range []float64{9, 10, 11} {
		if y == 10 { // each arm has one result
			if got := fmt.Sprint(c.Next()); got != "[2 2 5 5]" {
				t.Errorf("after one result each: %s are missing", got)
			}
		}
		c.Observe(2, []float64{y})
		c.Observe(5, []float64{y + 10}) // 8, or 4 sd, beyond the margin
		c.Observe(7, []float64{1e9})    // no claim is about this arm
	}
	if got := math.Log(c.E()); math.Abs(got-(9-math.Log(4))) > 1e-9 {
		t.Errorf("log E = %v", got)
	}
	if c.Verdict() != monitor.Contradicted || c.Next() != nil {
		t.Errorf("%v, next %v", c.Verdict(), c.Next())
	}
	for range 100 { // a contradicted claim stays contradicted
		c.Observe(2, []float64{50})
	}
	if c.Verdict() != monitor.Contradicted {
		t.Error(c.Verdict())
	}
}

// If the means make a claim just true, the probability that E reaches 2 is at most 1/2, for any choice of the next
// arm. The test sums over all possible values of the noise.
func TestConfirmationExpectation(t *testing.T) {
	const steps = 8
	for name, next := range map[string]func(t int, mean [2]float64) int{
		"in turn": func(t int, _ [2]float64) int { return t % 2 },
		"larger": func(t int, mean [2]float64) int {
			if t < 2 {
				return t
			}
			if mean[1] > mean[0] {
				return 0
			}
			return 1
		},
	} {
		sum := 0.
		values := make([]int, steps)
		for i := range values {
			values[i] = len(three)
		}
		for walk := combin.NewCartesianGenerator(values); walk.Next(); {
			c := monitor.NewConfirmation([]monitor.Claim{{Ahead: 0, Behind: 1}}, steps, []float64{1}, .05)
			chance := 1.
			var mean, n [2]float64
			for i, p := range walk.Product(nil) {
				chance *= three[p].chance
				if c.E() >= 2 {
					continue // E has reached 2, so no more results are observed
				}
				arm := next(i, mean)
				c.Observe(arm, []float64{three[p].y})
				n[arm]++
				mean[arm] += (three[p].y - mean[arm]) / n[arm]
			}
			if e := c.E(); e >= 2 {
				sum += chance * 2 // Markov's inequality for the largest E
			}
		}
		if sum > 1 || sum == 0 {
			t.Errorf("%s: 2 P(E reaches 2) = %v", name, sum)
		}
	}
}

// Results contradict a claim if their means violate it by slightly more than Shows, but not if the violation is
// slightly smaller. For three claims and three results of each arm, Shows is 3.55, as in docs/monitors.md.
func TestShows(t *testing.T) {
	claims := []monitor.Claim{{Ahead: 0, Behind: 1}, {Ahead: 0, Behind: 2}, {Ahead: 0, Behind: 3}}
	for _, n := range []int{3, 10, 30} {
		for _, times := range []float64{.99, 1.01} {
			c := monitor.NewConfirmation(claims, n, []float64{2}, .05)
			short := times * c.Shows() * 2
			for range n {
				for arm, x := range []float64{0, short, -1000, -1000} {
					c.Observe(arm, []float64{x})
				}
			}
			if got := c.Verdict() == monitor.Contradicted; got != (times > 1) {
				t.Errorf("%d results, %v times the shortfall that shows: %v", n, times, c.Verdict())
			}
		}
	}
	if x := monitor.NewConfirmation(claims, 3, []float64{1}, .05).Shows(); !(math.Abs(x-3.55) < .01) {
		t.Errorf("%v standard deviations; docs/monitors.md says 3.55", x)
	}
}

// Reference results that arrive before the scale of the noise is known from a pilot are not used in the e-processes.
func TestReferenceBeforeStart(t *testing.T) {
	var reports [2]monitor.Report
	for i := range reports {
		m, err := monitor.New(monitor.Assumptions{Arms: 2, Reference: true, Objectives: []monitor.Objective{{Later: true}}})
		if err != nil {
			t.Fatal(err)
		}
		if m.Look(); i == 1 {
			m.ObserveReference(1, []float64{5})
		}
		m.Start(0, 1)
		for k := range 24 { // so few that the processes are evaluated after each result
			m.Observe(k%2, 1, []float64{float64(k % 4 / 2)})
			m.ObserveReference(1+k/8, []float64{float64(4 * (k / 8 % 2))})
		}
		m.Look()
		reports[i] = m.Report()
	}
	if reports[0].LogE != reports[1].LogE || math.IsNaN(reports[1].LogE) {
		t.Errorf("log E %v; with a reference well before the noise is known %v", reports[0].LogE, reports[1].LogE)
	}
}
