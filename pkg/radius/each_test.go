package radius_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// fitted are the radii that support Fitted.
var fitted = []radius.Radius{radius.Bernoulli{}, radius.Bernoulli{Trials: 3}, radius.Bernoulli{Centered: true},
	radius.EmpiricalBernstein{}}

func bound(r radius.Radius, d int, delta float64) radius.Fitted {
	return r.Bind(radius.Params{Arms: 5, Objectives: d, Sigma: .5, NormSigma: .5, Delta: delta}).(radius.Fitted)
}

// By the union bound, the half-widths for d objectives at delta equal the half-widths for one objective at delta/d.
// This holds for half-widths from counts and from rewards.
func TestFittedUnionBound(t *testing.T) {
	const delta = .1
	a, b := radius.Seen{N: 40, Mean: .2, Spread: .1}, radius.Seen{N: 7, Mean: -.1, Spread: .05}
	for _, r := range fitted {
		for d := 1; d <= 3; d++ {
			all, one := bound(r, d, delta), bound(r, 1, delta/float64(d))
			for what, x := range map[string][2]float64{
				"mean": {all.Mean(40), one.Mean(40)}, "around": {all.Around(d-1, a), one.Around(0, a)},
				"apart": {all.Apart(d-1, a, b), one.Apart(0, a, b)},
				"pair":  {all.Pair(all.Term(40), all.Term(7)), one.Pair(one.Term(40), one.Term(7))},
				"norm":  {all.Norm(40), math.Sqrt(float64(d)) * one.Mean(40)},
			} {
				if !(math.Abs(x[0]-x[1]) <= 1e-9*x[1]) || !(x[1] > 0) {
					t.Errorf("%v, %d objectives, %s: %v; want %v", r, d, what, x[0], x[1])
				}
			}
		}
	}
}

// For each objective, Each uses the half-width of the objective's own radius. If only counts are
// known, Each uses the widest half-width.
func TestEach(t *testing.T) {
	const delta = .1
	each := radius.Each(fitted)
	if err := each.Validate(); err != nil {
		t.Error(err)
	}
	if got, want := each.String(), "Bernoulli, Bernoulli, 3 trials, empirical Bernstein"; got != want {
		t.Errorf("%q; want %q", got, want) // equal names are listed once
	}
	a, b := radius.Seen{N: 40, Mean: .2, Spread: .1}, radius.Seen{N: 7, Mean: .1, Spread: .05}
	d := len(each)
	all, widest := bound(each, d, delta), 0.
	for c, r := range each {
		own := bound(r, d, delta)
		widest = max(widest, own.Mean(9))
		if all.Around(c, a) != own.Around(c, a) || all.Apart(c, a, b) != own.Apart(c, a, b) ||
			all.Range(c, 3) != own.Range(c, 3) {
			t.Errorf("objective %d: %v around, %v apart, %s; want those of %v", c, all.Around(c, a),
				all.Apart(c, a, b), all.Range(c, 3), r)
		}
		for _, x := range [][2]float64{{0, 1}, {-.5, .5}, {0, 1.1}, {-1, 0}, {.2, .3}, {-.6, .4}, {0, 1.8}} {
			if all.Within(c, x[0], x[1]) != own.Within(c, x[0], x[1]) {
				t.Errorf("objective %d: rewards in %v are within: %v", c, x, all.Within(c, x[0], x[1]))
			}
		}
	}
	if all.Mean(9) != widest || all.Norm(9) != 2*widest || all.Pair(all.Term(9), all.Term(9)) != 2*widest {
		t.Errorf("by counts %v, norm %v; want %v and twice that", all.Mean(9), all.Norm(9), widest)
	}
	// For one objective, Each uses its first radius.
	for _, r := range []radius.Each{{radius.EmpiricalBernstein{}, radius.Bernoulli{}}, {radius.EmpiricalBernstein{}}} {
		own, one := bound(radius.EmpiricalBernstein{}, 1, delta), bound(r, 1, delta)
		if one.Mean(9) != own.Mean(9) || one.Norm(9) != own.Norm(9) || one.Around(0, a) != own.Around(0, a) {
			t.Errorf("%v of one objective: %v; want %v", r, one.Mean(9), own.Mean(9))
		}
	}
	// The order of the radii does not matter.
	turned := slices.Clone(each)
	for range each {
		turned = append(turned[1:], turned[0])
		if x := bound(turned, d, delta); x.Mean(9) != widest {
			t.Errorf("%v: by counts %v; want %v", turned, x.Mean(9), widest)
		}
	}
	if pair, norm := all.Factors(9); pair != 1 || norm != 1 || !all.Squares() {
		t.Errorf("factors %v, %v; squares %v", pair, norm, all.Squares())
	}
	if bound(radius.Each{radius.Bernoulli{}, radius.Bernoulli{}}, 2, delta).Squares() {
		t.Error("squares are kept for bounds that do not use them")
	}
	err := radius.Each{radius.Bernoulli{}, radius.KaufmannKoolen{}}.Validate()
	if err == nil || !strings.Contains(err.Error(), "Each[1]") {
		t.Errorf("a radius that does not fit: %v", err)
	}
}

// If 2 % of the rewards are successes, their variance is far below the largest variance of rewards between 0 and 1.
// After 10,000 rewards, the half-width is half as wide as the half-width that ignores the observed variance.
func ExampleEmpiricalBernstein() {
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 10, Objectives: 1, Sigma: 0.5, NormSigma: 0.5, Delta: 0.05})
	const n, rate = 10_000, 0.02
	fmt.Printf("by counts %.4f, by the variance %.4f\n", b.Mean(n),
		b.(radius.Fitted).Around(0, radius.Seen{N: n, Mean: rate, Spread: rate * (1 - rate)}))
	// Output: by counts 0.0354, by the variance 0.0177
}

// The half-widths are computed by hand for a range of length 2 with 3 arms, 2 objectives, delta = 0.1 and 1000
// rewards.
func TestEmpiricalBernstein(t *testing.T) {
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 3, Objectives: 2, Sigma: 1, Delta: .1})
	a, ok := b.(radius.Fitted)
	if !ok {
		t.Fatal("not adaptive")
	}
	// The logarithms are log(24/0.1 * 1000 * 1001) = 19.297 and log(36/0.1 * 1000 * 1001) = 19.703.
	hoeffding := 2 * math.Sqrt(math.Log(240*1000*1001)/2000)
	x := math.Log(360*1000*1001) / 1000
	for _, c := range []struct{ got, want float64 }{
		{a.Mean(1000), hoeffding}, {a.Mean(1000), .1964543},
		{a.Around(0, radius.Seen{N: 1000, Spread: .01}), math.Sqrt(.02*x) + 6*x}, {a.Around(0, radius.Seen{N: 1000, Spread: .01}), .1380664},
		{a.Around(0, radius.Seen{N: 1000, Spread: 1}), hoeffding},          // the largest spread in the range
		{a.Around(1, radius.Seen{N: 1000, Spread: math.NaN()}), hoeffding}, // squares are unknown
		{a.Apart(1, radius.Seen{N: 1000, Spread: math.NaN()}, radius.Seen{N: 1000, Spread: .01}), hoeffding + math.Sqrt(.02*x) + 6*x},
		{a.Around(0, radius.Seen{N: 1000}), 6 * x}, // all rewards are equal
		{a.Pair(a.Term(1000), a.Term(1000)), 2 * hoeffding},
		{a.Norm(1000), math.Sqrt2 * hoeffding},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-6*c.want) {
			t.Errorf("half-width %v; want %v", c.got, c.want)
		}
	}
	if pair, norm := b.Factors(7); pair != 1 || norm != 1 {
		t.Errorf("factors %v, %v", pair, norm)
	}
}

// The bounds hold for rewards in the range, at all counts simultaneously: for rare successes, whose variance is
// easily underestimated, and for rates near 1/2.
func TestEmpiricalBernsteinCovers(t *testing.T) {
	const runs, most, delta = 400, 3000, .2
	rnd := rand.New(rand.NewPCG(5, 6))
	b := radius.EmpiricalBernstein{}.Bind(radius.Params{Arms: 1, Objectives: 1, Sigma: .5, Delta: delta}).(radius.Fitted)
	for _, p := range []float64{.003, .05, .5} {
		missed := 0
		for range runs {
			var sum float64
			for n := 1; n <= most; n++ {
				if rnd.Float64() < p {
					sum++
				}
				mean := sum / float64(n)
				if math.Abs(mean-p) > b.Around(0, radius.Seen{N: n, Mean: mean, Spread: mean - mean*mean}) {
					missed++
					break
				}
			}
		}
		if missed > int(delta*runs) {
			t.Errorf("p %v: missed in %d of %d runs at delta %v", p, missed, runs, delta)
		}
	}
}
