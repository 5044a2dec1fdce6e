package pareto

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// regretOracle follows the definition: the smallest eps >= 0 such that row k raised by eps reaches every other row in
// some objective. The smallest eps is either 0 or the difference between row k and another row in some objective.
func regretOracle(mu *mat.Dense, k int) float64 {
	n, _ := mu.Dims()
	enough := func(eps float64) bool {
		for j := range n {
			reached := false
			for c, v := range mu.RawRowView(k) {
				reached = reached || mu.At(j, c)-v <= eps
			}
			if !reached {
				return false
			}
		}
		return true
	}
	least := math.Inf(1)
	if enough(0) {
		return 0
	}
	for j := range n {
		for c, v := range mu.RawRowView(k) {
			if eps := mu.At(j, c) - v; eps > 0 && eps < least && enough(eps) {
				least = eps
			}
		}
	}
	return least
}

func TestRegrets(t *testing.T) {
	rnd := newRand(31)
	for _, law := range clouds {
		for d := 1; d <= 4; d++ {
			for range 50 {
				n := 1 + rnd.IntN(9)
				mu := cloud(rnd, law.draw, n, d)
				regret := Regrets(mu)
				for k, r := range regret {
					if want := regretOracle(mu, k); r != want {
						t.Fatalf("%s: regret of row %d is %v; want %v\n%v", law.name, k, r, want, mat.Formatted(mu))
					}
				}
			}
		}
	}
	hole := mat.NewDense(1, 1, []float64{math.NaN()})
	if v := panicValue(func() { Regrets(hole) }); v != panicFinite {
		t.Errorf("NaN: %v", v)
	}
}

// The accuracy in equation (5) of the PFIwR paper is the smallest gap. Unlike that equation, the definition of the gap
// of an optimal row also has a term for each dominated row j. This term is at least the gap of row j, so it does not
// reduce the smallest gap.
func TestLeastGapIsAccuracy(t *testing.T) {
	rnd := newRand(32)
	for _, law := range clouds {
		if law.name == "wide" {
			continue // sums of gaps are rounded
		}
		for range 300 {
			mu := cloud(rnd, law.draw, 2+rnd.IntN(12), 2+rnd.IntN(2))
			front := Set(mu)
			want := math.Inf(1)
			for k, r := range Regrets(mu) {
				if !slices.Contains(front, k) {
					want = min(want, r)
				}
			}
			for _, i := range front {
				for _, j := range front {
					if i != j {
						want = min(want, Excess(mu.RawRowView(i), mu.RawRowView(j)))
					}
				}
			}
			if got := slices.Min(Gaps(mu)); got != want {
				t.Fatalf("%s: least gap %v; equation (5) gives %v\n%v", law.name, got, want, mat.Formatted(mu))
			}
		}
	}
}
