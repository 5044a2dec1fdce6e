package problem

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestScales: noise so small, or so large, that sums of squares of standardised results are no
// numbers is refused with its field.
func TestScales(t *testing.T) {
	for sd, taken := range map[string]bool{"1e-49": true, "1e49": true, "1e-60": false, "1e60": false} {
		_, err := Parse("p.toml", []byte(fmt.Sprintf(`question = {find = "best", delta = 0.05}
candidates = {names = ["A", "B"]}
[[objective]]
name = "yield"
noise = {sd = %s}
`, sd)), nil)
		if taken != (err == nil) || err != nil && !strings.Contains(err.Error(), "objective[1].noise") {
			t.Errorf("sd %s: %v", sd, err)
		}
	}
}

// Results lie within the values that there are and within what noise allows, whichever is narrower; the center of
// rewards is that of both.
func TestLimitsOfResults(t *testing.T) {
	ten := 10
	for _, x := range []struct {
		o      Objective
		lo, hi float64
	}{
		{Objective{Noise: Noise{Range: []float64{0, 100}}}, 0, 100},
		{Objective{Noise: Noise{Range: []float64{0, 100}}, Values: []float64{-5, 60}}, 0, 60},
		{Objective{Noise: Noise{Range: []float64{0, 100}}, Values: []float64{20, 160}}, 20, 100},
		{Objective{Noise: Noise{Counts: &ten}, Values: []float64{-5, 8}}, 0, 8},
		{Objective{Noise: Noise{Counts: &ten}, Values: []float64{2, 80}}, 2, 10},
		{Objective{Values: []float64{2, 80}}, 2, 80},
		{Objective{}, math.Inf(-1), math.Inf(1)},
	} {
		if lo, hi := x.o.limits(); lo != x.lo || hi != x.hi {
			t.Errorf("%+v: from %v to %v; want %v to %v", x.o, lo, hi, x.lo, x.hi)
		}
	}
}
