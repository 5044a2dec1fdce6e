package tidy

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A ratio is a contrast of two samples; a slope is a contrast of several samples.
func TestLogContrast(t *testing.T) {
	x := [][]float64{{9, 10, 11}, {19, 20, 21}, {39, 40, 41}}
	if s := LogContrast([]float64{0, 1, -1}, x, true, .95); !near(s.Center, math.Log(.5), 1e-12) ||
		!(s.Lo < s.Center && s.Center < s.Hi) || s.N != 3 {
		t.Errorf("%+v; want log(1/2)", s)
	}
	skew := [][]float64{{10, 10, 70}, {10, 10, 10}}
	if s := LogContrast([]float64{1, -1}, skew, false, .95); !near(s.Center, math.Log(3), 1e-12) {
		t.Errorf("means: %+v; want log 3", s)
	}
	for _, bad := range [][][]float64{{{1, 2}, {}}, {{1, 2}, {0, 0}}, {{1, 2}, {math.NaN(), math.NaN()}}, {{1}, {1}}} {
		if s := LogContrast([]float64{1, -1}, bad, true, .95); !math.IsInf(s.Lo, -1) ||
			!math.IsInf(s.Hi, 1) || len(s.Warnings) == 0 {
			t.Errorf("%v: %+v; want no interval and a warning", bad, s)
		}
	}
}

// Intervals of contrasts, of medians of log-normal samples and of rates, contain the true value about as often as
// their confidence states.
func TestContrastsCover(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const runs = 400
	logs, rates := 0, 0
	c, p := []float64{1, -.5, -1}, []float64{.4, .1, .3}
	for range runs {
		var x [][]float64
		var k, n []int
		for i := range c {
			var y []float64
			hits := 0
			for range 40 {
				y = append(y, float64(i+1)*math.Exp(.5*rnd.NormFloat64()))
				if rnd.Float64() < p[i] {
					hits++
				}
			}
			x, k, n = append(x, y), append(k, hits), append(n, 40)
		}
		if s := LogContrast(c, x, true, .9); s.Lo <= -.5*math.Ln2-math.Log(3) && -.5*math.Ln2-math.Log(3) <= s.Hi {
			logs++
		}
		if s := RateContrast(c, k, n, .9); s.Lo <= .05 && .05 <= s.Hi {
			rates++
		}
	}
	if !within(logs, runs, .9) && logs < runs*9/10 || rates < runs*85/100 {
		t.Errorf("of %d intervals at 90 %%, %d of medians and %d of rates cover", runs, logs, rates)
	}
}

// The difference of 56/70 and 48/80 is 0.2. The intervals by Clopper and Pearson, [0.6873, 0.8861] and [0.4844,
// 0.7080], give the ends 0.2 - sqrt(0.1127^2 + 0.1080^2) = 0.0439 and 0.2 + sqrt(0.0861^2 + 0.1156^2) = 0.3441. With
// Wilson's intervals, Newcombe (1998) obtains [0.0524, 0.3339].
func TestRateContrastByHand(t *testing.T) {
	s := RateContrast([]float64{1, -1}, []int{56, 48}, []int{70, 80}, .95)
	if !near(s.Center, .2, 1e-12) || !near(s.Lo, .0439, 2e-4) || !near(s.Hi, .3441, 2e-4) || s.N != 70 {
		t.Errorf("%+v; want .2 [.0439, .3441]", s)
	}
	if o := RateContrast([]float64{-1, 1}, []int{56, 48}, []int{70, 80}, .95); !near(o.Lo, -s.Hi,
		1e-12) || !near(o.Hi, -s.Lo, 1e-12) {
		t.Errorf("the other way round: %+v", o)
	}
	if s := RateContrast([]float64{1}, []int{0}, []int{0}, .95); !math.IsInf(s.Hi, 1) {
		t.Errorf("no trials: %+v", s)
	}
}
