package radius_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// seen returns n rewards with the given mean, without squares.
func seen(n int, mean float64) radius.Seen { return radius.Seen{N: n, Mean: mean, Spread: math.NaN()} }

// With K = 3, d = 2, delta = 0.1 and sigma = 0.5 (R = 1), log(2 K d/delta) and log(K (K-1) d/delta) are
// both log 120.
//
// For no success in n trials, B(1/2, n + 1/2)/pi = Gamma(n + 1/2)/(sqrt(pi) n!), which is 3/8 for n = 2 and 35/128 for
// n = 4. For n = 2, the upper bound q on the rate solves (3/8) (1 - q)^-2 = 120, so q = 1 - sqrt(1/320). For n = 4, q
// is 1 - (35/(128 * 120))^(1/4).
//
// For one success in two trials, B(3/2, 3/2)/pi = 1/8, so q (1 - q) = 1/960 and q = 1/2 + sqrt(1/4 - 1/960).
//
// If two arms have no success in two trials each, the farthest rates are 0 for one arm and q for the other arm, where
// (3/8)^2 (1 - q)^-2 = 120.
func TestBernoulli(t *testing.T) {
	at := func(r radius.Bernoulli) radius.Fitted {
		return r.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: .5, Delta: .1}).(radius.Fitted)
	}
	b := at(radius.Bernoulli{})
	four := 1 - math.Pow(35./(128*120), .25)
	for i, c := range []struct{ got, want float64 }{
		{b.Around(0, seen(2, 0)), 1 - math.Sqrt(1./320)},
		{b.Around(1, seen(2, 1)), 1 - math.Sqrt(1./320)},
		{b.Around(0, seen(4, 0)), four},
		{b.Around(0, seen(2, .5)), math.Sqrt(.25 - 1./960)},
		{b.Around(0, seen(2, -.5)), math.Sqrt(.25 - 1./960)},
		// With two trials per reward, R is sqrt(2), and two rewards have four trials.
		{at(radius.Bernoulli{Trials: 2}).Around(0, seen(2, 0)), math.Sqrt2 * four},
		{at(radius.Bernoulli{Centered: true}).Around(0, seen(4, -.5)), four},
		{at(radius.Bernoulli{Centered: true}).Around(0, seen(4, .5)), four},
		{b.Apart(0, seen(2, 0), seen(2, 0)), 1 - math.Sqrt(9./(64*120))},
		{b.Apart(0, seen(2, 1), seen(2, 1)), 1 - math.Sqrt(9./(64*120))},
		{b.Apart(0, seen(3, 1), seen(3, 0)), b.Apart(0, seen(3, 0), seen(3, 1))},
		{b.Mean(100), math.Sqrt((math.Log(240) + math.Log(100)/2) / 200)},
		{b.Pair(b.Term(100), b.Term(100)), 2 * b.Mean(100)},
		{b.Norm(100), math.Sqrt2 * b.Mean(100)},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-8) {
			t.Errorf("half-width %d: %v; want %v", i, c.got, c.want)
		}
	}
	// Half-widths at rates close to 0 or 1 are close to the half-widths at 0 or 1.
	for _, at := range []float64{0, 1e-300, 1e-17, 1e-9, 1 - 1e-9, 1 - 1e-16, 1} {
		near := math.Round(at)
		for n := 1; n < 1_000_000; n *= 3 {
			if got, want := b.Around(0, seen(n, at)), b.Around(0, seen(n, near)); !(math.Abs(got-want) <= 1e-4) {
				t.Errorf("%d of mean %v: %v; want %v", n, at, got, want)
			}
			for m := 1; m < 1_000_000; m *= 3 {
				got, want := b.Apart(0, seen(n, at), seen(m, .25)), b.Apart(0, seen(n, near), seen(m, .25))
				if !(math.Abs(got-want) <= 1e-4 && got <= 2) {
					t.Errorf("%d of mean %v, %d of .25: %v; want %v", n, at, m, got, want)
				}
			}
		}
	}
	// Half-widths that are computed from counts alone are wide enough for every mean.
	for n := 1; n < 3_000_000; n = 2*n + 1 {
		for p := 0.; p <= 1; p += 1. / 64 {
			if got := b.Around(0, seen(n, p)); !(got > 0 && got <= b.Mean(n)*(1+1e-9)) {
				t.Fatalf("half-width %v of %d rewards of mean %v; want at most %v", got, n, p, b.Mean(n))
			}
		}
	}
	if got := fmt.Sprint(radius.Bernoulli{}, radius.Bernoulli{Trials: 5}); got !=
		"Bernoulli Bernoulli, 5 trials" {
		t.Error(got)
	}
}

// The test compares Apart with a brute-force search over all pairs of rates on a grid.
func TestBernoulliApart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 8))
	for range 40 {
		k, d, delta := 2+rnd.IntN(9), 1+rnd.IntN(3), math.Pow(10, -5*rnd.Float64())/2
		b := radius.Bernoulli{}.Bind(radius.Params{Arms: k, Objectives: d, Sigma: .5, Delta: delta}).(radius.Fitted)
		level := math.Log(float64(k*(k-1)*d) / delta)
		n, m := 1+rnd.IntN(30), 1+rnd.IntN(300)
		s, u := rnd.IntN(n+1), rnd.IntN(m+1)
		p, q := float64(s)/float64(n), float64(u)/float64(m)
		const grid = 1500
		wealth := func(s, n int, rate float64) float64 {
			x, _ := math.Lgamma(float64(s) + .5)
			y, _ := math.Lgamma(float64(n-s) + .5)
			z, _ := math.Lgamma(float64(n) + 1)
			return x + y - z - math.Log(math.Pi) - float64(s)*math.Log(rate) - float64(n-s)*math.Log1p(-rate)
		}
		var one, two [grid]float64
		for i := range grid {
			rate := (float64(i) + .5) / grid
			one[i], two[i] = wealth(s, n, rate), wealth(u, m, rate)
		}
		farthest := 0.
		for i := range grid {
			for j := range grid {
				if one[i]+two[j] < level {
					farthest = math.Max(farthest, math.Abs(float64(j-i)/grid-(q-p)))
				}
			}
		}
		got := b.Apart(0, seen(n, p), seen(m, q))
		if !(got >= farthest-1e-9 && got <= farthest+3./grid) {
			t.Errorf("%d of %d, %d of %d, level %.2f: %.5f; want %.5f", s, n, u, m, level, got, farthest)
		}
		if sum := b.Around(0, seen(n, p)) + b.Around(0, seen(m, q)); got > sum*1.03 {
			t.Errorf("%d of %d, %d of %d: %v apart; %v by two intervals", s, n, u, m, got, sum)
		}
	}
}

// The intervals cover the mean at all counts simultaneously: for rare successes, for a rate of 1/2, and for rewards
// between 0 and 1.
func TestBernoulliCovers(t *testing.T) {
	const runs, most, delta = 400, 500, .2
	rnd := rand.New(rand.NewPCG(5, 7))
	b := radius.Bernoulli{}.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: .5, Delta: delta}).(radius.Fitted)
	for name, draw := range map[string]func() (reward, mean float64){
		"rare": func() (float64, float64) { return float(rnd.Float64() < .01), .01 },
		"even": func() (float64, float64) { return float(rnd.Float64() < .5), .5 },
		"cube": func() (float64, float64) { return math.Pow(rnd.Float64(), 3), .25 },
	} {
		missed := 0
		for range runs {
			sum := 0.
			for n := 1; n <= most; n++ {
				x, p := draw()
				sum += x
				if math.Abs(sum/float64(n)-p) > b.Around(0, seen(n, sum/float64(n))) {
					missed++
					break
				}
			}
		}
		t.Logf("%s: missed in %d of %d runs", name, missed, runs)
		if missed > delta*runs || name != "cube" && missed == 0 {
			t.Errorf("%s: missed in %d of %d runs at delta %v", name, missed, runs, delta)
		}
	}
}

func float(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// If 2 % of the rewards are successes, their variance is far below the largest variance of rewards between 0 and 1.
func ExampleBernoulli() {
	b := radius.Bernoulli{}.Bind(radius.Params{Arms: 10, Objectives: 1, Sigma: 0.5, NormSigma: 0.5, Delta: 0.05})
	const n = 10_000
	fmt.Printf("by counts %.4f, at a rate of 2 %% %.4f\n", b.Mean(n),
		b.(radius.Fitted).Around(0, radius.Seen{N: n, Mean: 0.02}))
	// Output: by counts 0.0238, at a rate of 2 % 0.0072
}

// Up to rounding, rewards may be between 0 and R, or between -R and 0 for a minimised objective. Centred rewards are
// between -R/2 and R/2. Other rewards are rejected. The empirical Bernstein bound accepts all of these ranges.
func TestBernoulliWithin(t *testing.T) {
	at := func(r radius.Bernoulli) radius.Fitted { // R = 1
		return r.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: .5, Delta: .1}).(radius.Fitted)
	}
	plain, centered := at(radius.Bernoulli{}), at(radius.Bernoulli{Centered: true})
	for _, c := range []struct {
		lo, hi          float64
		plain, centered bool
	}{
		{0, 1, true, false}, {.25, .5, true, true}, {-1, 0, true, false}, {-1 - 1e-12, 1e-12, true, false},
		{-.5, .5, false, true}, {0, 1.1, false, false}, {-1.1, 0, false, false}, {-.1, .4, false, true},
		{-.6, -.2, true, false}, {2, 3, false, false}, {-3, -2, false, false},
	} {
		for _, size := range []float64{1e-6, 1e6} { // in other units
			b := radius.Bernoulli{}.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: size / 2, Delta: .1}).(radius.Fitted)
			if got := b.Within(1, c.lo*size, c.hi*size); got != c.plain {
				t.Errorf("%v times [%v, %v] is within: %v", size, c.lo, c.hi, got)
			}
		}
		anywhere := bound(radius.EmpiricalBernstein{}, 2, .1).Within(1, c.lo, c.hi)
		got := [...]bool{plain.Within(1, c.lo, c.hi), centered.Within(1, c.lo, c.hi), anywhere}
		if want := [...]bool{c.plain, c.centered, c.hi-c.lo <= 1+1e-9}; got != want {
			t.Errorf("[%v, %v] is within: %v; want %v", c.lo, c.hi, got, want)
		}
	}
}
