package tidy

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol || a == b }

// within reports whether k successes in n trials are compatible with probability p, at a false-alarm rate of 1e-6.
func within(k, n int, p float64) bool {
	b := distuv.Binomial{N: float64(n), P: p}
	return b.CDF(float64(k)) > 5e-7 && 1-b.CDF(float64(k-1)) > 5e-7
}

func ramp(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(n - i) // the i-th smallest value is i
	}
	return x
}

// The ranks and coverages are in tables for the sign test: Conover, Practical Nonparametric Statistics, 3rd ed.,
// table A3 (binomial sums with p = 1/2).
func TestMedianRanks(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		n              int
		center, lo, hi float64
		achieved       float64
	}{
		{1, 1, -inf, inf, 1},
		{5, 3, -inf, inf, 1},
		{6, 3.5, 1, 6, 1 - 2./64},
		{10, 5.5, 2, 9, 0.978515625},  // 1 - 2 × (1 + 10)/1024
		{20, 10.5, 6, 15, 0.95861053}, // 1 - 2 × 21700/1048576
		{100, 50.5, 40, 61, 0.9647998},
	} {
		s := Median(ramp(test.n), 0.95)
		if s.Center != test.center || s.Lo != test.lo || s.Hi != test.hi ||
			!near(s.Confidence, test.achieved, 1e-7) || s.N != test.n {
			t.Errorf("n = %d: %+v; want %+v", test.n, s, test)
		}
		const few = "tidy: an interval at level 0.95 needs at least 6 samples"
		if warned := len(s.Warnings) == 1 && s.Warnings[0].Error() == few; warned != (test.n < 6) {
			t.Errorf("n = %d: warnings %v", test.n, s.Warnings)
		}
	}
}

func TestQuantileOneSided(t *testing.T) {
	// If B is binomial(n, 0.9), P(B >= n) = 0.9^n is at most 0.025 from n = 36 on (0.9^35 = 0.02503).
	for n, infinite := range map[int]bool{35: true, 36: false} {
		up, down := Quantile(ramp(n), 0.9, 0.95), Quantile(ramp(n), 0.1, 0.95)
		if math.IsInf(up.Hi, 1) != infinite || math.IsInf(up.Lo, 0) {
			t.Errorf("n = %d: %v", n, up)
		}
		if math.IsInf(down.Lo, -1) != infinite || math.IsInf(down.Hi, 0) {
			t.Errorf("n = %d: %v", n, down)
		}
		for _, s := range []Summary{up, down} {
			if warned := len(s.Warnings) > 0; warned != infinite ||
				warned && !strings.Contains(s.Warnings[0].Error(), "needs at least 36 samples") {
				t.Errorf("n = %d: warnings %v", n, s.Warnings)
			}
		}
	}
	// By type 7, the quartile has rank 1 + 9 × 0.25 = 3.25.
	if s := Quantile(ramp(10), 0.25, 0.9); s.Center != 3.25 {
		t.Errorf("first quartile of 1..10 is %v; want 3.25", s.Center)
	}
}

func TestQuantileCoverage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	const trials = 4000
	for _, test := range []struct {
		n int
		q float64
	}{{15, 0.5}, {40, 0.5}, {60, 0.8}} {
		covered, achieved := 0, 0.0
		x := make([]float64, test.n)
		for range trials {
			for i := range x {
				x[i] = rnd.ExpFloat64()
			}
			s := Quantile(x, test.q, 0.9)
			if truth := -math.Log(1 - test.q); s.Lo <= truth && truth <= s.Hi {
				covered++
			}
			achieved = s.Confidence
		}
		if achieved < 0.9 || !within(covered, trials, achieved) {
			t.Errorf("n = %d, q = %v: covered %d of %d; want a rate of %v", test.n, test.q, covered, trials, achieved)
		}
	}
}

func TestMissing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := []float64{nan, 3, 1, 2, nan, inf, 0, 5, 4}
	s := Median(x, 0.95)
	if s.Center != 3 || s.N != 7 || s.Lo != 0 || s.Hi != inf || len(s.Warnings) != 1 ||
		!strings.Contains(s.Warnings[0].Error(), "2 of 9 values are NaN") {
		t.Errorf("%+v", s)
	}
	if !math.IsNaN(x[0]) || x[1] != 3 {
		t.Error("the sample was changed")
	}
	for _, s := range []Summary{Median(nil, 0.95), Mean([]float64{nan}, 0.95), Rate(0, 0, 0.95),
		RatioOfMeans(nil, nil, true, 0.95)} {
		if !math.IsNaN(s.Center) || s.N != 0 || len(s.Warnings) == 0 || s.String() != "n/a" {
			t.Errorf("nothing: %+v", s)
		}
	}
	if s := Rate(0, 0, 0.95); s.Lo != 0 || s.Hi != 1 {
		t.Errorf("the rate of no runs is in [%v, %v]; want [0, 1]", s.Lo, s.Hi)
	}
	if s := Mean([]float64{1, inf}, 0.95); s.Center != inf || len(s.Warnings) == 0 {
		t.Errorf("mean with an infinite value: %+v", s)
	}
}

// The first interval is from the example of R's function binom.test (Conover 1971, p. 97f). For 0 of 500, the upper
// end is 1 - 0.025^(1/500).
func TestRate(t *testing.T) {
	for _, test := range []struct {
		k, n   int
		lo, hi float64
	}{
		{682, 925, 0.7076683, 0.7654066},
		{0, 500, 0, 1 - math.Pow(0.025, 1./500)},
		{500, 500, math.Pow(0.025, 1./500), 1},
		{5, 10, 0.1870860, 0.8129140},
		{0, 1, 0, 0.975},
	} {
		s := Rate(test.k, test.n, 0.95)
		if !near(s.Lo, test.lo, 5e-8) || !near(s.Hi, test.hi, 5e-8) || s.N != test.n {
			t.Errorf("%d in %d: %+v; want [%v, %v]", test.k, test.n, s, test.lo, test.hi)
		}
	}
}

// If the rate equals an end of the interval, a count at least as extreme as the observed count has probability
// (1-confidence)/2. The test sums binomial probabilities.
func TestRateTails(t *testing.T) {
	tail := func(from, to, n int, p float64) float64 {
		sum := 0.0
		ln, _ := math.Lgamma(float64(n + 1))
		for k := from; k <= to; k++ {
			a, _ := math.Lgamma(float64(k + 1))
			b, _ := math.Lgamma(float64(n - k + 1))
			sum += math.Exp(ln - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
		return sum
	}
	for _, n := range []int{1, 2, 7, 50, 500, 5000} {
		for _, k := range []int{0, 1, 2, n / 3, n / 2, n - 1, n} {
			if k > n {
				continue
			}
			for _, c := range []float64{0.8, 0.95, 0.999} {
				s := Rate(k, n, c)
				if k > 0 && !near(tail(k, n, n, s.Lo)/((1-c)/2), 1, 1e-6) {
					t.Errorf("%d in %d at %v: lower tail %v", k, n, c, tail(k, n, n, s.Lo))
				}
				if k < n && !near(tail(0, k, n, s.Hi)/((1-c)/2), 1, 1e-6) {
					t.Errorf("%d in %d at %v: upper tail %v", k, n, c, tail(0, k, n, s.Hi))
				}
				if !(s.Lo <= s.Center && s.Center <= s.Hi) {
					t.Errorf("%d in %d at %v: %v", k, n, c, s)
				}
			}
		}
	}
}

// With bias z0 = 0 and acceleration a, the levels of the BCa interval are Phi(z/(1 - a × z)). For a = 0.1 and z =
// -+1.95996, they are Phi(-1.63877) = 0.050631 and Phi(2.43776) = 0.992611.
func TestBCaLevels(t *testing.T) {
	boot := make([]float64, 100001)
	for i := range boot {
		boot[i] = float64(i) / 100000
	}
	for _, test := range []struct{ center, accel, lo, hi float64 }{
		{0.5, 0, 0.025, 0.975},
		{0.5, 0.1, 0.050631, 0.992611},
		// Bias alone shifts both normal quantiles by 2 × z0. If 60 % of the values are below the estimate, z0 is
		// 0.253347. The levels are Phi(-1.453270) = 0.073074 and Phi(2.466658) = 0.993181.
		{0.6, 0, 0.073074, 0.993181},
	} {
		lo, hi := bca(boot, test.center, test.accel, 0.95)
		if !near(lo, test.lo, 3e-6) || !near(hi, test.hi, 3e-6) {
			t.Errorf("%+v: [%v, %v]", test, lo, hi)
		}
	}
}

// For a large sample, the interval is close to the interval of the normal approximation. The ends are quantiles of
// 2000 resamples. Their standard error is sqrt(0.025 × 0.975/2000)/phi(1.96) = 0.06 standard errors of the mean. The
// limit of 0.3 is five such errors, with a false-alarm rate of 6e-7 per end.
func TestMeanNormal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1000)
	var sum, sum2 float64
	for i := range x {
		x[i] = 5 + rnd.NormFloat64()
		sum += x[i]
		sum2 += x[i] * x[i]
	}
	mean := sum / 1000
	se := math.Sqrt((sum2/1000 - mean*mean) / 1000)
	s := Mean(x, 0.95)
	if !near(s.Center, mean, 1e-12) || !near(s.Lo, mean-1.96*se, 0.3*se) ||
		!near(s.Hi, mean+1.96*se, 0.3*se) || len(s.Warnings) > 0 {
		t.Errorf("%+v; want %v -+ %v", s, mean, 1.96*se)
	}
	if again := Mean(x, 0.95); again.Lo != s.Lo || again.Hi != s.Hi {
		t.Error("the same sample has another interval")
	}
}

// For samples of 40 exponential values, the BCa interval covers the mean about 93 to 94 % of the time, and usually
// extends further above the sample mean than below it. The test fails if it covers less than 92 %, at a false-alarm
// rate of 1e-6.
func TestMeanCoverage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 3))
	const trials = 500
	covered, right := 0, 0
	x := make([]float64, 40)
	for range trials {
		for i := range x {
			x[i] = rnd.ExpFloat64()
		}
		s := Mean(x, 0.95)
		if s.Lo <= 1 && 1 <= s.Hi {
			covered++
		}
		if s.Hi-s.Center > s.Center-s.Lo {
			right++
		}
	}
	if b := (distuv.Binomial{N: trials, P: 0.92}); b.CDF(float64(covered)) < 1e-6 {
		t.Errorf("covered %d of %d; want at least 92 %%", covered, trials)
	}
	if right < trials*9/10 {
		t.Errorf("%d of %d intervals are longer to the right; the law is skewed to the right", right, trials)
	}
}

func TestMeanSmall(t *testing.T) {
	if s := Mean([]float64{7}, 0.95); s.Center != 7 || !math.IsInf(s.Lo, -1) || !math.IsInf(s.Hi, 1) || len(s.Warnings) != 1 {
		t.Errorf("%+v", s)
	}
	if s := Mean([]float64{7, 7, 7}, 0.95); s.Lo != 7 || s.Hi != 7 || len(s.Warnings) != 2 {
		t.Errorf("%+v", s)
	}
}

// The values of a pair share most of their noise. Most intervals from pairs contain the true ratio 2, and are more
// than 20 % narrower than intervals without pairing.
func TestRatio(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 4))
	const trials = 200
	a, b := make([]float64, 60), make([]float64, 60)
	for _, f := range []func(a, b []float64, paired bool, confidence float64) Summary{RatioOfMeans, RatioOfMedians} {
		covered, narrower := 0, 0
		for range trials {
			for i := range a {
				z := 10 + 5*rnd.Float64()
				a[i], b[i] = 2*z+rnd.Float64()-0.5, z+rnd.Float64()-0.5
			}
			p, u := f(a, b, true, 0.95), f(a, b, false, 0.95)
			if p.Lo <= 2 && 2 <= p.Hi {
				covered++
			}
			if p.Hi-p.Lo < (u.Hi-u.Lo)*0.8 {
				narrower++
			}
			if p.Center != u.Center {
				t.Fatal("pairing changed the ratio")
			}
		}
		if b := (distuv.Binomial{N: trials, P: 0.92}); b.CDF(float64(covered)) < 1e-6 {
			t.Errorf("covered %d of %d", covered, trials)
		}
		if narrower < trials*9/10 {
			t.Errorf("pairing narrowed %d of %d intervals", narrower, trials)
		}
	}
	if s := RatioOfMeans([]float64{2, 4, 6}, []float64{1, 3}, false, 0.95); s.Center != 2 || s.N != 2 {
		t.Errorf("different numbers of values: %+v", s)
	}
	if s := RatioOfMeans([]float64{1, -1}, []float64{1, 2}, true, 0.95); !math.IsNaN(s.Center) || len(s.Warnings) != 1 {
		t.Errorf("ratio of 0: %+v", s)
	}
	if s := RatioOfMeans([]float64{2, math.NaN(), 4}, []float64{1, 5, math.NaN()}, true,
		0.95); s.Center != 2 || s.N != 1 || len(s.Warnings) != 2 {
		t.Errorf("pairs with holes: %+v", s)
	}
}

// The test compares medians of resamples with medians that are computed by sorting.
func TestResample(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 5))
	for n := 1; n < 12; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(rnd.IntN(6)) // with ties
		}
		r := newResample(x, true)
		for range 50 {
			r.reset()
			var picked []float64
			for range 1 + rnd.IntN(2*n) {
				k := rnd.IntN(n)
				r.pick(k)
				picked = append(picked, x[k])
			}
			slices.Sort(picked)
			if got, want := r.value(), sortedQuantile(picked, 0.5); got != want {
				t.Fatalf("median of %v is %v; want %v", picked, got, want)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -12: "-12", 999: "999", 1000: "1 000",
		12345: "12 345", -1234567: "-1 234 567",
		0.5: "0.5", 0.12345: "0.123", 12.345: "12.3", 999.4: "999", 999.5: "1 000", 999.6: "1 000", 1234.5: "1 234",
		1.23456e-7: "1.23e-07", 1e15: "1e+15", 5e-324: "4.94e-324",
		math.Inf(1): "∞", math.Inf(-1): "-∞",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) = %q; want %q", x, got, want)
		}
	}
	if Number(math.NaN()) != "n/a" || Int(-1234) != "-1 234" || Int(123456) != "123 456" {
		t.Error(Number(math.NaN()), Int(-1234), Int(123456))
	}
	for _, test := range []struct {
		s              Summary
		plain, percent string
	}{
		{Summary{Center: 12345, Lo: 11934, Hi: 12795, N: 9}, "12 345 [11 900, 12 800]", ""},
		{Summary{Center: 0.29, Lo: 0.28, Hi: 0.3, N: 9}, "0.29 [0.28, 0.3]", "29 % [28, 30]"},
		{Summary{Center: -5, Lo: -5.554, Hi: -4.446, N: 9}, "-5 [-5.56, -4.44]", ""},
		{Summary{Center: 3, Lo: math.Inf(-1), Hi: math.Inf(1), N: 1}, "3 [unbounded]", ""},
		{Summary{Center: 660497213879, Lo: 3.1e9, Hi: 3.0651e12, N: 20}, "6.6e+11 [3.1e+09, 3.07e+12]", ""},
		{Summary{Center: 5e7, Lo: 1e7, Hi: 1e8, N: 9}, "5e+07 [1e+07, 1e+08]", ""},
		{Summary{Center: -5e7, Lo: -1e8, Hi: -1e7, N: 9}, "-5e+07 [-1e+08, -1e+07]", ""},
		{Summary{Center: 6832992, Lo: 4560000, Hi: 99800000, N: 20}, "6 832 992 [4 560 000, 99 800 000]", ""},
		{Rate(0, 500, 0.95), "0 [0, 0.00736]", "< 0.74 %"},
		{Rate(10, 500, 0.95), "0.02 [0.00963, 0.0365]", "2 % [0.96, 3.7]"},
		{Rate(7, 7, 0.95), "1 [0.59, 1]", "100 % [59, 100]"},
	} {
		if got := test.s.String(); got != test.plain {
			t.Errorf("%q; want %q", got, test.plain)
		}
		if got := Percent(test.s); test.percent != "" && got != test.percent {
			t.Errorf("%q; want %q", got, test.percent)
		}
	}
	if Percent(0.25) != "25 %" || Percent("x") != "x" || Percent(3) != "3" {
		t.Error(Percent(0.25), Percent("x"), Percent(3))
	}
}
