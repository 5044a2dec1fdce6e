package radius_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// By hand: K = 3, d = 2, delta = .1, sigma = .5 (R = 1), so that log(K d/delta) = log 60.
//
// No success in n trials: B(1/2, n + 1/2)/pi is Gamma(n + 1/2)/(sqrt(pi) n!), for n = 2 this is
// (1 3)/(2 4) = 3/8; the rate q with (3/8) (1 - q)^-2 = 60 is 1 - sqrt(1/160). For n = 4 it is
// (1 3 5 7)/(2 4 6 8) = 35/128, and q = 1 - (35/(128 60))^(1/4).
//
// One success of two: B(3/2, 3/2)/pi = 1/8; q (1 - q) = 1/480, q = 1/2 + sqrt(1/4 - 1/480).
func TestBernoulli(t *testing.T) {
	at := func(r radius.Bernoulli) radius.Local {
		return r.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: .5, Delta: .1}).(radius.Local)
	}
	b := at(radius.Bernoulli{})
	four := 1 - math.Pow(35./(128*60), .25)
	for _, c := range []struct{ got, want float64 }{
		{b.Around(2, 0), 1 - math.Sqrt(1./160)},
		{b.Around(2, 1), 1 - math.Sqrt(1./160)},
		{b.Around(4, 0), four},
		{b.Around(2, .5), math.Sqrt(.25 - 1./480)},
		{b.Around(2, -.5), math.Sqrt(.25 - 1./480)},
		// Two trials a reward: R = sqrt(2), four trials after two rewards.
		{at(radius.Bernoulli{Trials: 2}).Around(2, 0), math.Sqrt2 * four},
		{b.Mean(100), math.Sqrt((math.Log(120) + math.Log(100)/2) / 200)},
		{b.Pair(b.Term(100), b.Term(100)), 2 * b.Mean(100)},
		{b.Norm(100), math.Sqrt2 * b.Mean(100)},
	} {
		if math.Abs(c.got-c.want) > 1e-8 {
			t.Errorf("half-width %v; want %v", c.got, c.want)
		}
	}
	// What counts alone allow is enough, whatever the mean.
	for n := 1; n < 3_000_000; n = 2*n + 1 {
		for p := 0.; p <= 1; p += 1. / 64 {
			if got := b.Around(n, p); !(got > 0 && got <= b.Mean(n)*(1+1e-9)) {
				t.Fatalf("half-width %v of %d rewards of mean %v; want at most %v", got, n, p,
					b.Mean(n))
			}
		}
	}
	if got := fmt.Sprint(radius.Bernoulli{}, radius.Bernoulli{Trials: 5}); got !=
		"Bernoulli Bernoulli, 5 trials" {
		t.Error(got)
	}
}

// All counts are covered at once, for rare successes and even ones, and for rewards between 0 and
// 1.
func TestBernoulliCovers(t *testing.T) {
	const runs, most, delta = 400, 500, .2
	rnd := rand.New(rand.NewPCG(5, 7))
	b := radius.Bernoulli{}.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: .5,
		Delta: delta}).(radius.Local)
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
				if math.Abs(sum/float64(n)-p) > b.Around(n, sum/float64(n)) {
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

// Rates of 2 % vary far less than numbers between 0 and 1 may.
func ExampleBernoulli() {
	b := radius.Bernoulli{}.Bind(radius.Params{Arms: 10, Objectives: 1, Sigma: 0.5, NormSigma: 0.5,
		Delta: 0.05})
	const n = 10_000
	fmt.Printf("by counts %.4f, at a rate of 2 %% %.4f\n", b.Mean(n),
		b.(radius.Local).Around(n, 0.02))
	// Output: by counts 0.0230, at a rate of 2 % 0.0070
}

func BenchmarkBernoulli(b *testing.B) {
	r := radius.Bernoulli{}.Bind(radius.Params{Arms: 10, Objectives: 1, Sigma: 0.5, NormSigma: 0.5,
		Delta: 0.05}).(radius.Local)
	n := 100
	for b.Loop() {
		r.Around(n, .3)
		n++
	}
}
