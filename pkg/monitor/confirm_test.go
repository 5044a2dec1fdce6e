package monitor_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/purexp/purexp/pkg/monitor"
)

// three are the points and chances of noise that is sub-Gaussian of scale 1.
var three = []struct{ y, chance float64 }{{-math.Sqrt(3), 1. / 6}, {0, 2. / 3},
	{math.Sqrt(3), 1. / 6}}

// By hand: three results each, 4 sd apart, have w = 9/4 twice and
// log E = 9/8*16/2 - log(4) = 7.6137 against "at most 0 apart".
func TestConfirmationByHand(t *testing.T) {
	c := monitor.NewConfirmation([]monitor.Claim{{Ahead: 2, Behind: 5, Margin: 2}}, 3, []float64{2}, .05)
	if got := fmt.Sprint(c.Next(), c.Verdict()); got != "[2 2 2 5 5 5] open" {
		t.Error(got)
	}
	for _, y := range []float64{9, 10, 11} {
		if y == 10 { // one of each is there
			if got := fmt.Sprint(c.Next()); got != "[2 2 5 5]" {
				t.Errorf("after one result each: %s are missing", got)
			}
		}
		c.Observe(2, []float64{y})
		c.Observe(5, []float64{y + 10}) // 8 beyond the margin, 4 sd
		c.Observe(7, []float64{1e9})    // of no claim
	}
	if got := math.Log(c.E()); math.Abs(got-(9-math.Log(4))) > 1e-9 {
		t.Errorf("log E = %v", got)
	}
	if c.Verdict() != monitor.Contradicted || c.Next() != nil {
		t.Errorf("%v, next %v", c.Verdict(), c.Next())
	}
	for range 100 { // what was contradicted stays so
		c.Observe(2, []float64{50})
	}
	if c.Verdict() != monitor.Contradicted {
		t.Error(c.Verdict())
	}
}

// Claims that look right survive; with a clear lead they are established.
func TestConfirmationHolds(t *testing.T) {
	for lead, want := range map[float64]monitor.Verdict{-1: monitor.Survived, 0: monitor.Survived,
		1: monitor.Survived, 3: monitor.Established, 6: monitor.Established} {
		c := monitor.NewConfirmation([]monitor.Claim{{Ahead: 0, Behind: 1}, {Ahead: 0, Behind: 2}}, 3,
			[]float64{1}, .05)
		for i, arm := range c.Next() {
			if v := c.Verdict(); lead <= 1 && v != monitor.Open {
				t.Errorf("lead %v: %v after %d", lead, v, i)
			}
			y := float64(i%3 - 1)
			if arm == 0 {
				y += lead
			}
			c.Observe(arm, []float64{y})
		}
		if v := c.Verdict(); v != want {
			t.Errorf("lead %v: %v; want %v", lead, v, want)
		}
	}
}

// A claim is about its objective, in the unit of that, and all claims have to be shown: what was established stays so, and needs no
// further results.
func TestConfirmationOfObjectives(t *testing.T) {
	claims := []monitor.Claim{{Ahead: 0, Behind: 1, Objective: 1, Margin: 50}, {Ahead: 2, Behind: 1, Objective: 0}}
	c := monitor.NewConfirmation(claims, 9, []float64{1, 100}, .05)
	observe := func(first, second float64) {
		for arm, x := range [][]float64{{0, second}, {0, 0}, {first, 0}} {
			c.Observe(arm, x)
		}
	}
	for range 3 {
		observe(0, 600) // six sd in the second objective, nothing in the first
	}
	if c.Verdict() != monitor.Open || len(c.Next()) != 18 {
		t.Errorf("one of two claims is shown: %v, %v are missing", c.Verdict(), c.Next())
	}
	for range 3 {
		observe(9, 600)
	}
	if c.Verdict() != monitor.Established || c.Next() != nil {
		t.Errorf("both are shown: %v, %v are missing", c.Verdict(), c.Next())
	}
	for range 2 {
		observe(-9, -500)
	}
	if c.Verdict() != monitor.Established || c.E() >= monitor.Withdraw {
		t.Errorf("later: %v, e = %v", c.Verdict(), c.E())
	}
}

// A claim that is just true is contradicted, and one that is just false established, with an
// expectation of E of at most 1, exactly, whatever is measured next.
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
					continue // stopped
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

// What docs/monitors.md says that confirming costs: the shortfall that contradicts one claim of
// three as soon as means are where they should be, in sd, and the results of each arm until a lead
// is established.
func TestCostOfConfirmation(t *testing.T) {
	three := []monitor.Claim{{Ahead: 0, Behind: 1}, {Ahead: 0, Behind: 2}, {Ahead: 0, Behind: 3}}
	for n, want := range map[int]float64{3: 3.55, 10: 1.89, 30: 1.12} {
		seen := func(shortfall float64) bool {
			c := monitor.NewConfirmation(three, n, []float64{1}, .05)
			for _, arm := range c.Next() {
				y := 0.
				if arm == 1 {
					y = shortfall
				}
				c.Observe(arm, []float64{y})
			}
			return c.Verdict() == monitor.Contradicted
		}
		if !seen(want+.02) || seen(want-.02) {
			t.Errorf("%d results: %v is not what is just seen", n, want)
		}
	}
	for lead, want := range map[float64]int{2: 6, 1: 27, .5: 127} {
		c, n := monitor.NewConfirmation(three[:1], 1000, []float64{1}, .05), 0
		for ; c.Verdict() == monitor.Open; n++ {
			c.Observe(0, []float64{lead})
			c.Observe(1, []float64{0})
		}
		if n != want {
			t.Errorf("a lead of %v is established after %d results each; want %d", lead, n, want)
		}
	}
}

// Results whose means fall short by a little more than what Shows says contradict a claim, and by a little less do not:
// 3.55 standard deviations for three claims and three results each, as docs/monitors.md has it.
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
