package betting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

var everything = math.Inf(-1)

// The capital of a true claim does not grow on average, whatever account it is in; accounts that open
// later have their own capital and know nothing of what was before. Of a group the least counts.
func TestBooks(t *testing.T) {
	var b Books
	b.Init(3, []float64{.7, .3})
	alone, both := Group{At: 0, N: 1}, Group{At: 0, N: 2}
	check := func(claim int, want float64) {
		t.Helper()
		if got := math.Exp(b.Log(claim, everything, alone)); math.Abs(got-want) > 1e-6 {
			t.Errorf("claim %d: capital %v; want %v", claim, got, want)
		}
	}
	check(0, .4*.7)
	b.Add(0, 3, 2)
	b.Open([]float64{.2, .8})
	won := 0.
	for k, l := range multiple {
		won += math.Exp(logShare[k] + 3*l - l*l)
	}
	check(0, .4*.7*won+.3*.2)
	check(1, .4*.3*won+.3*.8)

	// A fair bet: d ~ N(0, v), by quadrature.
	const f, v, h = .7, 2., 1e-3
	before, sum, least := math.Exp(b.Log(0, everything, alone)), 0., 0.
	s, q := b.s[0], b.q[0]
	for x := -12.; x <= 12; x += h {
		b.s[0], b.q[0] = s, q
		b.Add(0, f*math.Sqrt(v)*x/v, f*f/v)
		sum += h * distuv.UnitNormal.Prob(x) * math.Exp(b.Log(0, everything, alone))
		b.s[1], b.q[1] = 0, 0
		b.Add(1, -f*math.Sqrt(v)*x/v, f*f/v)
		least += h * distuv.UnitNormal.Prob(x) * math.Exp(b.Log(0, everything, both))
	}
	if math.Abs(sum-before) > 1e-6 {
		t.Errorf("capital %v after a fair bet; want %v", sum, before)
	}
	if !(least < .9*before) {
		t.Errorf("capital %v of the less lucky one of two bets; want it well below %v", least, before)
	}

	// All accounts together have 1.
	b.Init(1, []float64{1})
	for range 200 {
		b.Open([]float64{1})
	}
	if sum := math.Exp(b.Log(0, everything, alone)); sum > 1 || sum < .99 {
		t.Errorf("all accounts have %v; want nearly 1", sum)
	}
	// A group that is capped can only lose.
	b.Add(0, 3, 2)
	if got := b.Log(0, everything, Group{At: 0, N: 1, Capped: true}); got > 0 {
		t.Errorf("a capped group made exp(%v) of 1", got)
	}
	b.Add(0, -9, 1)
	if got := b.Log(0, everything, Group{At: 0, N: 1, Capped: true}); got > -1 {
		t.Errorf("a capped group that lost has exp(%v)", got)
	}
}

// What is missing is enough, with what other groups have won or lost.
func TestBooksMissing(t *testing.T) {
	for _, delta := range []float64{.5, .1, 1e-3, 1e-10} {
		for _, other := range [][2]float64{{0, 0}, {3, 4}, {-2, 1}} {
			var b Books
			b.Init(3, []float64{1})
			b.Add(1, other[0], other[1])
			b.Add(2, 9, 9)
			x := b.Missing(0, -math.Log(delta), 0, Group{At: 1, N: 2})
			b.Add(0, x, x)
			if got := b.Log(0, 0, Group{At: 0, N: 1}, Group{At: 1, N: 2}); got < -math.Log(delta) {
				t.Errorf("delta %v, after %v: capital exp(%v) with %v more; want 1/delta", delta, other,
					got, x)
			}
		}
	}
}
