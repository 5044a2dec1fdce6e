package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A result with noise in a range is the mean of trials whose outcomes are the ends of the range. For a mean of 15
// in the range from 10 to 30, the upper end has probability 1/4. Drawn means stay within the range.
func TestRangesFromAnywhere(t *testing.T) {
	for _, lo := range []float64{0, 10, -40} {
		n := noise{bounded: true, lo: lo, hi: lo + 20, trials: 1}
		for _, x := range []struct{ sd, mean, trials, chance, variance float64 }{
			{0, 5, 1, .25, 75}, {5, 5, 3, .25, 25}, {0, -3, 1, 0, 0}, {0, 23, 1, 1, 0}, {0, 10, 1, .5, 100}, {20, 10, 1, .5, 100},
		} {
			n.sd = x.sd
			if trials, chance := n.of(lo + x.mean); trials != x.trials || chance != x.chance || n.variance(lo+x.mean) != x.variance {
				t.Errorf("%+v, mean %v: %v trials of %v, variance %v; want %+v", n, lo+x.mean, trials, chance, n.variance(lo+x.mean), x)
			}
		}
		b := &belief{k: 1, d: 1, mean: mat.NewDense(1, 1, []float64{lo + 10}), se: mat.NewDense(1, 1, []float64{1000}), noise: []noise{n}}
		seen, dst, rnd := map[float64]bool{}, mat.NewDense(1, 1, nil), rand.New(rand.NewPCG(1, 2))
		for range 100 {
			b.draw(dst, rnd)
			seen[dst.At(0, 0)] = true
			if m := dst.At(0, 0); m < lo || m > lo+20 {
				t.Fatalf("a mean of %v in %+v", m, n)
			}
		}
		if !seen[lo] || !seen[lo+20] {
			t.Errorf("the ends of %+v are never drawn", n)
		}
	}
}

// A candidate outside two bounds is rejected by either test; a candidate inside both has to pass both tests.
func TestUsualByTwoBounds(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "feasible", delta = 0.1 }
candidates = { file = "c.csv" }
[[objective]]
name = "y"
noise = { sd = 2 }
guess = "y"
at_least = 5
[[objective]]
name = "z"
noise = { sd = 1 }
guess = "z"
at_most = 3
`), func(string) ([]byte, error) { return []byte("c,y,z\nin,7,2\nout,4,3.25\none,6,4\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	_, l := lawOf(t, p)
	d := design{p: p, l: l, of: -1, noise: distuv.UnitNormal, c: 1.5}
	phi := distuv.UnitNormal.CDF
	for i, want := range []float64{phi(2-1.5) * phi(2-1.5), 1 - phi(1.5-1)*phi(1.5-.5), phi(2 - 1.5)} { // with four replicates, the standard errors are 1 and 0.5
		in, inside, outside := d.bounded(i, 4)
		if in != (i == 0) || in && !(math.Abs(inside-want) <= 1e-9) || !in && !(math.Abs(outside-want) <= 1e-9) {
			t.Errorf("candidate %d: inside %v, shown with %v or %v; want %v", i, in, inside, outside, want)
		}
	}
}
