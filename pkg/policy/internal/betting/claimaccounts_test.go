package betting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func undecided(int) bool { return false }

// The expected capital of a false claim does not grow in any account. Earlier bets do not affect new accounts. The
// capital of a group of bets is the smallest capital of a bet in the group.
func TestClaimAccounts(t *testing.T) {
	var b ClaimAccounts
	b.Init(3, 2, 2, 0, undecided)
	alone, both := Group{At: 0, N: 1}, Group{At: 0, N: 2}
	claim := Claim{Item: 0, Of: 1, Beside: -1}
	check := func(c Claim, want float64) {
		t.Helper()
		got := math.Exp(b.Log(c, alone))
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("%+v: capital %v; want %v", c, got, want)
		}
		if !b.Proved(c, math.Log(.999*got), alone) || b.Proved(c, math.Log(1.001*got), alone) {
			t.Errorf("%+v: want a proof at 0.999 of the capital, none at 1.001", c)
		}
	}
	check(claim, .25*.5)
	b.Add(0, 3, 2)
	// The second account states that item 0 is in the answer, and item 1 is not. If this statement is wrong about one
	// item, the weights of false claims sum to at most 1.03. The item's stated claim contributes 1, and each of the
	// two claims that are not stated contributes 0.01. The claim that item 0 is better than item 1, which is no rival,
	// also contributes 0.01.
	stated := []Stated{{Of: 0, Beside: -1, Rival: true}, {Of: 1, Beside: -1}}
	b.Open(stated, undecided)
	for _, want := range []bool{true, false} {
		if news, worse := b.lean(stated, undecided); news != want || worse {
			t.Error("want news for a new account, once")
		}
	}
	won := 0.
	for k, l := range multiple {
		won += math.Exp(logShare[k] + 3*l - l*l)
	}
	const second = .25 * .75
	check(Claim{Item: 1, Of: 1, Beside: -1}, .25*.5*won+second/1.03)
	check(claim, .25*.5*won+second*.01/1.03)
	check(Claim{Item: 0, Of: 0, Beside: 1}, .25*.5*won+second*.01/1.03)
	// For a claim that holds independently of other items, one claim of each item counts as false.
	check(Claim{Item: 1, Of: 1, Beside: -1, Sure: true}, .25*.5*won+second/2)
	// Now both items are stated to be in the answer, so the weights of the second account fit less well: the weights
	// of false claims may sum to 2.
	stated = []Stated{{Of: 0, Beside: -1, Rival: true}, {Of: 0, Beside: -1, Rival: true}}
	if news, worse := b.lean(stated, undecided); !news || !worse {
		t.Error("want news for a changed statement, with a larger sum of weights")
	}
	check(Claim{Item: 0, Of: 0, Beside: 1}, .25*.5*won+second*.01/2)
	check(Claim{Item: 1, Of: 0, Beside: 0}, .25*.5*won+second*.01/2)

	// For a fair bet, d ~ N(0, v), and the expectation is computed by quadrature.
	const f, v, h = .7, 2., 1e-3
	before, sum, least := math.Exp(b.Log(claim, alone)), 0., 0.
	s, q := b.s[0], b.q[0]
	for x := -12.; x <= 12; x += h {
		b.s[0], b.q[0] = s, q
		b.Add(0, f*math.Sqrt(v)*x/v, f*f/v)
		sum += h * distuv.UnitNormal.Prob(x) * math.Exp(b.Log(claim, alone))
		b.s[1], b.q[1] = 0, 0
		b.Add(1, -f*math.Sqrt(v)*x/v, f*f/v)
		least += h * distuv.UnitNormal.Prob(x) * math.Exp(b.Log(claim, both))
	}
	if math.Abs(sum-before) > 1e-6 {
		t.Errorf("capital %v after a fair bet; want %v", sum, before)
	}
	if !(least < .9*before) {
		t.Errorf("capital %v of the less lucky one of two bets; want it well below %v", least, before)
	}

	// The initial capital of all accounts sums to 1.
	b.Init(1, 1, 2, 0, undecided)
	for range 200 {
		b.Open([]Stated{{Of: 1, Beside: -1}}, undecided)
	}
	if sum := math.Exp(b.Log(Claim{Of: 1, Beside: -1, Sure: true}, alone)); sum > 1 || sum < .99 {
		t.Errorf("all accounts have %v; want nearly 1", sum)
	}
	// The value of a capped group does not rise above 1.
	b.Add(0, 3, 2)
	if got := b.Log(claim, Group{At: 0, N: 1, Capped: true}); got > 0 {
		t.Errorf("a capped group made exp(%v) of 1", got)
	}
	b.Add(0, -9, 1)
	if got := b.Log(claim, Group{At: 0, N: 1, Capped: true}); got > -1 {
		t.Errorf("a capped group that lost has exp(%v)", got)
	}
}

// A further bet with s = q = Missing raises the capital to at least 1/delta, whatever other groups won or lost.
func TestClaimAccountsMissing(t *testing.T) {
	claim := Claim{Of: 1, Beside: -1}
	for _, delta := range []float64{.5, .1, 1e-3, 1e-10} {
		for _, other := range [][2]float64{{0, 0}, {3, 4}, {-2, 1}} {
			var b ClaimAccounts
			b.Init(3, 1, 2, 0, undecided)
			b.Add(1, other[0], other[1])
			b.Add(2, 9, 9)
			x := b.Missing(claim, -math.Log(delta), 0, Group{At: 1, N: 2})
			b.Add(0, x, x)
			if got := b.Log(claim, Group{At: 0, N: 1}, Group{At: 1, N: 2}); got < -math.Log(delta) {
				t.Errorf("delta %v, after %v: capital exp(%v) with %v more; want 1/delta", delta, other, got, x)
			}
		}
	}
}
