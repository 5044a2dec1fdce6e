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
