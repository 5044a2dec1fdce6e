package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/seed"
)

// Statistical tests use fixed seeds. A chi-square test fails if its p-value is below alarm. A moment fails if it
// deviates by 6 standard errors (probability 2e-9). With random seeds, one run in several thousand would fail.
const (
	alarm = 1e-6
	sixSE = 6
)

// logChoose returns log(n choose k) by log-gamma functions, independently of the tested expansion.
func logChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

func TestLogBinomial(t *testing.T) {
	for _, n := range []float64{1, 2, 3, 15, 16, 17, 18, 40, 300} {
		for _, p := range []float64{1e-6, 0.01, 0.3, 0.5, 0.9} {
			for k := 0.; k <= n; k++ {
				want := logChoose(n, k) + k*math.Log(p) + (n-k)*math.Log1p(-p)
				if got := logBinomial(k, n, p); math.Abs(got-want) > 1e-12*(10+math.Abs(want)) {
					t.Fatalf("log P(Bin(%v, %v) = %v) = %v; want %v", n, p, k, got, want)
				}
			}
		}
	}
}

func TestLogPoisson(t *testing.T) {
	for _, lambda := range []float64{1e-3, 1, 10, 15.5, 300} {
		for k := 0.; k <= 400; k++ {
			l, _ := math.Lgamma(k + 1)
			want := k*math.Log(lambda) - lambda - l
			if got := logPoisson(k, lambda); math.Abs(got-want) > 1e-12*(10+math.Abs(want)) {
				t.Fatalf("log P(Poisson(%v) = %v) = %v; want %v", lambda, k, got, want)
			}
		}
	}
}

// Probabilities sum to 1, even where log-gamma has no digits left. For standard deviations of 40 or more, the test
// evaluates only some of the probabilities, by the trapezoidal rule. The rule is very accurate for smooth functions
// that vanish at both ends.
func TestProbabilitiesSumToOne(t *testing.T) {
	sum := func(mean, sd float64, log func(k float64) float64) float64 {
		step := math.Max(1, math.Floor(sd/20))
		var s float64
		for k := math.Max(0, math.Floor(mean-9*sd)); k <= mean+9*sd; k += step {
			s += step * math.Exp(log(k))
		}
		return s
	}
	for _, n := range []float64{1e6, 1e9, 1e12, 1e15} {
		for _, p := range []float64{1e-3, 0.1, 0.5} {
			got := sum(n*p, math.Sqrt(n*p*(1-p)), func(k float64) float64 { return logBinomial(k, n, p) })
			if math.Abs(got-1) > 1e-8 {
				t.Errorf("Bin(%v, %v): probabilities sum to %v", n, p, got)
			}
			got = sum(n*p, math.Sqrt(n*p), func(k float64) float64 { return logPoisson(k, n*p) })
			if math.Abs(got-1) > 1e-8 {
				t.Errorf("Poisson(%v): probabilities sum to %v", n*p, got)
			}
		}
	}
}

// Transformed rejection is exact if no acceptance probability exceeds 1 and the squeeze accepts only what the full
// test would accept. The test checks a grid of u that is dense in the middle and geometric towards the ends.
func TestHats(t *testing.T) {
	check := func(name string, h hat, top float64, log func(k float64) float64) {
		try := func(u float64) {
			k, us := h.at(u)
			if k < 0 {
				if us >= 0.07 {
					t.Errorf("%s: the squeeze covers k = %v", name, k)
				}
				return
			}
			accept := h.accept(us) * math.Exp(log(k))
			if accept > 1+1e-9 {
				t.Errorf("%s: u = %v, k = %v: acceptance probability %v", name, u, k, accept)
			}
			if us >= 0.07 && accept < h.squeeze {
				t.Errorf("%s: u = %v, k = %v: squeeze %v above acceptance probability %v", name, u, k, h.squeeze, accept)
			}
			if us >= 0.07 && k > top {
				t.Errorf("%s: the squeeze covers k = %v", name, k)
			}
		}
		const steps = 1000
		for i := -steps + 1; i < steps; i++ {
			try(0.5 * float64(i) / steps)
		}
		for us := 0.1; us > 1e-9; us *= 0.98 {
			try(0.5 - us)
			try(us - 0.5)
		}
	}
	poisson := func(mean float64) {
		check(fmt.Sprintf("Poisson(%v)", mean), poissonHat(mean), math.Inf(1),
			func(k float64) float64 { return logPoisson(k, mean) })
	}
	binomial := func(n, p float64) {
		mode := logBinomial(math.Floor((n+1)*p), n, p)
		check(fmt.Sprintf("Bin(%v, %v)", n, p), binomialHat(n, p), n, func(k float64) float64 {
			if k > n {
				return math.Inf(-1)
			}
			return logBinomial(k, n, p) - mode
		})
	}
	for mean := 10.; mean < 1e10 && !t.Failed(); mean *= 1.2 {
		poisson(mean)
		for _, r := range []float64{2, 2.1, 3, 5, 10, 100, 1e6} {
			n := math.Ceil(r * mean)
			binomial(n, mean/n)
		}
	}
	// For these parameters, the published constants are closest to their limits. A search found the parameters
	// (10 <= mean < 3000 in steps of 0.07 %, n <= 90).
	for mean := 10.; mean < 16 && !t.Failed(); mean += 0.05 {
		poisson(mean)
	}
	for p := 0.456; p < 0.46 && !t.Failed(); p += 5e-5 {
		binomial(23, p)
	}
}

// Inversion maps u just below P(X > k) to a value above k, and u just above P(X > k) to a value of at most k.
// P(X > k) is an incomplete beta or gamma function.
func TestInversion(t *testing.T) {
	check := func(name string, k, survival float64, invert func(u float64) float64) {
		if survival < 1e-6*1e-6 && k > 0 { // absolute errors of 1e-16 matter here
			return
		}
		if got := invert(survival * (1 - 1e-3)); got <= k {
			t.Errorf("%s: u below P(X > %v) = %v gives %v", name, k, survival, got)
		}
		if got := invert(survival * (1 + 1e-3)); got > k {
			t.Errorf("%s: u above P(X > %v) = %v gives %v", name, k, survival, got)
		}
	}
	for _, mean := range []float64{1e-15, 1e-12, 1e-9, 1e-3, 0.3, 1, 1.5, 4, 9.99} {
		for k := 0.; k < 40; k++ {
			check(fmt.Sprintf("Poisson(%v)", mean), k, mathext.GammaIncReg(k+1, mean),
				func(u float64) float64 { return invertPoisson(mean, u) })
			for _, n := range []float64{1, 2, 19, 25, 100, 1e4, 1e9} {
				p := mean / n
				if p > 0.5 || k >= n {
					continue
				}
				check(fmt.Sprintf("Bin(%v, %v)", n, p), k, mathext.RegIncBeta(k+1, n-k, p),
					func(u float64) float64 { r := newRare(p); return r.invert(n, u) })
			}
		}
	}
	for _, n := range []float64{1, 20, 1e9} {
		few := newRare(5 / math.Max(n, 10))
		if got := few.invert(n, 0); got < 0 || got > math.Min(n, 1000) {
			t.Errorf("u = 0, n = %v: %v", n, got)
		}
		if got := few.invert(n, 1); got != 0 {
			t.Errorf("u = 1, n = %v: %v; want 0", n, got)
		}
	}
}

// chiSquare tests draws against the probabilities P(X = k) for k = lo, ..., hi, in classes with at least 10 expected
// draws. The argument log returns the logarithm of P(X = k). Two further classes contain the values below lo and above
// hi.
func chiSquare(t *testing.T, name string, lo, hi float64, log func(k float64) float64, draw func() float64, draws int) {
	t.Helper()
	// class maps k - lo to a class, and probs lists the class probabilities. Class 0 includes all values below lo.
	var class []int
	probs := []float64{0}
	for k := lo; k <= hi; k++ {
		if probs[len(probs)-1]*float64(draws) >= 10 {
			probs = append(probs, 0)
		}
		probs[len(probs)-1] += math.Exp(log(k))
		class = append(class, len(probs)-1)
	}
	last := len(probs) - 1
	if last > 0 && probs[last]*float64(draws) < 10 { // merge a small last class
		probs[last-1] += probs[last]
		probs = probs[:last]
		last--
	}
	var total float64
	for _, p := range probs {
		total += p
	}
	if math.Abs(total-1) > 1e-7 {
		t.Fatalf("%s: the test's range [%v, %v] has probability %v", name, lo, hi, total)
	}
	counts := make([]float64, len(probs))
	for range draws {
		x := draw()
		switch {
		case x < lo:
			counts[0]++
		case x > hi:
			counts[last]++
		case x != math.Floor(x):
			t.Fatalf("%s: %v is not a count", name, x)
		default:
			counts[min(class[int(x-lo)], last)]++
		}
	}
	var stat float64
	for i, p := range probs {
		e := p * float64(draws)
		stat += (counts[i] - e) * (counts[i] - e) / e
	}
	if last == 0 {
		return
	}
	if p := (distuv.ChiSquared{K: float64(last)}).Survival(stat); p < alarm {
		t.Errorf("%s: chi-square %.1f with %d degrees of freedom, p = %.2g", name, stat, last, p)
	}
}

func TestBinomialChiSquare(t *testing.T) {
	for _, n := range []float64{1, 2, 5, 20, 24, 25, 26, 100, 1000} {
		for _, p := range []float64{1e-6, 1e-3, 0.05, 0.3, 0.5, 0.7, 0.95, 1 - 1e-3, 1 - 1e-6} {
			name := fmt.Sprintf("Bin(%v, %v)", n, p)
			rnd := rand.New(seed.New(1).Child(name).PCG())
			chiSquare(t, name, 0, n, func(k float64) float64 {
				return logChoose(n, k) + k*math.Log(p) + (n-k)*math.Log1p(-p)
			}, func() float64 { return binomial(n, p, rnd) }, 40_000)
		}
	}
}

func TestPoissonChiSquare(t *testing.T) {
	for _, lambda := range []float64{1e-3, 0.5, 3, 9.99, 10, 10.5, 15, 100, 1e4, 1e8} {
		name := fmt.Sprintf("Poisson(%v)", lambda)
		rnd := rand.New(seed.New(1).Child(name).PCG())
		lo := math.Max(0, math.Floor(lambda-6*math.Sqrt(lambda)))
		chiSquare(t, name, lo, math.Ceil(lambda+6*math.Sqrt(lambda)+12),
			func(k float64) float64 {
				return logPoisson(k, lambda)
			}, func() float64 { return poisson(lambda, rnd) }, 40_000)
	}
}

// For large n, the frequencies of draws agree with the probabilities of classes of consecutive counts.
func TestLargeBinomialChiSquare(t *testing.T) {
	for _, c := range []struct{ n, p float64 }{{1e9, 1e-8}, {1e9, 1e-6}, {1e9, 1e-3}, {1e9, 0.1}, {1e6, 0.5}, {1e9, 1 - 1e-8}} {
		name := fmt.Sprintf("Bin(%v, %v)", c.n, c.p)
		rnd := rand.New(seed.New(1).Child(name).PCG())
		mean, sd := c.n*c.p, math.Sqrt(c.n*c.p*(1-c.p))
		chiSquare(t, name, math.Max(0, math.Floor(mean-6*sd)-12), math.Min(c.n, math.Ceil(mean+6*sd+12)),
			func(k float64) float64 {
				return logBinomial(k, c.n, c.p)
			}, func() float64 { return binomial(c.n, c.p, rnd) }, 40_000)
	}
}

func TestCountsAtTheEdge(t *testing.T) {
	rnd := rand.New(seed.New(1).PCG())
	for range 1000 {
		for _, n := range []float64{0, 1, 2, 24, 100, 1e9, math.MaxInt64} {
			if got := binomial(n, 0, rnd); got != 0 {
				t.Fatalf("Bin(%v, 0) gave %v", n, got)
			}
			if got := binomial(n, 1, rnd); got != n {
				t.Fatalf("Bin(%v, 1) gave %v", n, got)
			}
			for _, p := range []float64{5e-324, 1e-12, 0.5, 1 - 1e-12, math.Nextafter(1, 0)} {
				if got := binomial(n, p, rnd); !(got >= 0 && got <= n) {
					t.Fatalf("Bin(%v, %v) gave %v", n, p, got)
				}
			}
		}
		if got := poisson(0, rnd); got != 0 {
			t.Fatalf("Poisson(0) gave %v", got)
		}
		if got := poisson(0x1p53*math.MaxInt64, rnd); !(got > 0 && !math.IsInf(got, 0)) {
			t.Fatalf("the largest Poisson mean gave %v", got)
		}
	}
	// If all 64 bits are set or all are clear, the uniform variate is the largest or the smallest possible value.
	for _, c := range []struct {
		bits   uint64
		p      float64
		expect float64
	}{{0, 0, 0}, {0, 1e-18, 1}, {math.MaxUint64, 1, 1}, {math.MaxUint64, 1 - 1e-15, 0}} {
		if got := bernoulli(threshold(c.p), rand.New(constant(c.bits))); got != c.expect {
			t.Errorf("bits %x, p = %v: %v; want %v", c.bits, c.p, got, c.expect)
		}
	}
}

// An event of probability 1e-12 happens for uniform variates below 1e-12. Drawing such an event
// needs more than 32 random bits.
func TestRareEvents(t *testing.T) {
	for _, c := range []struct {
		bits uint64 // times 2^-64
		want float64
	}{{1 << 33, 0}, {1 << 30, 0}, {1 << 25, 0}, {1 << 24, 1}, {1, 1}} { // 2^-40 is 0.9e-12
		src := rand.New(constant(c.bits))
		if got := poisson(1e-12, src); got != c.want {
			t.Errorf("Poisson(1e-12), u = %v: %v; want %v", float64(c.bits)*0x1p-64, got, c.want)
		}
		if got := binomial(1000, 1e-15, src); got != c.want {
			t.Errorf("Bin(1000, 1e-15), u = %v: %v; want %v", float64(c.bits)*0x1p-64, got, c.want)
		}
		if got := binomial(1, 1e-12, src); got != c.want {
			t.Errorf("Bin(1, 1e-12), u = %v: %v; want %v", float64(c.bits)*0x1p-64, got, c.want)
		}
	}
}

// constant is a source that always returns the same value.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }
