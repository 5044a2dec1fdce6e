package linear

import (
	"math"
	"math/rand/v2"
	"testing"
)

// By hand: x = 1 and x = 2 with means 3 and 2, one reward each, deviations of at most 1/2.
//
// There is a theta for the means u and v if u - 1/2 <= (v + 1/2)/2. The nearest ones are (3, 2) -
// (1, -1/2) t for t = 1, with theta = 1.5. If means are at most 2.2, v = 2.2 leaves u = 1.85.
func TestNearestByHand(t *testing.T) {
	x, n, mean := [][]float64{{1}, {2}}, []int{1, 1}, []float64{3, 2}
	for _, c := range []struct{ largest, u, v float64 }{{100, 2, 2.5}, {2.2, 1.85, 2.2}} {
		got, ok := Bounds{.5, c.largest}.Nearest(x, n, mean, x)
		if !ok || math.Abs(got[0]-c.u) > 1e-9 || math.Abs(got[1]-c.v) > 1e-9 {
			t.Errorf("largest %v: %v, %v; want %v, %v", c.largest, got, ok, c.u, c.v)
		}
	}
	// An arm that is not pulled, x = 4, keeps theta at (1 + 1/2)/4 or less if means are at most 1:
	// means of at most 7/8 and 5/4, which is 1.
	got, ok := Bounds{.5, 1}.Nearest(x, n, mean, [][]float64{{4}})
	if !ok || math.Abs(got[0]-.875) > 1e-9 || math.Abs(got[1]-1) > 1e-9 {
		t.Errorf("with an arm that is not pulled: %v, %v", got, ok)
	}
	// A second feature, which none has that is pulled, leaves everything as it was.
	wide := [][]float64{{1, 0}, {2, 0}}
	got, ok = Bounds{.5, 1}.Nearest(wide, n, mean, [][]float64{{4, 0}, {0, 1}})
	if !ok || math.Abs(got[0]-.875) > 1e-9 || math.Abs(got[1]-1) > 1e-9 {
		t.Errorf("with a feature that nothing is known of: %v, %v", got, ok)
	}
}

// With a large bound on means it is what Deviating fits; and no means that keep to the bounds are
// nearer.
func TestNearestBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	bounded := 0
	for range 40 {
		const k, m = 7, 2
		x, n, mean := make([][]float64, k), make([]int, k), make([]float64, k)
		for i := range x {
			x[i] = []float64{rnd.NormFloat64(), 1}
			n[i], mean[i] = 1+rnd.IntN(20), 2*rnd.NormFloat64()
		}
		distance := func(v []float64) (s float64) {
			for i := range v {
				s += float64(n[i]) * (v[i] - mean[i]) * (v[i] - mean[i])
			}
			return s
		}
		predict, delta := Deviating(x, n, mean, .2)
		free, ok := Bounds{.2, 1e3}.Nearest(x, n, mean, x)
		for i, row := range x {
			if want := predict(row) + delta[i]; !ok || math.Abs(free[i]-want) > 1e-5 {
				t.Fatalf("mean %v; want %v", free[i], want)
			}
		}
		b := Bounds{.2, 1}
		got, ok := b.Nearest(x, n, mean, x)
		if !ok {
			t.Fatal("not solved")
		}
		if distance(got) > distance(free)*(1+1e-6) {
			bounded++
		}
		least := math.Inf(1)
		for range 20000 { // the best means for a random theta
			theta, v := [2]float64{2 * rnd.NormFloat64(), 2 * rnd.NormFloat64()}, make([]float64, k)
			out := false
			for i, row := range x {
				at := theta[0]*row[0] + theta[1]
				out = out || math.Abs(at) > b.Largest+b.Deviation
				v[i] = min(max(mean[i], at-b.Deviation, -b.Largest), at+b.Deviation, b.Largest)
			}
			if !out {
				least = min(least, distance(v))
			}
		}
		if d := distance(got); d > least*(1+1e-9) || d < least*.8 {
			t.Errorf("distance %v; %v by trial", d, least)
		}
	}
	if bounded < 10 {
		t.Errorf("the bound on means matters in %d of 40 only", bounded)
	}
}
