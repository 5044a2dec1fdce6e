package tidy

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// If no value is below the estimate, half a value counts as below (and similarly if every value is below). The
// interval is finite and within the values.
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

// Warnings count omitted values, omitted pairs, and resamples without a ratio, even if there is only one.
func TestLeftOutIsCounted(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	said := func(what string, s Summary, want string) {
		t.Helper()
		if got := fmt.Sprint(s.Warnings); !strings.Contains(got, want) {
			t.Errorf("%s: %s; want %q", what, got, want)
		}
	}
	said("a pair", RatioOfMeans([]float64{1, 2, nan}, []float64{3, 4, 5}, true, .9), "tidy: 1 of 3 pairs have a value that is NaN and are left out")
	said("a value", Mean([]float64{1, 2, nan}, .9), "tidy: 1 of 3 values are NaN and are left out")
	once := false
	for at := range 20 { // a resample with the low value six times has no positive mean
		x, ones, bad := make([]float64, 20), make([]float64, 20), 0
		for i := range x {
			x[i], ones[i] = 1, 1
		}
		x[at] = -2.4
		for rnd, k := bootSource(), 0; k < Resamples; k++ {
			low := 0
			for range x {
				if rnd.IntN(20) == at {
					low++
				}
			}
			if low >= 6 {
				bad++
			}
		}
		once = once || bad == 1
		s := RatioOfMeans(x, ones, true, .9)
		if bad > 0 {
			said("resamples", s, fmt.Sprintf("tidy: %d of 2000 resamples have no positive ratio and are left out", bad))
		} else if len(s.Warnings) > 0 {
			t.Errorf("all resamples have a ratio: %v", s.Warnings)
		}
	}
	if !once {
		t.Error("no sample has exactly one skipped resample")
	}
	// Infinite values have no interval and no ratio.
	for what, s := range map[string]Summary{"mean": Mean([]float64{inf, -inf}, .9), "above": RatioOfMeans([]float64{inf, 1}, []float64{1, 2}, false, .9),
		"below": RatioOfMedians([]float64{1, 2}, []float64{inf, 1, inf}, false, .9)} {
		if !math.IsNaN(s.Center) || !math.IsInf(s.Lo, -1) || !math.IsInf(s.Hi, 1) || len(s.Warnings) == 0 {
			t.Errorf("%s: %+v; want no interval and a warning", what, s)
		}
	}
}

// Half of the values equal to the estimate count as below it. Values symmetric around the estimate have no bias.
func TestBCaTies(t *testing.T) {
	boot := make([]float64, 1001)
	for i := range boot {
		if boot[i] = float64(i - 500); math.Abs(boot[i]) < 250 {
			boot[i] = 0
		}
	}
	if lo, hi := bca(boot, 0, 0, .95); math.Abs(lo+475) > 2 || math.Abs(hi-475) > 2 {
		t.Errorf("%v to %v; want -475 to 475", lo, hi)
	}
}
