package betting

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// expected returns E exp(Log) of item 0 after a bet of size f on d ~ N(mean, v), by quadrature.
func expected(a Accounts, mean, f, v float64) float64 {
	sum, h := 0., 1e-3
	for x := -12.; x <= 12; x += h {
		d := mean + math.Sqrt(v)*x
		b := a
		b.s, b.q = append([]float64(nil), a.s...), append([]float64(nil), a.q...)
		b.Add(0, f*d/v, f*f/v)
		sum += h * distuv.UnitNormal.Prob(x) * math.Exp(b.Log(0, math.Inf(-1)))
	}
	return sum
}

// A bet does not change the expected capital if the mean is on the boundary of the hypothesis, and reduces it if
// the mean is inside. The initial capital of all accounts sums to at most the given total.
func TestCapital(t *testing.T) {
	for _, total := range []float64{1, .5} {
		var a Accounts
		a.Init(2, total)
		if got := expected(a, 0, .7, 2); math.Abs(got-First*total) > 1e-6 {
			t.Errorf("capital %v after a fair bet; want %v", got, First*total)
		}
		if got := expected(a, -.3, .7, 2); !(got < .99*First*total) {
			t.Errorf("capital %v after an unfair bet; want less than %v", got, First*total)
		}
		a.Add(0, 3, 2)
		before := math.Exp(a.Log(0, math.Inf(-1)))
		// A new account adds its capital, and earlier bets do not affect it.
		a.Open()
		after := math.Exp(a.Log(0, math.Inf(-1)))
		if want := before + (1-First)/2*total; math.Abs(after-want) > 1e-9 {
			t.Errorf("capital %v after the second account opened; want %v", after, want)
		}
		if got := expected(a, 0, .7, 2); math.Abs(got-after) > 1e-6 {
			t.Errorf("capital %v after a fair bet; want %v", got, after)
		}
		for range 200 {
			a.Open()
		}
		if sum := math.Exp(a.Log(1, math.Inf(-1))); sum > total || sum < .99*total {
			t.Errorf("all accounts have %v; want nearly %v", sum, total)
		}
	}
}

// Bets added by Grow affect only the accounts that were opened before the bet. For rewards of 0 or 1 with rate q,
// which is on the boundary of the hypothesis, a bet does not change the expected capital.
func TestGrow(t *testing.T) {
	const q = .2
	grow := func(y float64) func(l float64) float64 {
		return func(l float64) float64 { return math.Log1p(.3 * l * (y - q)) }
	}
	var a Accounts
	a.Init(2, 1)
	a.Grow(1, 1, 1, grow(1))
	a.Open()
	for name, before := range map[string]int{"first": 0, "second": 1} {
		mean := 0.
		for y, p := range map[float64]float64{0: 1 - q, 1: q} {
			b := a
			for k := range b.grown {
				b.grown[k] = slices.Clone(a.grown[k])
			}
			b.Grow(before, 0, 0, grow(y))
			mean += p * math.Exp(b.Log(before, 1))
		}
		if want := math.Exp(a.Log(before, 1)); math.Abs(mean-want) > 1e-9 {
			t.Errorf("%s item: capital %v on average after a fair bet; want %v", name, mean, want)
		}
	}
	// The account that opened after the bet still has its initial capital.
	sum := 0.
	for k, l := range multiple {
		sum += First * math.Exp(logShare[k]+grow(1)(l))
	}
	if got, want := math.Exp(a.Log(1, 1)), sum+(1-First)/2; math.Abs(got-want) > 1e-9 {
		t.Errorf("capital %v; want %v", got, want)
	}
}

// Bets are one-sided: lost bets of any size reduce the capital.
func TestOneSided(t *testing.T) {
	var a Accounts
	a.Init(1, 1)
	a.Add(0, -20, 4)
	if got := a.Log(0, math.Inf(-1)); got > 0 {
		t.Errorf("the logarithm of the capital is %v after lost bets; want it below 0", got)
	}
	if got := a.Log(0, 3); got >= 3 {
		t.Errorf("the logarithm of the capital is %v after lost bets; want it below 3", got)
	}
}

// After further bets with s = q = Missing, the capital is at least 1/delta.
func TestMissing(t *testing.T) {
	for _, delta := range []float64{.5, .1, 1e-3, 1e-10} {
		for _, start := range [][2]float64{{0, 0}, {3, 4}, {-2, 1}, {1, 9}} {
			var a Accounts
			a.Init(1, 1)
			a.Add(0, start[0], start[1])
			x := a.Missing(0, -math.Log(delta))
			a.Add(0, x, x)
			if got := a.Log(0, 0); got < -math.Log(delta) {
				t.Errorf("delta %v, after %v: capital exp(%v) with %v more; want 1/delta", delta, start, got, x)
			}
			// After bets with 60 % of Missing, the capital is below 1/delta.
			var b Accounts
			b.Init(1, 1)
			b.Add(0, start[0]+.6*x, start[1]+.6*x)
			if got := b.Log(0, 0); delta < .2 && start[0] <= 0 && got > -math.Log(delta) {
				t.Errorf("delta %v, after %v: 60 %% of Missing is enough", delta, start)
			}
		}
	}
}
