package betting

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
)

// The expected factor of a wager is at most 1 for each multiple and all rates in the hypothesis. The test
// enumerates all outcomes of a phase of two arms, with 3 and 2 rewards of 2 trials each. At the rates q_k,
// which the bet chooses from the hypothesis, the expected factor is 1, unless a stake was limited.
func TestWagerIsFair(t *testing.T) {
	const trials = 2
	for _, shift := range []float64{0, -.3, .2} {
		for _, coef := range []float64{1, -1} {
			prob := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 3}
			bounds := []Bounded{{Trials: 1, Length: 1, Low: 0}, {Trials: trials, Length: 4, Low: -1}}
			e := Engine{prob: prob, free: true, D: 2, Exact: make([][]float64, 2), Bounds: bounds}
			// The earlier rewards in objective 1 correspond to rates of 0.3 and 0.625.
			e.pooled.n, e.pooled.sum = []float64{5, 4}, []float64{0, 5*-1 + 4*1.5, 0, 4*-1 + 4*2.5}
			e.own.n, e.own.sum = []float64{3, 2}, make([]float64, 4)
			e.items, e.coefs, e.lambda = []int{0, 1}, []float64{coef, -coef}, []float64{0, 1}
			e.bets = []bet{{from: 0, to: 2, shift: shift}}
			// expected returns the expected factor, and whether a stake was limited.
			expected := func(l, f, p0, p1 float64) (mean float64, cut bool) {
				for y0 := range 3*trials + 1 {
					for y1 := range 2*trials + 1 {
						e.own.sum[1] = 3*-1 + float64(y0)*4/trials
						e.own.sum[3] = 2*-1 + float64(y1)*4/trials
						w := e.wager(0, 1)
						if d := coef*(e.own.sum[1]/3-e.own.sum[3]/2) + shift; math.Abs(w.d-d) > 1e-12 {
							t.Fatalf("d is %v; want %v", w.d, d)
						}
						for _, p := range w.parts {
							c := l * f / w.v * p.a / p.trials
							cut = cut || max(c*p.q, c*(p.q-1)) > mostStaked
						}
						mean += math.Exp(w.growth(f, l) +
							distuv.Binomial{N: 3 * trials, P: p0}.LogProb(float64(y0)) +
							distuv.Binomial{N: 2 * trials, P: p1}.LogProb(float64(y1)))
					}
				}
				return mean, cut
			}
			for _, l := range multiple {
				for _, f := range []float64{.1, .7, 3} {
					for p0 := .05; p0 < 1; p0 += .15 {
						for p1 := .05; p1 < 1; p1 += .15 {
							if coef*4*(p0-p1)+shift > 0 {
								continue // the hypothesis is false
							}
							if x, _ := expected(l, f, p0, p1); x > 1+1e-9 {
								t.Errorf("coefficient %v, shift %v, stake %v x %v, rates %v and %v: %v", coef, shift, l, f, p0,
									p1, x)
							}
						}
					}
					w := e.wager(0, 1)
					if x, cut := expected(l, f, w.parts[0].q, w.parts[1].q); w.parts[0].q > 0 && w.parts[0].q < 1 && w.parts[1].q > 0 && w.parts[1].q < 1 &&
						!cut && math.Abs(x-1) > 1e-9 {
						t.Errorf("at the rates of the hypothesis, the expected factor is %v; want 1", x)
					}
				}
			}
			if x, _ := expected(1, .3, .5+.45*coef, .5-.45*coef); x < 1.01 {
				t.Errorf("coefficient %v, shift %v: the expected factor of a right bet is %v; want more than 1", coef, shift, x)
			}
		}
	}
}

// If only the length of a range is given, the sign of the first nonzero reward determines the range. Rewards
// outside the range are rejected.
func TestBoundsCheck(t *testing.T) {
	batch := func(n int, sum ...float64) []explore.Batch {
		return []explore.Batch{{Pull: explore.Pull{Arm: 1, N: n}, Sum: sum}}
	}
	e := Engine{prob: &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, D: 2, Exact: make([][]float64, 2)}
	fresh := func() {
		e.Bounds = []Bounded{{Trials: 3, Length: 2, Low: math.NaN()}, {Trials: 1, Length: 4, Low: -2}}
	}
	for _, c := range []struct {
		obs []explore.Batch
		low float64
		bad bool
	}{
		{batch(4, 0, 8), math.NaN(), false},
		{batch(4, 8, -8), 0, false},
		{batch(4, -8, 0), -2, false},
		{batch(4, 8.1, 0), 0, true},
		{batch(4, -8.1, 0), 0, true},
		{batch(4, 0, 8.1), 0, true},
		{append(batch(4, 1, 0), batch(2, -1, 0)...), 0, true},
		{append(batch(4, -1, 0), batch(2, 1, 0)...), 0, true},
		{append(batch(4, 1, 0), batch(2, 0, 0)...), 0, false},
		{batch(1, 0, 2), math.NaN(), false},
		{batch(1, 0, -2.1), 0, true},
	} {
		fresh()
		told, err := e.check(c.obs)
		if (err != nil) != c.bad {
			t.Errorf("%v: %v", c.obs, err)
		}
		if low := told[0].Low; !c.bad && low != c.low && !(math.IsNaN(low) && math.IsNaN(c.low)) {
			t.Errorf("%v: at least %v; want %v", c.obs, low, c.low)
		}
	}
	// On a scale from 1 to 5, a reward of 0 is rejected.
	for x, bad := range map[float64]bool{0: true, .9: true, 1: false, 5: false, 5.1: true, -1: true} {
		e.Bounds = []Bounded{{Trials: 1, Length: 4, Low: 1}, {Trials: 1, Length: 4, Low: -2}}
		if _, err := e.check(batch(3, 3*x, 0)); (err != nil) != bad {
			t.Errorf("%v on a scale from 1 to 5: %v", x, err)
		}
	}
}

// The bets of a phase do not depend on its own rewards, even if no earlier reward has shown the sign.
func TestSignIsLearntAfterBets(t *testing.T) {
	var bets [2]bet
	for success := range bets {
		var e Engine
		prob := &explore.Problem{Arms: 2, Sigma: .5}
		err := e.Init(prob, &Elimination{}, .1, []Bounded{{Trials: 1, Length: 1, Low: math.NaN()}})
		for _, sum := range []float64{0, float64(success)} { // without Ask, as if phase 1 had been planned before phase 0 was complete
			err = errors.Join(err, e.Tell([]explore.Batch{{Pull: explore.Pull{N: 2}, Sum: []float64{sum}},
				{Pull: explore.Pull{Arm: 1, N: 2}, Sum: []float64{0}}}))
		}
		if bets[success] = e.bets[0]; err != nil || math.IsNaN(e.Bounds[0].Low) != (success == 0) || bets[success] != bets[0] {
			t.Errorf("%d successes: bounds %+v, bet %+v, %v; want %+v", success, e.Bounds, bets[success], err, bets[0])
		}
	}
}
