package tidy

import (
	"math"
	"testing"
)

// Where no value, or each one, is below the estimate, half of one counts: the interval is finite, and lies among the values.
func TestBCaOneSided(t *testing.T) {
	for _, center := range []float64{0, 9} {
		boot := []float64{1, 2, 3, 4, 5, 6, 7, 8}
		lo, hi := bca(boot, center, .01, .95)
		if math.IsNaN(lo) || math.IsNaN(hi) || lo > hi || lo < 1 || hi > 8 {
			t.Errorf("estimate %v: %v to %v; want an interval among the values", center, lo, hi)
		}
		if middle := (lo + hi) / 2; (middle < 4.5) != (center < 4.5) {
			t.Errorf("estimate %v: %v to %v is on the other side", center, lo, hi)
		}
	}
}
